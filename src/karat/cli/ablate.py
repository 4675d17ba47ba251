"""`karat ablate`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import KEY, command_of, file_option, pick
from karat.data.provenance import Reading
from karat.formats.pairs import read_pairs

ENGINE = click.Argument(["engine"], metavar="ENGINE")
TRAIN = file_option("train", "labelled pairs to learn from; by default KEY, by cross-validation", metavar="PAIRS")


def nouns(given: dict[str, Any]) -> dict[str, Any]:
    """The engine, the pairs to answer and, if given, those to learn from."""
    reading = pick(Reading, given)
    train = read_pairs(given["train"], **reading) if given["train"] else None
    return {"engine": given["engine"], "key": read_pairs(given["key"], **reading), "train": train}


command = command_of("ablate", nouns, [ENGINE, KEY], Reading, files=[TRAIN])

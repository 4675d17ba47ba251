"""`karat ablate`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import KEY, StudyCommand, file_option, options_of, pick
from karat.data.provenance import Reading
from karat.formats.pairs import read_pairs
from karat.studies.ablate import AblateParameters, Ablation, ablate

ENGINE = click.Argument(["engine"], metavar="ENGINE")
TRAIN = file_option("train", "labelled pairs to learn from; by default KEY, by cross-validation", metavar="PAIRS")


def run(given: dict[str, Any]) -> Ablation:
    """Read the pairs, and run the engine without each of its parts."""
    reading = pick(Reading, given)
    asked = pick(AblateParameters, given)
    key = read_pairs(given["key"], **reading)
    train = read_pairs(given["train"], **reading) if given["train"] else None
    return ablate(given["engine"], key, train=train, **asked)


command = StudyCommand("ablate", [ENGINE, KEY, *options_of(AblateParameters, Reading), TRAIN], run)

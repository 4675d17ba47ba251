"""`karat ablate`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.options import KEY, make_command, options_of, pick
from karat.cli.run import progress_bar
from karat.data.reading import Reading
from karat.formats import read_pairs
from karat.studies.ablate.parameters import AblateParameters
from karat.studies.ablate.result import Ablation
from karat.studies.ablate.study import ablate, parts_of

ENGINE = click.Argument(["engine"], metavar="ENGINE")
TRAIN = click.Option(
    ["--train"],
    type=click.Path(),
    metavar="PAIRS",
    help="labelled pairs to learn from; without, KEY by cross-validation",
)


def run(given: dict[str, Any]) -> Ablation:
    """Read, and switch off one part after another."""
    reading = pick(Reading, given)
    asked = pick(AblateParameters, given)
    key = read_pairs(given["key"], **reading)
    train = read_pairs(given["train"], **reading) if given["train"] else None
    with progress_bar(1 + len(parts_of(given["engine"], given["without"])), quiet=given["quiet"]) as advance:
        return ablate(given["engine"], key, train=train, progress=advance, **asked)


command = make_command("ablate", [ENGINE, KEY, *options_of(AblateParameters, Reading), TRAIN], run)

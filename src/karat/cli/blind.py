"""`karat blind`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from karat.cli.command import KEY, options_of, pick
from karat.cli.writing import WritingCommand
from karat.data.provenance import Reading
from karat.errors import UsageError
from karat.formats.pairs import read_pairs, write_pairs
from karat.studies.blind.study import Blinded, BlindParameters, blind

FILE = click.Path(dir_okay=False)
OUT = [
    click.Option(
        ["--output", "-o"], type=FILE, metavar="FILE", help="write the blind test set (.xml, .tsv, .csv, .jsonl …)"
    ),
    click.Option(["--key-out"], type=FILE, help="also write the key with the new order and ids"),
]


def run(given: dict[str, Any]) -> tuple[Blinded, Callable[[], None]]:
    """Read the key; write the blind set, and the key that goes with it."""
    if given["renumber"] and given["output"] and not given["key_out"]:
        raise UsageError("--renumber: name a file for the key with the new ids, --key-out FILE, to score runs with")
    pairs = read_pairs(given["key"], **pick(Reading, given))
    result = blind(pairs, **pick(BlindParameters, given))

    def write() -> None:
        if given["output"]:
            write_pairs(result.of(pairs), given["output"])
        if given["key_out"]:
            write_pairs(result.keyed(pairs), given["key_out"])

    return result, write


command = WritingCommand("blind", [KEY, *options_of(BlindParameters, Reading), *OUT], run, files=("output", "key_out"))

"""`karat items`."""

from __future__ import annotations

from typing import Any

from karat.cli.options import KEY, RUNS, make_command, options_of, pick
from karat.data.reading import Reading
from karat.formats import read_pairs, read_runs
from karat.studies.items import Items, ItemsParameters, items


def run(given: dict[str, Any]) -> Items:
    """Read and analyse."""
    reading = pick(Reading, given)
    key = read_pairs(given["key"], **reading)
    return items(key, read_runs(given["runs"], key, **reading), **pick(ItemsParameters, given))


command = make_command("items", [KEY, RUNS, *options_of(ItemsParameters, Reading)], run)

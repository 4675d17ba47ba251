"""`karat keys`."""

from __future__ import annotations

from typing import Any

from karat.cli.command import ALSO, BALLOTS, KEY, RUNS, ballots_of, command_of, file_option, pick
from karat.data.provenance import BallotReading, Reading
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs

ANCHOR = file_option("anchor", "a key whose ENTAILMENT labels the anchored key keeps")


def nouns(given: dict[str, Any]) -> dict[str, Any]:
    """The runs with their key, the ballots on it and, if given, the anchor."""
    reading = pick(Reading, given)
    key = read_pairs(given["key"], **reading)
    ballots = ballots_of(given, key)
    runs = read_runs(given["runs"], key, **reading)
    return {"runs": runs, "ballots": ballots, "anchor": read_pairs(given["anchor"]) if given["anchor"] else None}


command = command_of(
    "keys", nouns, [KEY, BALLOTS, RUNS, ALSO], BallotReading, Reading, files=[ANCHOR], without=["level", "order"]
)

"""`karat keys`."""

from __future__ import annotations

from typing import Any

from karat.cli.command import ALSO, BALLOTS, KEY, RUNS, StudyCommand, ballots_of, file_option, options_of, pick
from karat.data.provenance import BallotReading, Reading
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs
from karat.studies.keys.result import KeyComparison
from karat.studies.keys.study import KeysParameters, keys

ANCHOR = file_option("anchor", "a key whose ENTAILMENT labels the anchored key keeps")


def run(given: dict[str, Any]) -> KeyComparison:
    """Read the key, the ballots on it and the runs; compare."""
    reading = pick(Reading, given)
    key = read_pairs(given["key"], **reading)
    ballots = ballots_of(given, key)
    runs = read_runs(given["runs"], key, **reading)
    nouns = {"anchor": read_pairs(given["anchor"])} if given["anchor"] else {}
    return keys(runs, ballots, **pick(KeysParameters, given), **nouns)


options = options_of(KeysParameters, BallotReading, Reading, without=["level", "order"])
command = StudyCommand("keys", [KEY, BALLOTS, RUNS, ALSO, *options, ANCHOR], run)

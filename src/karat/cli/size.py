"""`karat size`."""

from __future__ import annotations

from typing import Any

from karat.cli.command import RUNS_OR_SCORES, command_of, file_option, runs_or_scores_of
from karat.data.provenance import Reading
from karat.data.responses import Responses
from karat.errors import UsageError
from karat.formats.ballots import read_ballots

FILES = [
    file_option("ballots", "ballots on the key's pairs: the key is assumed to be as noisy as one assessor"),
    file_option("candidates", "ballots on candidates to draw a test set from (see --mix)"),
]


def nouns(given: dict[str, Any]) -> dict[str, Any]:
    """Runs or scores and, if given, ballots; with a difference or a discordance alone, nothing."""
    planning = not (given["key"] or given["scores"])
    if planning and not (given["difference"] or given["discordance"]):
        raise UsageError("give KEY and RUN..., or --scores FILE; or plan without runs, with --difference D")
    if planning and given["transpose"]:
        raise UsageError("--transpose applies to a score matrix: give it with --scores FILE")
    runs, ballots = None if planning else runs_or_scores_of(given), None
    if given["ballots"]:
        if not isinstance(runs, Responses):
            raise UsageError("--ballots refer to the pairs of a key: give KEY and RUN, not --scores")
        ballots = read_ballots(given["ballots"], runs.key)
    candidates = read_ballots(given["candidates"]) if given["candidates"] else None
    return {"runs": runs, "ballots": ballots, "candidates": candidates}


command = command_of("size", nouns, RUNS_OR_SCORES, Reading, files=FILES)

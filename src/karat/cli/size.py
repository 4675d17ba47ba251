"""`karat size`."""

from __future__ import annotations

from typing import Any

from karat.cli.command import RUNS_OR_SCORES, StudyCommand, file_option, options_of, pick, runs_or_scores_of
from karat.data.provenance import Reading
from karat.data.responses import Responses
from karat.errors import UsageError
from karat.formats.ballots import read_ballots
from karat.studies.size.result import Size
from karat.studies.size.study import SizeParameters, size

FILES = [
    file_option("ballots", "ballots on the key's pairs: the key is assumed to be as noisy as one assessor"),
    file_option("candidates", "ballots on candidates to draw a test set from (see --mix)"),
]


def run(given: dict[str, Any]) -> Size:
    """Read runs or scores and, if given, ballots; with a difference or a discordance alone, plan without runs."""
    planning = not (given["key"] or given["scores"])
    if planning and not (given["difference"] or given["discordance"]):
        raise UsageError("give KEY and RUN..., or --scores FILE; or plan without runs, with --difference D")
    if planning and given["transpose"]:
        raise UsageError("--transpose applies to a score matrix: give it with --scores FILE")
    runs = None if planning else runs_or_scores_of(given)
    nouns: dict[str, Any] = {}
    if given["ballots"]:
        if not isinstance(runs, Responses):
            raise UsageError("--ballots refer to the pairs of a key: give KEY and RUN, not --scores")
        nouns["ballots"] = read_ballots(given["ballots"], runs.key)
    if given["candidates"]:
        nouns["candidates"] = read_ballots(given["candidates"])
    return size(runs, **nouns, **pick(SizeParameters, given))


command = StudyCommand("size", [*RUNS_OR_SCORES, *options_of(SizeParameters, Reading), *FILES], run)

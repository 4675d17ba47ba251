"""`karat meta`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from karat.cli.command import PATH, command_of, file_option, pick
from karat.data.judgments import Judgments
from karat.data.nuggets import Nuggets
from karat.data.provenance import ScoreReading
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.formats.nugget_table import read_matches, read_nuggets
from karat.formats.scores import read_judgments
from karat.studies.nuggets.study import nuggets

JUDGMENTS = click.Argument(["judgments"], type=PATH, nargs=-1, required=True, metavar="SCORES...")
NUGGETS = file_option(
    "nuggets",
    "SCORES are assignments of these nuggets to answers, a file or folder per judge; --score is one of karat nuggets",
    metavar="FILE",
)


def nouns(given: dict[str, Any]) -> dict[str, Any]:
    """The scores by every judge, read or made from assignments of nuggets."""
    paths = list(given["judgments"])
    if given["nuggets"]:
        return {"judgments": _assigned(paths, read_nuggets(given["nuggets"]), given["score"] or "vital")}
    return {"judgments": read_judgments(paths, **pick(ScoreReading, given))}


def _assigned(paths: list[str], listed: Nuggets, score: str) -> Judgments:
    """The scores that each judge's assignments give."""
    names = [Path(path).stem for path in paths]
    if len(set(names)) < len(names):
        raise UsageError(f"judges are called as their files or folders are, and these are alike: {', '.join(names)}")
    return Judgments.of({name: _scored(path, listed, score) for name, path in zip(names, paths, strict=True)})


def _scored(path: str, listed: Nuggets, score: str) -> Scores:
    matches = read_matches(path, listed)
    result, sources = nuggets(matches), (listed.source, *matches.sources)
    return replace(result.scores(score), sources=sources, warnings=tuple(result.warnings))


command = command_of("meta", nouns, [JUDGMENTS, NUGGETS], ScoreReading)

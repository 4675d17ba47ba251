"""`karat meta`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from karat.cli.command import PATH, command_of, file_option, pick
from karat.data.judgments import Judgments
from karat.data.nuggets import Nuggets
from karat.data.parameters import parameters
from karat.data.provenance import QuestionFiles, ScoreReading
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.formats.nugget_table import read_matches, read_nuggets
from karat.formats.question_set import QuestionSet, read_question_set
from karat.formats.scores import read_judgments
from karat.studies.nuggets.study import nuggets
from karat.studies.qa.given import not_judged
from karat.studies.qa.parameters import QaParameters
from karat.studies.qa.study import qa

Named = TypeVar("Named")
FILES = click.Argument(["files"], type=PATH, nargs=-1, required=True, metavar="SCORES...")
NUGGETS = file_option(
    "nuggets",
    "SCORES are assignments of these nuggets to answers, a file or folder per judge; --score is one of karat nuggets. "
    "With --judgments: what answers to other questions should say",
    metavar="FILE",
)
JUDGMENTS = file_option(
    "judgments",
    "SCORES are QUESTIONS RUN..., and FILE is one judge's verdicts on their answers (a file or a folder), or those of "
    "several with a column assessor",
    many=True,
    metavar="FILE",
)


def nouns(given: dict[str, Any]) -> dict[str, Any]:
    """The scores by every judge, read, or made from verdicts on answers or assignments of nuggets."""
    paths = list(given["files"])
    if given["judgments"]:
        return {"judgments": _answered(paths, given)}
    if given["nuggets"]:
        listed, score = read_nuggets(given["nuggets"]), given["score"] or "vital"
        by_name = _named((Path(path).stem, path) for path in paths)
        return {"judgments": Judgments.of({name: _assigned(path, listed, score) for name, path in by_name.items()})}
    return {"judgments": read_judgments(paths, **pick(ScoreReading, given))}


def _named(found: Iterator[tuple[str, Named]]) -> dict[str, Named]:
    """What each judge gave, by name; the same name twice is refused."""
    rows = list(found)
    names = [name for name, _ in rows]
    if len(set(names)) < len(names):
        raise UsageError(f"judges are called as their files or folders are, and these are alike: {', '.join(names)}")
    return dict(rows)


def _assigned(path: str, listed: Nuggets, score: str) -> Scores:
    """The scores that one judge's assignments give."""
    matches = read_matches(path, listed)
    result, sources = nuggets(matches), (listed.source, *matches.sources)
    return replace(result.scores(score), sources=sources, warnings=tuple(result.warnings))


def _answered(paths: list[str], given: dict[str, Any]) -> Judgments:
    """The scores of runs on questions by every judge's verdicts."""
    if len(paths) < 2:
        raise UsageError(
            f"--judgments are verdicts on answers to questions: {paths[0]} alone has no runs; give QUESTIONS RUN..."
        )
    if given["score"]:
        raise UsageError(f"--score {given['score']}: the measure of questions that runs are scored by is --rank-by")
    files, asked = (
        parameters(QuestionFiles, pick(QuestionFiles, given)),
        parameters(QaParameters, pick(QaParameters, given)),
    )
    return Judgments.of(_named(_by_verdicts(paths, files, asked)))


def _by_verdicts(paths: list[str], files: QuestionFiles, asked: QaParameters) -> Iterator[tuple[str, Scores]]:
    """The scores by each judge: a file without assessors is the verdicts of one, who is called like it."""
    for path in files.judgments:
        alone = msgspec.structs.replace(files, judgments=(path,))
        found = read_question_set(paths[0], paths[1:], alone)
        several = () if found.verdicts is None else found.verdicts.each
        assessors: list[str | None] = [name for name, _ in several]
        for assessor in assessors or [None]:
            judged = msgspec.structs.replace(asked, assessor=assessor)
            yield assessor or Path(path).stem, _scored(_asked_of(assessor, found, paths, alone, asked), judged)


def _asked_of(
    assessor: str | None, found: QuestionSet, paths: list[str], files: QuestionFiles, asked: QaParameters
) -> QuestionSet:
    """The test set without what the judge did not judge, unless the parameters say what unjudged answers are."""
    if asked.unjudged != "refuse" or found.questions is None or found.answers is None or found.verdicts is None:
        return found
    own = found.verdicts if assessor is None else dict(found.verdicts.each)[assessor]
    out = not_judged(found.questions, found.answers, own)
    if not out:
        return found
    return read_question_set(paths[0], paths[1:], msgspec.structs.replace(files, exclude=(*files.exclude, *out)))


def _scored(found: QuestionSet, asked: QaParameters) -> Scores:
    result = qa(found.questions, found.answers, **msgspec.structs.asdict(asked), **found.nouns())
    return replace(result.scores(), sources=tuple(result.sources), warnings=tuple(result.warnings))


HOW = ScoreReading, QuestionFiles, QaParameters
command = command_of("meta", nouns, [FILES, NUGGETS, JUDGMENTS], *HOW, without=["assessor"])

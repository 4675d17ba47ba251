"""Report: every study that the data allow (`karat report`)."""

from __future__ import annotations

import inspect
from collections.abc import Callable

from karat.data.ballots import Ballots
from karat.data.decomposition import Decomposition
from karat.data.pairs import Pairs
from karat.data.ratings import Ratings
from karat.data.responses import Responses
from karat.data.result import Items
from karat.engines.batch import SETTING
from karat.errors import NotApplicable, UsageError
from karat.labels import NO_ENTAILMENT, THREE, Codes, Way
from karat.measures import measures
from karat.studies.agree.study import agree
from karat.studies.base import StudyResult, studies, study
from karat.studies.compare.study import compare
from karat.studies.diagnose.study import diagnose
from karat.studies.items import items
from karat.studies.justify.study import justify
from karat.studies.keys.study import keys
from karat.studies.report.parameters import ReportParameters
from karat.studies.report.result import LeftOut, Method, Report, Section
from karat.studies.score.study import evaluate
from karat.studies.sensitivity.study import sensitivity
from karat.studies.size.study import size
from karat.studies.swap.study import swap

QUESTIONS = {
    "score": "How good are the runs?",
    "compare": "Which differences are real?",
    "size": "What can a test set of this size show?",
    "swap": "How often would another test set order them otherwise?",
    "sensitivity": "What hangs on choices that could have been made otherwise?",
    "items": "Which pairs are hard?",
    "agree": "Do the assessors agree?",
    "keys": "Would another key rank the runs otherwise?",
    "diagnose": "What do the runs fail at?",
    "justify": "What did people say of the justifications?",
}
"""The sections in their order, by the study that answers each."""


@study("report", ReportParameters)
def report(
    key: Pairs,
    runs: Responses,
    asked: ReportParameters,
    *,
    ballots: Ballots | None = None,
    decomposed: Decomposition | None = None,
    decomposed_runs: Responses | None = None,
    ratings: Ratings | None = None,
) -> Report:
    """Every study that the data allow, in the order of the questions that people ask."""
    if strange := [name for name in asked.without if name not in QUESTIONS]:
        raise UsageError.unknown("section", strange[0], QUESTIONS)
    by = list(asked.by) or [name for name in (SETTING,) if name in key.attributes]
    seed = asked.seed
    made: dict[str, Callable[[], StudyResult] | None] = {
        "score": lambda: evaluate(key, runs, way="both" if key.way and key.way.name == "3" else "2", by=by, seed=seed),
        "compare": lambda: compare(key, runs, seed=seed),
        "size": lambda: size(key, runs, ballots=ballots),
        "swap": lambda: swap(key, runs, seed=seed),
        "sensitivity": lambda: sensitivity(key, runs, ballots=ballots),
        "items": lambda: items(key, runs),
        "agree": (lambda: agree(ballots, seed=seed)) if ballots else None,
        "keys": (lambda: keys(key, ballots, runs, seed=seed)) if ballots else None,
        "diagnose": (lambda: diagnose(decomposed, decomposed_runs)) if decomposed and decomposed_runs else None,
        "justify": (lambda: justify(ratings, key=key, runs=runs)) if ratings else None,
    }
    sections, left_out = [], []
    for name, question in QUESTIONS.items():
        make = made[name]
        if make is None or name in asked.without:
            continue
        try:
            sections.append(Section(name, question, make()))
        except (UsageError, NotApplicable) as error:
            left_out.append(LeftOut(name, str(error)))
    return Report(
        title=asked.title or f"{key.source.name or 'A test set'}, {len(runs)} runs",
        sections=sections,
        left_out=left_out,
        methods=_methods(sections),
        items=_items(key, runs),
    )


make_report = report
"""The public name: `karat.report` is the room that renders."""
LABELS = (*THREE.labels, NO_ENTAILMENT)
LETTERS = "abcd-"


def _items(key: Pairs, runs: Responses) -> Items:
    """The pairs with every run's answer, a letter each."""
    return Items(
        ids=key.ids,
        texts=key.texts,
        hypotheses=key.hypotheses,
        labels=LABELS,
        key=_letters(key.labels, key.way),
        answers={run.info.name: _letters(run.codes, run.info.way) for run in runs.runs},
    )


def _letters(codes: Codes, way: Way | None) -> str:
    """The labels of codes as letters; -1 picks the dash at the end."""
    places = [LABELS.index(label) for label in way.labels] if way else []
    letters = [LETTERS[place] for place in places] + ["-"]
    return "".join(letters[code] for code in codes.tolist())


def _methods(sections: list[Section]) -> list[Method]:
    """The studies of the sections, and every measure that they name, with its source."""
    told = [Method(one.name, inspect.getdoc(studies[one.name].function) or "", "") for one in sections]
    used = dict.fromkeys(measure for section in sections for measure in section.result.signature.measures)
    for spelling in used:
        try:
            entry = measures.parse(spelling).entry
        except UsageError:
            continue
        told.append(Method(spelling, entry.summary, str(entry.facts["source"])))
    return told

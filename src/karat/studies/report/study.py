"""Report: every study that the data allow (`karat report`)."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import numpy as np

from karat.data.answers import Answers
from karat.data.ballots import Ballots
from karat.data.composite import Items
from karat.data.decomposition import Decomposition
from karat.data.nuggets import Matches
from karat.data.pairs import Pairs
from karat.data.patterns import Patterns
from karat.data.questions import Questions
from karat.data.ratings import Ratings
from karat.data.responses import Responses
from karat.data.scores import Scores
from karat.data.verdicts import Verdicts
from karat.errors import NotApplicable, UsageError
from karat.labels import WAYS, Codes, Way
from karat.measures import measures
from karat.progress import track
from karat.studies.base import StudyResult, sources_of, study
from karat.studies.qa.parameters import AS_USUAL, QaParameters
from karat.studies.report.findings import FINDINGS
from karat.studies.report.given import LABELS, LEADING, Given
from karat.studies.report.parameters import ReportParameters
from karat.studies.report.result import LeftOut, Method, Report, Section
from karat.studies.report.sections import SECTIONS
from karat.studies.report.undecided import Undecided, undecided
from karat.studies.wording import counted

NOTHING = "there is nothing to report on: give a key and its runs, a score matrix, or something beside them"


@study("report", ReportParameters, findings=FINDINGS)
def report(
    runs: Responses | Scores | None = None,
    asked: ReportParameters = ReportParameters(),
    *,
    ballots: Ballots | None = None,
    judged: Ballots | None = None,
    decomposed: Decomposition | None = None,
    decomposed_runs: Responses | None = None,
    ratings: Ratings | None = None,
    questions: Questions | None = None,
    answers: Answers | None = None,
    verdicts: Verdicts | None = None,
    matches: Matches | None = None,
    patterns: Patterns | None = None,
    scoring: QaParameters = AS_USUAL,
    generated: Matches | None = None,
) -> Report:
    """Every study that the data allow, in the order of the questions that people ask.

    Of runs, of a score matrix, or only of what is named beside them. `ballots` are people's labels of the pairs,
    `judged` ballots that have those of automatic judges among them (`automatic` says who they are), `ratings` what
    people said of justifications. Questions take what `qa` takes, and are scored as `scoring` says; `generated` is
    what `nuggets` takes.
    """
    if strange := [name for name in asked.without if name not in SECTIONS]:
        raise UsageError.unknown("section", strange[0], SECTIONS)
    given = Given(
        asked, runs, ballots, judged, decomposed, decomposed_runs, ratings,
        questions, answers, verdicts, matches, patterns, scoring, generated,
    )  # fmt: skip
    sections, left_out = _sections(given)
    if not sections:
        reasons = "; ".join(f"{one.name}: {one.reason}" for one in left_out)
        raise UsageError(f"no section can be made: {reasons}" if reasons else NOTHING)
    return Report(
        title=asked.title or _title(given),
        sections=sections,
        undecided=_undecided(given, sections),
        left_out=left_out,
        methods=_methods(sections),
        items=None if given.leading is None else _items(given.leading.key, given.leading, given),
        warnings=tuple(dict.fromkeys(one for section in sections for one in section.result.warnings)),
    )


def _sections(given: Given) -> tuple[list[Section], list[LeftOut]]:
    """Every section that was not asked away; one that cannot be made is told with the reason."""
    made, left_out = [], []
    for name, planned in track(SECTIONS.items(), lambda section: f"section {section[0]}"):
        if name in given.asked.without:
            continue
        try:
            result = planned.make(given)
        except (UsageError, NotApplicable) as error:
            # A page may have been made by a command as well as in Python: it names options as the command line does.
            left_out.append(LeftOut(name, error.on_command_line))
            continue
        if result is not None:
            note = _limited(given.entered(planned.about)) if planned.pairwise else ""
            made.append(Section(name, planned.question, planned.about, note, result))
    return made, left_out


def _limited(runs: int) -> str:
    """Which runs a section is about, where it is not about all of them."""
    return f"Of {runs:,} runs, the {LEADING} with the highest scores." if runs > LEADING else ""


def _title(given: Given) -> str:
    """The test set by the name of its file, without the folders it lies in."""
    if given.key is None or given.runs is None:
        return "An evaluation"
    return f"{PurePath(given.key.source.name).name or 'A test set'}, {counted(len(given.runs), 'run')}"


def _undecided(given: Given, sections: list[Section]) -> list[Undecided]:
    """Of the runs that were compared."""
    compared: Any = next((section.result for section in sections if section.name == "compare"), None)
    if compared is None:
        return []
    scores = given.scores if given.runs is None else given.runs.right(WAYS[compared.way])
    return [] if scores is None else undecided(compared, scores)


LETTERS = "abcd-"


def _items(key: Pairs, runs: Responses, given: Given) -> Items:
    """The pairs with the labels of every run and assessor, a letter each."""
    right = zip(runs.names, np.nan_to_num(runs.right(given.way).values, nan=2.0).astype(np.int8).tolist(), strict=True)
    return Items(
        ids=key.ids,
        texts=key.texts if key.has_texts else (),
        hypotheses=key.hypotheses if key.has_texts else (),
        labels=LABELS,
        key=_letters(key.labels, key.way),
        answers={run.info.name: _letters(run.codes, run.info.way) for run in runs.runs},
        way=given.way.name,
        right={name: "".join("01-"[one] for one in row) for name, row in right},
        assessors={} if given.people is None else _said(key, given.people),
    )


def _letters(codes: Codes, way: Way | None) -> str:
    """The labels of codes as letters; -1 picks the dash at the end."""
    places = [LABELS.index(label) for label in way.labels] if way else []
    letters = [LETTERS[place] for place in places] + ["-"]
    return "".join(letters[code] for code in codes.tolist())


def _said(key: Pairs, people: Ballots) -> dict[str, str]:
    """What every assessor said of each pair, where that is one of the labels."""
    place = {unit: at for at, unit in enumerate(people.units)}
    letters = [LETTERS[LABELS.index(value)] if value in LABELS else "-" for value in people.scale.values] + ["-"]
    rows = people.matrix().tolist()
    return {
        name: "".join(letters[row[place[unit]]] if unit in place else "-" for unit in key.ids)
        for name, row in zip(people.assessors, rows, strict=True)
    }


def _methods(sections: list[Section]) -> list[Method]:
    """The studies of the sections, and every measure that they name, with the sources of each."""
    by_study = {section.result.study: section.result for section in sections}
    told = [Method(name, result.METHOD, _sources(result)) for name, result in by_study.items()]
    used = dict.fromkeys(measure for section in sections for measure in section.result.signature.measures)
    for spelling in used:
        try:
            entry = measures.parse(spelling).entry
        except UsageError:
            continue
        told.append(Method(spelling, entry.summary, str(entry.facts["source"])))
    return told


def _sources(result: StudyResult) -> str:
    """Those of the study itself: its measures have lines of their own."""
    own = set(sources_of(measures, result.signature.measures))
    return "; ".join(dict.fromkeys(source for source in result.citations() if source and source not in own))

"""What a new key, or new judgments, change: old and new scores, places, who passes whom, and what the tests say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np

from karat import __version__
from karat.arrays import EXACT_TOLERANCE, NAN
from karat.campaign.checking import TestSet, together
from karat.campaign.events import Scores
from karat.campaign.judged import Judgments, answers_of
from karat.campaign.rescored import (
    NO_LABEL,
    ChangedLabel,
    ChangedVerdict,
    Overtaking,
    RescoredRun,
    Rescoring,
    View,
)
from karat.data.answers import Answers
from karat.data.fields import explain
from karat.data.nuggets import DEGREES
from karat.data.pairs import Pairs
from karat.data.provenance import Source
from karat.data.responses import Responses
from karat.data.result import Signature
from karat.data.verdicts import NAMES
from karat.errors import KaratError
from karat.labels import THREE, TWO, Way, fold
from karat.studies.base import MOST_RUNS
from karat.studies.compare.result import Comparison, PairOfRuns
from karat.studies.compare.study import compare
from karat.studies.qa.study import qa

Pair = tuple[str, str]
ACCURACY, QA = "accuracy", "questions"
"""The measure by which labels are ranked, and the way in which answers are scored."""


class Rescored(NamedTuple):
    """A task with its old and its new key, and the runs that count, by name."""

    old: TestSet
    new: TestSet
    files: Mapping[str, tuple[str, bytes]]
    """The name and the content of the file of each run."""
    old_scores: Mapping[str, Scores]
    new_scores: Mapping[str, Scores]


def preview(version: int, tasks: Sequence[Rescored]) -> Rescoring:
    """What a new key, or new judgments, change, without changing anything."""
    views = [view for one in tasks for view in _views(one)]
    sources = dict.fromkeys(source.bare for one in tasks for test in (one.old, one.new) for source in _sources(test))
    measures = dict.fromkeys(view.measure for view in views)
    signed = Signature(__version__, "rescore", tuple(sources), tuple(measures), None, None, None, 0)
    warnings = dict.fromkeys(warning for one in tasks for warning in one.new.warnings if warning.code == "unlabelled")
    return explain(
        Rescoring(
            study="rescore",
            signature=signed,
            warnings=tuple(warnings),
            old_version=version,
            new_version=version + (not all(same_key(one.old, one.new) for one in tasks)),
            views=[view.facts() for view in views],
            labels=[label for view in views for label in view.labels()],
            runs=[run for view in views for run in view.runs()],
            passes=[one for view in views for one in view.passes()],
            verdicts=[one for view in views for one in view.verdicts()],
        )
    )


def _sources(test: TestSet) -> tuple[Source, ...]:
    own = (test.units.source,) if isinstance(test.units, Pairs) else test.units.sources
    verdicts, matches = test.judged.verdicts, test.judged.matches
    judged = () if verdicts is None else verdicts.sources
    return (*own, *judged) if matches is None else (*own, *judged, matches.nuggets.source, *matches.sources)


def same_key(old: TestSet, new: TestSet) -> bool:
    """Whether two versions of a test set have the same labels, or the same verdicts."""
    if not isinstance(old.units, Pairs):
        return _marks(old) == _marks(new)
    return old.units.way is new.units.way and bool(np.array_equal(old.units.labels, new.units.labels))


class _View(NamedTuple):
    """A task in one way of scoring: everything that its rows are made from."""

    task: str
    way: str
    measure: str
    marks: tuple[Mapping[Any, str], Mapping[Any, str]]
    """The label or verdict of every unit, before and after."""
    units: tuple[int, int]
    """How many of them runs are scored by, before and after."""
    live: int
    """How many labels change on the live board, where they do not count."""
    old: Mapping[str, float]
    new: Mapping[str, float]
    before: Comparison | None
    after: Comparison | None

    def facts(self) -> View:
        """The task and what its pairs of runs were tested with."""
        every = len({**self.marks[0], **self.marks[1]})
        tests = _test(self.before), _test(self.after)
        return View(self.task, self.way, self.measure, every, *self.units, self.live, *tests)

    def labels(self) -> Iterable[ChangedLabel]:
        """How many units change from each label to each other one."""
        old, new = self.marks
        changed = Counter((old.get(unit, NO_LABEL), new.get(unit, NO_LABEL)) for unit in {**old, **new})
        for (before, after), count in sorted(changed.items()):
            if before != after:
                yield ChangedLabel(self.task, self.way, before, after, count)

    def runs(self) -> list[RescoredRun]:
        """Every run, best first by the new key."""
        old_places, new_places = places(self.old), places(self.new)
        old_ranks, new_ranks = _ranks(self.before), _ranks(self.after)
        made = [
            RescoredRun(
                self.task,
                self.way,
                run,
                self.old[run],
                self.new[run],
                self.new[run] - self.old[run],
                old_places.get(run),
                new_places.get(run),
                old_ranks.get(run),
                new_ranks.get(run),
            )
            for run in self.new
        ]
        return sorted(made, key=lambda row: (row.new_place or len(made) + 1, row.old_place or 0, row.run))

    def passes(self) -> Iterator[Overtaking]:
        """Every two runs whose order is reversed, strictly; the best first."""
        verdicts = _verdicts(self.after)
        for one, other in combinations([row.run for row in self.runs()], 2):
            old, new = (scores[one] - scores[other] for scores in (self.old, self.new))
            if old < -EXACT_TOLERANCE and new > EXACT_TOLERANCE:
                verdict = verdicts.get((one, other), "not tested")
                yield Overtaking(self.task, self.way, one, other, old, new, verdict)

    def verdicts(self) -> Iterator[ChangedVerdict]:
        """Every two runs of which the test says something else."""
        before, after = _verdicts(self.before), _verdicts(self.after)
        for pair in self.after.pairs if self.after and self.before else ():
            both = pair.a, pair.b
            if before[both] != after[both]:
                old = self.old[pair.a] - self.old[pair.b]
                yield ChangedVerdict(self.task, self.way, *both, old, pair.difference, before[both], after[both])


def _views(one: Rescored) -> Iterator[_View]:
    """The task in every way in which its runs are scored."""
    if not isinstance(one.old.units, Pairs):
        yield from _of_answers(one)
        return
    runs = together(one.old, one.files) if one.files else None
    three = one.old.task.way == 3 and one.old.units.way is THREE
    for way in (THREE, TWO) if three else (TWO,):
        yield _of_labels(one, runs, way)


def _of_labels(one: Rescored, runs: Responses | None, way: Way) -> _View:
    labels = [fold(test.scored.labels, way).tolist() for test in (one.old, one.new)]
    whole = [fold(test.units.labels, way) for test in (one.old, one.new)]
    live = int((whole[0] != whole[1]).sum()) - sum(a != b for a, b in zip(*labels, strict=True))
    old, new = (
        {id: way.labels[code] for id, code in zip(one.old.units.ids, codes, strict=True) if code >= 0}
        for codes in labels
    )
    tested = runs is not None and 2 <= len(runs) <= MOST_RUNS
    before, after = (
        compare(replace(runs, key=test.scored), way=way.name, measure=ACCURACY) if tested else None  # type: ignore[type-var]
        for test in (one.old, one.new)
    )
    units = int((one.old.scored.labels >= 0).sum()), int((one.new.scored.labels >= 0).sum())
    was, becomes = (_stored(given, way.name, ACCURACY) for given in (one.old_scores, one.new_scores))
    return _View(one.old.task.name, way.name, ACCURACY, (old, new), units, live, was, becomes, before, after)


def _of_answers(one: Rescored) -> Iterator[_View]:
    """By every measure that some run has, before or after."""
    answers = answers_of(one.old.units, one.files) if one.files else None
    sides = (one.old_scores, one.new_scores)
    known = [scores.get(QA, {}) for side in sides for scores in side.values()]
    kinds = [question.type.lower() for question in one.old.units.questions]
    for measure, unit in UNITS.items():
        if all(scores.get(measure) is None for scores in known):
            continue
        before, after = (_compared(test, answers, unit) for test in (one.old, one.new))
        old, new = (
            {key: name for key, name in _marks(test).items() if unit in ("series", kinds[key[0]])}
            for test in (one.old, one.new)
        )
        was, becomes = (_stored(given, QA, measure) for given in sides)
        units = len(old), len(new)
        yield _View(one.old.task.name, unit, measure, (old, new), units, 0, was, becomes, before, after)


Unit = Literal["series", "factoid", "list", "other"]
UNITS: dict[str, Unit] = {"series": "series", "factoid_accuracy": "factoid", "list_f": "list", "nugget_f": "other"}
"""The stored measures of answers, and the units whose mean each is."""


def _compared(test: TestSet, answers: Answers | None, unit: Unit) -> Comparison | None:
    judged = test.judged
    if answers is None or judged == Judgments() or not 2 <= len(answers.runs) <= MOST_RUNS:
        return None
    try:
        return compare(qa(test.units, answers, verdicts=judged.verdicts, matches=judged.matches).scores(unit))
    except KaratError:
        return None  # no unit is scored, or an answer is not judged


def _marks(test: TestSet) -> dict[Any, str]:
    """The verdict on every judged answer, and the degree of every nugget in a response; the question comes first."""
    verdicts, matches = test.judged.verdicts, test.judged.matches
    found: dict[Any, str] = {}
    if verdicts is not None:
        found |= {key: NAMES[verdicts.verdict[row]] for key, row in verdicts.index.items()}
    if matches is None:
        return found
    for (who, topic, nugget), place in matches.nuggets.index.items():
        for run, code in zip(matches.runs, matches.degree[:, place].tolist(), strict=True):
            if topic in test.units.index:
                found[test.units.index[topic], who, nugget, run] = DEGREES[code] if code >= 0 else "unknown"
    return found


def _stored(given: Mapping[str, Scores], way: str, measure: str) -> dict[str, float]:
    values = {run: scores.get(way, {}).get(measure) for run, scores in given.items()}
    return {run: NAN if value is None else value for run, value in values.items()}


def places(scores: Mapping[str, float]) -> dict[str, int]:
    """The place of each run: tied runs share one, and as many are then left out (1, 2, 2, 4); none without a score."""
    known = {run: score for run, score in scores.items() if score == score}
    ordered = np.sort([-score for score in known.values()])
    return {run: int(np.searchsorted(ordered, -score - EXACT_TOLERANCE)) + 1 for run, score in known.items()}


def _ranks(found: Comparison | None) -> dict[str, tuple[int, int] | None]:
    return {} if found is None else {row.run: row.ranks for row in found.runs}


def _test(found: Comparison | None) -> str | None:
    if found is None:
        return None
    return f"{found.test_name}, {found.correction_name}, level {1 - found.interval_level:.2g}"


def _verdicts(found: Comparison | None) -> dict[Pair, str]:
    """What the test says of the first of every two runs, in both orders."""
    made: dict[Pair, str] = {}
    for pair in found.pairs if found else ():
        made[pair.a, pair.b], made[pair.b, pair.a] = _verdict(pair, 1), _verdict(pair, -1)
    return made


def _verdict(pair: PairOfRuns, sign: int) -> str:
    if not pair.different:
        return "not tested" if pair.different is None else "not significantly different"
    return f"significantly {'better' if sign * pair.difference > 0 else 'worse'}"

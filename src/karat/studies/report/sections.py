"""The sections of a report: a question that people ask, and the study that answers it from what was given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from karat.data.answers import Answers
from karat.data.ballots import Ballots
from karat.data.decomposition import Decomposition
from karat.data.nuggets import Matches
from karat.data.pairs import Pairs
from karat.data.patterns import Patterns
from karat.data.questions import Questions
from karat.data.ratings import Ratings
from karat.data.responses import Responses
from karat.data.scores import Scores
from karat.data.verdicts import Verdicts
from karat.engines.batch import SETTING
from karat.studies.agree.study import agree
from karat.studies.base import StudyResult
from karat.studies.compare.study import compare
from karat.studies.diagnose.study import diagnose
from karat.studies.items import items
from karat.studies.judge.study import judge
from karat.studies.justify.study import justify
from karat.studies.keys.study import keys
from karat.studies.nuggets.study import nuggets
from karat.studies.qa.result import QuestionAnswering
from karat.studies.qa.study import qa
from karat.studies.report.parameters import ReportParameters
from karat.studies.score.study import evaluate
from karat.studies.sensitivity.study import sensitivity
from karat.studies.size.study import size
from karat.studies.swap.study import swap

Made = StudyResult | None


@dataclass(frozen=True)
class Given:
    """All that a report may be made from."""

    asked: ReportParameters
    key: Pairs | None = None
    runs: Responses | None = None
    scores: Scores | None = None
    ballots: Ballots | None = None
    judged: Ballots | None = None
    decomposed: Decomposition | None = None
    decomposed_runs: Responses | None = None
    ratings: Ratings | None = None
    questions: Questions | None = None
    answers: Answers | None = None
    verdicts: Verdicts | None = None
    matches: Matches | None = None
    patterns: Patterns | None = None
    generated: Matches | None = None

    @cached_property
    def subjects(self) -> tuple[Any, ...]:
        """What runs are compared by: a key and its runs, or a score matrix; nothing where there is neither."""
        if self.key is not None and self.runs is not None:
            return self.key, self.runs
        return () if self.scores is None else (self.scores,)

    @cached_property
    def people(self) -> Ballots | None:
        """The ballots of people: those of automatic assessors are not what a key is made from."""
        if self.ballots is None or not set(self.asked.automatic) & set(self.ballots.assessors):
            return self.ballots
        return self.ballots.of([name for name in self.ballots.assessors if name not in self.asked.automatic])

    @cached_property
    def answered(self) -> QuestionAnswering | None:
        """The question series, scored once for all that follows from them."""
        if self.questions is None or self.answers is None:
            return None
        beside = {"verdicts": self.verdicts, "matches": self.matches, "patterns": self.patterns}
        return qa(self.questions, self.answers, **{name: noun for name, noun in beside.items() if noun is not None})


def _score(given: Given) -> Made:
    key, runs, asked = given.key, given.runs, given.asked
    if key is None or runs is None:
        return None
    by = list(asked.by) or [name for name in (SETTING,) if name in key.attributes]
    return evaluate(key, runs, way="both" if key.way and key.way.name == "3" else "2", by=by, seed=asked.seed)


def _size(given: Given) -> Made:
    people = {"ballots": given.people} if given.key is not None and given.people is not None else {}
    return size(*given.subjects, **people) if given.subjects else None


def _sensitivity(given: Given) -> Made:
    people = {"ballots": given.people} if given.key is not None and given.people is not None else {}
    return sensitivity(*given.subjects, **people) if given.subjects else None


def _keys(given: Given) -> Made:
    if given.key is None or given.runs is None or given.people is None:
        return None
    return keys(given.key, given.people, given.runs, seed=given.asked.seed)


def _judge(given: Given) -> Made:
    ballots = given.judged or (given.ballots if given.asked.automatic else None)
    if ballots is None:
        return None
    nouns = {} if given.key is None or given.runs is None else {"key": given.key, "runs": given.runs}
    return judge(ballots, automatic=given.asked.automatic, seed=given.asked.seed, **nouns)


def _diagnose(given: Given) -> Made:
    if given.decomposed is None or given.decomposed_runs is None:
        return None
    return diagnose(given.decomposed, given.decomposed_runs)


def _justify(given: Given) -> Made:
    if given.ratings is None:
        return None
    nouns = {} if given.key is None or given.runs is None else {"key": given.key, "runs": given.runs}
    return justify(given.ratings, **nouns)


def _series(given: Given) -> Scores | None:
    return None if given.answered is None else given.answered.scores("series")


@dataclass(frozen=True)
class Planned:
    """A section as it would be made."""

    question: str
    make: Callable[[Given], Made]
    """None where the data do not allow it."""


SECTIONS: dict[str, Planned] = {
    "score": Planned("How good are the runs?", _score),
    "compare": Planned(
        "Which differences are real?",
        lambda given: compare(*given.subjects, seed=given.asked.seed) if given.subjects else None,
    ),
    "size": Planned("What can a test set of this size show?", _size),
    "swap": Planned(
        "How often would another test set order them otherwise?",
        lambda given: swap(*given.subjects, seed=given.asked.seed) if given.subjects else None,
    ),
    "sensitivity": Planned("What hangs on choices that could have been made otherwise?", _sensitivity),
    "items": Planned(
        "Which pairs are hard?",
        lambda given: None if given.key is None or given.runs is None else items(given.key, given.runs),
    ),
    "agree": Planned(
        "Do the assessors agree?",
        lambda given: None if given.people is None else agree(given.people, seed=given.asked.seed),
    ),
    "keys": Planned("Would another key rank the runs otherwise?", _keys),
    "judge": Planned("Can the automatic judge stand in for a person?", _judge),
    "diagnose": Planned("What do the runs fail at?", _diagnose),
    "justify": Planned("What did people say of the justifications?", _justify),
    "qa": Planned("How well are the questions answered?", lambda given: given.answered),
    "qa-compare": Planned(
        "Which differences between the answering runs are real?",
        lambda given: None if (scores := _series(given)) is None else compare(scores, seed=given.asked.seed),
    ),
    "nuggets": Planned(
        "How much of what should be said do generated answers say?",
        lambda given: None if given.generated is None else nuggets(given.generated),
    ),
}
"""In the order of the page, by their names, which are also those of their studies as far as they go."""

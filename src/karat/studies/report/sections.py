"""The sections of a report: a question that people ask, and the study that answers it from what was given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from karat.data.pairs import SETTING
from karat.data.scores import Scores
from karat.labels import THREE
from karat.studies.agree.study import agree
from karat.studies.base import StudyResult
from karat.studies.compare.study import compare
from karat.studies.diagnose.study import diagnose
from karat.studies.items import items
from karat.studies.judge.study import judge
from karat.studies.justify.study import justify
from karat.studies.keys.study import keys
from karat.studies.report.given import GENERATED, PAIRS, PARTS, QUESTIONS, Given, led
from karat.studies.score.study import score
from karat.studies.sensitivity.study import sensitivity
from karat.studies.size.study import size
from karat.studies.swap.study import swap

Made = StudyResult | None


@dataclass(frozen=True)
class Planned:
    """A section as it would be made."""

    question: str
    make: Callable[[Given], Made]
    """None where the data do not allow it."""
    about: str = PAIRS
    """What its runs answer."""
    pairwise: bool = False
    """Whether it compares runs with each other, and so is about the leading ones only where there are very many."""


def _score(given: Given) -> Made:
    runs, asked = given.runs, given.asked
    if runs is None:
        return None
    by = list(asked.by) or [name for name in (SETTING,) if name in runs.key.attributes]
    way = asked.way if asked.way != "auto" else "both" if runs.allows(THREE).any() else "2"
    return score(runs, way=way, by=by, seed=asked.seed)


def _compare(given: Given) -> Made:
    return None if given.compared is None else compare(given.compared, **given.options("compare"))


def _size(given: Given) -> Made:
    return None if given.compared is None else size(given.compared, **given.options("size"), **given.noise)


def _swap(given: Given) -> Made:
    return None if given.compared is None else swap(given.compared, **given.options("swap"))


def _sensitivity(given: Given) -> Made:
    if given.compared is None:
        return None
    return sensitivity(given.compared, **given.options("sensitivity"), **given.noise)


def _items(given: Given) -> Made:
    return None if given.runs is None else items(given.runs, **given.options("items"))


def _agree(given: Given) -> Made:
    return None if given.people is None else agree(given.people, **given.options("agree"))


def _keys(given: Given) -> Made:
    if given.people is None or given.leading is None:
        return None
    return keys(given.leading, given.people, **given.options("keys"))


def _judge(given: Given) -> Made:
    ballots = given.judged or given.ballots
    return judge(ballots, runs=given.leading, **given.options("judge")) if given.asked.automatic else None


def _diagnose(given: Given) -> Made:
    if given.decomposed is None or given.decomposed_runs is None:
        return None
    options = given.options("diagnose", of_labels=False)
    return diagnose(given.decomposed_runs, decomposition=given.decomposed, **options)


def _justify(given: Given) -> Made:
    return None if given.ratings is None else justify(given.ratings, runs=given.leading, **given.options("justify"))


def _qa_compare(given: Given) -> Made:
    """By series where they are scored, else by the questions of the first type that is."""
    if given.answered is None or len(given.answered.runs) < 2:
        return None
    units = ["series"] * bool(given.answered.series) + ["factoid", "list", "other"]
    scored = next((scores for unit in units if (scores := given.answered.scores(unit)).units), None)
    return None if scored is None else _compared(scored, given)


def _nuggets_compare(given: Given) -> Made:
    return None if given.said is None or len(given.said.runs) < 2 else _compared(given.said.scores(), given)


def _compared(scores: Scores, given: Given) -> Made:
    return compare(led(scores), **given.options("compare", of_labels=False))


SECTIONS: dict[str, Planned] = {
    "score": Planned("How good are the runs?", _score),
    "compare": Planned("Which differences are real?", _compare, pairwise=True),
    "size": Planned("What can a test set of this size show?", _size, pairwise=True),
    "swap": Planned("How often would another test set order them otherwise?", _swap, pairwise=True),
    "sensitivity": Planned("What hangs on choices that could have been made otherwise?", _sensitivity, pairwise=True),
    "items": Planned("Which pairs are hard?", _items),
    "agree": Planned("Do the assessors agree?", _agree),
    "keys": Planned("Would another key rank the runs otherwise?", _keys, pairwise=True),
    "judge": Planned("Can the automatic judge stand in for a person?", _judge, pairwise=True),
    "diagnose": Planned("What do the runs fail at?", _diagnose, PARTS),
    "justify": Planned("What did people say of the justifications?", _justify),
    "qa": Planned("How well are the questions answered?", lambda given: given.answered, QUESTIONS),
    "qa-compare": Planned(
        "Which differences between the answering runs are real?", _qa_compare, QUESTIONS, pairwise=True
    ),
    "nuggets": Planned(
        "How much of what should be said do generated answers say?", lambda given: given.said, GENERATED
    ),
    "nuggets-compare": Planned("Which differences between them are real?", _nuggets_compare, GENERATED, pairwise=True),
}
"""In the order of the page, by their names, which are also those of their studies as far as they go."""

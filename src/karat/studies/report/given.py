"""All that a report may be made from, and what follows from it for its studies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

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
from karat.errors import UsageError
from karat.labels import NO_ENTAILMENT, THREE, Way
from karat.studies.base import studies
from karat.studies.nuggets.result import NuggetScores
from karat.studies.nuggets.study import nuggets
from karat.studies.qa.parameters import AS_USUAL, QaParameters
from karat.studies.qa.result import QuestionAnswering
from karat.studies.qa.study import qa
from karat.studies.report.parameters import ReportParameters

LABELS = (*THREE.labels, NO_ENTAILMENT)
PAIRS, PARTS, QUESTIONS, GENERATED = "pairs", "pairs taken apart", "questions", "generated answers"
"""What runs answer."""
LEADING = 50
"""Runs that are compared with each other, shown one by one and answer by answer: what grows with their square, or with
runs times pairs, would make a page that nobody can open."""


def led(scores: Scores) -> Scores:
    """The scores, or of very many runs those of the ones with the highest means."""
    return scores if len(scores.runs) <= LEADING else scores.of_runs(scores.leading(LEADING))


@dataclass(frozen=True)
class Given:
    """Whatever there is; None where it was not given."""

    asked: ReportParameters
    subject: Responses | Scores | None
    ballots: Ballots | None
    judged: Ballots | None
    decomposed: Decomposition | None
    decomposed_runs: Responses | None
    ratings: Ratings | None
    questions: Questions | None
    answers: Answers | None
    verdicts: Verdicts | None
    matches: Matches | None
    patterns: Patterns | None
    scoring: QaParameters
    generated: Matches | None

    def __post_init__(self) -> None:
        """What cannot be meant is told at once, and not by a section that is missing."""
        asked, ballots = self.asked, self.judged or self.ballots
        for name in asked.by:
            if self.key is None or name not in self.key.attributes:
                raise UsageError.unknown("attribute of the pairs", name, self.key.attributes if self.key else ())
        if asked.automatic and ballots is None:
            raise UsageError(f"{asked.automatic[0]} is to be judged: give the ballots, --ballots or --judged")
        for name in asked.automatic:
            if ballots is not None and name not in ballots.assessors:
                raise UsageError.unknown("assessor", name, ballots.assessors)
        if self.judged is not None and not asked.automatic:
            raise UsageError("which of the assessors is to be judged? --automatic NAME")

    @property
    def runs(self) -> Responses | None:
        """The subject, where it is runs."""
        return self.subject if isinstance(self.subject, Responses) else None

    @property
    def scores(self) -> Scores | None:
        """The subject, where it is a score matrix."""
        return self.subject if isinstance(self.subject, Scores) else None

    @property
    def key(self) -> Pairs | None:
        """Of the runs."""
        return None if self.runs is None else self.runs.key

    @cached_property
    def compared(self) -> Responses | Scores | None:
        """What runs are compared by: their answers, or a score matrix."""
        return led(self.scores) if self.scores is not None else self.leading

    def entered(self, about: str) -> int:
        """How many runs answer something: the pairs (or have scores), the questions, or at length."""
        named = {
            QUESTIONS: self.answered.runs if self.answered else (),
            GENERATED: self.said.runs if self.said else (),
            PAIRS: self.runs.names if self.runs else self.scores.runs if self.scores else (),
        }
        return len(named.get(about, ()))

    @cached_property
    def leading(self) -> Responses | None:
        """The runs, or of very many those with the highest accuracy."""
        if self.runs is None or len(self.runs) <= LEADING:
            return self.runs
        return self.runs.of_runs(self.runs.right(self.way).leading(LEADING))

    @cached_property
    def way(self) -> Way:
        """In which pairs are compared."""
        assert self.runs is not None
        return self.runs.ways(self.asked.way if self.asked.way in ("2", "3") else "auto")[0]

    @cached_property
    def people(self) -> Ballots | None:
        """The ballots of people: those of automatic assessors are not what a key is made from."""
        if self.ballots is None or not set(self.asked.automatic) & set(self.ballots.assessors):
            return self.ballots
        return self.ballots.of([name for name in self.ballots.assessors if name not in self.asked.automatic])

    @cached_property
    def noise(self) -> dict[str, Ballots]:
        """Those of them that say something of the key: what has other labels takes no section away."""
        if self.key is None or self.people is None or not set(self.people.scale.values) <= set(LABELS):
            return {}
        return {"ballots": self.people}

    @cached_property
    def answered(self) -> QuestionAnswering | None:
        """The questions, scored once for all that follows from them."""
        if self.questions is None or self.answers is None:
            return None
        beside = {"verdicts": self.verdicts, "matches": self.matches, "patterns": self.patterns}
        nouns = {name: noun for name, noun in beside.items() if noun is not None}
        return qa(self.questions, self.answers, **msgspec.structs.asdict(self.scoring), **nouns)

    @cached_property
    def said(self) -> NuggetScores | None:
        """The generated answers, scored once too, as the questions are where that was said and applies."""
        if self.generated is None:
            return None
        known = studies["nuggets"].facts["parameters"].__struct_fields__
        said = {name: getattr(self.scoring, name) for name in known if name in QaParameters.__struct_fields__}
        return nuggets(self.generated, **{name: one for name, one in said.items() if one != getattr(AS_USUAL, name)})

    def options(self, study: str, *, of_labels: bool = True) -> dict[str, Any]:
        """What the report was asked and the study can be asked too; scores and questions have no way."""
        known = studies[study].facts["parameters"].__struct_fields__
        shared = {"seed": self.asked.seed, "automatic": self.asked.automatic}
        if of_labels and self.runs is not None:
            shared["way"] = self.way.name
        return {name: value for name, value in shared.items() if name in known}

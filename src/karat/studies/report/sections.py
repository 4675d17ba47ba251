"""The sections of a report: each a question, the study that answers it, and the evidence that the study takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from karat.studies.agree.study import agree
from karat.studies.base import StudyResult
from karat.studies.compare.study import compare
from karat.studies.diagnose.study import diagnose
from karat.studies.items import items
from karat.studies.judge.study import judge
from karat.studies.justify.study import justify
from karat.studies.keys.study import keys
from karat.studies.report.evidence import GENERATED, PAIRS, PARTS, QUESTIONS, Evidence
from karat.studies.sensitivity.study import sensitivity
from karat.studies.size.study import size
from karat.studies.swap.study import swap


@dataclass(frozen=True)
class Planned:
    """A section as it would be made."""

    question: str
    study: Callable[..., StudyResult] | str
    """Called with the evidence named in `needs` and `takes`; or the name of a result that the evidence itself holds."""
    needs: Mapping[str, str] = field(default_factory=dict)
    """The study's arguments by name, each an attribute of `Evidence`; without one of these there is no section."""
    takes: Mapping[str, str] = field(default_factory=dict)
    """Arguments that may be None."""
    about: str = PAIRS
    """What its runs answer."""
    pairwise: bool = False
    """Whether it compares every two runs, and so is limited to the leading ones if there are very many."""

    def result(self, evidence: Evidence) -> StudyResult | None:
        """The study's result; None if the evidence does not allow it."""
        if isinstance(self.study, str):
            made: StudyResult | None = getattr(evidence, self.study)
            return made
        needed = {noun: getattr(evidence, name) for noun, name in self.needs.items()}
        if any(noun is None for noun in needed.values()):
            return None
        taken = {noun: getattr(evidence, name) for noun, name in self.takes.items()}
        return self.study(**needed, **taken, **evidence.options(self.study.__name__, of_labels=self.about == PAIRS))


COMPARED = {"runs": "compared"}
SECTIONS: dict[str, Planned] = {
    "score": Planned("How good are the runs?", "scored"),
    "compare": Planned("Which differences are real?", compare, COMPARED, pairwise=True),
    "size": Planned("Is the test set big enough?", size, COMPARED, takes={"ballots": "noise"}, pairwise=True),
    "swap": Planned("Would a new test set rank them the same way?", swap, COMPARED, pairwise=True),
    "sensitivity": Planned(
        "Does the ranking depend on our choices?",
        sensitivity,
        COMPARED,
        takes={"ballots": "noise"},
        pairwise=True,
    ),
    "items": Planned("Which pairs are hard?", items, {"runs": "responses"}),
    "agree": Planned("Do the assessors agree?", agree, {"ballots": "people"}),
    "keys": Planned(
        "Would another key change the ranking?", keys, {"runs": "leading", "ballots": "people"}, pairwise=True
    ),
    "judge": Planned(
        "Can the automatic judge replace a person?",
        judge,
        {"ballots": "with_judges"},
        takes={"runs": "leading"},
        pairwise=True,
    ),
    "diagnose": Planned(
        "What do the runs fail at?",
        diagnose,
        {"runs": "decomposed_runs", "decomposition": "decomposed"},
        about=PARTS,
    ),
    "justify": Planned("How good are the justifications?", justify, {"ratings": "ratings"}, takes={"runs": "leading"}),
    "qa": Planned("How well are the questions answered?", "qa_result", about=QUESTIONS),
    "qa-compare": Planned(
        "Which differences on questions are real?",
        compare,
        {"runs": "question_scores"},
        about=QUESTIONS,
        pairwise=True,
    ),
    "nuggets": Planned("How complete are the generated answers?", "nugget_result", about=GENERATED),
    "nuggets-compare": Planned(
        "Which differences in completeness are real?",
        compare,
        {"runs": "nugget_scores"},
        about=GENERATED,
        pairwise=True,
    ),
}
"""By name, in the order of the page; the first section of a study has the name of the study."""

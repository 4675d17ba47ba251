"""Everything questions are scored with, checked for consistency and prepared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.data.answers import Answers
from karat.data.nuggets import Matches, pyramid
from karat.data.patterns import Patterns
from karat.data.provenance import IN_MEMORY, Source
from karat.data.questions import Questions
from karat.data.verdicts import Verdicts
from karat.errors import DataError, Problem, Problems, UsageError
from karat.studies.qa.aggregate import Parts
from karat.studies.qa.coverage import (
    check_list,
    check_matches,
    completed,
    refuse,
    report_uncovered,
    report_unknown,
    unjudged,
)
from karat.studies.qa.parameters import JudgedBy, QaParameters
from karat.studies.qa.scoring import QuestionScores, score_questions


@dataclass(frozen=True, eq=False)
class Given:
    """Questions and answers, the verdicts that count, and the nuggets found in the answers."""

    questions: Questions
    answers: Answers
    verdicts: Verdicts | None
    judged_by: JudgedBy | None
    matches: Matches | None
    sources: list[Source]
    warnings: tuple[Problem, ...]

    @classmethod
    def of(
        cls,
        questions: Questions,
        answers: Answers,
        verdicts: Verdicts | None,
        matches: Matches | None,
        patterns: Patterns | None,
        asked: QaParameters,
    ) -> Given:
        """Check and prepare what was given; an error says what does not fit."""
        for noun in (answers, verdicts, patterns):
            if noun is not None and noun.units != tuple(questions.index):
                name = type(noun).__name__.lower()
                raise UsageError(
                    f"the {name} were read against other questions; read them again: read_{name}(…, questions)"
                )
        if verdicts is None and matches is None and patterns is None:
            raise UsageError("there is nothing to score by: give judgments, patterns, or nuggets and their matches")
        if not len(questions):
            raise UsageError("no question is left to score")
        if not np.isfinite(asked.beta):
            raise UsageError("--beta: expected a finite number that is not negative")
        if not (min(asked.weights) >= 0 and 0 < sum(asked.weights) < np.inf):
            raise UsageError("--weights: expected three finite numbers that are not negative, and not all 0")
        problems = Problems()
        if matches is not None:
            check_list(questions, matches.nuggets, problems)
            check_matches(questions, answers, matches, problems)
        problems.raise_errors()
        judged_by, counted = _verdicts(questions, answers, verdicts, patterns, asked)
        if counted is not None and verdicts is not None and judged_by == "people":
            report_unknown(verdicts, counted, questions, problems)
        elif counted is not None and patterns is not None:
            report_uncovered(patterns, counted, questions, problems)
        nouns = [noun for noun in (questions, verdicts, patterns) if noun is not None]  # in the order of the command
        sources = [source for noun in nouns for source in noun.sources]
        if matches is not None:
            sources += [matches.nuggets.source, *matches.sources]
            matches = (pyramid(matches) if asked.recall == "pyramid" else matches).with_texts(answers)
        sources = [one for one in dict.fromkeys([*sources, *answers.sources]) if one != IN_MEMORY]
        return cls(questions, answers, counted, judged_by, matches, sources, problems.warnings)

    def score(self, asked: QaParameters) -> QuestionScores:
        """The score of every run on every question."""
        return score_questions(self.questions, self.answers, self.verdicts, self.judged_by, self.matches, asked)


def parts_of(scored: QuestionScores, asked: QaParameters) -> Parts:
    """The means to which weights apply, under the policies asked for."""
    exact, need_other = asked.no_list == "exact", asked.no_other == "left-out"
    return Parts.of(scored.values, scored.questions, scored.silent, exact, need_other)


def _verdicts(
    questions: Questions, answers: Answers, verdicts: Verdicts | None, patterns: Patterns | None, asked: QaParameters
) -> tuple[JudgedBy | None, Verdicts | None]:
    """The verdicts that count: those of people, completed as asked, or otherwise those of the patterns."""
    if asked.unjudged == "patterns" and patterns is None:
        raise UsageError("--unjudged patterns: give the patterns, --patterns FILE")
    if verdicts is None:
        return (None, None) if patterns is None else ("patterns", patterns.judge(answers))
    left = unjudged(answers, verdicts, questions)
    if left and asked.unjudged == "refuse":
        problems = Problems()
        refuse(left, answers, questions, problems)
        raise DataError(problems)
    if asked.unjudged == "patterns":
        return "people and patterns", completed(verdicts, left, answers, questions, patterns)
    return "people", completed(verdicts, left, answers, questions, None)

"""Patterns, or accepted answers, as an automatic judge, compared with the judgments of people."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np

from karat.arrays import EXACT_TOLERANCE, NAN, Bools, Floats, Int32s, Ints
from karat.data.accepted import token_counts, tokens_of
from karat.data.answers import NIL, Answers
from karat.data.fields import Missing, Shown, Why, written
from karat.data.patterns import Patterns
from karat.data.question_counts import Judged
from karat.data.questions import Questions
from karat.data.result import Field, Sheet
from karat.data.scores import cluster_numbers
from karat.data.tables import Table
from karat.data.verdicts import CORRECT, INCORRECT, INEXACT, LOCALLY_CORRECT, NAMES, UNJUDGED, UNSUPPORTED, Verdicts
from karat.kernels.counting import divide
from karat.measures.contingency import kappa
from karat.measures.questions import factoid_accuracy, token_f1
from karat.statistics.paired import mean_interval
from karat.statistics.rank_correlation import tau
from karat.studies.rankings import RankingChange, ranking_change
from karat.studies.unit_means import CONSTANT, Mean, clustered, plain_mean, unit_means
from karat.studies.wording import per_cent

ORDER = (CORRECT, LOCALLY_CORRECT, INEXACT, UNSUPPORTED, INCORRECT)
"""In which verdicts are listed; few evaluations have locally correct answers."""
NO_ANSWER = "people judged no answer of the runs to a factoid question with a pattern"
NO_QUESTION = "there is no factoid question with a pattern on which people judged every run"
NO_TAU = "there are fewer than two runs, or all runs tie"
THRESHOLDS = tuple(place / 10 for place in range(1, 11))
"""Token F1 from which on an answer counts as right."""
WHAT = {"patterns": "a pattern", "exact match": "an accepted answer"}


@dataclass(frozen=True)
class PatternRun:
    """Accuracy of one run on factoid questions by people and by patterns, and the difference."""

    run: str
    people: float
    patterns: float
    bias: Annotated[float, Shown(note="accuracy by patterns minus accuracy by people")]


@dataclass(frozen=True)
class VerdictRow:
    """Of the answers to which people gave one verdict, how many the patterns accept and refuse."""

    verdict: Annotated[str, Shown("people's verdict")]
    accepted: Annotated[int, Shown("patterns accept")]
    refused: Annotated[int, Shown("patterns reject")]


def _no_end(judge: Any) -> str:
    return CONSTANT if judge.answers else NO_ANSWER


def _no_kappa_of_rule(rule: Any) -> str:
    one = "people or the rule give all answers the same verdict"
    return one if rule.agreement.value == rule.agreement.value else NO_ANSWER


def _no_kappa(judge: Any) -> str:
    return "people and patterns both use only one verdict" if judge.answers else NO_ANSWER


@dataclass(frozen=True)
class Kappa(Mean):
    """Kappa with its interval."""


@dataclass(frozen=True)
class AnswerRule:
    """One rule that decides automatically whether an answer is right, compared with people."""

    rule: str
    accepted: Annotated[int, Shown("accepts", note="distinct answers to factoid questions")]
    agreement: Annotated[Mean, Shown(unit="%"), Why(NO_ANSWER)]
    """The share of answers on which rule and people agree, with its interval over questions or, if any, series."""
    kappa: Annotated[Kappa, Shown(digits=2), Why(_no_kappa_of_rule)]
    tau: Annotated[float, Shown(digits=2, note="Kendall's tau of the rankings of runs by rule and people"), Why(NO_TAU)]


@dataclass(frozen=True)
class PatternJudge:
    """Agreement of patterns, or of accepted answers, with people on whether factoid answers are right."""

    judge: Literal["patterns", "exact match"]
    answers: int
    """Distinct answers (document and string) that runs gave and people judged, to questions with a pattern."""
    agreement: Annotated[float, Why(NO_ANSWER)]
    low: Annotated[float, Why(_no_end)]
    """The end of an interval over questions or, if there are any, over series."""
    high: Annotated[float, Why(_no_end)]
    kappa: Annotated[float, Why(_no_kappa)]
    verdicts: list[VerdictRow]
    questions: int
    """Factoid questions with a pattern on which people judged every run; runs are compared on these."""
    runs: Annotated[list[PatternRun], Why(NO_QUESTION)]
    ranking: RankingChange
    rules: list[AnswerRule]
    """The judge, and with accepted answers token F1 from several thresholds on."""
    mean_f1_tau: Annotated[float | None, Why(f"no accepted answers were given, or {NO_TAU}")]
    """Kendall's tau of the rankings of runs by people and by mean token F1."""

    def sheets(self, result: Any) -> list[Sheet]:
        """What patterns accept by verdict of people, and the accuracy of runs by both, in the result of `qa`."""
        agreement = (
            f"Agreement on right and wrong: {per_cent(self.agreement)} ({per_cent(self.low)} to {per_cent(self.high)})"
        )
        name = self.judge.capitalize()
        accepts, rejects = ("accept", "reject") if self.judge == "patterns" else ("accepts", "rejects")
        verdicts = Sheet.of(
            f"{name} compared with people",
            self.verdicts,
            "verdict",
            Field(f"{self.judge} {accepts}", "accepted"),
            Field(f"{self.judge} {rejects}", "refused"),
            notes=[
                f"{agreement}, kappa {written(self.kappa, 3)}, on {self.answers:,} factoid answers; each document and "
                "string counts once.",
                "Only the verdict correct counts as right.",
            ],
        )
        runs = Sheet.of(
            f"Factoid accuracy by people and by {self.judge}",
            sorted(self.runs, key=lambda one: -one.people),
            "run people",
            Field(self.judge, "patterns"),
            Field("bias", "bias", note=f"accuracy by {self.judge} minus accuracy by people"),
            notes=[
                f"On the {self.questions:,} questions that have {WHAT[self.judge]} and on which people judged every "
                "run.",
                f"Kendall's tau between the two rankings: {written(self.ranking.tau, 3)}.",
            ],
        )
        return [verdicts, runs] if self.judge == "patterns" else [verdicts, self._rules(result), runs]

    def _rules(self, result: Any) -> Sheet:
        notes = ["token F1 ≥ t: an answer is right if its token F1 with an accepted answer is at least t."]
        if self.mean_f1_tau is not None:
            notes.append(f"Kendall's tau of the rankings by people and by mean token F1: {self.mean_f1_tau:.3f}.")
        columns = "rule accepted agreement agreement.interval kappa kappa.interval tau"
        return Sheet.of(
            "Exact match and token F1 compared with people", self.rules, columns, result=result, notes=notes
        )


def judge_patterns(
    patterns: Patterns, people: Verdicts, answers: Answers, questions: Questions, level: float
) -> PatternJudge:
    """Compare patterns with people on the factoid answers that people judged, and on the accuracy of runs."""
    by_people, by_patterns = Judged.of(answers, people), Judged.of(answers, patterns.judge(answers))
    factoid = (questions.types == 0) & patterns.covered
    both = factoid[answers.question] & (by_people.codes != UNJUDGED)
    both &= np.array([document != NIL for document in answers.documents], dtype=bool)
    rows = list({answers.judged_as(row): row for row in np.flatnonzero(both).tolist()}.values())
    counts = np.zeros((len(NAMES), 2))
    np.add.at(counts, (by_people.codes[rows], (by_patterns.codes[rows] == CORRECT).astype(np.int64)), 1)
    right = np.stack([counts.sum(axis=0) - counts[CORRECT], counts[CORRECT]])
    total = counts.sum()
    share = divide(np.trace(right), total)
    unjudged = np.zeros(len(questions), dtype=bool)
    unjudged[answers.question[(answers.rank == 1) & (by_people.codes == UNJUDGED)]] = True
    shared = factoid & ~unjudged
    official, ours = (plain_mean(factoid_accuracy(one.first_right())[:, shared]) for one in (by_people, by_patterns))
    ranking = ranking_change(answers.runs, official, ours)
    if not shared.any():
        ranking = replace(ranking, scores=dict.fromkeys(answers.runs, Missing(NO_QUESTION)))
    right_by_people = by_people.codes[rows] == CORRECT
    cluster = _clusters(questions, answers.question[rows])
    exact = by_patterns.codes[rows] == CORRECT

    def rule(name: str, accepts: Bools, by_run: Floats) -> AnswerRule:
        agreed = agreement_of(right_by_people, accepts, cluster, level)
        return AnswerRule(name, int(accepts.sum()), *agreed, float(tau(official, by_run)))

    rules = [rule("exact match" if patterns.in_words else "patterns", exact, ours)]
    mean_f1 = None
    if patterns.in_words:
        overlap = token_f1(tokens_of(patterns, [(int(answers.question[row]), answers.strings[row]) for row in rows]))
        of_runs = token_f1(token_counts(patterns, answers))
        for least in THRESHOLDS:
            by_run = plain_mean(np.where(np.isnan(of_runs), np.nan, of_runs >= least - EXACT_TOLERANCE)[:, shared])
            rules.append(rule(f"token F1 ≥ {least:g}", overlap >= least - EXACT_TOLERANCE, by_run))
        found = float(tau(official, plain_mean(of_runs[:, shared])))
        mean_f1 = found if found == found else None
    return PatternJudge(
        judge="exact match" if patterns.in_words else "patterns",
        answers=int(total),
        agreement=float(share),
        low=rules[0].agreement.low,
        high=rules[0].agreement.high,
        kappa=float(kappa(Table(right))),
        verdicts=[
            VerdictRow(NAMES[code], int(counts[code, 1]), int(counts[code, 0]))
            for code in ORDER
            if code != LOCALLY_CORRECT or counts[code].any()
        ],
        questions=int(shared.sum()),
        runs=[
            PatternRun(name, one, other, other - one)
            for name, one, other in zip(answers.runs, official.tolist(), ours.tolist(), strict=True)
        ],
        ranking=ranking,
        rules=rules,
        mean_f1_tau=mean_f1,
    )


def _clusters(questions: Questions, asked: Int32s) -> Ints:
    """The number of each answer's question, or of its series."""
    place = [questions.questions[one].series or (one,) for one in asked.tolist()]
    return cluster_numbers(place)


def agreement_of(people: Bools, rule: Bools, cluster: Ints, level: float) -> tuple[Mean, Kappa]:
    """The share of answers on which two agree, and kappa, with intervals over clusters of answers.

    Kappa is not a mean, so its interval is that of the mean of its jackknife values, over clusters left out.
    """
    [agreement] = unit_means((people == rule).astype(np.float64)[None], level, cluster)
    nothing = Kappa(NAN, NAN, NAN)
    if not len(people):
        return agreement, nothing
    each = np.zeros((int(cluster.max()) + 1, 2, 2))
    np.add.at(each, (cluster, people.astype(np.int64), rule.astype(np.int64)), 1)
    total = each.sum(axis=0)
    value, without = float(kappa(Table(total))), np.asarray(kappa(Table(total - each)))
    if value != value or np.isnan(without).any() or len(each) < 2:
        return agreement, Kappa(value, NAN, NAN)
    scores = value + (len(each) - 1) * (without.mean() - without)
    low, high = mean_interval(clustered(scores[None], None), level, (-1, 1))
    return agreement, Kappa(value, float(low[0]), float(high[0]))

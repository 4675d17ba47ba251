"""Justifications: what `justify` returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from karat.data.criteria import Criterion
from karat.data.result import Column, Sheet
from karat.data.undefined import Why
from karat.studies.base import StudyResult
from karat.studies.justify import shown
from karat.studies.justify.parts import (
    Correlation,
    CriterionAgreement,
    GroupComparison,
    RatedRun,
    RatingJudge,
    RawRating,
    RunDifference,
)
from karat.studies.unit_means import why_undefined

NOTHING = "nothing of it was rated"
NO_RANKS = "no judge rated two runs on a pair and with them all that are rated there"
NO_BOTH = "no judge rated both on one pair"
ONE_PAIR = "there is one pair only, which tells nothing of others"
PERSONS = "raters are exchangeable: which ratings are one person's is not known"


@dataclass(frozen=True, kw_only=True, repr=False)
class Justified(StudyResult):
    """What `justify` returns."""

    criteria: list[str]
    """As they were declared."""
    not_asked: dict[str, str]
    """What a criterion that is not always asked counts where it was not: `zero`, or `missing`."""
    pairs: list[str]
    exchangeable: bool
    runs: list[RatedRun]
    judges: list[RatingJudge]
    agreement: list[CriterionAgreement]
    correlation: list[Correlation]
    differences: list[RunDifference]
    tau: float
    """Between the rankings by the first two criteria."""
    groups: GroupComparison | None
    ratings: list[RawRating]
    """Those of the run that `of` names."""

    METHOD: ClassVar[str] = (
        "Means of people's ratings, with what was not asked counted as the table says; agreement between judges by "
        "ordinal alpha, weighted kappa and Kendall's W; runs are compared by the difference of their means over pairs, "
        "signs flipped at random."
    )
    SOURCES: ClassVar[tuple[str, ...]] = (
        "Voorhees 2008",
        "Cohen 1968",
        "Krippendorff 2004",
        "coefficient of concordance",
        "Holm 1979",
        "Westfall and Young 1993",
    )
    WHY: ClassVar[Why] = {
        "runs/*/criteria/*/mean/*": why_undefined(NOTHING),
        "runs/*/criteria/*/mean_rank": f"{NO_RANKS}, or {PERSONS}",
        "runs/*/criteria/*/by_judge/*": "the judge rated nothing of this run on it",
        "runs/*/criteria/*/by_pair/*": "nobody rated the run on it here",
        "runs/*/criteria/**": NOTHING,
        "runs/*/wrong_reason": "no key and runs were given, or the criterion of good reasons was not rated",
        "runs/*/wrong_reason/share/*": why_undefined("no right decision was rated"),
        "judges/*/attributes/*": "the table of judges does not say",
        "judges/*/summary": "the judge said nothing in closing",
        "judges/*/criteria/*/mean_ranks/*": "there is no pair with the run on which the judge rated all runs",
        "judges/*/criteria/**": "the judge rated nothing of it",
        "judges/*/correlation/**": "fewer than two ratings on both, or all the same on one",
        "agreement/*/alpha/*/value": "no justification has two ratings, or all ratings are the same",
        "agreement/*/alpha/*/*": "there is one pair only, or alpha is undefined",
        "agreement/*/concordance": PERSONS,
        "agreement/*/concordance/**": "fewer than two judges rated two runs on the same pair, or all tie all runs",
        "agreement/*/kappas/**": "the two rated nothing in common, or one number only",
        "correlation/**": "fewer than two ratings on both, or all the same on one",
        "differences/*/p_judges": f"{PERSONS}, or {NO_BOTH}",
        "differences/*/p_judges_error": f"{PERSONS}, or {NO_BOTH}",
        "differences/*/low": f"{ONE_PAIR}, or the runs differ by the same on all pairs, or {NO_BOTH}",
        "differences/*/high": f"{ONE_PAIR}, or the runs differ by the same on all pairs, or {NO_BOTH}",
        "differences/*/difference": NO_BOTH,
        "differences/**": f"{ONE_PAIR}, or {NO_BOTH}",
        "tau": "there are fewer than two runs or criteria, or a run has no mean, or all runs tie on a criterion",
        "groups": "no attribute of judges was named",
        "groups/differences/**": "a judge rated nothing of the run",
        "groups/taus/**": "a group has no mean of a run, or all runs tie in one",
        "groups/**": "the group rated nothing of the run",
        "ratings/*/values/*": "skipped, not asked, or not applicable",
    }

    @property
    def missing(self) -> str:
        """For the signature."""
        told = (f"{name} {'0' if policy == 'zero' else 'left out'}" for name, policy in self.not_asked.items())
        return ", ".join(["skipped pairs left out", *(f"not asked {one}" for one in told)])

    def make_sheets(self) -> list[Sheet]:
        """Runs, how often each number was given, judges, agreement, differences, groups, raw ratings."""
        scales = [Criterion.parse(one) for one in self.criteria]
        notes = (shown.ORDINAL, *shown.counting(scales, self.not_asked))
        made = [*shown.run_sheets(self.runs, notes, self.exchangeable), *shown.distributions(self.runs, scales)]
        made += shown.judge_sheets(self.judges)
        made.append(shown.agreement_sheet(self.agreement, self.not_asked))
        if any(one.kappas for one in self.agreement):
            made.append(shown.kappa_sheet(self.agreement))
        made += [shown.correlation_sheet(self.correlation)] if self.correlation else []
        made += [shown.difference_sheet(self.differences)] if self.differences else []
        made += shown.group_sheets(self.groups) if self.groups else []
        made += [shown.raw_sheet(self.ratings)] if self.ratings else []
        return made

    def records(self) -> Sheet:
        """A row a run, criterion and judge, pair or all of them."""
        rows: list[tuple[str, str, str, str, float]] = []
        for run in self.runs:
            for name, scores in run.criteria.items():
                rows.append((run.run, name, "", "", scores.mean.value))
                rows += [(run.run, name, judge, "", value) for judge, value in scores.by_judge.items()]
                rows += [(run.run, name, "", pair, value) for pair, value in scores.by_pair.items()]
        names = ("run", "criterion", "judge", "pair", "mean")
        return Sheet("Means", tuple(Column(name, [row[at] for row in rows]) for at, name in enumerate(names)))

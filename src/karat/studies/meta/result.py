"""Judgments of the same runs compared: the result of `meta` and its tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from karat.data.fields import Why
from karat.data.records import Records, RowsAt
from karat.data.result import Field, Sheet
from karat.studies.agree.result import COEFFICIENT_NAMES
from karat.studies.base import LeftOut, StudyResult
from karat.studies.meta.parts import Powered, Rejudged, TwoJudges
from karat.studies.wording import MOST_ROWS, counted

MOST_FLIPS = 20
SINGLE_SHOWN = ("agreement", "kappa", "kappa_quadratic", "alpha", "ac2")
"""The coefficients of single scores in the table; JSON has all of them."""


@dataclass(frozen=True, kw_only=True, repr=False)
class MetaEvaluation(StudyResult):
    """The result of `meta`."""

    reference: Annotated[str | None, Why("each judge is compared with the mean of the others")]
    measures: list[str]
    unit: str
    top: int
    persistence: float
    left_out: list[LeftOut]
    """Runs that not every judge scored, by the names in the files."""
    concordance: Annotated[float | None, Why("Kendall's W is computed for three judges or more")]
    """Kendall's coefficient of concordance of all judges' rankings, on the units that all of them scored."""
    between: list[TwoJudges]
    """Every two of three judges or more."""
    judges: list[Rejudged]

    RECORDS: ClassVar[Records] = Records(
        "judge, what, of, value, low, high",
        RowsAt(
            "judges.*",
            *(
                RowsAt(f"ranks.{name}", what="=rank agreement", of=f"={name}")
                for name in ("tau", "tau_b", "tau_ap", "tau_top", "overlap", "per_unit")
            ),
            RowsAt("single.coefficients.*of", what="=single judgments"),
            RowsAt("runs.*", RowsAt("bias", what="=bias"), RowsAt("relative", what="=relative bias"), of="run"),
            RowsAt("powered.runs.*", RowsAt("powered", what="=prediction-powered score"), of="run"),
            RowsAt("powered.differences.*", RowsAt("powered", what="=behind the leader, prediction-powered"), of="run"),
            judge="judge",
        ),
    )
    METHOD: ClassVar[str] = (
        "The runs are ranked by each judge and by the reference on the units that both scored. Intervals of rank "
        "correlations are for rankings by the true means, which are estimated by shrinkage. Verdicts on pairs of runs "
        "are paired t-tests with Holm's correction over all pairs and judges. Where a judge scored more units than the "
        "reference, its scores are corrected by the units that both scored (prediction-powered inference)."
    )
    SOURCES: ClassVar[tuple[str, ...]] = (
        "Kendall's tau",
        "Yilmaz et al. 2008",
        "Webber et al. 2010",
        "Angelopoulos et al. 2023",
    )

    @property
    def whose(self) -> str:
        """The reference, for headings."""
        return self.reference or "the mean of the other judges"

    def runs_by_rank(self) -> tuple[str, ...]:
        """The runs by their reference score beside the first judge."""
        return tuple(one.run for one in self.judges[0].runs)

    def make_sheets(self) -> list[Sheet]:
        """Scores and ranks by each judge, rank correlations, pairs of runs, and corrected scores."""
        made = [*map(self._runs, self.judges), self._rankings()]
        if self.between:
            made.append(self._between())
        made += [self._single(), self._pairs()]
        for one in self.judges:
            if one.flips:
                made.append(self._flips(one))
            if one.powered is not None:
                made += [self._powered(one.judge, one.powered), self._differences(one.judge, one.powered)]
            if one.needed:
                made.append(self._needed(one))
        return made

    def _rankings(self) -> Sheet:
        notes = [
            "Intervals are for rankings by true means, which agree more than rankings with sampling errors do: a value "
            "may lie below its interval."
        ]
        named = {
            "tau": "tau",
            "tau_b": "tau-b",
            "tau_ap": "tau-AP",
            "tau_top": f"tau, the first {self.top}",
            "overlap": f"rank-biased overlap, {self.persistence:g}",
            "per_unit": f"tau-b by {self.unit}",
        }
        rows = [(one.judge, name, getattr(one.ranks, kind)) for one in self.judges for kind, name in named.items()]
        judge = [Field("judge", "0")] if len(self.judges) > 1 else []
        whose = f"by {self.judges[0].judge}" if not judge else "by each judge"
        return self.sheet(
            f"The ranking {whose} compared with that by {self.whose}",
            rows,
            *judge,
            Field("coefficient", "1"),
            Field("value", "2.value", 3),
            "2.interval",
            notes=notes,
        )

    def _between(self) -> Sheet:
        """How alike the rankings by any two judges are."""
        known = [one.tau for one in self.between if one.tau == one.tau]
        notes = [f"On the {self.unit}s that all judges scored."]
        if known:
            notes.append(f"The mean tau is {sum(known) / len(known):.3f}.")
        if self.concordance == self.concordance:
            notes.append(f"Kendall's W of all these rankings is {self.concordance:.3f}.")
        return self.sheet(
            "The rankings by any two judges", self.between, "first second tau tau_b same_leader", notes=notes
        )

    def _single(self) -> Sheet:
        """How far each judge agrees with the reference on single runs and units."""
        rows = [
            (one.judge, COEFFICIENT_NAMES[name] + f", {one.single.level}" * (name == "alpha"), found)
            for one in self.judges
            for name in SINGLE_SHOWN
            if (found := one.single.coefficients[name]).value == found.value
        ]
        scores, values, clusters = (
            _range([getattr(one.single, kind) for one in self.judges], what)
            for kind, what in (("judgments", "score"), ("values", "value"), ("clusters", "cluster"))
        )
        return self.sheet(
            f"Single scores, compared one by one: {scores} with {values}",
            rows,
            *([Field("judge", "0")] if len(self.judges) > 1 else []),
            Field("coefficient", "1"),
            Field("value", "2.value", 3),
            "2.interval",
            notes=[
                f"Intervals are over {clusters}: the scores of all runs on one unit, or on units of one cluster, are "
                "not independent."
            ],
        )

    def _pairs(self) -> Sheet:
        return self.sheet(
            "Pairs of runs: significantly different or not",
            self.judges,
            "judge units pairs.pairs pairs.same pairs.reversed pairs.missed pairs.added pairs.neither",
        )

    def _runs(self, one: Rejudged) -> Sheet:
        columns = "run rank judges_rank reference judge bias bias.interval relative relative.interval"
        shown = one.runs[:MOST_ROWS]
        notes = [f"Intervals are simultaneous over all runs{' and judges' * (len(self.judges) > 1)}."]
        if len(shown) < len(one.runs):
            notes.append(f"The best {len(shown)} of {len(one.runs):,} runs by {self.whose}.")
        return self.sheet(
            f"Scores by {self.whose} and by {one.judge}, on {counted(one.units, self.unit)}",
            shown,
            columns,
            notes=notes,
        )

    def _flips(self, one: Rejudged) -> Sheet:
        shown = one.flips[:MOST_FLIPS]
        more = [f"The {len(shown)} of {len(one.flips):,} pairs that {self.whose} separates most."]
        return self.sheet(
            f"Pairs of runs in opposite order, {one.judge}",
            shown,
            "a reference p_reference b lead p_judge",
            notes=more if len(shown) < len(one.flips) else [],
        )

    def _powered(self, judge: str, found: Powered) -> Sheet:
        shown = found.runs[:MOST_ROWS]
        notes = [
            f"{self.whose} scored {counted(found.labelled, self.unit)}, which must be a random sample of all "
            f"{found.labelled + found.alone:,}.",
            f"Pairs of runs that differ significantly (Holm's correction): {found.separated_alone:,} by {self.whose} "
            f"alone, {found.separated:,} by PPI++.",
        ]
        if len(shown) < len(found.runs):
            notes.append(f"The best {len(shown)} of {len(found.runs):,} runs.")
        return self.sheet(
            f"Scores on all units, corrected by {judge}",
            shown,
            "run reference reference.interval naive powered powered.interval weight",
            notes=notes,
        )

    def _differences(self, judge: str, found: Powered) -> Sheet:
        return self.sheet(
            f"{found.leader} minus every other run, corrected by {judge}",
            found.differences[:MOST_ROWS],
            "run reference reference.interval powered powered.interval p",
            notes=[
                f"Intervals are for each difference by itself, and do not allow for the choice of {found.leader} by "
                "these scores, which makes its leads look larger than they are; p allows for it."
            ],
        )

    def _needed(self, one: Rejudged) -> Sheet:
        many = counted(one.units + one.alone, self.unit)
        return self.sheet(
            f"Units that {self.whose} must score, alone and with {one.judge} on {many}",
            one.needed,
            Field("for", "what"),
            "half_width alone with_judge",
        )


def _range(numbers: Sequence[int], what: str) -> str:
    """A number of things, or from how few to how many there are."""
    least, most = min(numbers), max(numbers)
    return counted(most, what) if least == most else f"{least:,} to {counted(most, what)}"

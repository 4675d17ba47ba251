"""Adjudicate: which units people agree on, which need a decision, and the key that results (`karat adjudicate`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import msgspec
import numpy as np
from msgspec import Meta

from karat.align.ballot_cells import REASONS
from karat.data.ballots import Ballots
from karat.data.fields import Shown, Why
from karat.data.pairs import Pairs
from karat.data.records import Records, RowsAt
from karat.data.result import Finding, Findings, Sheet, headline
from karat.data.standings import Standing, standing_of
from karat.errors import UsageError
from karat.labels import THREE, TWO
from karat.studies.base import StudyResult, study
from karat.studies.wording import counted, listed

NOBODY = "nobody had to decide on it, or nobody has yet"
UNSETTLED = "people disagree on it, or too few labelled it, and nobody has decided"


class AdjudicateParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `adjudicate`."""

    wanted: Annotated[
        int | None,
        Meta(description="how many people were to label each unit; by default the most that labelled any"),
    ] = None


def _in_words(votes: dict[str, str]) -> str:
    return ", ".join(map(": ".join, votes.items()))


@dataclass(frozen=True)
class UnitDecision:
    """One unit: what people said, where it stands, and who decided."""

    unit: str
    standing: Standing
    label: Annotated[str | None, Why(UNSETTLED)]
    """The label in the key."""
    votes: Annotated[dict[str, str], Shown("labels", form=_in_words)]
    """By assessor; without programs."""
    comments: dict[str, str]
    """What assessors, and whoever decided, said about it."""
    decided_by: Annotated[str | None, Shown("decided by"), Why(NOBODY)]
    reason: Annotated[str | None, Why(NOBODY)]
    kind: Annotated[str | None, Why(NOBODY)]


@dataclass(frozen=True, kw_only=True, repr=False)
class Adjudicated(StudyResult):
    """The result of `adjudicate`."""

    assessors: list[str]
    labels: list[str]
    wanted: int
    standings: dict[str, int]
    """How many units are agreed, disputed, undecided and adjudicated."""
    key: dict[str, int]
    """How many units have each label in the key."""
    units: list[UnitDecision]

    RECORDS: ClassVar[Records] = Records("unit, standing, label, decided_by, reason, kind", RowsAt("units.*"))
    METHOD: ClassVar[str] = (
        "A unit that at least two people labelled, all in the same way, has that label. Where labels differ, or only "
        "one of several people gave one, somebody decides, and says whether it was an error or a difference."
    )

    @property
    def waiting(self) -> list[UnitDecision]:
        """The units that need a decision."""
        return [one for one in self.units if one.label is None]

    def disputed_sheet(self, pairs: Pairs | None = None, adjudicator: str = "") -> dict[str, list[str]]:
        """The units that need a decision, with everything that was said, and empty columns for the decision."""
        rows = self.waiting
        made = {"unit": [one.unit for one in rows], "label": [""] * len(rows), "reason": [""] * len(rows)}
        made |= {"kind": [""] * len(rows), "comment": [""] * len(rows), "assessor": [adjudicator] * len(rows)}
        if pairs is not None and pairs.has_texts:
            places = pairs.places(tuple(made["unit"])).tolist()
            made |= {"text": [pairs.texts[at] for at in places], "hypothesis": [pairs.hypotheses[at] for at in places]}
        for who in self.assessors:
            made[f"label of {who}"] = [one.votes.get(who, "") for one in rows]
            if any(who in one.comments for one in rows):
                made[f"comment of {who}"] = [one.comments.get(who, "") for one in rows]
        return made

    @property
    def choices(self) -> dict[str, list[str]]:
        """The values that the columns of a decision can have."""
        return {"label": self.labels, "reason": list(REASONS), "kind": [], "comment": []}

    def history(self) -> list[tuple[str, ...]]:
        """Who labelled what, and who decided what and why, unit by unit, as files of ballots have it."""
        rows: list[tuple[str, ...]] = []
        for one in self.units:
            said = one.comments
            rows += [(one.unit, who, label, "", "", "", said.get(who, "")) for who, label in one.votes.items()]
            if one.decided_by is not None:
                decision = (one.label or "", one.reason or "", one.kind or "", "", said.get(one.decided_by, ""))
                rows.append((one.unit, one.decided_by, *decision))
        return rows

    def labels_by_unit(self) -> dict[str, str]:
        """The key; `-` for a unit without a label, which is not scored."""
        return {one.unit: one.label or "-" for one in self.units}

    def keyed(self, pairs: Pairs) -> Pairs:
        """The pairs with this key."""
        way = next((way for way in (THREE, TWO) if list(way.labels) == self.labels), None)
        if way is None:
            raise UsageError(
                f"the labels are {listed(self.labels[:5])}: a test set of pairs has {', '.join(THREE.labels)}, or "
                f"{', '.join(TWO.labels)}; say what they mean (--label SPELLING=LABEL), or write a table "
                "without --pairs"
            )
        codes = np.full(len(pairs), -1, dtype=np.int8)
        for one in self.units:
            if one.label is not None:
                codes[pairs.index[one.unit]] = way.code(one.label)
        return replace(pairs, labels=codes, way=way, ballots=None)

    def make_sheets(self) -> list[Sheet]:
        """How many units stand where, and those that are not agreed."""
        count = [_Count(name, number) for name, number in self.standings.items()]
        made = [self.sheet(f"{counted(len(self.units), 'unit')}", count, "standing units")]
        rest = [one for one in self.units if one.standing != "agreed"]
        columns = "unit standing label votes decided_by reason kind"
        return [*made, self.sheet("Units that people do not agree on", rest, columns)] if rest else made


@dataclass(frozen=True)
class _Count:
    standing: str
    units: int


def agreed(result: Adjudicated) -> Iterable[Finding]:
    """How many units are settled, and how many wait for a decision."""
    there, waiting = len(result.units), len(result.waiting)
    decided = result.standings["adjudicated"]
    also = f", and {decided:,} were decided" if decided else ""
    yield headline(f"People agree on {result.standings['agreed']:,} of {counted(there, 'unit')}{also}.")
    if waiting:
        need = "needs" if waiting == 1 else "need"
        yield headline(f"{counted(waiting, 'unit')} {need} a decision, and no label in the key until then.")


def reasons(result: Adjudicated) -> Iterable[Finding]:
    """Why labels were adjudicated."""
    found = Counter(one.reason for one in result.units if one.reason)
    if found:
        said = {"error": "an assessor erred", "difference": "people legitimately differ"}
        told = [f"on {counted(number, 'unit')} {said[reason]}" for reason, number in found.most_common()]
        yield Finding(f"Of the decisions, {listed(told)}.")


FINDINGS: Findings = (agreed, reasons)


@study("adjudicate", AdjudicateParameters, findings=FINDINGS)
def adjudicate(ballots: Ballots, asked: AdjudicateParameters, *, pairs: Pairs | None = None) -> Adjudicated:
    """The key that people's labels give, with the decisions among the ballots, and what is still to be decided.

    `pairs` is the test set that the units belong to.
    """
    strange = [] if pairs is None else [unit for unit in ballots.units if unit not in pairs.index]
    if pairs is not None and strange:
        raise UsageError(
            f"the ballots have {counted(len(strange), 'unit')} that {pairs.source.bare.name} has not, first "
            f"{strange[0]!r}: check that ballots and pairs belong to the same test set"
        )
    people = [name for name in ballots.assessors if name not in ballots.programs]
    votes: dict[str, dict[str, str]] = {unit: {} for unit in ballots.units}
    for unit, who, code in zip(ballots.unit.tolist(), ballots.assessor.tolist(), ballots.code.tolist(), strict=True):
        if ballots.assessors[who] not in ballots.programs:
            votes[ballots.units[unit]][ballots.assessors[who]] = ballots.scale.values[code]
    decisions = {one.unit: one for one in ballots.adjudications}
    if asked.wanted is not None and asked.wanted < 1:
        raise UsageError(f"--wanted {asked.wanted}: expected 1 or more")
    wanted = asked.wanted or max((len(said) for said in votes.values()), default=1)
    comments: dict[str, dict[str, str]] = {}
    for (unit, who), text in ballots.comments.items():
        comments.setdefault(unit, {})[who] = text
    made = []
    for unit in dict.fromkeys([*votes, *decisions]):
        said, decision = votes.get(unit, {}), decisions.get(unit)
        standing: Standing = "adjudicated" if decision else standing_of(said.values(), wanted)
        label = next(iter(said.values())) if standing == "agreed" else None
        if decision is not None:
            label = ballots.scale.values[decision.code]
        made.append(
            UnitDecision(
                unit=unit,
                standing=standing,
                label=label,
                votes=said,
                comments=comments.get(unit, {}),
                decided_by=None if decision is None else decision.assessor,
                reason=None if decision is None else decision.reason,
                kind=None if decision is None else decision.kind,
            )
        )
    stand, key = Counter(one.standing for one in made), Counter(one.label for one in made)
    return Adjudicated(
        assessors=people,
        labels=list(ballots.scale.values),
        wanted=wanted,
        standings={name: stand[name] for name in ("agreed", "disputed", "undecided", "adjudicated")},
        key={label: key[label] for label in ballots.scale.values},
        units=made,
    )

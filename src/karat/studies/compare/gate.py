"""The check of continuous integration: is a run worse than a baseline (`karat compare --fail-if-worse`)?

The reasons are in decision 0040.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from karat.arrays import EXACT_TOLERANCE
from karat.data.fields import Shown, Why
from karat.data.result import Cell, Checked, Ends, Finding, Sheet, all_marked, headline, marked
from karat.studies.wording import P, in_points, p_is, several

Outcome = Literal["worse", "better", "within the margin", "undecided", "not tested"]
UNTESTED = Why("the run could not be tested against the baseline, or differs from it by as much on every unit")
UNGATED = "the check was not asked for (--fail-if-worse)"


def _fails(found: bool) -> Cell:
    return "fails" if found else "passes"


@dataclass(frozen=True)
class GatedRun:
    """One run against the baseline."""

    run: str
    fails: Annotated[bool, Shown("check", form=_fails)]
    outcome: Annotated[Outcome, Shown("compared with {it.versus}")]
    difference: Annotated[
        float,
        Shown("difference", note="its value minus that of {it.versus}", unit="{it.in_points}"),
        UNTESTED,
    ]
    interval: Annotated[Ends, Shown("{it.percent} CI"), UNTESTED]
    p_worse: Annotated[P, Shown("p, worse", note="one-sided, {it.corrected_by}"), UNTESTED]
    """Of the hypothesis that it is at most the margin worse; one-sided and corrected for the number of runs."""
    p_within: Annotated[P, Shown("p, within", note="one-sided, {it.corrected_by}"), UNTESTED]
    """Of the hypothesis that it is worse by the margin or more; one-sided and corrected for the number of runs."""
    identical: bool = False
    """Whether its answers, or its scores, are those of the baseline on every unit."""


@dataclass(frozen=True)
class Gate:
    """Whether any run is worse than the baseline by more than a margin, and which are shown not to be."""

    baseline: str
    margin: float
    strict: bool
    """Whether a run also fails if it was not shown to be within the margin."""
    level: float
    """The one-sided level of both tests: half of that of the two-sided ones."""
    failed: bool
    runs: list[GatedRun]

    @property
    def failing(self) -> list[GatedRun]:
        """The runs for which the check fails."""
        return [row for row in self.runs if row.fails]

    def of(self, outcome: Outcome) -> list[str]:
        """The runs with an outcome."""
        return [row.run for row in self.runs if row.outcome == outcome]


def gate_of(
    rows: Iterable[tuple[str, float, Ends, float, float]],
    baseline: str,
    margin: float,
    strict: bool,
    level: float,
    identical: Collection[str] = (),
) -> Gate:
    """The verdicts on runs, given with their differences, intervals and corrected one-sided p-values."""
    made = []
    for run, difference, interval, p_worse, p_within in rows:
        outcome: Outcome = "undecided"
        if p_worse != p_worse:
            outcome = "not tested"
        elif p_worse <= level + EXACT_TOLERANCE:
            outcome = "worse"
        elif p_within <= level + EXACT_TOLERANCE:
            outcome = "within the margin" if margin else "better"
        fails = outcome == "worse" or (strict and outcome != "within the margin")
        made.append(GatedRun(run, fails, outcome, difference, interval, p_worse, p_within, run in identical))
    return Gate(baseline, margin, strict, level, any(row.fails for row in made), made)


def gated(result: Any) -> Iterable[Finding]:
    """Whether the check of continuous integration fails, and because of which runs."""
    gate: Gate | None = result.gate
    if gate is None:
        return
    base, by = gate.baseline, _by(result)
    if worse := gate.of("worse"):
        more = f" by more than {by}" if by else ""
        yield headline(f"The check fails: {_are(worse)} significantly worse than {marked(base)}{more}.", [*worse, base])
    short = [row.run for row in gate.failing if row.outcome != "worse"]
    if short:
        shown = "was" if len(short) == 1 else "were"
        what = f"{several(all_marked(short))} {shown} not shown to be at most {by} worse than {marked(base)}"
        yield headline(f"The check fails: {what}.", [*short, base])
    if not gate.failed:
        yield headline(f"The check passes{_passes(gate, by)}.", [*(row.run for row in gate.runs), base])
    if same := [row.run for row in gate.runs if row.identical]:
        yield headline(_identical(same, result), [*same, base])


def _identical(runs: Sequence[str], result: Any) -> str:
    """That runs do not differ from the baseline at all, as when somebody forgot to produce them again."""
    have = ("has" if len(runs) == 1 else "have") if result.way is None else "gives" if len(runs) == 1 else "give"
    same = "the same scores as" if result.way is None else "the same answers as"
    again = "Was it" if len(runs) == 1 else "Were they"
    base = marked(result.gate.baseline)
    return f"{several(all_marked(runs))} {have} {same} {base} on every unit. {again} run again?"


def _by(result: Any) -> str:
    return in_points(result.measure, result.gate.margin) if result.gate.margin else ""


def _are(runs: Sequence[str]) -> str:
    return f"{several(all_marked(runs))} {'is' if len(runs) == 1 else 'are'}"


def _passes(gate: Gate, by: str) -> str:
    """Why the check passes; nothing is said of a run that was not tested, except that it was not."""
    untested = gate.of("not tested")
    left = f"{several(all_marked(untested))} {'was' if len(untested) == 1 else 'were'} not tested" if untested else ""
    if len(untested) == len(gate.runs):
        return f", but {left} against {marked(gate.baseline)}"
    return f": {_shown(gate, by)}{f'; {left}' if left else ''}"


def _shown(gate: Gate, by: str) -> str:
    """What the tests say of the runs that were tested."""
    who = marked(gate.runs[0].run) if len(gate.runs) == 1 else ""
    every, no = ("every run", "no run") if not gate.of("not tested") else ("every tested run", "no tested run")
    within, better = gate.of("within the margin"), gate.of("better")
    shown = f"shown to be at most {by} worse"
    if who and better:
        return f"{who} is significantly better than {marked(gate.baseline)}"
    if gate.strict or (who and within):
        return f"{who or every} was {shown} than {marked(gate.baseline)} (level {gate.level:g})"
    more = f" by more than {by}" if by else ""
    said = f"{f'{who} is not' if who else f'{no} is'} significantly worse than {marked(gate.baseline)}{more}"
    if within:
        were = f"{several(all_marked(within))} {'was' if len(within) == 1 else 'were'}"
        return f"{said}, and {were} {shown} (level {gate.level:g})"
    if better:
        return f"{said}, and {_are(better)} significantly better"
    return f"{said}, which does not show that {'it is' if who else 'they are'} as good"


def gate_sheet(result: Any) -> Sheet:
    """One row per run, those that fail first."""
    gate: Gate = result.gate
    rows = sorted(gate.runs, key=lambda row: not row.fails)
    title = f"Check against {gate.baseline}: {len(gate.failing):,} of {len(rows):,} runs fail"
    if len(rows) == 1:
        title = f"Check against {gate.baseline}: {rows[0].run} {_fails(rows[0].fails)}"
    why = "a run fails if it is significantly worse than " + gate.baseline
    why += f" by more than {_by(result)}" if gate.margin else ""
    why += f", or not shown to be at most {_by(result)} worse" if gate.strict else ""
    why += f"; one-sided tests at level {gate.level:.3g}"
    return result.sheet(title, rows, "run fails outcome difference interval p_worse p_within", notes=[why])


def gate_checks(result: Any) -> list[Checked]:
    """What a build server is told: one check per run."""
    made = []
    for row in result.gate.runs if result.gate else ():
        skipped = row.outcome == "not tested" and not row.fails
        made.append(Checked(row.run, "failed" if row.fails else "skipped" if skipped else "passed", _told(row, result)))
    return made


def _told(row: GatedRun, result: Any) -> str:
    """What was found about one run, in a sentence."""
    base, by = result.gate.baseline, _by(result)
    if row.identical:
        return Finding(_identical([row.run], result))
    if row.outcome == "not tested":
        why = next((f": {one.reason}" for one in result.left_out if one.name == row.run), "")
        return f"{row.run} was not tested against {base}{why}."
    said = {
        "worse": f"{row.run} is significantly worse than {base}" + f" by more than {by}" * bool(by),
        "better": f"{row.run} is significantly better than {base}",
        "within the margin": f"{row.run} is at most {by} worse than {base}",
        "undecided": f"{row.run} may be more than {by} worse than {base}, or not"
        if by
        else f"{row.run} is not significantly different from {base}",
    }[row.outcome]
    apart = in_points(result.measure, abs(row.difference))
    side = "higher" if row.difference > 0 else "lower"
    p = "" if row.outcome == "undecided" else f", one-sided {p_is(min(row.p_worse, row.p_within))}"
    return f"{said} ({apart} {side}{p})."

"""A diagnosis as tables: one run in full, several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from karat.data.result import Cell as Value
from karat.data.result import Column, Field, RunName, Sheet
from karat.data.undefined import pointer
from karat.studies.diagnose.gains import title as title_of
from karat.studies.diagnose.rows import Contest, Interval, Row
from karat.studies.wording import counted, p_value

if TYPE_CHECKING:
    from karat.studies.diagnose.result import Diagnosis

SHOWN, CLOSEST = 20, 5
"""So many phenomena that separate two runs are shown, or come closest to it; JSON has all that were tested."""
IN_FULL = 3
"""So many runs stand side by side with their intervals."""
ELSEWHERE = "positive and negative pairs apart: in CSV and JSON, or run by run"
SMALL = "* fewer than {small} pairs: read the interval, not the accuracy"


def sheets(result: Diagnosis) -> list[Sheet]:
    """Overall, categories, phenomena (what fails most first), judgments, what separates runs, minimal pairs."""
    made = [_overall(result)]
    if result.categories:
        made.append(_section(result, "Categories", "categories", result.categories))
    made.append(_section(result, result.by.capitalize(), "phenomena", result.phenomena, worst_first=True))
    made.append(_section(result, "Judgments", "judgments", result.judgments))
    for title, asked in ((result.by, result.contests), ("category", result.category_contests)):
        if asked:
            made.append(_contests(result, title, asked))
    if result.consistency:
        made.append(_consistency(result))
    return made


def spelled(ends: Interval) -> str | float:
    """An interval in one cell; undefined where there is none."""
    return float("nan") if ends is None else f"{ends[0]:.3f} – {ends[1]:.3f}"


def _intervals(name: str, rows: Sequence[Any], field: str, places: Sequence[int], at: str) -> Column:
    values: list[Value] = [spelled(getattr(row, field)) for row in rows]
    return Column(name, values, at=[pointer(at, place, field) for place in places])


def _overall(result: Diagnosis) -> Sheet:
    """The runs, and in brackets the constant systems."""
    level = f"{100 * result.level:g} %"
    placed = [("overall", at, row) for at, row in enumerate(result.overall)]
    placed += [("baselines", at, row) for at, row in enumerate(result.baselines)]
    rows = [row for _, _, row in placed]

    def column(name: str, path: str, note: str = "", digits: int | None = 4) -> Column:
        one = Field(name, path, digits, note)
        at = [pointer(part, place, *one.steps) for part, place, _ in placed]
        return Column(name, [one.of(row) for row in rows], digits, note, at)

    def ends(name: str, field: str) -> Column:
        at = [pointer(part, place, field) for part, place, _ in placed]
        return Column(name, [spelled(getattr(row, field)) for row in rows], at=at)

    columns = [
        Column("run", [RunName.of(row.run, trivial=part != "overall") for part, _, row in placed]),
        column("monothematic" if result.originals else "accuracy", "accuracy"),
        ends(level, "interval"),
        column("n", "n", digits=None),
        column("positive", "positive.accuracy", "accuracy on ENTAILMENT"),
        column("negative", "negative.accuracy", "accuracy on all other labels"),
    ]
    notes = [f"{result.way}-way; intervals of accuracies are Wilson's" + result.weights_note]
    if result.shared_texts:
        notes[0] += ", and take pairs as independent; tests do not: they are over whole texts"
    notes.append("in brackets: the systems that give one answer to every pair")
    if result.without_value:
        notes.append(f"{counted(result.without_value, 'pair')} without {result.by}, left out")
    if result.originals:
        nothing: list[Value] = [None] * len(result.baselines)
        r = Sheet.of("", result.correlations, Field("r", "value", 4), at="correlations").columns[0]
        r_ends = _intervals(f"r, {level}", result.correlations, "interval", range(len(result.overall)), "correlations")
        columns += [
            column("originals", "originals.accuracy"),
            column("CI", "correlation_index", "correlation index: originals / monothematic"),
            ends(f"CI, {level}", "correlation_interval"),
            column("|CI − 1|", "distance", "how far it is from ideal"),
            column("adjusted CI", "adjusted_index", "with as many of the parts positive as of the originals"),
            column("DI", "deviation_index", "deviation index: |CI of positive − CI of negative pairs|"),
            column("reading", "reading", digits=None),
            *(
                replace(one, values=[*one.values, *nothing], at=[*one.at, *[""] * len(nothing)])
                for one in (r, r_ends)
            ),
        ]  # fmt: skip
        notes += [
            "CI = accuracy on originals / accuracy on monothematic pairs, a ratio; 1 is ideal, below 1 the run solves "
            "parts and does not combine them, above 1 it does not use the parts",
            "adjusted CI: the parts weighed so that as many are positive as of the originals; the reading goes by it",
            f"reading: missing or over where adjusted CI is significantly not 1, {_corrected(result)} over all runs",
            "r: the correlation of being right on an original with the share of its parts that are right",
            "intervals of CI: the ratios that a t test over originals, each with its parts, does not reject (Fieller), "
            "and no shorter than the exact intervals of either accuracy",
            f"intervals of r: {result.originals} originals resampled together with their parts",
        ]
    return Sheet("Runs", tuple(columns), tuple(notes))


def _corrected(result: Diagnosis) -> str:
    return "not corrected" if result.correction == "none" else f"corrected ({result.correction})"


def _section(
    result: Diagnosis, title: str, part: str, rows: Sequence[Row], worst_first: bool = False
) -> Sheet:  # fmt: skip
    """One run: a row a name, in full; several: a row a name, a column a run."""
    runs = [row.run for row in result.overall]
    per_run = len(rows) // len(runs)
    first = rows[:per_run]
    order = list(range(per_run))
    if worst_first:
        order.sort(
            key=lambda at: sum(row.accuracy if row.accuracy == row.accuracy else 9.0 for row in rows[at::per_run])
        )
    labels = [title_of(row) + "*" * row.small for row in first]
    heading = {"categories": "category", "judgments": "judgment"}.get(part, result.by)
    columns = [Column(heading, [labels[at] for at in order])]
    columns.append(Column("n", [first[at].n for at in order]))
    if len(runs) == 1:
        columns += _in_full(result, part, [rows[at] for at in order], order)
    else:
        columns += _side_by_side(result, part, rows, order)
    notes = [SMALL.format(small=result.small)] if any(row.small for row in first) else []
    if len(runs) == 1:
        notes.append(
            "p: so few right here, were the run's right answers scattered over all its pairs; exact, one-sided, "
            + "no less than by t over whole texts, " * result.shared_texts
            + f"{_corrected(result)} over {counted(result.slices_tested, 'slice')}"
            + ", and doubled, since combining is asked about too" * bool(result.originals)
        )
    if len(runs) > 1:
        notes.append(ELSEWHERE if len(runs) <= IN_FULL else "intervals, " + ELSEWHERE)
    return Sheet(title, tuple(columns), tuple(notes))


def _side_by_side(result: Diagnosis, part: str, rows: Sequence[Row], order: Sequence[int]) -> list[Column]:
    """A column a run, of few runs with intervals: accuracies, then indices where there are any."""
    asked = [("", "accuracy", "interval")]
    if result.originals and part != "phenomena":
        asked.append(("CI", "correlation_index", "correlation_interval"))
    level, per_run = f"{100 * result.level:g} %", len(rows) // len(result.overall)
    columns = []
    for what, field, ends in asked:
        for at, run in enumerate(row.run for row in result.overall):
            places = [at * per_run + one for one in order]
            columns.append(_column(rows, f"{run} {what}".strip(), part, field, places))
            if len(result.overall) <= IN_FULL:
                named = f"{what}, {level}" if what else level
                columns.append(_intervals(named, [rows[one] for one in places], ends, places, part))
    return columns


def _column(rows: Sequence[Row], name: str, part: str, field: str, places: Sequence[int]) -> Column:
    values = [getattr(rows[place], field) for place in places]
    return Column(name, values, 4, at=[pointer(part, place, field) for place in places])


def _in_full(result: Diagnosis, part: str, rows: Sequence[Row], order: Sequence[int]) -> list[Column]:
    """Every column of one run's section."""
    fields = [Field("accuracy", digits=4), Field("positive", "positive.accuracy", 4), Field("⊢", "positive.n"),
              Field("negative", "negative.accuracy", 4), Field("⊣ ◇", "negative.n")]  # fmt: skip
    if part == "phenomena":
        fields.append(Field("shrunken", "shrunken.value", 4, "drawn towards the other phenomena"))
        fields.append(Field("excess", "excess", 1, "wrong answers beyond the run's average"))
    elif result.originals:
        fields += [Field("originals", "originals.accuracy", 4), Field("CI", "correlation_index", 4)]
        fields += [Field("adjusted CI", "adjusted_index", 4), Field("DI", "deviation_index", 4), Field("reading")]
    made = []
    for one in fields:
        at = [pointer(part, place, *one.steps) for place in order]
        made.append(Column(one.name, [one.of(row) for row in rows], one.digits, one.note, at))
    at = [pointer(part, place, "p_corrected") for place in order]
    made.append(Column("p", [p_value(row.p_corrected) for row in rows], note="that it is no weaker", at=at))
    level = f"{100 * result.level:g} %"
    made.insert(1, _intervals(level, rows, "interval", order, part))
    if result.originals and part != "phenomena":
        after = next(at for at, one in enumerate(made) if one.name == "CI") + 1
        made.insert(after, _intervals(f"CI, {level}", rows, "correlation_interval", order, part))
    return made


def _contests(result: Diagnosis, title: str, asked: Sequence[Contest]) -> Sheet:
    """What separates two runs; where nothing does, what comes closest."""
    told = [one for one in asked if one.different]
    rows = sorted(told or asked, key=lambda one: (one.p_corrected, one.p))[: SHOWN if told else CLOSEST]
    heading = f"What separates two runs, by {title}: {len(told)} of {len(asked)} differences"
    heading += "" if told else "; the closest"
    tests = len(result.contests) + len(result.category_contests)
    notes = [
        f"{'exact tests, runs exchanged on whole texts' if result.shared_texts else 'exact McNemar tests'}; "
        f"{_corrected(result)} over {counted(tests, 'comparison')}: every two runs on every {result.by}"
        f"{' and category' if result.category_contests else ''} of at least {counted(result.small, 'pair')}",
    ]
    if len(told) > len(rows):
        notes.append(f"the first {len(rows)}; JSON has all")
    fields = [Field(title, "name"), Field("a"), Field("b"), Field("n"), Field("difference", digits=4),
              Field("only a", "only_a"), Field("only b", "only_b")]  # fmt: skip
    sheet = Sheet.of(heading, rows, *fields, notes=notes)
    p = (Column("p", [p_value(one.p) for one in rows]), Column("corrected", [p_value(one.p_corrected) for one in rows]))
    return replace(sheet, columns=(*sheet.columns, *p))


def _consistency(result: Diagnosis) -> Sheet:
    rows = result.consistency
    fields = [Field("run"), Field("groups"), Field("consistent"), Field("share", digits=4),
              Field("expected", digits=4, note="if as many right answers were scattered at random"),
              Field("of them mixed", "mixed"), Field("share, mixed", "mixed_share", 4),
              Field("expected, mixed", "mixed_expected", 4, "by its accuracy on each label there")]  # fmt: skip
    notes = [
        "groups of pairs that share a T; consistent: all of a group are right; mixed: their labels differ",
        "p: so few mixed groups right throughout, were the run right on one label independently of the other; exact, "
        f"one-sided, {_corrected(result)} over {counted(len(rows), 'run')}",
    ]
    sheet = Sheet.of("Minimal pairs", rows, *fields, at="consistency", notes=notes)
    at = [pointer("consistency", row, "p_corrected") for row in range(len(rows))]
    return replace(sheet, columns=(*sheet.columns, Column("p", [p_value(one.p_corrected) for one in rows], at=at)))

"""A diagnosis as tables: one run in full, several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from karat.data.result import Cell as Value
from karat.data.result import Column, Field, Sheet
from karat.data.undefined import pointer
from karat.studies.diagnose.rows import Contest, Interval, Row
from karat.studies.words import counted

if TYPE_CHECKING:
    from karat.studies.diagnose.result import Diagnosis

SHOWN, CLOSEST = 20, 5
"""So many phenomena that separate two runs are shown, or come closest to it; JSON has all."""
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
    rows, level = result.overall, f"{100 * result.level:g} %"
    places = range(len(rows))
    what = "monothematic" if result.originals else "accuracy"
    sheet = Sheet.of("Runs", rows, Field("run"), Field(what, "accuracy", 4), Field("n"), at="overall")
    columns = [*sheet.columns[:2], _intervals(level, rows, "interval", places, "overall"), sheet.columns[2]]
    sides = [Field("positive", "positive.accuracy", 4, "accuracy on ENTAILMENT"),
             Field("negative", "negative.accuracy", 4, "accuracy on all other labels")]  # fmt: skip
    columns += Sheet.of("", rows, *sides, at="overall").columns
    notes = [f"{result.way}-way; intervals of accuracies are Wilson's" + result.weights_note]
    if result.originals:
        fields = [
            Field("originals", "originals.accuracy", 4),
            Field("CI", "correlation_index", 4, "correlation index: originals / monothematic"),
            Field("DI", "deviation_index", 4, "deviation index: |CI of positive − CI of negative pairs|"),
            Field("reading"),
        ]
        more = Sheet.of("", rows, *fields, at="overall").columns
        columns += [*more[:2], _intervals(f"CI, {level}", rows, "correlation_interval", places, "overall"), *more[2:]]
        columns += Sheet.of("", result.correlations, Field("r", "value", 4), at="correlations").columns
        columns.append(_intervals(f"r, {level}", result.correlations, "interval", places, "correlations"))
        notes += [
            "CI = accuracy on originals / accuracy on monothematic pairs, a ratio; 1 is ideal, below 1 the run solves "
            "parts and does not combine them, above 1 it does not use the parts",
            "r: the correlation of being right on an original with the share of its parts that are right",
            f"intervals of CI and r: {result.originals} originals resampled together with their parts",
        ]
    return Sheet("Runs", tuple(columns), tuple(notes))


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
    labels = [_label(row) for row in first]
    heading = {"categories": "category", "judgments": "judgment"}.get(part, result.by)
    columns = [Column(heading, [labels[at] for at in order])]
    columns.append(Column("n", [first[at].n for at in order]))
    if len(runs) == 1:
        columns += _in_full(result, part, [rows[at] for at in order], order)
    else:
        for at, run in enumerate(runs):
            columns.append(_column(rows, run, part, "accuracy", [at * per_run + one for one in order]))
        if result.originals and part != "phenomena":
            for at, run in enumerate(runs):
                places = [at * per_run + one for one in order]
                columns.append(_column(rows, f"{run} CI", part, "correlation_index", places))
    marked = any(row.small for row in first)
    return Sheet(title, tuple(columns), (SMALL.format(small=result.small),) if marked else ())


def _label(row: Row) -> str:
    category = getattr(row, "category", "")
    return f"{category}:{row.name}" * bool(category) + row.name * (not category) + "*" * row.small


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
        fields += [Field("DI", "deviation_index", 4), Field("reading")]
    made = []
    for one in fields:
        at = [pointer(part, place, *one.steps) for place in order]
        made.append(Column(one.name, [one.of(row) for row in rows], one.digits, one.note, at))
    return [made[0], _intervals(f"{100 * result.level:g} %", rows, "interval", order, part), *made[1:]]


def _contests(result: Diagnosis, title: str, asked: Sequence[Contest]) -> Sheet:
    """What separates two runs; where nothing does, what comes closest."""
    told = [one for one in asked if one.different]
    rows = sorted(told or asked, key=lambda one: (one.p_corrected, one.p))[: SHOWN if told else CLOSEST]
    heading = f"What separates two runs, by {title}: {len(told)} of {len(asked)} differences"
    heading += "" if told else "; the closest"
    each = len({one.name for one in asked})
    notes = [
        f"exact McNemar tests, which take pairs as independent; corrected ({result.correction}) for the "
        f"{counted(each, 'slice')} of every two runs",
    ]
    if len(told) > len(rows):
        notes.append(f"the first {len(rows)}; JSON has all")
    fields = [Field(title, "name"), Field("a"), Field("b"), Field("n"), Field("difference", digits=4),
              Field("only a", "only_a"), Field("only b", "only_b"), Field("p", digits=4),
              Field("corrected", "p_corrected", 4)]  # fmt: skip
    return Sheet.of(heading, rows, *fields, notes=notes)


def _consistency(result: Diagnosis) -> Sheet:
    rows = result.consistency
    fields = [Field("run"), Field("groups"), Field("consistent"), Field("share", digits=4),
              Field("expected", digits=4, note="were as many right answers scattered at random"),
              Field("of them mixed", "mixed"), Field("share, mixed", "mixed_share", 4),
              Field("expected, mixed", "mixed_expected", 4)]  # fmt: skip
    notes = ["groups of pairs that share a T; consistent: all of a group are right; mixed: their labels differ"]
    return Sheet.of("Minimal pairs", rows, *fields, at="consistency", notes=notes)

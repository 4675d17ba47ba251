"""Diagnoses drawn, against plain loops."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest

from karat.data.charts import Counts, Dots, Heat, Panels
from karat.render.figures import draw
from karat.render.scale import panel_range
from karat.studies.diagnose.charts import MARKS, MOST_PANELS
from karat.studies.diagnose.result import Diagnosis
from karat.studies.diagnose.study import diagnose
from tests.decompositions import C, E, Part, diagnosis_of, random_parts, world
from tests.studies import diagnose_by_hand as hand
from tests.studies.charts.reading import of, values

ODD = ("low", "high", "a<b>&$\x00", "名前" * 200)
"""Names that could be taken for an end of an interval, for markup or for a formula, and one without end."""


def diagnosed(names: Sequence[str], seed: int = 1, originals: int = 40) -> tuple[list[Part], Diagnosis]:
    """A random world of so many runs, and what is said of it."""
    parts = random_parts(seed, originals, len(names))
    return parts, diagnosis_of(*world(parts, names), replicates=99)


def by_hand(parts: list[Part], name: str, run: int) -> tuple[float, float]:
    """Correlation index, and the index of positive pairs less that of negative ones; NaN where undefined."""
    sides = [hand.correlation_index(parts, name, run, side) for side in ("positive", "negative")]
    whole = hand.correlation_index(parts, name, run)
    apart = None if None in sides else sides[0] - sides[1]  # type: ignore[operator]
    return tuple(math.nan if one is None else float(one) for one in (whole, apart))  # type: ignore[return-value]


@pytest.mark.parametrize("names", [("only",), ODD])
def test_category_indices(names: tuple[str, ...]) -> None:
    """A panel per run, with a row for all pairs and each category, each with its mark and its interval."""
    parts, result = diagnosed(names)
    drawn = of(result)
    groups = ["all", *dict.fromkeys(row.name for row in result.categories)]
    for at, figure in enumerate(("category-indices-correlation", "category-indices-deviation")):
        chart = drawn[figure]
        assert isinstance(chart, Panels)
        assert [panel.title for panel in chart.panels] == list(names)
        low, high = panel_range(chart)
        for run, panel in enumerate(chart.panels):
            assert list(panel.labels) == groups
            assert panel.rule == 1 - at
            (numbers,) = values(panel).values()
            for place, group in enumerate(groups):
                value = by_hand(parts, group, run)[at]
                assert numbers[place] == pytest.approx(value, nan_ok=True)
                (row,) = (
                    one for one in (*result.overall, *result.categories) if (one.run, one.name) == (names[run], group)
                )
                interval = (row.correlation_interval, row.deviation_interval)[at] or (math.nan, math.nan)
                assert panel.intervals[place] == pytest.approx(interval, nan_ok=True)
                if at:
                    assert abs(value) == pytest.approx(row.deviation_index, nan_ok=True)
                assert math.isnan(value) or low <= value <= high


def test_small_phenomena_are_pooled() -> None:
    """Those below the limit share the last row, which has all their pairs; where all are small, none is pooled."""
    sizes = {"a": 12, "b": 11, "c": 3, "d": 2}
    parts = [Part(f"o{at}", E, right=(True, True)) for at in range(28)]
    ids = iter(range(28))
    for name, count in sizes.items():
        parts += [Part(f"m{(at := next(ids))}", E, f"o{at}", f"x:{name}", (n > 0, n > 1)) for n in range(count)]
    chart = of(diagnosis_of(*world(parts, ["one", "two"]), replicates=99))["phenomena"]
    assert isinstance(chart, Heat)
    assert (sorted(chart.labels[:2]), chart.labels[2]) == (["x:a", "x:b"], "2 with < 10 pairs each")
    assert (sum(chart.counts), chart.counts[2]) == (28, 5)
    assert values(chart)["one"][2] == pytest.approx(3 / 5)
    assert values(chart)["two"][2] == pytest.approx(1 / 5)
    few = [Part("o", E, right=(True,)), *(Part(f"m{at}", E, "o", f"x:{at % 4}", (True,)) for at in range(8))]
    alone = of(diagnosis_of(*world(few, ["one"]), replicates=99))["phenomena"]
    assert sorted(alone.labels) == [f"x:{at}* (n 2)" for at in range(4)]


@pytest.mark.parametrize("count", [25, 60])
def test_many_runs_are_fields_of_colour(count: int) -> None:
    """More runs than marks can tell apart all stand in one table of colours; none is left out."""
    names = [f"run{at}" for at in range(count)]
    parts, result = diagnosed(names, seed=2, originals=15)
    drawn = {chart.name: chart for chart in result.charts()}
    phenomena, categories = drawn["phenomena"], drawn["categories"]
    index = drawn["category-indices-correlation"]
    assert isinstance(phenomena, Heat)
    assert isinstance(categories, Heat)
    assert isinstance(index, Heat)
    assert list(values(phenomena)) == list(categories.labels) == list(index.labels) == names
    assert phenomena.axes == ("run", "phenomenon")
    for at, run in enumerate(names):
        for group, numbers in index.series:
            assert numbers[at] == pytest.approx(by_hand(parts, group, at)[0], nan_ok=True)
        for label, numbers in categories.series:
            exact = hand.share(hand.groups(parts)[label.rstrip("*")][0], at)
            assert numbers[at] == pytest.approx(float(exact))  # type: ignore[arg-type]
        for place, label in enumerate(phenomena.labels):
            if "pairs each" in label:
                continue
            exact = hand.share(hand.groups(parts)[label.rstrip("*")][0], at)
            assert values(phenomena)[run][place] == pytest.approx(float(exact))  # type: ignore[arg-type]
    draw(index)


def test_how_many_make_a_table_of_colours() -> None:
    """One run has intervals by phenomenon; up to four are marks by category, up to nine have panels."""
    for count in (1, MARKS, MARKS + 1, MOST_PANELS, MOST_PANELS + 1):
        _, result = diagnosed([f"run{at}" for at in range(count)])
        kinds = {chart.name: type(chart) for chart in result.charts()}
        assert kinds["phenomena"] is (Dots if count == 1 else Heat)
        assert kinds["categories"] is (Dots if count <= MARKS else Heat)
        assert kinds["category-indices-correlation"] is (Panels if count <= MOST_PANELS else Heat)


def test_categories_and_their_originals() -> None:
    """Of one run the parts with their interval, and the originals beside them, as plain loops have both."""
    parts, result = diagnosed(["low"])
    chart = of(result)["categories"]
    assert isinstance(chart, Dots)
    assert list(values(chart)) == ["parts", "originals"]
    assert "low" in chart.title.rpartition(":")[2]
    assert chart.note.startswith("run: low")
    for place, label in enumerate(chart.labels):
        mono, originals = hand.groups(parts)[label.rstrip("*")]
        assert values(chart)["parts"][place] == pytest.approx(float(hand.share(mono, 0) or 0))
        assert values(chart)["originals"][place] == pytest.approx(float(hand.share(originals, 0) or 0))
        assert chart.intervals[place].low <= values(chart)["parts"][place] <= chart.intervals[place].high


def test_originals_by_their_index() -> None:
    """Every original is counted once, where a plain loop puts it; run and side have a row each."""
    parts, result = diagnosed(ODD)
    chart = of(result)["indices"]
    assert isinstance(chart, Counts)
    expected: Counter[tuple[str, str]] = Counter()
    for at, run in enumerate(ODD):
        for original in (one for one in parts if not one.phenomenon):
            own = [one for one in parts if one.original == original.id]
            k, m = sum(one.right[at] for one in own), len(own)
            name = "0" if k else "0/0"
            if original.right[at]:
                name = str(Fraction(m, k)) if k else "1/0"
            expected[f"{run} {'+' if original.label == E else '−'}", name] += 1
    found = {
        (label, place.name): place.counts[row]
        for row, label in enumerate(chart.labels)
        for place in chart.places
        if place.counts[row]
    }
    assert found == expected
    assert all(x == float(Fraction(place.name)) for place, x in chart.on_scale)
    assert [place.name for place in chart.gutters] == ["0", "1/0", "0/0"]


def test_any_attribute_has_phenomena_alone() -> None:
    """Without originals there is accuracy by phenomenon, and nothing that needs originals."""
    parts = [Part(f"p{at}", (E, C)[at % 2], right=(at % 3 > 0,)) for at in range(24)]
    _, runs = world([*parts, Part("m", E, "p0", "lexical:synonymy", (True,))], ["run"])
    result = diagnose(runs, by="phenomenon")
    assert list(of(result)) == ["phenomena"]


def test_runs_named_as_others_and_their_originals() -> None:
    """Of two runs, one called as the originals of the other are, all four series are drawn."""
    _, result = diagnosed(["a", "a, originals"])
    names = [name for name, _ in of(result)["categories"].series]
    assert names == ["a", "a, originals", "a, originals", "a, originals, originals"]

"""Agreement drawn: every field is counted by hand."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import pytest

from karat.data.ballots import Ballots, Scale, anonymous_ballots
from karat.data.charts import Heat
from karat.examples import BALLOTS
from karat.formats.ballots import read_ballots
from karat.labels import THREE
from karat.render.scale import heat_scale
from karat.studies.agree.study import agree
from tests.ballots import ballots_of, random_rows
from tests.studies.charts.reading import many_assessors, of, values
from tests.undefined import all_explained


def kappa_by_hand(one: str, other: str) -> float:
    """Cohen's kappa of two rows of letters, from those that both have."""
    both = [(a, b) for a, b in zip(one, other, strict=True) if "." not in (a, b)]
    if not both:
        return math.nan
    observed = sum(a == b for a, b in both) / len(both)
    shares = [{letter: [row[side] for row in both].count(letter) / len(both) for letter in "012"} for side in (0, 1)]
    chance = sum(shares[0][letter] * shares[1][letter] for letter in "012")
    return (observed - chance) / (1 - chance)


def test_agreement_is_kappa_of_every_two() -> None:
    """Each field is the kappa of its row's and its column's assessor, counted; nobody is held against himself."""
    rows = ["0120120120120", "0120120120121", "0120120122.11", "1020012.20102", "..........1.."]
    result = agree(ballots_of(rows, values="012"))
    chart = of(result)["agreement"]
    assert isinstance(chart, Heat)
    assert sorted(chart.labels) == list("abcde")
    by_column = values(chart)
    assert list(chart.labels) == list(by_column)
    for column, fields in by_column.items():
        for row, value in zip(chart.labels, fields, strict=True):
            if row == column or "e" in (row, column):
                assert math.isnan(value)  # of one common unit, both labels the same or not, chance is all there is
            else:
                assert value == pytest.approx(kappa_by_hand(rows["abcde".index(row)], rows["abcde".index(column)]))
    means = [np.nanmean(by_column[who]) for who in chart.labels if who != "e"]
    assert means == sorted(means, reverse=True)
    lowest = min(value for fields in by_column.values() for value in fields if value == value)
    assert lowest < 0
    assert chart.labels[-1] == "e"
    assert heat_scale(chart)[0] <= lowest


def test_agreement_of_ordered_labels_is_weighted() -> None:
    """Where labels have an order, what is drawn is the quadratic kappa, and the title says so."""
    result = agree(ballots_of(["0120120", "0120121", "0122122"], "ordinal"))
    chart = of(result)["agreement"]
    assert chart.title.startswith("quadratic-weighted kappa")
    for pair in result.pairwise:
        assert values(chart)[pair.a][chart.labels.index(pair.b)] == pair.kappa_quadratic.value
        assert values(chart)[pair.b][chart.labels.index(pair.a)] == pair.kappa_quadratic.value
    assert chart.note == "quadratic-weighted kappa"


def test_agreement_of_many() -> None:
    """Sixty assessors are drawn, those with most common units; how many pairs are told stands in the picture."""
    crowd = many_assessors(70)
    chart = of(agree(crowd, pairs=5000))["agreement"]
    assert sorted(chart.labels) == sorted(crowd.assessors[:60])
    assert "60 of 70 assessors" in chart.note
    fewer = of(agree(crowd, pairs=10))["agreement"]
    assert "the 10 of 2,415 pairs" in fewer.note
    known = sum(value == value for one in fewer.series for value in one.values)
    assert known == 20


def test_two_assessors_have_confusions_and_no_map() -> None:
    """Rows are the first's labels, columns the second's, shares of the row; a label nobody said has none."""
    rows = ["0001112", "0012112"]
    chart = of(agree(ballots_of(rows, values="0123")))
    assert "agreement" not in chart
    heat = chart["confusions"]
    assert heat.axes == ("b says", "a says")
    for column, fields in heat.series:
        for row, value in zip(heat.labels, fields, strict=True):
            there = [b for a, b in zip(*rows, strict=True) if a == row]
            assert (value == pytest.approx(there.count(column) / len(there))) if there else math.isnan(value)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("exchangeable", [False, True])
def test_confusions_in_loops(seed: int, exchangeable: bool) -> None:
    """Every ballot of a unit with two or more against each other one, all ballots alike; the diagonal is agreement."""
    said = ballots_of(random_rows(seed), exchangeable=exchangeable)
    units: dict[int, list[int]] = defaultdict(list)
    for unit, code in zip(said.unit.tolist(), said.code.tolist(), strict=True):
        units[unit].append(code)
    size = len(said.scale.values)
    counts = [[0.0] * size for _ in range(size)]
    for codes in units.values():
        for mine, code in enumerate(codes):
            for other in codes[:mine] + codes[mine + 1 :]:
                counts[code][other] += 1 / (len(codes) - 1)
    expected = [[cell / sum(row) if sum(row) else math.nan for cell in row] for row in counts]
    result = agree(said)
    found = np.array(result.confusions)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    np.testing.assert_allclose(np.diag(found), [one.agreement for one in result.per_label or []])
    all_explained(result)


def test_confusions_of_slots_are_of_any_two_ballots() -> None:
    """Where slots are arbitrary the figure takes no side, and there is no map of assessors."""
    charts = of(agree(anonymous_ballots("abcd", [[0, 0, 0], [0, 1, 1], [2, 2, 2], [0, 2, 2]], Scale(THREE.labels))))
    assert "agreement" not in charts
    heat = charts["confusions"]
    assert heat.axes == ("another says", "one says")
    # ⊢: three of its five ballots stand with ⊢ alone, one with two ◇, one with two ⊣.
    assert [values(heat)[label][0] for label in THREE.labels] == pytest.approx([0.6, 0.2, 0.2])


@pytest.mark.parametrize("rows", [["012012"], ["012...", "...012"], ["000000", "000000"]])
def test_nothing_to_confuse(rows: list[str]) -> None:
    """One assessor, no unit in common, one label: no figure of pairs or confusions, and every null has its reason."""
    result = agree(ballots_of(rows))
    assert not {"agreement", "confusions"} & set(of(result))
    all_explained(result)


def test_too_many_values_to_confuse() -> None:
    """More than thirty values have no table of confusions, and it is said why."""
    values = tuple(map(str, range(40)))
    codes = np.arange(40, dtype=np.int32).repeat(2)
    said = Ballots(
        values, ("a", "b"), Scale(values, "interval"), codes, np.tile(np.arange(2, dtype=np.int32), 40), codes
    )
    result = agree(said)
    assert result.confusions is None
    assert "/confusions" in all_explained(result)
    assert "confusions" not in of(result)


def test_coefficients_hold_their_intervals() -> None:
    """A row a coefficient that is defined, its value between its ends."""
    result = agree(read_ballots(BALLOTS))
    chart = of(result)["coefficients"]
    defined = [one for one in result.coefficients.values() if one.value == one.value]
    assert values(chart) == {"value": [one.value for one in defined]}
    for value, (low, high) in zip(values(chart)["value"], chart.intervals, strict=True):
        assert low <= value <= high

"""How the judging goes: rules that name nobody without a reason, on simulated assessors."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from immutables import Map

from karat.campaign.events import Item, Judged
from karat.campaign.judging.quality import FEWEST, quality, share
from karat.campaign.judging.work import Ballot, Work
from karat.data.parameters import generator
from karat.statistics import watching
from karat.statistics.watching import median_interval, trend

LABELS = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")
START = datetime(2027, 3, 1, 9, tzinfo=UTC)


def worked(labels: Any, days: Any, seconds: Any = None, imported: str = "") -> Work:
    """The work of people who gave these labels (people × units; -1 for none) on these days, in so many seconds."""
    ballots: dict[str, dict[Item, Ballot]] = {}
    units: dict[str, dict[str, Ballot]] = {}
    for person, row in enumerate(labels):
        who = f"p{person}"
        for unit, code in enumerate(row):
            if code < 0:
                continue
            item = Item("labels", f"u{unit:04d}")
            said = Judged(
                id=f"{who}-{unit}",
                task="t",
                item=item,
                assessor=who,
                values={"label": LABELS[code]},
                seconds=None if seconds is None else float(seconds[person][unit]),
                imported=imported,
            )
            one = Ballot(said=said, at=START + timedelta(days=int(days[person][unit])), sequence=1)
            ballots.setdefault(who, {})[item] = one
            units.setdefault(item.unit, {})[who] = one
    return Work(
        ballots=Map({who: Map(of) for who, of in ballots.items()}),
        labels=Map({unit: Map(of) for unit, of in units.items()}),
    )


def drawn(random: Any, people: int, units: int, right: float, last: float | None = None) -> tuple[Any, Any]:
    """Labels of people who are right this often, on five days; the first person ends with another share."""
    truth = random.integers(0, 3, units)
    days = np.sort(random.integers(0, 5, (people, units)), axis=1)
    chance = np.full((people, units), right)
    if last is not None:
        chance[0] += (last - right) * days[0] / 4
    wrong = random.random((people, units)) > chance
    return np.where(wrong, (truth + random.integers(1, 3, (people, units))) % 3, truth), days


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer permutations, as with many judgments: the test is as exact, and less powerful."""
    monkeypatch.setattr(watching, "DRAWS", watching.FEWEST_DRAWS)


@pytest.mark.usefixtures("quick")
def test_nobody_drifts_by_chance() -> None:
    """Where nobody changes, somebody is named in at most about 5% of campaigns; a real change is found."""
    random, named, found = generator(0, "tests", "drift"), 0, 0
    for _ in range(120):
        labels, days = drawn(random, 4, 80, 0.85)
        named += bool(quality(worked(labels, days), UTC).drifting)
    for _ in range(20):
        labels, days = drawn(random, 4, 200, 0.95, 0.5)
        found += "p0" in [one.name for one in quality(worked(labels, days), UTC).drifting]
    assert named <= 12  # 6 are expected at most; 12 or fewer in 99 of 100 such simulations
    assert found >= 15


@pytest.mark.usefixtures("quick")
def test_a_test_that_claims_too_much_would_be_noticed() -> None:
    """Without the correction over assessors, more campaigns would have somebody who drifts."""
    random, plain, corrected = generator(0, "tests", "uncorrected"), 0, 0
    for _ in range(60):
        labels, days = drawn(random, 8, 60, 0.8)
        made = quality(worked(labels, days), UTC)
        raw = []
        for one in made.assessors:
            same = [(labels[:, unit] == labels[int(one.name[1:]), unit]).sum() - 1 for unit in range(60)]
            raw.append(trend(np.array(same) / 7, days[int(one.name[1:])], random)[1])
        plain += min(raw) <= 0.05
        corrected += bool(made.drifting)
    assert plain > 3 * max(1, corrected)


def test_judgments_from_elsewhere_have_no_days() -> None:
    """When they were given is not known."""
    labels, days = drawn(generator(0, "tests", "imported"), 3, 60, 0.9)
    made = quality(worked(labels, days, imported="file"), UTC)
    assert made.tested == 0
    assert all(one.days == () for one in made.assessors)
    assert all(one.others.of == 60 for one in made.assessors)


def test_ordinary_speed_is_seldom_named() -> None:
    """People whose typical times differ as people's do: few are named; one in a hurry always is."""
    random, named, total, hasty = generator(0, "tests", "speed"), 0, 0, 0
    for _ in range(100):
        typical = random.normal(np.log(30), 0.4, 4)
        times = np.exp(random.normal(typical[:, None], 0.8, (4, 60)))
        labels, days = np.zeros((4, 60), dtype=int), np.zeros((4, 60), dtype=int)
        named += len(quality(worked(labels, days, times), UTC).named)
        total += 4
        times[0] = np.exp(random.normal(np.log(30 / 12), 0.8, 60))
        hasty += any(
            one.name == "p0" and one.speed == "fast" for one in quality(worked(labels, days, times), UTC).named
        )
    assert named <= 0.025 * total
    assert hasty >= 90


def test_nothing_is_said_about_few() -> None:
    """With one judgment less than the stated number, nobody is named, tested or among the best."""
    labels, days = drawn(generator(0, "tests", "few"), 3, FEWEST - 1, 0.9)
    made = quality(worked(labels, np.zeros_like(days), np.full(labels.shape, 1.0)), UTC)
    assert (made.named, made.tested, made.best, made.splits) == ([], 0, (), ())
    assert all(one.others.small and one.ratio is None for one in made.assessors)
    labels, days = drawn(generator(0, "tests", "few"), 3, FEWEST, 0.9)
    assert len(quality(worked(labels, np.zeros_like(days)), UTC).best) == 2


def test_units_on_which_the_best_differ() -> None:
    """Of four assessors, the two who agree most with the others; the units on which just those two differ."""
    truth = np.arange(60) % 3
    labels = np.stack([truth, truth, truth, (truth + 1) % 3])
    labels[1, :4] = (truth[:4] + 1) % 3
    labels[2, 4:14] = (truth[4:14] + 2) % 3
    made = quality(worked(labels, np.zeros((4, 60), dtype=int)), UTC)
    assert set(made.best) == {"p0", "p1"}
    assert [one.unit for one in made.splits] == ["u0000", "u0001", "u0002", "u0003"]
    assert made.splits[0].labels["p3"] == LABELS[1]


def test_shares() -> None:
    """Wilson's interval; none of nothing."""
    assert share(0, 0).value is None
    one = share(9, 10)
    assert (one.value, one.small) == (0.9, True)
    assert one.low == pytest.approx(0.5958, abs=1e-4)
    assert one.high == pytest.approx(0.9821, abs=1e-4)


def test_the_interval_of_a_median() -> None:
    """Covers the median in at least 95 of 100 samples; of too few values it is infinite."""
    random = generator(0, "tests", "median")
    for size in (6, 20, 101, 1500):
        inside = 0
        for _ in range(400):
            low, high = median_interval(random.normal(0, 1, size))
            inside += low <= 0 <= high
        assert inside >= 370, size
    assert median_interval(np.arange(5.0)) == (-np.inf, np.inf)
    assert median_interval(np.arange(6.0)) == (0.0, 5.0)
    widths = [float(np.subtract(*median_interval(np.linspace(0, 1, size))[::-1])) for size in (10, 50, 999, 9000)]
    assert all(a > b for a, b in pairwise(widths))


def test_no_trend_of_what_is_constant() -> None:
    """Equal values, or one day, have no trend; a perfect one is as unlikely as the permutations allow."""
    random = generator(0, "tests", "trend")
    days = np.repeat([0, 1], 20)
    assert trend(np.ones(40), days, random) == (0.0, 1.0)
    assert trend(random.random(40), np.zeros(40, dtype=int), random) == (0.0, 1.0)
    slope, p = trend(days.astype(float), days, random)
    assert slope == pytest.approx(1.0)
    assert p == pytest.approx(1e-4)

"""`agree`, `judge` and `meta` over clusters: one unit per cluster, naive twins, and coverage."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import karat
from karat.arrays import Floats, Ints
from karat.data.ballots import Ballots, Scale
from karat.data.judgments import Judgments
from karat.data.scores import Scores

SETS = 200


def ballots_of(codes: Ints, topics: list[str | None], level: str = "nominal", automatic: str = "") -> Ballots:
    """Ballots of assessors (assessors, units), −1 for none, on units with topics."""
    who, unit = np.nonzero(codes >= 0)
    names = tuple("abcdefg"[: len(codes)]) if not automatic else (*"abcdefg"[: len(codes) - 1], automatic)
    return Ballots(
        units=tuple(map(str, range(codes.shape[1]))),
        assessors=names,
        scale=Scale(tuple("012"[: codes.max() + 1]), level),  # type: ignore[arg-type]
        unit=unit.astype(np.int32),
        assessor=who.astype(np.int32),
        code=codes[who, unit].astype(np.int32),
        attributes={"topic": tuple(topics), "own": tuple(map(str, range(codes.shape[1])))},
    )


def drawn(random: np.random.Generator, topics: int, each: int, assessors: int, labels: int = 3) -> Ints:
    """Assessors who follow the truth on most units of an easy topic, and guess on those of a hard one."""
    hard = (random.random(topics) < 0.4).repeat(each)
    truth = random.integers(0, labels, topics * each)
    knows = random.random((assessors, topics * each)) < np.where(hard, 0.1, 0.95)
    return np.where(knows, truth, random.integers(0, labels, knows.shape))


def topics_of(topics: int, each: int) -> list[str | None]:
    """The topic of each unit."""
    return [f"topic {place // each}" for place in range(topics * each)]


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("assessors", [2, 3])
def test_one_unit_per_cluster(level: str, assessors: int) -> None:
    """Exactly the numbers without clusters, of `agree` and of `judge`."""
    made = ballots_of(drawn(np.random.default_rng(1), 20, 4, assessors), topics_of(20, 4), level)
    plain, own = karat.agree(made), karat.agree(made, cluster="own")
    assert own.clusters == 80
    for part in ("coefficients", "pairwise", "per_label", "more_ballots"):
        assert repr(getattr(plain, part)) == repr(getattr(own, part))
    judged = [karat.judge(made, automatic=["b"], cluster=cluster) for cluster in (None, "own")]
    assert repr(judged[0].judges) == repr(judged[1].judges)
    assert repr(judged[0].people) == repr(judged[1].people)


@pytest.mark.parametrize("level", ["nominal", "ordinal"])
def test_errors_are_those_of_resampled_topics(level: Literal["nominal", "ordinal"]) -> None:
    """Alpha and kappa recomputed on resampled topics, one resample at a time, by other packages."""
    random = np.random.default_rng(3)
    codes = drawn(random, 60, 6, 2)
    found = karat.agree(ballots_of(codes, topics_of(60, 6), level), cluster="topic")
    plain = karat.agree(ballots_of(codes, topics_of(60, 6), level))
    alphas, kappas = [], []
    for _ in range(300):
        units = np.concatenate([np.arange(6 * one, 6 * one + 6) for one in random.integers(0, 60, 60)])
        alphas.append(krippendorff.alpha(codes[:, units], level_of_measurement=level))
        kappas.append(cohen_kappa_score(*codes[:, units], weights="quadratic" if level == "ordinal" else None))
    name = "kappa" if level == "nominal" else "kappa_quadratic"
    for one, values in (("alpha", alphas), (name, kappas)):
        assert found.coefficients[one].error == pytest.approx(float(np.std(values)), rel=0.15)
        assert plain.coefficients[one].error < 0.8 * float(np.std(values))
        assert found.coefficients[one].value == plain.coefficients[one].value


def test_coverage_of_agree() -> None:
    """Over topics the intervals of alpha and kappa hold the truth, and over units they do not."""
    random = np.random.default_rng(5)
    truth = 0.4 * 0.1**2 + 0.6 * 0.95**2  # balanced labels: what is known by both, beyond chance
    covered = {(name, cluster): 0 for name in ("alpha", "kappa") for cluster in ("topic", None)}
    for _ in range(SETS):
        made = ballots_of(drawn(random, 30, 8, 2), topics_of(30, 8))
        for name, cluster in covered:
            one = karat.agree(made, cluster=cluster).coefficients[name]
            covered[name, cluster] += one.low <= truth <= one.high
    assert min(covered[name, "topic"] for name in ("alpha", "kappa")) >= 0.9 * SETS
    assert max(covered[name, None] for name in ("alpha", "kappa")) <= 0.8 * SETS


def judged_on(random: np.random.Generator, topics: int, each: int) -> Ints:
    """A person on the first half of each topic, and a judge on all of it; labels go by topic."""
    rate = random.beta(1.0, 1.0, topics).repeat(each)
    truth = (random.random(topics * each) < rate).astype(int)
    its = np.where(random.random(topics * each) < 0.85, truth, 1 - truth)
    shown = np.arange(topics * each) % each < each // 2
    return np.stack([np.where(shown, truth, -1), its])


def test_coverage_of_corrected_rates() -> None:
    """Where a topic has its own rate, people's share and PPI++ cover over topics; units of both kinds share topics."""
    random = np.random.default_rng(8)
    covered: dict[tuple[str, str | None], int] = {}
    names = ("human", "tuned", "prediction_powered", "rogan_gladen")
    for _ in range(SETS):
        made = ballots_of(judged_on(random, 40, 10), topics_of(40, 10), automatic="auto")
        for cluster in ("topic", None):
            rate = karat.judge(made, automatic=["auto"], cluster=cluster).judges[0].rates.labels[1]
            for name in names:
                one = getattr(rate, name)
                covered[name, cluster] = covered.get((name, cluster), 0) + (one.low <= 0.5 <= one.high)
    for name in names:
        assert covered[name, "topic"] >= 0.9 * SETS, (name, covered)
    assert covered["human", None] <= 0.8 * SETS
    assert covered["tuned", None] <= 0.9 * SETS


def test_single_judgments_of_meta() -> None:
    """Grades 0 to 3 of runs on topics: values by other packages, the error by resampling topics."""
    random = np.random.default_rng(2)
    hard = random.random(50) < 0.4
    truth = random.integers(0, 4, (8, 50))
    sides = [np.where(random.random((8, 50)) < np.where(hard, 0.2, 0.95), truth, random.integers(0, 4, (8, 50)))] * 1
    sides.append(np.where(random.random((8, 50)) < np.where(hard, 0.2, 0.95), truth, random.integers(0, 4, (8, 50))))
    runs, units = tuple("abcdefgh"), tuple(map(str, range(50)))
    made = karat.meta(
        Judgments.of({name: Scores(runs, units, side.astype(float)) for name, side in zip("xy", sides, strict=True)})
    )
    found = made.judges[0].single
    assert (found.judgments, found.values, found.level, found.clusters) == (400, 4, "ordinal", 50)
    pair = [side.ravel() for side in sides]
    assert found.coefficients["agreement"].value == pytest.approx(float((pair[0] == pair[1]).mean()))
    assert found.coefficients["kappa_quadratic"].value == pytest.approx(cohen_kappa_score(*pair, weights="quadratic"))
    assert found.coefficients["alpha"].value == pytest.approx(
        krippendorff.alpha(np.stack(pair), level_of_measurement="ordinal")
    )

    def weighted(topics: Ints) -> float:
        return float(cohen_kappa_score(*(side[:, topics].ravel() for side in sides), weights="quadratic"))

    values = [weighted(random.integers(0, 50, 50)) for _ in range(300)]
    assert found.coefficients["kappa_quadratic"].error == pytest.approx(float(np.std(values)), rel=0.15)
    assert any("Single scores" in sheet.title for sheet in made.sheets())


def test_many_scores_are_amounts() -> None:
    """Real numbers have interval alpha, and coefficients of labels say why they have no value."""
    random = np.random.default_rng(4)
    side: Floats = random.random((5, 40))
    scores = [
        Scores(tuple("abcde"), tuple(map(str, range(40))), one) for one in (side, side + 0.1 * random.random((5, 40)))
    ]
    found = karat.meta(Judgments.of(dict(zip("xy", scores, strict=True)))).judges[0].single
    assert found.level == "interval"
    both = np.stack([one.values.ravel() for one in scores])
    assert found.coefficients["alpha"].value == pytest.approx(krippendorff.alpha(both, level_of_measurement="interval"))
    assert found.coefficients["alpha"].low < found.coefficients["alpha"].value < found.coefficients["alpha"].high
    assert found.coefficients["kappa"].value != found.coefficients["kappa"].value


def test_columns_of_ballots(tmp_path: Path) -> None:
    """A column with one value per unit is an attribute; others are not, and an unknown name is refused."""
    lines = ["unit\ttopic\tassessor\tlabel\twhen"]
    for unit in range(40):
        for place, who in enumerate("xy"):
            lines.append(f"{unit}\tt{unit // 4}\t{who}\t{(unit + place * (unit % 3 == 0)) % 2}\t{unit}{who}")
    path = tmp_path / "ballots.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    read = karat.read_ballots(path)
    made = karat.agree(read, cluster="topic")
    assert made.clusters == 10
    assert "in 10 clusters" in made.sheets()[0].title
    assert any("only 10 clusters" in said for said in made.findings())
    assert made.pairwise is not None
    assert made.pairwise[0].p_below_chance != made.pairwise[0].p_below_chance
    with pytest.raises(karat.UsageError, match="no attribute of the units is called 'when'"):
        karat.agree(read, cluster="when")
    with pytest.raises(karat.UsageError, match="did you mean 'topic'"):
        karat.judge(read, automatic=["y"], cluster="topics")

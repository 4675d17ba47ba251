"""Agreement on real ballots, held against other libraries and against plain counting."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from karat.data.ballots import Ballots
from karat.formats.ballots import read_ballots
from karat.studies.agree.study import agree


def expected_alpha(ballots: Ballots, level: str) -> float:
    """What the package krippendorff makes of the counts."""
    package = pytest.importorskip("krippendorff", reason="the package krippendorff is not installed")
    return float(package.alpha(value_counts=ballots.counts(), level_of_measurement=level))


def test_crowd(real: Path) -> None:
    """RTE-1 by 164 workers, ten a pair: alpha is the package's, a pair's kappa scikit-learn's."""
    ballots = read_ballots(real / "rte1-crowd/ballots.tsv")
    result = agree(ballots)
    assert (len(result.assessors), result.units, result.ballots) == (164, 800, 8000)
    assert result.coefficients["alpha"].value == pytest.approx(expected_alpha(ballots, "nominal"))
    assert result.coefficients["alpha"].low < result.coefficients["alpha"].value < result.coefficients["alpha"].high
    said: dict[str, dict[str, str]] = defaultdict(dict)
    with (real / "rte1-crowd/ballots.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            said[row["!amt_worker_ids"]][row["orig_id"]] = row["response"]
    common = [
        len(said[one].keys() & said[other].keys())
        for place, one in enumerate(said)
        for other in list(said)[place + 1 :]
    ]
    assert result.pairs == sum(count > 0 for count in common)
    assert [pair.units for pair in result.pairwise] == sorted(common, reverse=True)[:50]
    for pair in result.pairwise[:5]:
        units = sorted(said[pair.a].keys() & said[pair.b].keys())
        columns = [[said[name][unit] for unit in units] for name in (pair.a, pair.b)]
        assert pair.units == len(units)
        assert pair.kappa.value == pytest.approx(cohen_kappa_score(*columns))


@pytest.mark.parametrize("level", ["nominal", "ordinal"])
def test_chaosnli(real: Path, level: str) -> None:
    """A hundred exchangeable labels a pair: alpha is the package's, Fleiss' kappa that of statsmodels."""
    path = real / "chaosnli/chaosNLI_snli.jsonl"
    ballots = read_ballots(path, level=level)
    result = agree(ballots)
    assert result.exchangeable
    assert result.pairwise is None
    assert result.coefficients["alpha"].value == pytest.approx(expected_alpha(ballots, level))
    counts = np.array([json.loads(line)["label_count"] for line in path.read_text().splitlines()])
    package = pytest.importorskip("statsmodels.stats.inter_rater")
    assert result.coefficients["fleiss_kappa"].value == pytest.approx(package.fleiss_kappa(counts))
    folded = result.folded["2"]
    assert folded is not None
    two_way = np.stack([counts[:, 0], counts[:, 1:].sum(axis=1)], axis=1)
    assert folded.coefficients["fleiss_kappa"].value == pytest.approx(package.fleiss_kappa(two_way))


def test_third_annotators(real: Path) -> None:
    """NQ-301: two annotators, a third where they differ; kappa of the two is scikit-learn's, and a finding warns."""
    names = ("annotator1", "annotator2", "annotator3")
    ballots = read_ballots(real / "nq301/NQ301_human.tsv", assessor=names, ballot_column={"unit": "row"})
    result = agree(ballots)
    with (real / "nq301/NQ301_human.tsv").open(encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    both = [(row[4].strip(), row[5].strip()) for row in rows if row[4].strip() and row[5].strip()]
    pair = result.pairwise[0]
    assert (pair.a, pair.b, pair.units) == ("annotator1", "annotator2", len(both))
    assert pair.kappa.value == pytest.approx(cohen_kappa_score(*zip(*both, strict=True)))
    assert result.coefficients["alpha"].value == pytest.approx(expected_alpha(ballots, "nominal"))
    assert any("further assessors were called in" in sentence for sentence in result.findings())


def test_explanation_ratings(real: Path) -> None:
    """Ratings without a column of judges are exchangeable: ordinal alpha is the package's."""
    ballots = read_ballots(
        real / "explanation-ratings/esnli.csv",
        ballot_column={"unit": "Input.id", "label": "Answer.amount_info"},
        exchangeable=True,
        level="ordinal",
    )
    with (real / "explanation-ratings/esnli.csv").open(newline="", encoding="utf-8") as file:
        given = Counter(row["Answer.amount_info"] for row in csv.DictReader(file) if row["Answer.amount_info"])
    assert Counter(ballots.scale.values[code] for code in ballots.code) == given
    result = agree(ballots)
    assert result.coefficients["alpha"].value == pytest.approx(expected_alpha(ballots, "ordinal"))


def test_importance_of_nuggets(real: Path, tmp_path: Path) -> None:
    """TREC RAG 2024: files of assignments repeat the list's labels; of a second list, kappa is scikit-learn's.

    The second assessor is made: one label in five is the other one. Labels without a meaning are missing in both.
    """
    file = real / "rag24" / "nuggets" / "rag24_nuggets_mistral.jsonl"
    assigned = real / "rag24" / "assignments" / "baseline_rag24.test_gpt4o_top20.jsonl"
    same = agree(read_ballots([file, assigned], ballot_column={"label": "importance"}))
    assert (same.pairwise[0].units, same.coefficients["kappa"].value) == (6103, 1)
    dice = np.random.default_rng(4)
    topics = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    other = {"vital": "okay", "okay": "vital"}
    labels = []
    for one in topics:
        for nugget in one["nuggets"]:
            said = nugget["importance"]
            nugget["importance"] = other.get(said, said) if dice.random() < 0.2 else said
            labels.append((said, nugget["importance"]))
    second = tmp_path / "second.jsonl"
    second.write_text("".join(json.dumps(one) + "\n" for one in topics))
    result = agree(read_ballots([file, second]))
    known = [pair for pair in labels if pair[0] in other]
    assert (result.pairwise[0].units, len(labels) - len(known)) == (6105, 40)
    assert result.coefficients["kappa"].value == pytest.approx(cohen_kappa_score(*zip(*known, strict=True)))
    assert len([one for one in read_ballots([file, second]).warnings if one.code == "no-label"]) == 80

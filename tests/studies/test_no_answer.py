"""Tests of pairs without an answer, which count as wrong, against scikit-learn with a further label for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import ArrayLike

import karat
from karat.data.tables import Table
from karat.labels import NO_ANSWER, THREE, TWO
from karat.measures import measures
from karat.measures.facts import expand, not_defined
from karat.studies.scorer import table_interval

LABELS = (*THREE.labels, NO_ANSWER)


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> karat.Responses:
    """Four runs on 300 pairs; two leave out some, and one says things that are no label."""
    random = np.random.default_rng(5)
    folder = tmp_path_factory.mktemp("runs")
    key = random.integers(0, 3, 300)
    (folder / "key.csv").write_text(
        "id,label,group\n" + "".join(f"p{unit},{THREE.labels[code]},{unit % 4}\n" for unit, code in enumerate(key)),
        encoding="utf-8",
    )
    paths: list[Path] = []
    for run in range(4):
        said = np.where(random.random(300) < 0.3 + 0.1 * run, random.integers(0, 3, 300), key)
        words = np.array(THREE.labels)[said].astype(object)
        if run == 1:
            words[random.random(300) < 0.2] = "I would rather not say"
        kept = random.random(300) < (0.8 if run > 1 else 1.1)
        paths.append(folder / f"run{run}.csv")
        lines = (f"p{unit},{word}\n" for unit, word in enumerate(words) if kept[unit])
        paths[-1].write_text("id,prediction\n" + "".join(lines), encoding="utf-8")
    return karat.read_runs(paths, karat.read_pairs(folder / "key.csv"), missing="wrong", unparsed="wrong")


def test_as_scikit_learn_counts_them(answered: karat.Responses) -> None:
    """Recall, F1, kappa and Matthews' correlation are those of answers with a label that the key never has."""
    metrics = pytest.importorskip("sklearn.metrics")
    names = list(THREE.labels)
    values = [run.values["3"] for run in karat.score(answered).runs]
    key = [names[code] for code in answered.key.labels]
    for codes, found in zip(answered.codes, values, strict=True):
        assert found is not None
        said = [LABELS[code] for code in codes]  # -1 is the last
        recalls = metrics.recall_score(key, said, labels=names, average=None)
        f1 = metrics.f1_score(key, said, labels=names, average=None)
        assert [found[f"recall({name})"] for name in names] == pytest.approx(recalls)
        assert [found[f"f1({name})"] for name in names] == pytest.approx(f1)
        assert found["macro_f1"] == pytest.approx(np.mean(f1))
        assert found["accuracy"] == pytest.approx(metrics.accuracy_score(key, said))
        assert found["kappa"] == pytest.approx(metrics.cohen_kappa_score(key, said))
        assert found["matthews"] == pytest.approx(metrics.matthews_corrcoef(key, said))
        bits = metrics.mutual_info_score(key, said) / np.log(2)
        assert found["information"] == pytest.approx(bits)


def test_how_many_there_are(answered: karat.Responses) -> None:
    """Each run knows how many answers are missing or no label, and its tables count them last."""
    result = karat.score(answered)
    without = (answered.codes < 0).sum(axis=1).tolist()
    assert [run.missing + run.unparsed for run in result.runs] == without
    assert result.runs[1].unparsed == without[1] > 0
    assert without[0] == 0
    for run, none in zip(result.runs, without, strict=True):
        table = np.array(run.table["3"])
        assert table.shape == (3, 4)
        assert table[:, -1].sum() == none
        assert table.sum() == len(answered.key)
    assert result.signature.missing == "counted as wrong"
    text = result.render("text")
    assert "missing %" in text
    assert "unparsed %" in text


def test_every_study_counts_them_as_wrong(answered: karat.Responses) -> None:
    """Other studies have the same accuracy; nothing fails on an answer that is none."""
    right = (answered.codes == answered.key.labels).mean(axis=1)
    accuracy = dict(zip(answered.names, right, strict=True))
    compared = karat.compare(answered)
    assert {run.run: run.value for run in compared.runs} == pytest.approx(accuracy)
    karat.compare(answered, measure="kappa", replicates=200)
    assert karat.items(answered).units == 300
    karat.swap(answered, replicates=20)
    karat.size(answered)
    karat.sensitivity(answered)
    karat.diagnose(answered, by="group")
    assert "run1" in karat.report(answered).render("html")


def test_folding_keeps_them() -> None:
    """Folded to two labels, or negated, no answer stays none."""
    table = Table(np.arange(12).reshape(3, 4), THREE.labels, LABELS)
    assert table.fold().response_labels == (*TWO.labels, NO_ANSWER)
    assert table.fold().counts.tolist() == [[0, 3, 3], [12, 30, 18]]
    assert table.negate().counts.tolist() == [[10, 9, 8, 11], [6, 5, 4, 7], [2, 1, 0, 3]]
    assert table.negate().negate().counts.tolist() == table.counts.tolist()


def test_gaps_of_others_change_nothing(answered: karat.Responses) -> None:
    """Values and intervals of a run without gaps are the same whether or not other runs have gaps."""
    among, alone = karat.score(answered).runs[0], karat.score(answered.of_runs([0])).runs[0]
    for way in ("3", "2"):
        for name, ends in (among.intervals[way] or {}).items():
            assert ends == pytest.approx(alone.intervals[way][name], nan_ok=True), name


@pytest.mark.parametrize("counts", [np.diag([300, 280, 310]) + 20, [[12, 2, 1], [3, 9, 2], [1, 2, 4]]])
def test_an_empty_column_changes_no_interval(counts: ArrayLike) -> None:
    """With few units and with many, for every measure of tables, also where the next table has gaps."""
    plain = Table(counts, THREE.labels)
    empty = np.pad(plain.counts, [(0, 0), (0, 1)])
    gaps = empty + np.array([0, 0, 0, 5])
    both = Table(np.stack([empty, gaps]), THREE.labels, LABELS)
    for entry in measures:
        if entry.facts["of"] is Table and not entry.alias:
            for bound in expand(entry.name, THREE):
                if not_defined(bound, THREE):
                    continue
                found = [end[0] for end in table_interval(bound, both, 0.95)]
                assert found == pytest.approx(list(table_interval(bound, plain, 0.95)), nan_ok=True), bound


def test_bounds_of_entropies() -> None:
    """The key has three labels whatever runs leave out; an answer may have four values."""
    table = Table([[5, 5, 5, 5], [5, 5, 5, 5], [5, 5, 5, 6]], THREE.labels, LABELS)
    assert table_interval(measures.parse("entropy_key"), table, 0.95)[1] <= np.log2(3)
    low, high = table_interval(measures.parse("entropy_response"), table, 0.95)
    assert low < high == 2

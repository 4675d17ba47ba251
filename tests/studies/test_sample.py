"""`sample`: balanced, reproducible, preferring what it should; the sheet is the ratings file to come."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import karat
from karat.errors import DataError, UsageError
from karat.formats.justification_ratings import read_justifications
from karat.formats.writing import write_rows
from karat.studies.sample import own_words, sample
from tests.undefined import all_explained


def test_balanced(key: karat.Pairs, runs: karat.Responses) -> None:
    """Settings have equally many, and so have short and long texts; the pairs are as they are said to be."""
    made = sample(runs, pairs=44, by="task")
    assert len(made.pairs) == 44
    assert set(Counter(pair.setting for pair in made.pairs).values()) == {11}
    assert Counter(pair.length for pair in made.pairs) == {"short": 22, "long": 22}
    assert {pair.setting for pair in made.pairs} == set(key.attributes["task"])
    assert sum(stratum.sampled for stratum in made.strata) == 44
    assert sum(stratum.pairs for stratum in made.strata) == len(key)
    for pair in made.pairs:
        at = key.index[pair.id]
        assert key.attributes["task"][at] == pair.setting
        alike = [
            len(text) for text, task in zip(key.texts, key.attributes["task"], strict=True) if task == pair.setting
        ]
        assert (len(key.texts[at]) > np.median(alike)) == (pair.length == "long")
    all_explained(made)
    assert made.render("text")


def test_reproducible(runs: karat.Responses) -> None:
    """The same seed, the same pairs and orders; the order of a pair does not depend on the others."""
    first, again, other = (sample(runs, pairs=20, seed=seed) for seed in (0, 0, 1))
    assert first.pairs == again.pairs
    assert [pair.id for pair in first.pairs] != [pair.id for pair in other.pairs]
    orders = {pair.id: pair.order for pair in sample(runs, pairs=160).pairs}
    assert all(orders[pair.id] == pair.order for pair in first.pairs)
    assert len({tuple(order) for order in orders.values()}) == 6


def test_preferred(runs: karat.Responses) -> None:
    """Pairs that most got right and whose justifications are their own come more often than by chance."""
    drawn = [pair for seed in range(20) for pair in sample(runs, pairs=20, seed=seed).pairs]
    everything = sample(runs, pairs=160).pairs
    share = np.mean([pair.right > 0.5 for pair in everything])
    assert np.mean([pair.right > 0.5 for pair in drawn]) > share + 0.1
    assert np.mean([pair.interest for pair in drawn]) > np.mean([pair.interest for pair in everything]) + 0.05
    level = [pair for seed in range(20) for pair in sample(runs, pairs=20, seed=seed, prefer=1).pairs]
    assert np.mean([pair.right > 0.5 for pair in level]) == pytest.approx(share, abs=0.1)


def test_by_hand(key: karat.Pairs, runs: karat.Responses) -> None:
    """Pairs that are picked are there, and count among the others of their setting."""
    picked = [pair for pair, task in zip(key.ids, key.attributes["task"], strict=True) if task == "IE"][:5]
    made = sample(runs, pairs=16, by="task", also=picked)
    assert [pair.id for pair in made.pairs if pair.by_hand] == picked
    assert len(made.pairs) == 16
    assert Counter(pair.setting for pair in made.pairs)["IE"] == 5


def test_own_words(key: karat.Pairs) -> None:
    """Neither words of the pair nor those of a template."""
    texts = ["There is a match."] * len(key)
    texts[3] = "There is a match, since gander is a goose."
    found = own_words(key, texts)
    assert found[3] == 3 - ("goose" in key.texts[3])  # since, gander, goose
    assert found[:3].sum() == 0


def test_the_sheet(key: karat.Pairs, runs: karat.Responses, tmp_path: Path) -> None:
    """All justifications of a pair before the next, in the same order for every judge; filled in, it is read."""
    made = sample(runs, pairs=6, judge=["ann", "ben"])
    columns = made.columns()
    ann, ben = ([(row.unit, row.run) for row in made.to_judge if row.judge == name] for name in ("ann", "ben"))
    assert ann == ben == [(pair.id, run) for pair in made.pairs for run in pair.order]
    assert made.columns() == columns
    first = made.to_judge[0]
    run = runs.runs[runs.names.index(first.run)]
    assert run.justifications is not None
    assert first.justification == run.justifications[key.index[first.unit]]
    assert set(columns["understandable"]) == {""}
    (tmp_path / "sheet.tsv").write_bytes(write_rows(columns, ".tsv"))
    with pytest.raises(DataError, match="no ratings"):
        read_justifications(tmp_path / "sheet.tsv")
    columns["understandable"] = ["2"] * len(made.to_judge)
    (tmp_path / "sheet.tsv").write_bytes(write_rows(columns, ".tsv"))
    filled = read_justifications(tmp_path / "sheet.tsv")
    assert (len(filled), set(filled.runs)) == (36, {"careful", "chatty", "terse"})
    assert karat.justify(filled, runs=runs, replicates=100).findings()


def test_more_than_there_are(runs: karat.Responses) -> None:
    """Is told, and all are taken."""
    made = sample(runs, pairs=999)
    assert len(made.pairs) == 160
    assert any("--pairs 999 is more than there are, so all 160 pairs" in told for told in made.findings())
    assert not any("more than there are" in told for told in sample(runs, pairs=160).findings())


def test_refused(key: karat.Pairs, runs: karat.Responses) -> None:
    """A pair or attribute that is not there, more picked than wanted, runs without justifications."""
    with pytest.raises(UsageError, match="no pair is called 'x'"):
        sample(runs, also=["x"])
    with pytest.raises(UsageError, match="attribute of the pairs"):
        sample(runs, by="tasks")
    with pytest.raises(UsageError, match="pairs must be"):
        sample(runs, pairs=1, also=["1", "2"])
    with pytest.raises(UsageError, match="judge='doris' is given more than once"):
        sample(runs, judge=["doris", "emil", "doris"])
    silent = karat.Responses.of(key, [run for run in runs.runs if run.justifications is None])
    with pytest.raises(UsageError, match="no run has justifications"):
        sample(silent)

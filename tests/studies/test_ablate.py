"""What parts of an engine are worth: by hand from the runs with and without."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest

import karat
from karat import examples
from karat.data.pairs import Pairs
from karat.engines.engine import engines
from karat.errors import UsageError
from karat.labels import THREE, TWO
from karat.studies.ablate import ablate
from karat.studies.run import run
from tests.engines.labelled import labelled

KEY = karat.read_pairs(examples.PAIRS)
PARTS = ["negation", "number", "structure"]
WHO = "Anna Ben Clara David Emma Felix Greta Henry Irene Jacob".split()
DID = [("bought the house", "buy the house"), ("won the prize", "win the prize"), ("left the city", "leave the city")]


def denied() -> Pairs:
    """Pairs whose texts say the hypothesis, or deny it, or name another number: words alone do not tell."""
    rows = []
    for who in WHO:
        for past, plain in DID:
            rows.append((f"{who} {past} in May.", f"{who} {past}.", "E", "plain"))
            rows.append((f"{who} did not {plain} in May.", f"{who} {past}.", "C", "denied"))
        rows.append((f"{who} has 30 employees.", f"{who} has 30 employees.", "E", "plain"))
        rows.append((f"{who} has 30 employees.", f"{who} has 80 employees.", "C", "number"))
    attributes = {"kind": [kind for *_, kind in rows]}
    return labelled([(text, hypothesis, letter) for text, hypothesis, letter, _ in rows], THREE, attributes)


TRAIN = TEST = denied()


def right(without: list[str]) -> np.ndarray:
    """Which test pairs the engine gets right without some parts."""
    codes = run("linguistic", TEST, train=TRAIN, without=without).as_run.codes
    return codes == TEST.labels


def test_worth_by_hand() -> None:
    """The worth of a part is what two runs differ by, and p that of the exact sign test on the pairs that change."""
    result = ablate("linguistic", TEST, train=TRAIN, without=PARTS, by="kind")
    full = right([])
    assert result.accuracy.value == pytest.approx(full.mean())
    assert [row.without for row in result.parts] == PARTS
    for row in result.parts:
        other = right([row.without])
        gained, lost = int((full & ~other).sum()), int((other & ~full).sum())
        assert (row.gained, row.lost, row.pairs) == (gained, lost, len(TEST))
        assert row.worth.value == pytest.approx(full.mean() - other.mean())
        assert row.worth.low <= row.worth.value <= row.worth.high
        expected = binomtest(gained, gained + lost).pvalue if gained + lost else 1.0
        assert row.p == pytest.approx(expected)
        inside = [one for one in result.slices if one.without == row.without]
        assert sum(one.gained for one in inside) == gained
        assert sum(one.pairs for one in inside) == len(TEST)
    worth = {row.without: row for row in result.parts}
    assert worth["negation"].gained == 0  # another check finds these denials too
    assert worth["number"].gained >= 8
    assert any("number significantly raises accuracy" in sentence for sentence in result.findings())
    numbers_only = next(row for row in result.slices if (row.without, row.value) == ("number", "number"))
    assert numbers_only.gained == worth["number"].gained


def test_cross_validated() -> None:
    """Without training pairs every pair is answered by a model that has not seen it."""
    two = replace(KEY, labels=np.minimum(KEY.labels, 1), way=TWO)
    result = ablate("overlap(variant=token)", two, without=["wordnet"], folds=5)
    assert result.validated == "5-fold cross-validation"
    assert result.pairs == len(KEY)
    assert result.parts[0].gained == result.parts[0].lost == 0  # spellings ask no dictionary


def test_a_key_in_two_ways() -> None:
    """Against a key in two ways an engine that learnt three answers in two."""
    two = replace(TEST, labels=np.minimum(TEST.labels, 1), way=TWO)
    result = ablate("linguistic", two, train=TRAIN, without=["negation"])
    assert result.way == "2"
    codes = run("linguistic", two, train=TRAIN, way="2").as_run.codes
    assert result.accuracy.value == pytest.approx((codes == two.labels).mean())
    with pytest.raises(UsageError, match="way='2'"):
        ablate("linguistic", two, train=TRAIN, without=["negation"], way="3")


def test_a_part_counts_once() -> None:
    """Named twice it is one row, and no engine lists a part twice."""
    result = ablate("linguistic", TEST, train=TRAIN, without=["negation", "number", "negation"])
    assert [row.without for row in result.parts] == ["negation", "number"]
    for entry in engines:
        assert len(set(entry.facts["switches"])) == len(entry.facts["switches"]), entry.name


def test_what_cannot_be_switched_off() -> None:
    """An unknown part, an engine without parts, and a blind key are refused."""
    with pytest.raises(UsageError, match="negation"):
        ablate("linguistic", KEY, without=["negatoin"])
    with pytest.raises(UsageError, match="no part"):
        ablate("majority", KEY)
    with pytest.raises(UsageError, match="no labels"):
        ablate("linguistic", replace(KEY, way=None))

"""Tests of weights files."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.errors import DataError
from karat.examples import DECOMPOSED
from karat.formats.decomposed import read_decomposition
from karat.formats.weights import read_relevance, read_weights
from tests.files import place_of, read_key

PHENOMENA = read_decomposition(DECOMPOSED)
KEY = read_key("id,text,hypothesis,label\na,t,h,YES\nb,t,h,NO\n", "key.csv")

GOOD = {
    "plain": ("w.txt", "a 1\nb 0.5\n"),
    "csv": ("w.csv", "id,weight\na,1\nb,0.5\n"),
    "jsonl": ("w.jsonl", '{"id": "a", "weight": 1}\n{"id": "b", "weight": 0.5}\n'),
}


@pytest.mark.parametrize(("name", "content"), GOOD.values(), ids=GOOD)
def test_weights_by_id(tmp_path: Path, name: str, content: str) -> None:
    """Two words a line, or rows with the columns id and weight."""
    (tmp_path / name).write_text(content)
    weights = read_weights(tmp_path / name, KEY)
    assert weights.values.tolist() == [2 / 3, 1 / 3]


BAD = {
    "negative": ("a 1\nb -1\n", ("weight", 2, None, "error")),
    "no number": ("a 1\nb x\n", ("weight", 2, None, "error")),
    "not finite": ("a 1\nb inf\n", ("weight", 2, None, "error")),
    "twice": ("a 1\na 1\nb 1\n", ("duplicate-id", 2, None, "error")),
    "three words": ("a 1\nb 1\nb 1 2\n", ("unknown-id", 3, None, "error")),
    "one word": ("a 1\nb 1\nb\n", ("run-line", 3, 1, "error")),
    "unknown": ("a 1\nb 1\nc 1\n", ("unknown-id", 3, None, "error")),
    "missing": ("a 1\n", ("missing-weight", None, None, "error")),
    "all zero": ("a 0\nb 0\n", ("weight", None, None, "error")),
}


@pytest.mark.parametrize(("content", "place"), BAD.values(), ids=BAD)
def test_damage_is_told_with_its_line(tmp_path: Path, content: str, place: object) -> None:
    """Each rule, at its line."""
    (tmp_path / "w.txt").write_text(content)
    with pytest.raises(DataError) as caught:
        read_weights(tmp_path / "w.txt", KEY)
    assert list(map(place_of, caught.value.problems)) == [place]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """It is a problem of the data, told like every other."""
    with pytest.raises(DataError, match="No such file"):
        read_weights(tmp_path / "none.txt", KEY)


DAMAGED = {
    "broken JSON": '{"id": "a", "phenomenon": "a", "weight": 1}\n{"id": "b", "weight"\n',
    "a quoted header": '"id","phenomenon","weight"\n"a","a",1\n"b","b,2\n',
    "a list": "[1, 2]\n",
    "deep": "[" * 5000,
    "no text": "\x00\x01",
    "weights that are lists": '{"id": "a", "phenomenon": "a", "weight": [1]}\n',
    "nothing": "",
}


@pytest.mark.parametrize("name", ["w.jsonl", "w.csv", "w.tsv", "w.txt"])
@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_damaged(tmp_path: Path, name: str, content: str) -> None:
    """Weights of pairs and of phenomena are refused with a sentence, whatever the file holds."""
    (tmp_path / name).write_text(content)
    for read in (lambda path: read_weights(path, KEY), lambda path: read_relevance(path, PHENOMENA)):
        with pytest.raises(DataError) as caught:
            read(tmp_path / name)
        assert str(caught.value)

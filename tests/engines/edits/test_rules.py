"""Files of rules: what is read, and what is told of a bad one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from karat.engines.edits.rules import ANY, Rule, read_rules, tabulate
from karat.engines.kernels.grammar import Tag
from karat.errors import DataError
from tests.engines.labelled import bare_knowledge

GOOD = "lhs\trhs\tpos\tprobability\tsource\nBuys\town\tv\t0.9\tby hand\nhot\tcold\tADJ\t-1\ndog\tanimal\t*\t1\tx\n"


def told(tmp_path: Path, content: str) -> list[tuple[int | None, str, str]]:
    """Line, code and finding of every problem of a file."""
    file = tmp_path / "rules.tsv"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_rules(file)
    return [(one.line, one.code, one.found) for one in caught.value.problems]


def test_read(tmp_path: Path) -> None:
    """A header is passed over, words lose their capitals, parts of speech are tags."""
    file = tmp_path / "rules.tsv"
    file.write_text(GOOD, encoding="utf-8")
    assert read_rules(file).rules == (
        Rule("buys", "own", Tag.VERB, 0.9),
        Rule("hot", "cold", Tag.ADJ, -1.0),
        Rule("dog", "animal", ANY, 1.0),
    )


def test_all_problems_at_once(tmp_path: Path) -> None:
    """Every bad line is told, with all that is wrong with it."""
    found = told(tmp_path, GOOD + "a\tb\n\ntwo words\t\tq\tmuch\nhot\tcold\ta\t1\nx\ty\t\tnan\n")
    assert found == [
        (5, "columns", "2 columns"),
        (6, "empty-line", "an empty line"),
        (7, "rule", "'two words' as lhs"),
        (7, "rule", "'' as rhs"),
        (7, "rule", "'q' as pos"),
        (7, "rule", "'much' as probability"),
        (8, "rule", "hot → cold at 1, but -1 in line 3"),
        (9, "rule", "'nan' as probability"),
    ]


def test_missing_file(tmp_path: Path) -> None:
    """A file that is not there is a problem of the data."""
    with pytest.raises(DataError, match="unreadable"):
        read_rules(tmp_path / "none.tsv")


def test_table() -> None:
    """Rules go by lemma, in order; words without a rule have no row."""
    vocabulary = bare_knowledge().vocabulary
    rules = [
        Rule("sells", "trades", Tag.VERB, 0.5),
        Rule("dogs", "animals", Tag.NOUN, 1.0),
        Rule("sell", "own", ANY, -1),
    ]
    table = tabulate(rules, vocabulary)
    lemmas = np.array([vocabulary.lemma_id(name) for name in ("dog", "sell", "cat")], dtype=np.int32)
    rows = table.rows(lemmas)
    assert (rows >= 0).tolist() == [True, True, False]
    begin, end = table.starts[rows[1]], table.starts[rows[1] + 1]
    assert {vocabulary.lemma(word) for word in table.rights[begin:end].tolist()} == {"trade", "own"}
    assert tabulate([], vocabulary).rows(lemmas).tolist() == [-1, -1, -1]

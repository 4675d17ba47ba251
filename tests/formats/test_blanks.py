"""Tests of long runs of blanks: reading them takes time in proportion to their number."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from karat.engines.text.conllu import ConlluTrees
from karat.errors import DataError
from karat.formats.xml import Element
from tests.files import codes_of, key_problems, read_key, run_problems, three_way

BLANKS = " " * 100_000


def rte(text: str) -> str:
    """A test set of one pair."""
    return f'<entailment-corpus><pair id="1" entailment="YES"><t>{text}</t><h>b</h></pair></entailment-corpus>\n'


def read_tree(path: Path, line: str) -> None:
    """A file of trees with this comment."""
    path.write_text(f"{line}\n1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n")
    with pytest.raises(DataError):
        ConlluTrees(path)


CASES: dict[str, Callable[[Path], object]] = {
    "in a text": lambda _: read_key(rte(f"a{BLANKS}b"), "key.xml"),
    "in a header": lambda _: codes_of(run_problems(f"ranked:{BLANKS}yes no\n1 YES\n", three_way())),
    "in a comment": lambda path: read_tree(path / "x.conllu", f"# newdoc id = a{BLANKS}b{BLANKS}\n\n1"),
    "in a label": lambda _: key_problems(f"id\ttext\thypothesis\tlabel\n1\ta\tb\tY{BLANKS}S\n", "key.tsv"),
}


@pytest.mark.parametrize("read", CASES.values(), ids=CASES)
def test_blanks_take_no_time(read: Callable[[Path], object], tmp_path: Path) -> None:
    """A hundred thousand blanks took half a minute where a pattern tried each of them as the first."""
    start = time.process_time()
    read(tmp_path)
    assert time.process_time() - start < 1


@pytest.mark.parametrize("text", ["", " ", "a", " a \n b ", "a\n\n \x0b\n b\t\nc  d", "\n", "a \n"])
def test_line_breaks_in_a_text(text: str) -> None:
    """A line break with the blanks around it is one blank, as a pattern would have it."""
    assert Element("t", {}, 1, 1, [text]).text == re.sub(r"\s*\n\s*", " ", text.strip())


def test_headers_have_blanks_anywhere() -> None:
    """Before the name, around the colon and after the value."""
    assert codes_of(run_problems("  ranked :  yes  \n1 YES\n2 UNKNOWN\n3 NO\n", three_way())) == ["ranked-by"]

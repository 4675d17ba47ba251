"""Tests of files of parses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from karat.engines.kernels.grammar import Dependency, Tag
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.engines.text.chunker import Chunker
from karat.engines.text.conllu import ConlluTrees, relation_of
from karat.engines.text.trees import Side, find_spans
from karat.engines.text.vocabulary import Vocabulary
from karat.formats.pairs import read_pairs
from tests.engines.text.conllu_files import document, parse_problems, row, write_conllu
from tests.engines.text.parsing import is_forest

EXAMPLES = Path(__file__).parents[3] / "src" / "karat" / "examples" / "pairs.xml"


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    """The chunker's trees of the example pairs survive a file."""
    pairs = read_pairs(EXAMPLES)
    path = tmp_path / "trees.conllu"
    vocabulary = Vocabulary(NO_WORDNET)
    path.write_bytes(write_conllu(pairs, Chunker(), vocabulary))
    file = ConlluTrees(path)
    sides: tuple[tuple[Side, tuple[str, ...]], ...] = (("T", pairs.texts), ("H", pairs.hypotheses))
    for side, texts in sides:
        tokens = file.tokens(pairs.ids, side, texts, vocabulary)
        made = Chunker().tokens(pairs.ids, side, texts, vocabulary)
        assert np.array_equal(tokens.forms, made.forms)
        assert np.array_equal(tokens.starts, made.starts)
        trees, wanted = file.trees(pairs.ids, side, tokens, vocabulary), Chunker().trees([], side, made, vocabulary)
        for column in ("tags", "heads", "dependencies", "sentences", "lemmas"):
            assert np.array_equal(getattr(trees, column), getattr(wanted, column)), column
    assert file.name.startswith("CoNLL-U trees.conllu, sha256 ")


def test_multiword_tokens_and_empty_nodes(tmp_path: Path) -> None:
    """Words that spell a token out are kept, others become the token, and what is not in the text is left out."""
    content = document(
        "1/T",
        row("1", "He", "4", "nsubj", "PRON"),
        row("2-3", "don't", "_", "_", "_"),
        row("2", "do", "4", "aux", "AUX"),
        row("3", "n't", "4", "advmod", "PART"),
        row("4", "look", "0", "root", "VERB"),
        row("4.1", "nothing", "_", "_", "_"),
        row("5-6", "al", "_", "_", "_"),
        row("5", "a", "7", "case", "ADP"),
        row("6", "il", "7", "det", "DET"),
        row("7", "cane", "4", "obl", "NOUN"),
    )
    path = tmp_path / "a.conllu"
    path.write_text(content)
    vocabulary, file, text = Vocabulary(NO_WORDNET), ConlluTrees(path), "He don't look al cane"
    tokens = file.tokens(["1"], "T", [text], vocabulary)
    words = [vocabulary.forms[form] for form in tokens.forms]
    assert words == ["He", "do", "n't", "look", "al", "cane"]
    assert [text[begin:end] for begin, end in find_spans(text, words)] == words
    trees = file.trees(["1"], "T", tokens, vocabulary)
    assert trees.heads.tolist() == [3, 3, 3, -1, 5, 3]
    assert trees.tags.tolist()[:2] == [Tag.PRON, Tag.AUX]
    assert is_forest(tokens, trees)


def test_words_that_become_one_make_no_circle(tmp_path: Path) -> None:
    """A token hangs where the highest of its words does, even where the first hangs below the second."""
    rows = (row("1", "x", "2", "dep"), row("2", "y", "3", "dep"), row("3", "z", "0"))
    path = tmp_path / "a.conllu"
    path.write_text(document("1/T", row("1-3", "w", "_", "_"), *rows, row("4", "v", "2", "dep")))
    vocabulary, file = Vocabulary(NO_WORDNET), ConlluTrees(path)
    tokens = file.tokens(["1"], "T", ["w v"], vocabulary)
    assert file.trees(["1"], "T", tokens, vocabulary).heads.tolist() == [-1, 0]


def test_all_problems_at_once() -> None:
    """Columns, heads, circles, roots, tags and documents are all told, with their lines."""
    content = (
        "# newdoc id = 1/T\n1\tonly three\tcells\n\n"
        + document("2/T", row("1", "a", "9", "dep"))
        + document("3/T", row("1", "a", "2", "dep"), row("2", "b", "1", "dep"))
        + document("4/T", row("1", "a"), row("2", "b"))
        + document("5/T", row("1", "a", tag="NN"))
        + document("5/T", row("x", "a"), row("2", "b"))
    )
    problems = parse_problems(content)
    assert [problem.code for problem in problems] == [
        "columns", "tree", "tree", "tree", "tree", "duplicate-id", "tree", "tree",
    ]  # fmt: skip
    assert [problem.line for problem in problems] == [2, 5, 8, 13, 16, 18, 19, 20]


def test_a_parse_of_another_text() -> None:
    """A form that is not in the text, and a text without a parse, are problems."""
    content = document("1/T", row("1", "a"))
    assert [problem.code for problem in parse_problems(content, ("1",), "b")] == ["tree"]
    assert [problem.code for problem in parse_problems(content, ("2", "3"), "a")] == ["no-parse", "no-parse"]
    assert [problem.code for problem in parse_problems(row("1", "a") + "\n")] == ["format"]


@pytest.mark.parametrize(
    ("name", "relation"),
    [
        ("nsubj:pass", Dependency.NSUBJ_PASS), ("nsubj:outer", Dependency.NSUBJ), ("obl:tmod", Dependency.OBL),
        ("compound:prt", Dependency.COMPOUND), ("parataxis", Dependency.DEP), ("fixed", Dependency.FLAT),
    ],
)  # fmt: skip
def test_relations(name: str, relation: Dependency) -> None:
    """A subtype that is not ours counts as its type."""
    assert relation_of(name) is relation

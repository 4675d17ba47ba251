"""Files of parses for tests."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from karat.data.pairs import Pairs
from karat.engines.kernels.grammar import Dependency, Tag
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.engines.text.conllu import NAMES, UNFILLED, ConlluTrees
from karat.engines.text.trees import Side, Tokens, Trees, TreeSource
from karat.engines.text.vocabulary import Vocabulary
from karat.errors import DataError, Problem


def row(number: str, form: str, head: str = "0", relation: str = "root", tag: str = "NOUN", lemma: str = "_") -> str:
    """One line of a file."""
    return "\t".join((number, form, lemma, tag, "_", "_", head, relation, "_", "_"))


def document(name: str, *rows: str) -> str:
    """One text of one sentence."""
    return "\n".join((f"# newdoc id = {name}", *rows, "", ""))


def parse_problems(content: str, ids: tuple[str, ...] = (), text: str = "") -> list[Problem]:
    """What is said of a file, and of the texts `ids` asked of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "parses.conllu"
        path.write_text(content)
        try:
            ConlluTrees(path).tokens(ids, "T", [text] * len(ids), Vocabulary(NO_WORDNET))
        except DataError as error:
            return list(error.problems)
    return []


BAD_PARSES = {
    "no-parse": lambda: parse_problems(document("1/T", row("1", "a")), ("2",), "a"),
    "tree": lambda: parse_problems(document("1/T", row("1", "a", "7"))),
}


WRITTEN = 500
"""Pairs parsed at a time when a file is written."""


def write_conllu(pairs: Pairs, source: TreeSource, vocabulary: Vocabulary) -> bytes:
    """The trees that a source makes of pairs, as a file that `ConlluTrees` reads."""
    lines: list[str] = []
    for begin in range(0, len(pairs), WRITTEN):
        rows = slice(begin, begin + WRITTEN)
        ids = pairs.ids[rows]
        sides: tuple[tuple[Side, Sequence[str]], ...] = (("T", pairs.texts[rows]), ("H", pairs.hypotheses[rows]))
        for side, texts in sides:
            tokens = source.tokens(ids, side, texts, vocabulary)
            trees = source.trees(ids, side, tokens, vocabulary)
            for place, name in enumerate(ids):
                lines.append(f"# newdoc id = {name}/{side}")
                lines += _rows(tokens, trees, place, vocabulary)
    return ("\n".join(lines) + "\n").encode() if lines else b""


def _rows(tokens: Tokens, trees: Trees, text: int, vocabulary: Vocabulary) -> list[str]:
    rows = tokens.rows(text)
    lines: list[str] = []
    last, first = -1, 0
    columns = (tokens.forms, trees.tags, trees.lemmas, trees.heads, trees.dependencies, trees.sentences)
    for place, (form, tag, lemma, head, relation, sentence) in enumerate(
        zip(*(column[rows].tolist() for column in columns), strict=True)
    ):
        if sentence != last:
            if lines:
                lines.append("")
            last, first = sentence, place
        number = 0 if head < 0 else head - first + 1
        spelled = vocabulary.forms[form]
        cells = (
            str(place - first + 1), spelled, vocabulary.lemma(lemma), Tag(tag).name, UNFILLED, UNFILLED,
            str(number), NAMES[Dependency(relation)], UNFILLED, UNFILLED,
        )  # fmt: skip
        lines.append("\t".join(cells))
    return [*lines, ""]

"""Files of parses for tests."""

from __future__ import annotations

import tempfile
from pathlib import Path

from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.engines.text.conllu import ConlluTrees
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

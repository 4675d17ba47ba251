"""Trees from a CoNLL-U file, and files of trees made once and kept.

Each text is a document: `# newdoc id = PAIR/T` for the text of a pair, `# newdoc id = PAIR/H` for its hypothesis, where
PAIR is the id of the pair; its sentences follow. FORM, LEMMA, UPOS, HEAD and DEPREL are read. The forms become the
tokens, so they must stand in the text in their order. Of a multiword token the words are taken where they spell it out
(do, n't), and else the token is one word, with the tag and lemma of the first of them, that hangs where the highest of
them does; empty nodes are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from karat.data.pairs import Pairs
from karat.engines.text.conllu_lines import EMPTY, NAMES, Parse, read_parses
from karat.engines.text.lemmas import lemmas_by_tag
from karat.engines.text.tags import Dependency, Tag
from karat.engines.text.tokens import Tokens, index_tokens
from karat.engines.text.trees import CONLLU, Side, Trees, TreeSource
from karat.engines.text.vocabulary import Vocabulary
from karat.errors import Problems
from karat.formats.documents import FilePath, read_document

WRITTEN = 500
"""Pairs parsed at a time when a file is written."""


class ConlluTrees:
    """The parses that a file holds."""

    def __init__(self, path: FilePath) -> None:
        problems = Problems()
        document = read_document(path, problems)
        lines = document.lines(problems) if document is not None else None
        self._file = str(path)
        self._parses = read_parses(lines or [], self._file, problems)
        problems.raise_errors()
        self.warnings = problems.warnings
        digest = document.source.sha256 if document is not None else ""
        self.name = f"{CONLLU} {Path(path).name}, sha256 {digest[:12]}"

    def tokens(self, ids: Sequence[str], side: Side, texts: Sequence[str], vocabulary: Vocabulary) -> Tokens:
        """The forms of each parse; it is an error where one is missing or is of another text."""
        problems = Problems()
        parses = self._find(ids, side, problems)
        for name, parse, text in zip(ids, parses, texts, strict=True):
            if parse is not None:
                _check_forms(f"{name}/{side}", parse, text, self._file, problems)
        problems.raise_errors()
        return index_tokens([parse.forms for parse in parses if parse is not None], vocabulary)

    def trees(self, ids: Sequence[str], side: Side, tokens: Tokens, vocabulary: Vocabulary) -> Trees:
        """The trees of the file over its tokens."""
        problems = Problems()
        found = self._find(ids, side, problems)
        problems.raise_errors()
        parses = [parse for parse in found if parse is not None]
        tags = np.array([tag for parse in parses for tag in parse.tags], dtype=np.int8)
        given = [lemma for parse in parses for lemma in parse.lemmas]
        known = np.array(
            [vocabulary.lemma_id(lemma.lower()) if lemma != EMPTY else -1 for lemma in given], dtype=np.int32
        )
        return Trees(
            tags,
            np.where(known >= 0, known, lemmas_by_tag(vocabulary.table, tokens.forms, tags)),
            np.array([head for parse in parses for head in parse.heads], dtype=np.int32),
            np.array([relation for parse in parses for relation in parse.relations], dtype=np.int8),
            np.array([sentence for parse in parses for sentence in parse.sentences], dtype=np.int32),
        )

    def _find(self, ids: Sequence[str], side: Side, problems: Problems) -> list[Parse | None]:
        found = [self._parses.get(f"{name}/{side}") for name in ids]
        for name, parse in zip(ids, found, strict=True):
            if parse is None:
                problems.add("no-parse", f"no document {name}/{side}", file=self._file)
        return found


def _check_forms(name: str, parse: Parse, text: str, file: str, problems: Problems) -> None:
    """Each form must stand in the text after the one before it."""
    place = 0
    for form in parse.forms:
        begin = text.find(form, place)
        if begin < 0:
            what = "the words of the text, as it spells them"
            problems.add("tree", f"{form!r} in {name}", file=file, line=parse.line, what=what)
            return
        place = begin + len(form)


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
            str(place - first + 1), spelled, vocabulary.lemma(lemma), Tag(tag).name, EMPTY, EMPTY,
            str(number), NAMES[Dependency(relation)], EMPTY, EMPTY,
        )  # fmt: skip
        lines.append("\t".join(cells))
    return [*lines, ""]

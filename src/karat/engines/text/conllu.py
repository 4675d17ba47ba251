"""Trees from a CoNLL-U file.

Each text is a document: `# newdoc id = PAIR/T` for the text of a pair, `# newdoc id = PAIR/H` for its hypothesis, where
PAIR is the id of the pair; its sentences follow. FORM, LEMMA, UPOS, HEAD and DEPREL are read. The forms become the
tokens, so they must stand in the text in their order. Of a multiword token the words are taken where they spell it out
(do, n't), and else the token is one word, with the tag and lemma of the first of them, that hangs where the highest of
them does; empty nodes are left out. Everything that is wrong in a file is told at once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from karat.engines.kernels.grammar import Dependency, Tag
from karat.engines.text.trees import CONLLU, Side, Tokens, Trees, index_tokens, lemmas_by_tag
from karat.engines.text.vocabulary import Vocabulary
from karat.errors import Problems, counted
from karat.formats.documents import FilePath, read_document

COLUMN_COUNT = 10
ID, FORM, LEMMA, UPOS, HEAD, DEPREL = 0, 1, 2, 3, 6, 7
UNFILLED = "_"
_DOCUMENT = re.compile(r"#\s*newdoc\s+id\s*=\s*(\S.*)")
_NAMES = {
    Dependency.NSUBJ_PASS: "nsubj:pass",
    Dependency.OBL_AGENT: "obl:agent",
    Dependency.NMOD_POSS: "nmod:poss",
    Dependency.AUX_PASS: "aux:pass",
    Dependency.ACL_RELCL: "acl:relcl",
    Dependency.NEG: "advmod:neg",
}
NAMES = {relation: _NAMES.get(relation, relation.name.lower()) for relation in Dependency}
"""How a file spells our relations."""
_RELATIONS = {name: relation for relation, name in NAMES.items()} | {
    "neg": Dependency.NEG,
    "nsubjpass": Dependency.NSUBJ_PASS,
    "auxpass": Dependency.AUX_PASS,
    "dobj": Dependency.OBJ,
    "csubj": Dependency.NSUBJ,
    "csubj:pass": Dependency.NSUBJ_PASS,
    "fixed": Dependency.FLAT,
}
_TAGS = {tag.name: tag for tag in Tag} | {UNFILLED: Tag.X}


@dataclass
class Parse:
    """One text: the columns of its words, heads as places in the text."""

    line: int
    forms: list[str] = field(default_factory=list)
    lemmas: list[str] = field(default_factory=list)
    tags: list[int] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    relations: list[int] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)


def relation_of(name: str) -> Dependency:
    """The relation that a file's name means: a subtype that is not ours is its type, and a type that is not is DEP."""
    lower = name.lower()
    return _RELATIONS.get(lower) or _RELATIONS.get(lower.split(":")[0], Dependency.DEP)


def read_parses(lines: Sequence[str], file: str, problems: Problems) -> dict[str, Parse]:
    """The parse of each document of a file."""
    parses: dict[str, Parse] = {}
    current: Parse | None = None
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate([*lines, ""], 1):
        if line.startswith("#"):
            if match := _DOCUMENT.fullmatch(line.rstrip()):
                problems.recognise(file)
                current = Parse(number)
                if match[1] in parses:
                    problems.add("duplicate-id", f"document {match[1]!r} again", file=file, line=number)
                parses[match[1]] = current
        elif line.strip():
            cells = line.split("\t")
            if len(cells) != COLUMN_COUNT:
                found = counted(len(cells), "column")
                problems.add("columns", found, file=file, line=number, what=f"{COLUMN_COUNT}, with tabs between them")
            else:
                rows.append((number, cells))
        elif rows:
            if current is None:
                what = "a line `# newdoc id = PAIR/T` or `PAIR/H` before the words of a text"
                problems.add("format", "words of no document", file=file, line=rows[0][0], what=what, fix="add it")
                current = Parse(rows[0][0])
            _Sentence(rows, file, problems).add_to(current)
            rows = []
    return parses


class _Sentence:
    """The rows of one sentence."""

    def __init__(self, rows: list[tuple[int, list[str]]], file: str, problems: Problems) -> None:
        self._file, self._problems = file, problems
        # Empty nodes (8.1) stand for words that are not there.
        self._words = [(line, cells) for line, cells in rows if cells[ID].isascii() and cells[ID].isdecimal()]
        self._spans = [(line, cells) for line, cells in rows if re.fullmatch(r"[0-9]+-[0-9]+", cells[ID])]
        for line, cells in rows:
            if not re.fullmatch(r"[0-9]+(?:[-.][0-9]+)?", cells[ID]):
                self._bad(line, f"ID {cells[ID]!r}", "a number, a range 1-2 or an empty node 1.1")
        for place, (line, cells) in enumerate(self._words, 1):
            if cells[ID] != str(place):
                self._bad(line, f"ID {cells[ID]}", f"{place}, the next of the sentence")

    def _bad(self, line: int, found: str, what: str) -> None:
        self._problems.add("tree", found, file=self._file, line=line, what=what)

    def add_to(self, parse: Parse) -> None:
        """Add the words to a text; those of a multiword token that do not spell it out become one word."""
        forms, first_of = self._surface()
        kept = sorted(set(first_of))
        place_of = {place: len(parse.forms) + rank for rank, place in enumerate(kept)}
        number = parse.sentences[-1] + 1 if parse.sentences else 0
        heads = self._heads()
        for place in kept:
            # Of several words that are one token the highest says where it hangs: no circle can come of it.
            highest = min(
                (one for one, first in enumerate(first_of) if first == place), key=lambda one: _depth(one, heads)
            )
            head, relation = heads[highest], self._words[highest][1][DEPREL]
            line, cells = self._words[place]
            if cells[UPOS] not in _TAGS:
                self._bad(line, f"UPOS {cells[UPOS]!r}", f"one of {', '.join(tag.name for tag in Tag)}")
            if not forms[place].strip():
                self._bad(line, "an empty FORM", "a word")
            parse.heads.append(-1 if head < 0 else place_of[first_of[head]])
            parse.forms.append(forms[place])
            parse.lemmas.append(cells[LEMMA])
            parse.tags.append(int(_TAGS.get(cells[UPOS], Tag.X)))
            parse.relations.append(int(Dependency.ROOT if head < 0 else relation_of(relation)))
            parse.sentences.append(number)

    def _surface(self) -> tuple[list[str], list[int]]:
        """The forms as the text has them, and for each word the first of those that are one token with it."""
        forms = [cells[FORM] for _, cells in self._words]
        first_of = list(range(len(forms)))
        for line, cells in self._spans:
            first, last = (_number(end, len(forms)) - 1 for end in cells[ID].split("-"))
            if not 0 <= first < last < len(forms):
                self._bad(line, f"the range {cells[ID]}", "words of this sentence")
            elif "".join(forms[first : last + 1]) != cells[FORM]:
                forms[first] = cells[FORM]
                first_of[first : last + 1] = [first] * (last + 1 - first)
        return forms, first_of

    def _heads(self) -> list[int]:
        """The heads as places in the sentence, -1 at the root; what is wrong with them is told."""
        heads = []
        for line, cells in self._words:
            head = _number(cells[HEAD], len(self._words))
            valid = head >= 0
            if not valid:
                self._bad(
                    line,
                    f"HEAD {cells[HEAD]!r}",
                    f"0 for the root, or a word of the sentence (1 to {len(self._words)})",
                )
            heads.append(head - 1 if valid else -1)
            if not valid:
                return [-1] * len(self._words)
        for place in (place for place in range(len(heads)) if _depth(place, heads) > len(heads)):
            line, cells = self._words[place]
            self._bad(line, f"{cells[FORM]!r}, which hangs on itself in a circle", "heads that lead to a root")
            return [-1] * len(heads)
        roots = [place for place, head in enumerate(heads) if head < 0]
        if len(roots) > 1:
            line, cells = self._words[roots[1]]
            self._bad(line, f"a second root, {cells[FORM]!r}", "one root in a sentence")
        return heads


def _number(text: str, most: int) -> int:
    """A whole number up to some size, -1 where it is none: digits of other scripts, or thousands of them, are none."""
    good = text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and int(text) <= most
    return int(text) if good else -1


def _depth(place: int, heads: list[int]) -> int:
    """How far a word is from the root; more than there are words where it never gets there."""
    steps = 0
    while place >= 0 and steps <= len(heads):
        place, steps = heads[place], steps + 1
    return steps


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
            [vocabulary.lemma_id(lemma.lower()) if lemma != UNFILLED else -1 for lemma in given], dtype=np.int32
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

"""Rules: which word of the text speaks for which word of the hypothesis, and how surely, from a table of one's own.

A line is `lhs`, `rhs`, `pos`, `probability` and, if one likes, `source`, with tabs between; a first line that names
these columns is passed over. Words are lemmas, or are reduced to them. The part of speech (NOUN, VERB, ADJ…, or n, v,
a, r) is that of the left word in the text; `*` or nothing stands for any. A match costs 1 − probability of what it
would cost; a negative probability says that the two words contradict each other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from karat.arrays import Bytes, Int32s, Singles
from karat.engines.kernels.grammar import PART_OF, Tag
from karat.engines.lexicon.relations import Part
from karat.engines.text.trees import TOKEN
from karat.engines.text.vocabulary import Vocabulary
from karat.errors import Problem, Problems, counted
from karat.files import as_number
from karat.formats.documents import read_document

RULE_COLUMNS = ("lhs", "rhs", "pos", "probability", "source")
LETTERS = {"n": Tag.NOUN, "v": Tag.VERB, "a": Tag.ADJ, "r": Tag.ADV}
ANY = -1


class Rule(msgspec.Struct, frozen=True):
    """One word that speaks for another, or, with a negative probability, against it."""

    left: str
    right: str
    tag: int
    """A code of `Tag`, or `ANY`."""
    probability: float


class Rules(NamedTuple):
    """The rules of a file, and what its reader warned of."""

    rules: tuple[Rule, ...]
    warnings: tuple[Problem, ...]


def read_rules(path: str | PathLike[str]) -> Rules:
    """The rules of a file, or all that is wrong with it."""
    problems = Problems()
    document = read_document(path, problems)
    lines = None if document is None else document.lines(problems)
    if document is None or lines is None:
        problems.raise_errors()
        return Rules((), ())
    rules: dict[tuple[str, str, int], tuple[int, Rule]] = {}
    for number, line in enumerate(lines, 1):
        fields = [field.strip() for field in line.split("\t")]
        if number == 1 and tuple(fields) == RULE_COLUMNS[: len(fields)]:
            continue
        rule = _rule(fields, document.name, number, problems)
        if rule is None:
            continue
        problems.recognise(document.name)
        first, known = rules.setdefault((rule.left, rule.right, rule.tag), (number, rule))
        if known.probability != rule.probability:
            found = f"{rule.left} → {rule.right} at {rule.probability:g}, but {known.probability:g} in line {first}"
            problems.add("rule", found, file=document.name, line=number, what="one probability for a rule")
    problems.raise_errors()
    return Rules(tuple(rule for _, rule in rules.values()), problems.warnings)


def name_rules(path: str | PathLike[str]) -> str:
    """What signatures say of a file of rules: its name, and the SHA-256 of its bytes."""
    return f"{Path(path).name}, sha256 {hashlib.sha256(Path(path).read_bytes()).hexdigest()}"


def _rule(fields: Sequence[str], file: str, line: int, problems: Problems) -> Rule | None:
    """One line; None where something is wrong with it."""
    if fields == [""]:
        problems.add("empty-line", "an empty line", file=file, line=line)
        return None
    if not len(RULE_COLUMNS) - 1 <= len(fields) <= len(RULE_COLUMNS):
        what = f"4 or 5 columns with tabs between: {', '.join(RULE_COLUMNS)}"
        problems.add("columns", counted(len(fields), "column"), file=file, line=line, what=what)
        return None
    wrong = [
        (f"{fields[place]!r} as {RULE_COLUMNS[place]}", "one word")
        for place in (0, 1)
        if not TOKEN.fullmatch(fields[place].replace("-", ""))
    ]
    pos = fields[2]
    known = LETTERS.keys() | Tag.__members__.keys() | {"*", ""}
    if pos not in known:
        wrong.append((f"{pos!r} as pos", f"{', '.join(LETTERS)}, one of {', '.join(Tag.__members__)}, or *"))
    probability = as_number(fields[3])
    if not -1 <= probability <= 1:
        wrong.append((f"{fields[3]!r} as probability", "a number from -1 to 1"))
    for found, what in wrong:
        problems.add("rule", found, file=file, line=line, what=what)
    if wrong:
        return None
    tag = ANY if pos in ("*", "") else int(LETTERS[pos] if pos in LETTERS else Tag[pos])
    return Rule(fields[0].lower(), fields[1].lower(), tag, probability)


@dataclass(frozen=True, eq=False)
class RuleTable:
    """Rules by the ids of their lemmas: what each left lemma stands for, sorted."""

    lefts: Int32s
    starts: Int32s
    rights: Int32s
    tags: Bytes
    probabilities: Singles

    def rows(self, lemmas: Int32s) -> Int32s:
        """The place of each lemma among the left ones; -1 where no rule is about it."""
        if not len(self.lefts):
            return np.full(len(lemmas), -1, dtype=np.int32)
        place = np.minimum(np.searchsorted(self.lefts, lemmas), len(self.lefts) - 1)
        return np.where(self.lefts[place] == lemmas, place, -1).astype(np.int32)


def tabulate(rules: Sequence[Rule], vocabulary: Vocabulary) -> RuleTable:
    """Rules as arrays."""
    coded = sorted(
        (_lemma(rule.left, rule.tag, vocabulary), _lemma(rule.right, rule.tag, vocabulary), rule.tag, rule.probability)
        for rule in rules
    )
    left = np.array([row[0] for row in coded], dtype=np.int32)
    lefts, begins = np.unique(left, return_index=True)
    return RuleTable(
        lefts,
        np.append(begins, len(left)).astype(np.int32),
        np.array([row[1] for row in coded], dtype=np.int32),
        np.array([row[2] for row in coded], dtype=np.int8),
        np.array([row[3] for row in coded], dtype=np.float32),
    )


def _lemma(word: str, tag: int, vocabulary: Vocabulary) -> int:
    """The lemma of a word of a rule: as its part of speech, where that is said."""
    form = vocabulary[word]
    if tag != ANY and Tag(tag) in PART_OF:
        return int(vocabulary.table.lemmas[form, Part(PART_OF[Tag(tag)])])
    return int(vocabulary.table.lemma[form])

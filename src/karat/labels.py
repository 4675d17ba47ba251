"""The labels of entailment, ⊢ ◇ ⊣ ▽: their spellings, codes, folding and negation.

Codes are small integers in the order of `Way.labels`; -1 is "none". Two-way codes are three-way codes with UNKNOWN
and CONTRADICTION taken together, so folding a run that is already two-way changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from karat.errors import UsageError

Codes = NDArray[np.int8]

ENTAILMENT, UNKNOWN, CONTRADICTION = "ENTAILMENT", "UNKNOWN", "CONTRADICTION"
NO_ENTAILMENT = "NO_ENTAILMENT"
NO_ANSWER = "no answer"
"""The last column of a table of answers if some pairs have none, or none that is a label; it is never right."""
AMBIGUOUS_NO = "NO"
"""NO is CONTRADICTION in a three-way file and NO ENTAILMENT in a two-way one."""
FALSE = "FALSE"
"""FALSE is CONTRADICTION beside TRUE and NEITHER, and NO ENTAILMENT where there are only TRUE and FALSE."""


@dataclass(frozen=True)
class Way:
    """A set of labels for judging pairs, and the mapping from three-way codes to it."""

    name: str
    labels: tuple[str, ...]
    symbols: tuple[str, ...]
    from_three: tuple[int, ...]

    def code(self, label: str) -> int:
        """The code of `label`."""
        return self.labels.index(label)

    @property
    def constants(self) -> list[str]:
        """The names of the systems that give one answer to every pair."""
        return [f"always-{label.lower().replace('_', '-')}" for label in self.labels]


THREE = Way("3", (ENTAILMENT, UNKNOWN, CONTRADICTION), ("⊢", "◇", "⊣"), (0, 1, 2))
TWO = Way("2", (ENTAILMENT, NO_ENTAILMENT), ("△", "▽"), (0, 1, 1))
CONTRADICTION_ONLY = Way("2c", (CONTRADICTION, "NO_CONTRADICTION"), ("⊣", "¬⊣"), (1, 1, 0))
"""⊣ against the rest: the two-way fold after negation."""

WAYS: Mapping[str, Way] = {way.name: way for way in (THREE, TWO, CONTRADICTION_ONLY)}
IN_WORDS = {"2": "two-way", "3": "three-way", "2c": "contradiction or not"}
"""The ways of scoring, in words."""

_SPELLINGS = {
    ENTAILMENT: "ENTAILMENT YES TRUE ENTAILS ENTAILED E ⊢ △ SUPPORTS SUPPORTED CONSISTENT FAITHFUL ATTRIBUTABLE",
    UNKNOWN: "UNKNOWN NEUTRAL NEITHER N ◇ NOTENOUGHINFO NOTENOUGHINFORMATION NOTENOUGHEVIDENCE NEI UNDETERMINED",
    CONTRADICTION: "CONTRADICTION CONTRADICTS CONTRADICTED CONTRADICTORY C ⊣ REFUTES REFUTED",
    NO_ENTAILMENT: "NOENTAILMENT NOTENTAILMENT NONENTAILMENT NOTENTAILED ▽ UNSUPPORTED NOTSUPPORTED INCONSISTENT "
    "UNFAITHFUL NOTFAITHFUL HALLUCINATED NOTATTRIBUTABLE",
    AMBIGUOUS_NO: "NO",
    FALSE: "FALSE",
}
_AROUND = "'\"`‘’“”*(){}[].,:!#$"
"""What models write around a label: quotes, emphasis, brackets, a full stop."""
_INTRODUCTION = re.compile(
    r"""(?sx) \A (?: .*</think> )?
    (?: [^\w<]* (?:json\W*)? (?:the|my)? (?:final|correct)?
        (?:answer|label|prediction) \W* (?: is(?!not):? | (?<=:) ) | )
    (?: \W* \\boxed\{ )?"""
)
"""What models write before a label, without blanks: what they thought, `Answer:`, `{"label":`, `\\boxed{`."""
_WHOLE = re.compile(r"[+-]?\d+\.0")
"""A code as programs write it in a column of numbers of which some are missing."""


def _plain(spelling: str) -> str:
    """A spelling for comparison: case-folded, without `-`, `_`, blanks, and punctuation around it."""
    folded = "".join(spelling.casefold().split())
    folded = folded[:-2] if _WHOLE.fullmatch(folded) else _INTRODUCTION.sub("", folded, count=1)
    plain = folded.strip(_AROUND).replace("-", "").replace("_", "")
    # In -1 the dash is a sign, and a single dash must not vanish; 1. may be an item of a list.
    return folded if not plain or plain.isdigit() else plain


_MEANINGS = {_plain(word): label for label, words in _SPELLINGS.items() for word in words.split()}
_OPTIONS, _OPTIONS_TOO = frozenset("abd"), frozenset("ce")
"""Letters that are options of a question, and those that are options beside them and labels otherwise."""
_NONE = {"", "-", "-1", "undef"}
"""Spellings of "no label": - in SNLI, -1 on the hub, undef in FraCaS. Compared before `-` is removed."""


UNANSWERED = frozenset(["", "nan", "none", "null", "n/a", "na", "<na>"])
"""What programs write in a run for no answer, in lower case."""


def label_of(spelling: str) -> str | None:
    """The label that a spelling means by itself; None for NO."""
    meaning = _MEANINGS.get(_plain(spelling))
    return {AMBIGUOUS_NO: None, FALSE: NO_ENTAILMENT}.get(meaning or "", meaning)


def stands_alone(spelling: str) -> bool:
    """Whether a spelling is that of a label as it stands, without anything that a model writes around one."""
    return "".join(spelling.casefold().split()).replace("-", "").replace("_", "") in _MEANINGS


def is_code(spelling: str) -> bool:
    """Whether a label is an integer, whose meaning only the author of the file knows."""
    return spelling.strip().lstrip("+-").removesuffix(".0").isdecimal()


class Spellings(dict[str, str | None]):
    """The meaning of each spelling in a file: a label, `AMBIGUOUS_NO`, `FALSE`, or None if it has no meaning.

    Each spelling is resolved once; after that, a million lines are a million dictionary look-ups.
    """

    def __init__(self, given: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self._given: dict[str, str] = {}
        for spelling, meaning in (given or {}).items():
            label = label_of(meaning)
            if label is None:
                labels = (*THREE.labels, NO_ENTAILMENT)
                raise UsageError(f"--label {spelling}={meaning}: {meaning} must be one of {', '.join(labels)}")
            self._given[_plain(spelling)] = label
        self._options = bool(_OPTIONS & self._given.keys())

    def beside(self, words: Iterable[str]) -> None:
        """Take C and E for options of a question, and not for labels, if A, B or D is among the words of a file."""
        plain = {_plain(word) for word in words}
        if _OPTIONS & plain and "n" not in plain and not self._options:
            self._options = True
            self.clear()

    def __missing__(self, spelling: str) -> str | None:
        plain = _plain(spelling)
        usual = None if self._options and plain in _OPTIONS_TOO else _MEANINGS.get(plain)
        self[spelling] = meaning = self._given.get(plain) or usual
        return meaning

    def unanswered(self, spelling: str | None) -> bool:
        """Whether a spelling in a run means that there is no answer, unless the user gave it a meaning."""
        return spelling is None or (spelling.strip().casefold() in UNANSWERED and _plain(spelling) not in self._given)

    def is_none(self, spelling: str | None) -> bool:
        """Whether a spelling in a key means that the pair has no label; meanings given by the user take precedence."""
        return spelling is None or (spelling.strip().casefold() in _NONE and _plain(spelling) not in self._given)


def canonical(name: str) -> str:
    """The canonical name of a label, which a measure's argument may spell in any way."""
    meaning = label_of(name)
    if _plain(name) == "nocontradiction":
        return CONTRADICTION_ONLY.labels[1]
    if meaning is None:
        raise UsageError.unknown("label", name, {label for way in WAYS.values() for label in way.labels})
    return meaning


def way_of(meanings: Iterable[str]) -> Way:
    """The way of a key with these labels: three-way if UNKNOWN or CONTRADICTION occurs."""
    return THREE if {UNKNOWN, CONTRADICTION} & set(meanings) else TWO


def code_table(way: Way) -> dict[str, int]:
    """The code in `way` of every meaning (three-way labels fold into two-way ones)."""
    if way is THREE:
        return {ENTAILMENT: 0, UNKNOWN: 1, CONTRADICTION: 2, AMBIGUOUS_NO: 2, FALSE: 2}
    return {ENTAILMENT: 0, UNKNOWN: 1, CONTRADICTION: 1, NO_ENTAILMENT: 1, AMBIGUOUS_NO: 1, FALSE: 1}


def fold(codes: Codes, to: Way) -> Codes:
    """Three-way codes (or two-way ones, for `to=TWO`) as codes of `to`; none stays none."""
    # Code -1 indexes the appended -1.
    return np.array([*to.from_three, -1], dtype=np.int8)[codes]

"""Monothematic pairs from an original: choose a phenomenon, state a rule, and apply it to T by substitution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from karat.align.columns import Columns
from karat.align.pairs import make_pairs
from karat.data.decomposition import REWRITE, SUBSTITUTION
from karat.data.pairs import Pairs
from karat.data.phenomena import place
from karat.data.provenance import AS_IS, Source
from karat.errors import Problems, UsageError

PART_COLUMNS = ("original", "phenomenon", "category", "pattern", "constraint", "lhs", "rhs", "composed")
"""The columns of a monothematic pair besides text, hypothesis and label."""
MOST_OCCURRENCES = 100
"""The search for occurrences of a part stops here: no rule means the next one."""


def occurrences(text: str, part: str, inside_words: bool = False) -> list[int]:
    """The positions of a part in a text, only as whole words unless `inside_words`."""
    if not part:
        return []
    at, everywhere = -1, list[int]()
    while (at := text.find(part, at + 1)) >= 0 and len(everywhere) < MOST_OCCURRENCES:
        everywhere.append(at)
    return [at for at in everywhere if inside_words or _is_whole(text, at, len(part))]


def found_in_other_case(text: str, part: str) -> str | None:
    """What the text has instead of a part, if they differ only in upper and lower case."""
    at = text.lower().find(part.lower())
    found = text[at : at + len(part)]
    return found if at >= 0 and found != part and found.lower() == part.lower() else None


def _is_whole(text: str, start: int, size: int) -> bool:
    edges = (text[start - 1 : start + 1] if start else "", text[start + size - 1 : start + size + 1])
    return not any(len(edge) == 2 and edge.isalnum() for edge in edges)


def same_words(one: str, other: str) -> bool:
    """Whether two texts differ only in white space."""
    return one == other or one.split() == other.split()


def compose(text: str, left: str, right: str, occurrence: int | None = None, *, inside_words: bool = False) -> str:
    """The text with `left` replaced by `right`; `occurrence` (from 1) says which if `left` occurs several times.

    If `right` is empty, the left side is removed with one of the two blanks around it. A left side inside a word (`new`
    in `renewed`) is replaced only with `inside_words`.
    """
    _check_strings(text=text, left=left, right=right)
    if occurrence is not None and (isinstance(occurrence, bool) or not isinstance(occurrence, int)):
        raise UsageError(f"occurrence is a number from 1, not {occurrence!r}")
    places = occurrences(text, left, inside_words)
    if not places:
        near = found_in_other_case(text, left)
        hint = f"; did you mean {near!r}?" if near else ""
        if left and left in text:
            hint = " except inside words: name whole words, or use inside_words=True"
        raise UsageError(f"the left side {left!r} is not in the text {text!r}{hint}")
    if occurrence is None and len(places) > 1:
        raise UsageError(f"the left side {left!r} is in the text {len(places)} times; say which: occurrence=1 …")
    if occurrence is not None and not 1 <= occurrence <= len(places):
        raise UsageError(f"occurrence={occurrence}: the left side {left!r} is in the text {len(places)} times")
    return _replaced(text, places[(occurrence or 1) - 1], left, right)


def _check_strings(**given: object) -> None:
    for name, value in given.items():
        if not isinstance(value, str):
            raise UsageError(f"{name} is a string, not {value!r} ({type(value).__name__})")


def compositions(text: str, left: str, right: str) -> list[str]:
    """All possible results of a substitution: one hypothesis for every occurrence of the left side.

    If the left side is nowhere a whole word, it may have been replaced inside one.
    """
    places = occurrences(text, left) or occurrences(text, left, inside_words=True)
    return [_replaced(text, at, left, right) for at in places]


def _replaced(text: str, start: int, left: str, right: str) -> str:
    before, after = text[:start], text[start + len(left) :]
    if right.strip():
        return before + right + after
    if not before.strip():
        return after.lstrip()
    if after[:1].isspace():
        return f"{before.rstrip()} {after.lstrip()}".rstrip()
    return (before.rstrip() if after[:1] in ("", *",.;:!?") else before) + after


@dataclass(frozen=True)
class Monothematic:
    """One monothematic pair as a row of a decomposed test set."""

    id: str
    text: str
    hypothesis: str
    label: str | None
    original: str
    phenomenon: str
    category: str | None
    pattern: str | None
    constraint: str | None
    lhs: str
    rhs: str
    composed: str


def monothematic(
    originals: Pairs,
    original: str,
    phenomenon: str,
    left: str,
    right: str,
    label: str | None = None,
    *,
    id: str,
    category: str | None = None,
    pattern: str | None = None,
    constraint: str | None = None,
    occurrence: int | None = None,
    inside_words: bool = False,
    hypothesis: str | None = None,
) -> Monothematic:
    """A row for one phenomenon of an original; it is a rewrite if a different `hypothesis` is given, else composed."""
    _check_strings(original=original)
    if original not in originals.index:
        raise UsageError.unknown("original pair", original, originals.ids)
    further = {"label": label, "category": category, "pattern": pattern, "constraint": constraint}
    _check_strings(phenomenon=phenomenon, left=left, right=right, id=id)
    _check_strings(
        **{name: value for name, value in {**further, "hypothesis": hypothesis}.items() if value is not None}
    )
    if id in originals.index:
        raise UsageError(f"id={id!r} is the id of an original: a run answers both, so each needs its own")
    if left == right and hypothesis is None:
        raise UsageError(f"the left and the right side are both {left!r}: such a rule changes nothing")
    placed = place(phenomenon, category or "")
    if placed.found:
        raise UsageError(f"pair {id!r} {placed.found}; expected {placed.expected}")
    text = originals.texts[originals.index[original]]
    one = occurrence if hypothesis is None or occurrence is not None else 1
    made = compose(text, left, right, one, inside_words=inside_words)
    rewritten = hypothesis is not None and not same_words(hypothesis, made)
    return Monothematic(
        id=id,
        text=text,
        hypothesis=made if hypothesis is None else hypothesis,
        label=label,
        original=original,
        phenomenon=placed.name,
        category=placed.category,
        pattern=pattern,
        constraint=constraint,
        lhs=left,
        rhs=right,
        composed=REWRITE if rewritten else SUBSTITUTION,
    )


def monothematic_pairs(rows: Sequence[Monothematic]) -> Pairs:
    """The rows as pairs, to be written by `write_pairs` or joined to their originals by `join_pairs`."""
    problems = Problems()
    columns = Columns(
        Source.of_columns("monothematic pairs", rows),
        {name: [getattr(row, name) for row in rows] for name in ("id", "text", "hypothesis", "label")},
        range(1, len(rows) + 1),
        {"attributes": {name: [getattr(row, name) for row in rows] for name in PART_COLUMNS}},
    )
    made = make_pairs(columns, AS_IS, problems)
    problems.raise_errors()
    return made

"""Decomposition: a pair is taken apart into pairs of one phenomenon each, by rules that are applied to its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from karat.campaign.events import Item
from karat.campaign.judging.asking import Ask
from karat.campaign.judging.files import given
from karat.campaign.judging.kinds.finished import chosen
from karat.campaign.judging.kinds.kind import Export, Kind, Vote, votes
from karat.campaign.judging.kinds.pairs import label, texts
from karat.campaign.judging.library import Material
from karat.campaign.judging.work import Ballot, Work
from karat.data.phenomena import PHENOMENA

if TYPE_CHECKING:
    from karat.align.monothematic import Monothematic
    from karat.data.pairs import Pairs

MOST = 20_000
"""The characters of a hypothesis and of what it is composed from: a text can be long."""
LEFT = "Select it in the text and press l, or type it as it stands there. A rewrite can do without."
RIGHT = "What takes its place; nothing, if it is only removed."
ARROWS = {"<=/=>": "⇎", "=/=>": "⇏", "=>": "⇒"}
"""What can be typed for the signs of a pattern; the longest comes first."""
PATTERN = f"Type {', '.join(f'{typed} for {sign}' for typed, sign in reversed(ARROWS.items()))}."
COMPOSED = "The text with the left side replaced. If you change it, that is recorded as a rewrite."


def _units(material: Material) -> tuple[str, ...]:
    """The pairs that are not parts of others themselves."""
    pairs = material.pairs
    made_from = pairs.attributes.get("original") or (None,) * len(pairs)
    return tuple(id for id, whole in zip(pairs.ids, made_from, strict=True) if pairs.has_texts and not whole)


def _show(material: Material, item: Item, who: str) -> dict[str, Any]:
    del who
    return texts(material.pairs, item.unit) | {"key": material.key_label(item.unit)}


def _text(material: Material, unit: str) -> str:
    """The text of a pair, as rules are applied to it: line breaks of the file do not matter."""
    return " ".join(material.pairs.texts[material.pairs.index[unit]].split())


def _phenomena(material: Material) -> Mapping[str, tuple[str, ...]]:
    """The phenomena of the campaign, or else the usual ones, by category."""
    found: Mapping[str, tuple[str, ...]] = material.beside("phenomena") or PHENOMENA
    return found


def _entry(material: Material, item: Item, who: str) -> tuple[Ask, ...]:
    del who
    named = tuple(f"{category}:{name}" for category, names in _phenomena(material).items() for name in names)
    judged = label(material.task.way, "Does the text entail this hypothesis?")
    optional: dict[str, Any] = {"required": False}
    return (
        Ask(name="phenomenon", text="Phenomenon", values=named),
        Ask(name="pattern", text="Pattern of the rule", hints=("x ⇒ y", "x ⇎ y", "x ⇏ y"), help=PATTERN, **optional),
        Ask(name="constraint", text="Constraint", help="As in semantic_opposition(y, x).", **optional),
        Ask(name="lhs", text="Left side", within=_text(material, item.unit), most=MOST, help=LEFT, **optional),
        Ask(name="rhs", text="Right side", most=MOST, help=RIGHT, **optional),
        Ask(name="hypothesis", text="Hypothesis", long=True, most=MOST, help=COMPOSED, **optional),
        judged,
    )


def _complete(material: Material, item: Item, values: Mapping[str, str]) -> dict[str, str]:
    """With a hypothesis: if none was written, the text with the left side replaced where it first occurs."""
    from karat.align.monothematic import compositions  # here: it loads numpy

    if "pattern" in values:
        pattern = values["pattern"]
        for typed, sign in ARROWS.items():
            pattern = pattern.replace(typed, sign)
        values = dict(values) | {"pattern": pattern}
    if not item.entry or not values or values.get("hypothesis"):
        return dict(values)
    left, right = (" ".join(values.get(side, "").split()) for side in ("lhs", "rhs"))
    made = compositions(_text(material, item.unit), left, right)
    return dict(values) | ({"hypothesis": made[0]} if made else {})


def _check(work: Work, item: Item, who: str, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if item.entry and not values.get("hypothesis", "").strip():
        yield "no hypothesis", "a left side that is in the text, or a hypothesis in your own words"
    if not item.entry and not work.entries(who, item):
        yield "a pair without parts", "at least one part; or skip the pair, and say why"


def _parts(material: Material, unit: str, taken: Mapping[str, int]) -> list[Monothematic]:
    """The parts of a pair, by whoever comes first; their ids are those of no other pair."""
    found = chosen(material.work, PARTS, unit)
    if found is None:
        return []
    free = (f"{unit}-{'z' * (place // 26)}{ascii_lowercase[place % 26]}" for place in range(10**6))
    named = (id for id in free if id not in taken)
    return [_part(material, unit, next(named), ballot) for ballot in found[1]]


def _part(material: Material, unit: str, id: str, ballot: Ballot) -> Monothematic:
    """One part: it is a substitution if its hypothesis is what the rule gives, whoever typed it."""
    from karat.align.monothematic import Monothematic, compositions, same_words
    from karat.data.decomposition import REWRITE, SUBSTITUTION

    said = ballot.said.values
    plain = {name: " ".join(said.get(name, "").split()) for name in ("lhs", "rhs", "hypothesis", *RULE)}
    category, _, phenomenon = said["phenomenon"].partition(":")
    made = compositions(_text(material, unit), plain["lhs"], plain["rhs"])
    exact = any(same_words(one, plain["hypothesis"]) for one in made)
    return Monothematic(
        id=id,
        text=material.pairs.texts[material.pairs.index[unit]],
        hypothesis=plain["hypothesis"],
        label=said["label"],
        original=unit,
        phenomenon=phenomenon,
        category=category,
        pattern=plain["pattern"],
        constraint=plain["constraint"],
        lhs=plain["lhs"],
        rhs=plain["rhs"],
        composed=SUBSTITUTION if exact else REWRITE,
    )


RULE = ("pattern", "constraint")


def _decomposed(material: Material, programs: bool) -> bytes:
    """The originals, each followed by its parts."""
    from karat.align.monothematic import monothematic_pairs
    from karat.campaign.checking import as_xml
    from karat.data.decomposition import join_pairs

    del programs
    originals, rows = material.pairs, list[Any]()
    for unit in _units(material):
        rows += _parts(material, unit, originals.index)
    if not rows:
        return as_xml(originals)
    both = join_pairs(originals, monothematic_pairs(rows))
    place = {id: (originals.index[id], 0) for id in originals.ids}
    place |= {row.id: (originals.index[row.original], number) for number, row in enumerate(rows, 1)}
    return as_xml(_ordered(both, sorted(range(len(both)), key=lambda at: place[both.ids[at]])))


def _ordered(pairs: Pairs, order: list[int]) -> Pairs:
    return replace(
        pairs,
        ids=tuple(pairs.ids[at] for at in order),
        texts=tuple(pairs.texts[at] for at in order),
        hypotheses=tuple(pairs.hypotheses[at] for at in order),
        labels=pairs.labels[order],
        attributes={name: tuple(values[at] for at in order) for name, values in pairs.attributes.items()},
    )


def _used(material: Material, programs: bool) -> Iterator[Vote]:
    """Of every pair and phenomenon of the campaign, whether somebody found it in the pair."""
    named = [f"{category}:{name}" for category, names in _phenomena(material).items() for name in names]
    for item, ballot in given(material.work, "parts", programs=programs):
        if ballot.said.skipped:
            continue
        who = ballot.said.assessor
        found = {one.said.values["phenomenon"] for one in material.work.entries(who, item).values()}
        yield from ((f"{item.unit} {name}", who, "there" if name in found else "not there") for name in named)


PARTS = Kind(
    stage="parts",
    title="Decomposition",
    verb="decomposed",
    skip="Skip this pair: it cannot be decomposed",
    units=_units,
    each=1,
    show=_show,
    shows="parts",
    ask=lambda *_: (),
    entry=_entry,
    listed="Parts",
    saving="Finish",
    keys=(
        ("t", "To the text: arrow keys select words, with Shift more of them"),
        ("l", "Take what is selected in the text as the left side"),
        ("1 to 3", "The label of the part in hand"),
    ),
    votes=(votes("phenomena", "Phenomena that were found in pairs", _used),),
    complete=_complete,
    check=_check,
    files=(
        Export(
            "decomposed",
            "decomposed.xml",
            "The pairs and their parts, as `karat diagnose` reads them. Where several people have finished a pair, "
            "those of whoever was first given units",
            _decomposed,
        ),
    ),
)

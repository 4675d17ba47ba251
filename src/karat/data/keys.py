"""Keys from ballots: the rules by which several people's labels become one. -1 is "no label": the unit is dropped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from karat.data.ballots import Ballots
from karat.data.pairs import Pairs
from karat.errors import UsageError
from karat.labels import NO_ENTAILMENT, THREE, TWO, UNKNOWN, Codes, fold

Counts = NDArray[np.int64]
MajorityTies = Literal["adjudicated", "unknown", "drop"]
TALLY = 20
"""So many disputed units with equal labels side by side are no accident: the file is a tally, nobody was first."""


@dataclass(frozen=True, eq=False)
class Key:
    """One way to label the units of a test set."""

    name: str
    codes: Codes
    rule: str
    """How it was made, in words."""


def slot_key(ballots: Ballots, slot: int) -> Codes:
    """The first (0), second (1) … ballot of every unit, in file order, whoever cast it."""
    order = np.argsort(ballots.unit, kind="stable")
    unit = ballots.unit[order]
    starts = np.searchsorted(unit, unit)
    chosen = order[np.arange(len(unit)) - starts == slot]
    return _placed(ballots, ballots.unit[chosen], ballots.code[chosen])


def assessor_key(ballots: Ballots, assessor: str) -> Codes:
    """What one assessor said."""
    mine = ballots.assessor == ballots.assessors.index(assessor)
    return _placed(ballots, ballots.unit[mine], ballots.code[mine])


def majority_key(ballots: Ballots, adjudicated: Codes, ties: MajorityTies = "adjudicated") -> Codes:
    """The label most ballots have; where several have as many: the given key's, UNKNOWN, or none."""
    counts = ballots.counts()
    most = counts.max(axis=1, keepdims=True)
    tied = (counts == most).sum(axis=1) > 1
    same = np.full(len(counts), unknown_code(ballots) if ties == "unknown" else -1, dtype=np.int8)
    instead = adjudicated if ties == "adjudicated" else same
    return _where_judged(counts, np.where(tied, instead, counts.argmax(axis=1)))


def unknown_key(ballots: Ballots) -> Codes:
    """The common label where all agree, UNKNOWN (two-way: NO ENTAILMENT) where they do not."""
    counts = ballots.counts()
    return _where_judged(counts, np.where(disputed(ballots), unknown_code(ballots), counts.argmax(axis=1)))


def unanimous_key(ballots: Ballots) -> Codes:
    """The common label where all agree; disputed units and those with one ballot are dropped."""
    counts = ballots.counts()
    alone = counts.sum(axis=1) < 2
    return _where_judged(counts, np.where(disputed(ballots) | alone, -1, counts.argmax(axis=1)))


def anchored_key(ballots: Ballots, anchor: Codes, adjudicated: Codes) -> Codes:
    """Every ⊢ of an existing key kept, the rest decided between the other labels (RTE-3 extended).

    The rest has the label most ballots have among the others; without such a majority the given key's, and UNKNOWN
    where that is ⊢ itself. Units the anchor does not label have no label.
    """
    others = ballots.counts()
    others[:, 0] = 0
    most = others.max(axis=1, keepdims=True)
    open_ = (others == most).sum(axis=1) > 1
    given = np.where(adjudicated > 0, adjudicated, unknown_code(ballots))
    rest = np.where(open_, given, others.argmax(axis=1))
    return np.where(anchor < 0, -1, np.where(anchor == 0, 0, rest)).astype(np.int8)


def disputed(ballots: Ballots) -> NDArray[np.bool_]:
    """Which units have ballots for more than one label."""
    return (ballots.counts() > 0).sum(axis=1) > 1


def unknown_code(ballots: Ballots) -> int:
    """Where UNKNOWN stands, or what it folds to."""
    values = ballots.scale.values
    return values.index(UNKNOWN if UNKNOWN in values else NO_ENTAILMENT)


def is_tally(ballots: Ballots) -> bool:
    """Whether equal labels always stand side by side: counts unfolded, so that "the first" is nobody."""
    several = disputed(ballots) & (ballots.counts().sum(axis=1) > 2)
    order = np.argsort(ballots.unit, kind="stable")
    unit, code = ballots.unit[order], ballots.code[order]
    changes = np.bincount(unit[1:][(unit[1:] == unit[:-1]) & (code[1:] != code[:-1])], minlength=len(ballots.units))
    labels = (ballots.counts() > 0).sum(axis=1)
    return bool(several.sum() >= TALLY and (changes[several] == labels[several] - 1).all())


def named_keys(
    ballots: Ballots, key: Pairs, anchor: Pairs | None = None, ties: MajorityTies = "adjudicated", share: float = 0.5
) -> tuple[list[Key], dict[str, str]]:
    """Every key that a rule gives, and for those that cannot be given, by name, the reason.

    `ballots` are aligned with the key. An assessor has a key of his own who judged at least `share` of the units.
    """
    official = key.labels
    made = [Key("adjudicated", official, "the key given")]
    withheld: dict[str, str] = {}
    _add_persons(made, withheld, ballots, share)
    words = {"adjudicated": "as in the key given", "unknown": "UNKNOWN", "drop": "dropped"}[ties]
    made.append(Key("majority", majority_key(ballots, official, ties), f"the label most ballots have; ties {words}"))
    made.append(Key("disagreement-unknown", unknown_key(ballots), "UNKNOWN wherever assessors disagree"))
    made.append(Key("unanimous", unanimous_key(ballots), "disputed units and those with one ballot dropped"))
    if key.way is THREE:
        codes = official if anchor is None else _anchor(anchor, key)
        whose = "the key given" if anchor is None else anchor.source.bare.name
        rule = f"every ENTAILMENT of {whose} kept, the rest by majority"
        made.append(Key("anchored", anchored_key(ballots, codes, official), rule))
    else:
        withheld["anchored"] = "a two-way key anchored to itself is itself"
    return made, withheld


def _add_persons(made: list[Key], withheld: dict[str, str], ballots: Ballots, share: float) -> None:
    """Each assessor's key where persons are known and judged enough; else the first and the second ballot's."""
    judged = np.bincount(ballots.assessor, minlength=len(ballots.assessors))
    enough = judged >= share * max(len(np.unique(ballots.unit)), 1)
    persons = [] if ballots.exchangeable else [name for name, one in zip(ballots.assessors, enough, strict=True) if one]
    made += [Key(f"assessor {name}", assessor_key(ballots, name), f"what {name} said") for name in persons]
    if not ballots.exchangeable and (few := int((~enough).sum())):
        withheld["each assessor"] = f"{few} of {len(enough)} assessors judged less than {share:.0%} of the units"
    if not persons and is_tally(ballots):
        withheld["first, second"] = "the ballots do not say who cast them"
    elif not persons:
        for slot, name in enumerate(("first", "second")):
            if (codes := slot_key(ballots, slot)).max(initial=-1) >= 0:
                made.append(Key(name, codes, f"the {name} ballot of every unit, whoever cast it"))


def _anchor(anchor: Pairs, key: Pairs) -> Codes:
    """The anchor's labels on the key's units, two-way."""
    if anchor.way is None:
        raise UsageError(f"{anchor.source.name} has no labels to keep")
    places = anchor.places(key.ids)
    missing = int((places < 0).sum())
    if missing:
        raise UsageError(
            f"{anchor.source.name} does not label {missing} of the key's units; an anchor must label all of them"
        )
    return fold(anchor.labels, TWO)[places]


def _placed(ballots: Ballots, unit: NDArray[np.int32], code: NDArray[np.int32]) -> Codes:
    codes = np.full(len(ballots.units), -1, dtype=np.int8)
    codes[unit] = code
    return codes


def _where_judged(counts: Counts, codes: NDArray[np.integer]) -> Codes:
    return np.where(counts.sum(axis=1) > 0, codes, -1).astype(np.int8)

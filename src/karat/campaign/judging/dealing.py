"""Who judges what in which order, and under which name: all of it follows from the campaign's seed."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import msgspec

from karat.campaign.events import Item, drawing


def drawn(seed: str, *what: str) -> bytes:
    """Where something stands in the order of a campaign: whoever has the half of the seed that draws can check it."""
    return hmac.new(drawing(seed).encode(), "\0".join(what).encode(), hashlib.sha256).digest()


@lru_cache(maxsize=1 << 17)
def token(seed: str, task: str, item: Item) -> str:
    """The name of an item for its assessors, which tells neither the run nor that a unit comes a second time.

    That of an entry begins with the one of its list.
    """
    if item.entry:
        return f"{token(seed, task, item.whole)}/{item.entry}"
    return drawn(seed, "item", task, *map(str, msgspec.structs.astuple(item))).hex()[:20]


@lru_cache(maxsize=1 << 10)
def by_token(seed: str, task: str, items: tuple[Item, ...]) -> dict[str, Item]:
    """Items by the names that their assessors know."""
    return {token(seed, task, item): item for item in items}


def head_of(unit: str) -> str:
    """What a unit belongs to, such as the question of an answer: what comes before the first tab, if it has one."""
    return unit.partition("\t")[0]


def in_order(seed: str, task: str, units: Iterable[str]) -> list[str]:
    """Units in the order in which everybody judges them; those that belong together come together."""
    return sorted(units, key=lambda unit: (drawn(seed, task, head_of(unit)), drawn(seed, task, unit)))


def held_out(seed: str, examples: Iterable[str], count: int) -> list[str]:
    """The examples that stand among the units; nobody qualifies by these, so that nobody can recognise them."""
    return sorted(examples, key=lambda unit: drawn(seed, "held out", unit))[:count]


def deal(
    seed: str,
    task: str,
    units: Iterable[str],
    assessors: Sequence[str],
    per_unit: int,
    having: Mapping[str, Iterable[str]] = {},
) -> dict[str, list[str]]:
    """Units dealt to assessors: equally many each, and every two of them together equally often, as far as it goes.

    Nobody gets a unit that they have already. Units that belong together go to the same assessors, if they can: to
    those first who have others of them.
    """
    dealt: dict[str, list[str]] = {who: [] for who in assessors}
    places = {who: str(place) for place, who in enumerate(assessors)}  # names are not in an anonymous archive
    together: Counter[frozenset[str]] = Counter()
    near: dict[str, set[str]] = {}
    for unit, people in having.items():
        near.setdefault(head_of(unit), set()).update(people)
    lots: dict[tuple[str, frozenset[str]], list[str]] = {}
    for unit in in_order(seed, task, units):
        lots.setdefault((head_of(unit), frozenset(having.get(unit, ()))), []).append(unit)
    for (head, holders), lot in lots.items():
        free = [who for who in assessors if who not in holders]
        chosen = free if per_unit >= len(free) else []
        luck = {} if chosen else {who: drawn(seed, task, head, places[who]) for who in free}
        for _ in range(per_unit - len(chosen) if luck else 0):
            chosen.append(
                min(
                    (who for who in free if who not in chosen),
                    key=lambda who: (
                        who not in near.get(head, ()),
                        len(dealt[who]),
                        sum(together[frozenset((who, other))] for other in chosen),
                        luck[who],
                    ),
                )
            )
        for who in chosen:
            dealt[who] += lot
            together.update({frozenset((who, other)): len(lot) for other in chosen if other != who})
    return dealt

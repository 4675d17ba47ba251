"""Who judges what in which order, and under which name: all of it follows from the campaign's seed."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial

import msgspec

from karat.campaign.events import Item, drawing
from karat.statistics import dealing
from karat.statistics.dealing import head_of as head_of


def drawn(seed: str, *what: str) -> bytes:
    """Where something stands in the order of a campaign: whoever has the half of the seed that draws can check it."""
    return hmac.digest(drawing(seed).encode(), "\0".join(what).encode(), "sha256")


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


def in_order(seed: str, task: str, units: Iterable[str]) -> list[str]:
    """Units in the order in which everybody judges them; those that belong together come together."""
    return dealing.in_order(partial(drawn, seed, task), units)


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
    """Units dealt to assessors, by the seed of the campaign."""
    return dealing.deal(partial(drawn, seed, task), units, assessors, per_unit, having)

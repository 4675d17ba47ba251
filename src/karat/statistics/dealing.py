"""Units dealt to assessors: equally many each, every two of them together equally often.

A draw is a function of what is drawn for, as bytes: whoever knows its secret can repeat it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

Draw = Callable[..., bytes]


def head_of(unit: str) -> str:
    """What a unit belongs to, such as the question of an answer: what comes before the first tab, if it has one."""
    return unit.partition("\t")[0]


def in_order(draw: Draw, units: Iterable[str]) -> list[str]:
    """Units in the order in which everybody judges them; those that belong together come together."""
    return sorted(units, key=lambda unit: (draw(head_of(unit)), draw(unit)))


def deal(
    draw: Draw,
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
    together: dict[str, Counter[str]] = {who: Counter() for who in assessors}
    near: dict[str, set[str]] = {}
    for unit, people in having.items():
        near.setdefault(head_of(unit), set()).update(people)
    lots: dict[tuple[str, frozenset[str]], list[str]] = {}
    for unit in in_order(draw, units):
        lots.setdefault((head_of(unit), frozenset(having.get(unit, ()))), []).append(unit)
    for (head, holders), lot in lots.items():
        free = [who for who in assessors if who not in holders]
        chosen = free if per_unit >= len(free) else []
        known = near.get(head, ())
        # Everybody with what counts first, and how often they have units with those who are chosen.
        ranks = {} if chosen else {who: (who not in known, len(dealt[who])) for who in free}
        shared = dict.fromkeys(ranks, 0)
        while ranks and len(chosen) < per_unit:
            first = min(ranks.values())
            least = min(shared[who] for who, rank in ranks.items() if rank == first)
            alike = [who for who, rank in ranks.items() if rank == first and shared[who] == least]
            one = alike[0] if len(alike) == 1 else min(alike, key=lambda who: draw(head, places[who]))
            chosen.append(one)
            del ranks[one]
            for who in ranks:
                shared[who] += together[one][who]
        for who in chosen:
            dealt[who] += lot
            together[who].update({other: len(lot) for other in chosen if other != who})
    return dealt

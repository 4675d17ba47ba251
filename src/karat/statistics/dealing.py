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
    together: Counter[frozenset[str]] = Counter()
    near: dict[str, set[str]] = {}
    for unit, people in having.items():
        near.setdefault(head_of(unit), set()).update(people)
    lots: dict[tuple[str, frozenset[str]], list[str]] = {}
    for unit in in_order(draw, units):
        lots.setdefault((head_of(unit), frozenset(having.get(unit, ()))), []).append(unit)
    for (head, holders), lot in lots.items():
        free = [who for who in assessors if who not in holders]
        chosen = free if per_unit >= len(free) else []
        luck = {} if chosen else {who: draw(head, places[who]) for who in free}
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

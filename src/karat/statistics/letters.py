"""Groups of runs that do not differ significantly, and letters for them.

Two runs share a letter if and only if they are not significantly different. The groups are the largest sets in which
no two runs differ: the maximal cliques of that graph (Bron and Kerbosch 1973, with pivots), which is also the result
of inserting and absorbing columns of letters (Piepho 2004). "Not significantly different" is not transitive, so
groups overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from karat.arrays import Bools

ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def groups(different: Bools, most: int = 1000) -> list[list[int]] | None:
    """The maximal sets of runs in which no two differ, by their first runs; None if there are more than `most`."""
    number = len(different)
    alike = [sum(1 << b for b in range(number) if b != a and not different[a, b]) for a in range(number)]
    found: list[list[int]] = []
    if not number:
        return found
    for clique in _cliques(alike, (1 << number) - 1):
        found.append(clique)
        if len(found) > most:
            return None
    return sorted(found)


def _cliques(alike: Sequence[int], everyone: int) -> Iterator[list[int]]:
    """Maximal cliques, with sets of runs as bits of an integer; a stack of (chosen, candidates, excluded) replaces
    recursion."""
    stack = [(0, everyone, 0)]
    while stack:
        chosen, candidates, excluded = stack.pop()
        if not candidates and not excluded:
            yield list(_places(chosen))
            continue
        pivot = max(_places(candidates | excluded), key=lambda one: (alike[one] & candidates).bit_count())
        for one in _places(candidates & ~alike[pivot]):
            stack.append((chosen | 1 << one, candidates & alike[one], excluded & alike[one]))
            candidates &= ~(1 << one)
            excluded |= 1 << one


def _places(bits: int) -> Iterator[int]:
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def letters(members: Sequence[Sequence[int]], number: int) -> list[str]:
    """The letters of each run, one per group it belongs to; after fifty-two groups, letters with subscripts."""
    return ["".join(_letter(place) for place, group in enumerate(members) if run in group) for run in range(number)]


def _letter(place: int) -> str:
    round_, letter = divmod(place, len(ALPHABET))
    return ALPHABET[letter] + (str(round_).translate(SUBSCRIPTS) if round_ else "")

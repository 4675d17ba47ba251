"""Names for figures and terminals: printable, not too long, and different if they were different."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

from karat.errors import spelled_out

LONGEST_NAME = 32
"""The longest name beside a scale."""
KEPT_AROUND = 3, 7
"""How many characters are kept before and after the place where two long names begin to differ."""


def cut(name: str, longest: int = LONGEST_NAME) -> str:
    """A long name without its middle."""
    half = longest // 2 - 1
    return name if len(name) <= longest else f"{name[:half]}…{name[-half:]}"


def shortened(names: Sequence[str], longest: int = LONGEST_NAME) -> list[str]:
    """The names of a chart, none longer than `longest`, and still all different.

    A long name loses its middle. If that makes two of them equal, all lose the beginning and ending that the long ones
    share; then those that are still equal keep the places where they differ; finally they are numbered.
    """
    distinct = list(dict.fromkeys(map(spelled_out, names)))
    made = {name: cut(name, longest) for name in distinct}
    if _clashes(made):
        bare = _without_ends(distinct, longest)
        made = {name: cut(bare[name], longest) for name in distinct}
        _resolve(made, lambda alike: _distinguishing([bare[name] for name in alike], longest))
        _resolve(made, lambda alike: _numbered(alike, set(made.values()), longest))
    return [made[spelled_out(name)] for name in names]


def _clashes(made: dict[str, str]) -> list[list[str]]:
    """Groups of names that would be shown alike."""
    by_look: dict[str, list[str]] = {}
    for name, look in made.items():
        by_look.setdefault(look, []).append(name)
    return [alike for alike in by_look.values() if len(alike) > 1]


def _resolve(made: dict[str, str], looks: Callable[[list[str]], list[str]]) -> None:
    for alike in _clashes(made):
        made.update(zip(alike, looks(alike), strict=True))


def _without_ends(names: list[str], longest: int) -> dict[str, str]:
    """Names without the beginning and ending shared by the long ones, if they have these."""
    long = [name for name in names if len(name) > longest]
    begin = _shared(long, names)
    end = _shared([name[::-1] for name in long], [name[::-1] for name in names])[::-1]
    made = {}
    for name in names:
        if name.startswith(begin) and name.endswith(end) and len(name) > len(begin) + len(end):
            made[name] = "…" * bool(begin) + name[len(begin) : len(name) - len(end)] + "…" * bool(end)
        else:
            made[name] = name
    return made


def _shared(long: list[str], names: list[str]) -> str:
    """The common beginning of long names, in whole words, as far as all names with the same first word share it."""
    begin = _beginning(long)
    first = begin[: next((place + 1 for place, sign in enumerate(begin) if not sign.isalnum()), 0)]
    whole = _beginning([name for name in names if name.startswith(first)]) if first else ""
    return whole[: max((place + 1 for place, sign in enumerate(whole) if not sign.isalnum()), default=0)]


def _beginning(names: Sequence[str]) -> str:
    """The common beginning of names, which is that of the first and the last in sorted order."""
    first, last = min(names, default=""), max(names, default="")
    return first[: next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]


def _distinguishing(names: list[str], longest: int) -> list[str]:
    """Names with the same beginning and ending, showing these and the places where they differ."""
    before, after = KEPT_AROUND
    made = []
    for name in names:
        places = {len(_beginning([name, other])) for other in names if other != name}
        ends = (longest - len(places) * (before + after + 1) - 1) // 2
        keep = {at for place in places for at in range(place - before, place + after)}
        keep |= {*range(ends), *range(len(name) - ends, len(name))} if ends > 0 else set()
        shown = [sign if at in keep else "\0" for at, sign in enumerate(name)]
        made.append("…".join(filter(None, "".join(shown).split("\0"))))
    return [cut(name, longest) for name in made]


def _numbered(names: list[str], taken: set[str], longest: int) -> list[str]:
    """Names with numbers, if nothing else distinguishes them."""
    made = []
    for name in names:
        look = next(
            look for number in count(1) if (look := f"{cut(name, longest - len(f' {number}'))} {number}") not in taken
        )
        taken.add(look)
        made.append(look)
    return made

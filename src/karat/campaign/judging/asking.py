"""What assessors are asked, and whether a judgment answers it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import msgspec

from karat.align.ratings import SKIP, faults, is_asked
from karat.data.criteria import Criterion
from karat.errors import Problems

MOST_WORDS = 2000
"""The characters of a remark."""
WHOLE = re.compile("0|[1-9][0-9]{0,8}")


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """One question about a unit."""

    name: str
    text: str
    values: tuple[str, ...] = ()
    """The answers to choose from; none for words of one's own."""
    keys: tuple[str, ...] = ()
    """The key for each answer; none if they stand in a menu, where `group:answer` stands under its group."""
    ends: tuple[str, str] = ("", "")
    """What the lowest and the highest number mean."""
    hints: tuple[str, ...] = ()
    """Suggestions, where any words do."""
    asked_if: str = ""
    """The question that must have been answered with a number of `at_least`; empty if it is always asked."""
    at_least: int = 0
    required: bool = True
    long: bool = False
    """Whether words of one's own can have several lines."""
    most: int = MOST_WORDS
    """The characters of an answer in one's own words."""
    number: bool = False
    """Whether an answer in one's own words is a number."""
    start: str = ""
    """What the field of such an answer holds at first, as a suggestion."""
    within: str = ""
    """A text of which an answer in one's own words is a part."""
    key: str = ""
    """The key that leads to the field of such an answer."""
    by_page: bool = False
    """Whether the page fills it in where scripts run; elsewhere it is a field like others."""
    need: str = ""
    """What is expected where nothing was answered, if the answers to choose from do not say it."""
    help: str = ""


def digits(count: int) -> tuple[str, ...]:
    """The keys for so many answers."""
    return tuple(str(number) for number in range(1, count + 1))


def unasked(asks: Sequence[Ask], values: Mapping[str, str]) -> set[str]:
    """The questions that are not asked, given these answers to others."""
    scales = _scales(asks)
    numbers = {one.name: _number(values.get(one.name)) for one in scales}
    return {one.name for one in scales if not is_asked(one, numbers, scales)}


def check_values(asks: Sequence[Ask], values: Mapping[str, str], wrong: Iterable[tuple[str, str]] = ()) -> None:
    """Refuse a judgment that does not answer what is asked, with everything that is wrong with it.

    The conditions of scales are those by which files of ratings are read; `wrong` has what else was found, and what was
    expected.
    """
    problems, names = Problems(), [ask.name for ask in asks]
    report = partial(problems.add, "ballot", file="", line=None, column=None)
    for strange in (name for name in values if name not in names):
        report(f"{strange} {values[strange]!r}", what=f"answers to {', '.join(names)}")
    scales = _scales(asks)
    if scales and not any(one.name in values for one in scales):
        report(f"no {scales[0].name}", what=f"{scales[0].low} to {scales[0].high}")
    for fault in faults([_number(values.get(one.name)) for one in scales], scales):
        report(fault.found, what=fault.expected.removesuffix(f", or {SKIP}"))  # here, a skip is no value
    for ask in asks:
        given = values.get(ask.name)
        if any(one.name == ask.name for one in scales):
            continue
        if given is None:
            if ask.required:
                report(f"no {ask.name}", what=ask.need or " or ".join(ask.values) or "a few words")
        elif ask.values and given not in ask.values:
            report(f"{ask.name} {given!r}", what=" or ".join(ask.values))
        elif ask.number and not WHOLE.fullmatch(given):
            report(f"{ask.name} {given!r}", what="a number in digits, such as 3")
        elif len(given) > ask.most:
            report(f"{ask.name} of {len(given):,} characters", what=f"at most {ask.most:,} characters")
        elif ask.within and " ".join(given.split()) not in " ".join(ask.within.split()):
            report(f"{ask.name} {given!r}, which is not in the text", what="words of the text, copied exactly")
    for found, what in wrong:
        report(found, what=what)
    problems.raise_errors()


def _scales(asks: Sequence[Ask]) -> list[Criterion]:
    """The questions that are answered by numbers, as the library knows them."""
    return [
        Criterion(ask.name, int(ask.values[0]), int(ask.values[-1]), ask.asked_if or None, ask.at_least)
        for ask in asks
        if ask.values and ask.values[0].isdecimal()
    ]


def _number(given: str | None) -> float | str | None:
    """A number as people write it, a word that is none, or None if nothing was given."""
    return int(given) if given is not None and WHOLE.fullmatch(given) else given

"""What assessors are asked: one form for each kind of judging, and whether a judgment answers it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial

import msgspec

from karat.align.ratings import SKIP, faults, is_asked
from karat.campaign.events import Stage
from karat.data.criteria import COMPELLING, JUSTIFICATIONS, Criterion
from karat.errors import Problems
from karat.labels import THREE, TWO

MOST_WORDS = 2000
"""The characters of a remark."""
WHOLE = re.compile("0|[1-9][0-9]{0,8}")
REASONS = ("error", "difference")
KINDS = ("slip of attention", "guidelines misread", "granularity of places", "tense", "background knowledge")
"""Kinds of errors and differences that a page suggests; any other words do."""
QUESTIONS = {
    "understandable": "How easy is the justification to understand?",
    "compelling": "How compelling is it: correct and to the point?",
}
ENDS = {"understandable": ("not at all", "perfectly"), "compelling": ("not at all", "perfectly")}


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """One question about a unit."""

    name: str
    text: str
    values: tuple[str, ...] = ()
    """The answers to choose from; none for words of one's own."""
    keys: tuple[str, ...] = ()
    """The key for each answer."""
    ends: tuple[str, str] = ("", "")
    """What the lowest and the highest number mean."""
    hints: tuple[str, ...] = ()
    """Suggestions, where any words do."""
    asked_if: str = ""
    """The question that must have been answered with a number of `at_least`; empty if it is always asked."""
    at_least: int = 0
    required: bool = True


def form(stage: Stage, way: int = 3, wrong: bool = False) -> tuple[Ask, ...]:
    """The questions of a stage; `wrong` if the justification is for an answer that is not the key's."""
    if stage == "ratings":
        return tuple(_rated(one, 4 if wrong and one is COMPELLING else one.high) for one in JUSTIFICATIONS)
    labels = (THREE if way == 3 else TWO).labels
    label = Ask(name="label", text="Does the text entail the hypothesis?", values=labels, keys=_digits(len(labels)))
    if stage != "adjudication":
        return (label,)
    return (
        msgspec.structs.replace(label, text="Which label is right?"),
        Ask(name="reason", text="Why do the labels differ?", values=REASONS, keys=("e", "d")),
        Ask(name="kind", text="What kind of error or difference is it?", hints=KINDS, required=False),
        Ask(name="note", text="A note", required=False),
    )


def _rated(scale: Criterion, most: int) -> Ask:
    values = tuple(str(value) for value in scale.values if value <= most)
    return Ask(
        name=scale.name,
        text=QUESTIONS[scale.name],
        values=values,
        keys=_digits(len(values)),
        ends=ENDS[scale.name] if most == scale.high else (ENDS[scale.name][0], ""),
        asked_if=scale.asked_if or "",
        at_least=scale.at_least,
    )


def _digits(count: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, count + 1))


def unasked(asks: Sequence[Ask], values: Mapping[str, str]) -> set[str]:
    """The questions that are not asked, given these answers to others."""
    scales = _scales(asks)
    numbers = {one.name: _number(values.get(one.name)) for one in scales}
    return {one.name for one in scales if not is_asked(one, numbers, scales)}


def check_values(asks: Sequence[Ask], values: Mapping[str, str]) -> None:
    """Refuse a judgment that does not answer what is asked, with everything that is wrong with it.

    The conditions of scales are those by which files of ratings are read.
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
                report(f"no {ask.name}", what=" or ".join(ask.values))
        elif ask.values and given not in ask.values:
            report(f"{ask.name} {given!r}", what=" or ".join(ask.values))
        elif len(given) > MOST_WORDS:
            report(f"{ask.name} of {len(given):,} characters", what=f"at most {MOST_WORDS:,} characters")
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

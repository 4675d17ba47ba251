"""Questions on the judging page with what was answered, about a unit or about an entry of its list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from karat.campaign.judging.asking import Ask
from karat.data.verdicts import LETTERS, NAMES

ANSWER = "answer."
"""How the names of the fields begin that answer a question."""
WORDS = {letter: name.capitalize() for letter, name in zip(LETTERS, NAMES, strict=True)} | {
    "error": "An error",
    "difference": "A legitimate difference",
    "support": "says it",
    "partial_support": "part of it",
    "not_support": "not there",
    "contradicted": "the contrary",
    "full": "full support",
    "partial": "partial support",
    "none": "no support",
    "no_vital": "There is no vital nugget",
    "left": "The left one",
    "right": "The right one",
    "tie": "Both are equally good",
    "both bad": "Both are bad",
}
"""Answers that need more than their own words."""


@dataclass(frozen=True)
class Option:
    """An answer to choose."""

    value: str
    words: str
    key: str
    chosen: bool
    opens: bool
    """Whether it leads to the next question."""


@dataclass(frozen=True)
class Question:
    """A question with what was answered."""

    ask: Ask
    options: tuple[Option, ...]
    given: str

    @property
    def field(self) -> str:
        """The name of its field."""
        return ANSWER + self.ask.name

    @property
    def menu(self) -> dict[str, list[Option]]:
        """The answers by their group, if they stand in a menu."""
        found: dict[str, list[Option]] = {}
        for option in () if self.ask.keys else self.options:
            group, colon, _ = option.value.partition(":")
            found.setdefault(group if colon else "", []).append(option)
        return found

    def said(self, values: Mapping[str, str]) -> list[tuple[str, str]]:
        """The question and its answer in words, if these values have one."""
        given = values.get(self.ask.name, "")
        words = next((option.words for option in self.options if option.value == given), given)
        return [(self.ask.text, words)] * bool(given)

    @property
    def numbers(self) -> bool:
        """Whether it is answered by a number."""
        return bool(self.ask.values) and self.ask.values[0].isdecimal()

    @property
    def named_by_keys(self) -> tuple[Option, ...]:
        """The numbers that are their own keys."""
        return tuple(option for option in self.options if option.key == option.value)

    @property
    def otherwise(self) -> tuple[Option, ...]:
        """The numbers that have another key, as 10 has."""
        return tuple(option for option in self.options if option.key != option.value)


@dataclass(frozen=True)
class Entry:
    """One entry of a list, or the place for a new one."""

    name: str
    """Of its item; that of a new entry is made up for a plain form, and made again by the page's script."""
    unit: str
    questions: tuple[Question, ...]
    id: str
    """For the judgment that a plain form sends."""
    latest: str
    """The id of what was done last about it."""


def question(ask: Ask, values: Mapping[str, str], asks: Sequence[Ask]) -> Question:
    """A question with its answer; an answer can lead to another of the questions."""
    leads = [one.at_least for one in asks if one.asked_if == ask.name]
    options = tuple(
        Option(
            value=value,
            words=label_words(value if ask.keys else value.partition(":")[2] or value),
            key=key,
            chosen=values.get(ask.name) == value,
            opens=bool(leads) and value.isdecimal() and int(value) >= leads[0],
        )
        for value, key in zip(ask.values, ask.keys or ("",) * len(ask.values), strict=True)
    )
    return Question(ask, options, values.get(ask.name, "" if values else ask.start))


def label_words(label: str) -> str:
    """A label as people read it."""
    return WORDS.get(label) or (label.replace("_", " ").capitalize() if label.isupper() else label)

"""Fields of forms: what is asked, what was entered, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from karat.campaign.definition import check_name
from karat.errors import Problem, UsageError
from karat.server.accounts import SHORTEST_PASSWORD

LONGEST_TEXT = 200
NOTHING = "Nothing was entered."


@dataclass(frozen=True)
class Field:
    """One field of a form."""

    name: str
    label: str
    kind: str = "text"
    """The type of its input; also `textarea`, `select` and `checkbox`."""
    value: str = ""
    help: str = ""
    required: bool = True
    choices: Sequence[tuple[str, str]] = ()
    complete: str = "off"
    """What a browser may fill in."""
    wide: bool = False
    wrong: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Its id in the page."""
        return f"field-{self.name.replace('.', '-')}"

    @property
    def foreign(self) -> bool:
        """Whether its value is none of the choices, and has to be kept all the same."""
        return self.value != "" and self.value not in dict(self.choices)

    @property
    def checked(self) -> bool:
        """Whether a box is ticked."""
        return self.value in ("yes", "True", "true")


Rule = Callable[[str], None]


def filled(fields: Iterable[Field], given: Mapping[str, str]) -> list[Field]:
    """Fields with what was entered; passwords and files are asked for again."""
    kept = [one if one.kind in ("password", "file") else replace(one, value=given.get(one.name, "")) for one in fields]
    return [
        replace(one, wrong=(NOTHING,)) if one.required and _empty(one, given) and one.kind != "file" else one
        for one in kept
    ]


def _empty(one: Field, given: Mapping[str, str]) -> bool:
    return not given.get(one.name, "").strip()


def mark(fields: Iterable[Field], name: str, text: str) -> list[Field]:
    """Fields with a problem noted beside one of them."""
    return [replace(one, wrong=(*one.wrong, text)) if one.name == name else one for one in fields]


def wrong(fields: Iterable[Field]) -> list[Field]:
    """The fields that something is wrong with."""
    return [one for one in fields if one.wrong]


def check(fields: list[Field], given: Mapping[str, str], rules: Mapping[str, Rule]) -> list[Field]:
    """Fields marked with what the rules find; a field that is already wrong is not asked twice."""
    bad = {one.name for one in wrong(fields)}
    for name, rule in rules.items():
        if name not in bad:
            try:
                rule(given.get(name, ""))
            except UsageError as error:
                fields = mark(fields, name, sentence(str(error)))
    return fields


def need_password(password: str) -> None:
    """Refuse a password that is too short."""
    if len(password) < SHORTEST_PASSWORD:
        raise UsageError(f"a password has at least {SHORTEST_PASSWORD} characters; this one has {len(password)}")


def need_short(text: str) -> None:
    """Refuse a text that is no name or address of a person."""
    if len(text) > LONGEST_TEXT:
        raise UsageError(f"at most {LONGEST_TEXT} characters fit here; this has {len(text):,}")


def need_account_name(name: str) -> None:
    """Refuse a login name that cannot be one."""
    check_name(name, "account")


def sentence(text: str) -> str:
    """A message as a sentence of a page."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def in_words(problem: Problem) -> str:
    """A problem without its place, for where its place is shown."""
    if problem.code == "campaign-missing":
        return NOTHING
    todo = "" if problem.fix == "correct it" else f"; {problem.fix}"
    return f"{sentence(problem.found)} Expected {problem.expected}{todo}."

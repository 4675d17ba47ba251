"""One kind of judging: what can be given out, what assessors see of an item, and what they are asked about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from karat.campaign.definition import Task
from karat.campaign.events import Item, Stage
from karat.campaign.judging.asking import Ask
from karat.campaign.judging.files import table
from karat.campaign.judging.library import Material
from karat.campaign.judging.work import Work
from karat.campaign.state import Campaign
from karat.data.provenance import Level

Asks = Callable[[Material, Item, str], Sequence[Ask]]
"""What is asked about an item, or about an entry of its list: of which assessor can matter, for own lists."""


Hindrance = Callable[[Campaign, Task, datetime], str]
"""Why something cannot be given out yet; empty if it can."""


class Export(msgspec.Struct, frozen=True):
    """A file of judgments, as the laboratory reads it."""

    name: str
    """By which it is asked for."""
    file: str
    about: str
    """What it is, and who reads it."""
    make: Callable[[Material, bool], bytes]
    """From the material; with the judgments of programs, or those of people alone."""
    with_programs: bool = False
    """Whether programs make a difference."""
    lacks: Callable[[Material], str] = lambda _: ""
    """What is not in it yet, in words; empty if nothing is missing."""


Vote = tuple[str, str, str]
"""What was judged, by whom, and what they said."""


class Votes(msgspec.Struct, frozen=True, kw_only=True):
    """What several people said about the same things, so that it can be seen how far they agree."""

    name: str
    """Of its file."""
    title: str
    of: Callable[[Material, bool], bytes]
    """The file, as `karat agree` reads it; with the judgments of programs, or those of people alone."""
    level: Level | None = None
    order: tuple[str, ...] = ()
    """The labels of an ordinal scale, from low to high."""

    @property
    def command(self) -> str:
        """What prints the same."""
        words = [f"--level {self.level}"] * bool(self.level) + [f"--order {label}" for label in self.order]
        return " ".join(["karat agree", *words])

    @property
    def export(self) -> Export:
        """Its file."""
        about = f"{self.title}, one row for each assessor, as `{self.command}` reads them"
        return Export(self.name, f"{self.name}.tsv", about, self.of, with_programs=True)


def votes(
    name: str, title: str, rows: Callable[[Material, bool], Iterable[Vote]], level: Level | None = None, *order: str
) -> Votes:
    """Votes from their rows."""
    columns = ("unit", "assessor", "label")
    return Votes(
        name=f"agreement-{name}",
        title=title,
        of=lambda material, programs: table(columns, sorted(rows(material, programs))),
        level=level,
        order=order,
    )


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of judging. A page, the programs' interface, the rules and the files all follow from it."""

    stage: Stage
    title: str
    """What its page is called."""
    about: str = ""
    """What somebody should know before they answer, where the title does not say it."""
    verb: str = "judged"
    skip: str = ""
    """What it is to skip an item; empty if that cannot be done."""
    each: int | None = None
    """How many assessors judge a unit unless somebody says so; None for as many as the campaign says."""
    by_people: bool = False
    """Whether people see what was said, or are bound by it, so that programs cannot take part."""
    units: Callable[[Material], Sequence[str]]
    """What can be given out."""
    named: bool = False
    """Whether organisers name the units themselves: series of questions that nobody has written yet are in no file."""
    runs: Callable[[Material, str], tuple[str, ...]] | None = None
    """The runs that are judged one by one for a unit; None if it is judged for all of them together."""
    judged_as: Callable[[Material, str], Mapping[str, str]] | None = None
    """The run that is judged for each run, where those with the same response are judged once."""
    show: Callable[[Material, Item, str], dict[str, Any]]
    """What an assessor sees of an item: nothing that tells whose it is, or what others said."""
    shows: str = "pair"
    """The template that shows it."""
    ask: Asks
    entry: Asks | None = None
    """What is asked about each entry, if the item asks for a list; None if it does not."""
    start: Callable[[Material, Item, str], Mapping[str, dict[str, str]]] | None = None
    """The entries that a list begins with, by name; each is there until the assessor changes it or takes it out."""
    listed: str = ""
    """What the list is called."""
    before_list: bool = False
    """Whether what is asked about the whole comes before the list."""
    saving: str = "Save"
    """What it is called to judge an item; of one with a list, that the list is finished."""
    hindrance: Hindrance = lambda *_: ""
    """Why it cannot be given out yet; empty if it can."""
    files: tuple[Export, ...] = ()
    """What can be taken away."""
    votes: tuple[Votes, ...] = ()
    """What shows how far people agree; nothing where everybody has something of their own to judge."""
    final: Callable[[Work], str] = lambda _: ""
    """Why its round cannot be opened again once it is closed; empty if it can."""
    whose: Callable[[Material, str], Sequence[str]] | None = None
    """Those who can judge a unit, if not everybody can, such as those who have a list of their own; none: anybody."""
    keys: tuple[tuple[str, str], ...] = ()
    """The keys of its own script and what they do; none that every page has."""
    complete: Callable[[Material, Item, Mapping[str, str]], dict[str, str]] = lambda _, __, values: dict(values)
    """Answers with what follows from them, such as a text that is composed from others, unless it was given."""
    check: Callable[[Work, Item, str, Mapping[str, str]], Iterable[tuple[str, str]]] = lambda *_: ()
    """What is wrong with answers that are possible one by one, and what was expected; as far as the record tells."""
    against: Callable[[Material, Item, str, Mapping[str, str]], Iterable[tuple[str, str]]] = lambda *_: ()
    """The same as far as the files tell, such as that evidence is in the response."""
    suggest: Callable[[Material, Item, str], str] = lambda *_: ""
    """What is suggested to an assessor, and where that comes from; empty if nothing is."""

    def asked(self, material: Material, item: Item, who: str) -> Sequence[Ask]:
        """What is asked about an item or an entry of its list."""
        ask = self.entry if item.entry and self.entry is not None else self.ask
        return ask(material, item, who)

    def entries(self, material: Material, item: Item, who: str) -> dict[str, dict[str, str]]:
        """The list of somebody as it is now: what it began with and they left as it was, and what they wrote."""
        if self.entry is None:
            return {}
        start = {} if self.start is None else self.start(material, item, who)
        mine, own = material.work.of(who), material.work.entries(who, item)
        begun = {
            name: own[name].said.values if name in own else values
            for name, values in start.items()
            if name in own or replace(item, entry=name) not in mine
        }
        return begun | {name: one.said.values for name, one in own.items() if name not in begun}

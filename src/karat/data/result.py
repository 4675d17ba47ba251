"""What studies return: results with a signature, sheets, charts and findings.

Renderers use only what is here, and JSON is the result itself; no study knows an output format.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from karat.data.charts import Chart
from karat.data.fields import Cell as Cell
from karat.data.fields import Missing, Undefined
from karat.data.provenance import Source
from karat.data.records import Records
from karat.data.sheets import TITLED as TITLED
from karat.data.sheets import Bounded as Bounded
from karat.data.sheets import Column as Column
from karat.data.sheets import Ends as Ends
from karat.data.sheets import Estimate as Estimate
from karat.data.sheets import Field as Field
from karat.data.sheets import IntervalCell as IntervalCell
from karat.data.sheets import Note as Note
from karat.data.sheets import RunName as RunName
from karat.data.sheets import Sheet as Sheet
from karat.data.sheets import ends as ends
from karat.data.sheets import run_of as run_of
from karat.errors import Problem, UsageError, spelled_out

if TYPE_CHECKING:
    from karat.data.composite import Board, Chapter, Opening, Portrait
    from karat.data.explored import Explored


HEADLINE = 2
"""The weight of a finding that should be seen first."""


NAME_BEGINS, NAME_ENDS = "\ue000", "\ue001"
"""Around the name of a run while a sentence is made: characters that mean nothing and are in no file."""


def marked(run: str) -> str:
    """The name of a run in a sentence that is being made; a page sets it apart, since a name may be a word."""
    return f"{NAME_BEGINS}{run}{NAME_ENDS}"


def all_marked(runs: Iterable[str]) -> list[str]:
    """Several of them."""
    return [marked(run) for run in runs]


class Finding(str):
    """A sentence for the reader: a string with the runs it is about and its weight."""

    parts: tuple[str, ...]
    """The sentence in parts, of which every second is the name of a run."""
    runs: tuple[str, ...]
    weight: int
    flag: str
    """A leaderboard shows these few words beside each of the runs, …"""
    way: str
    """… in this way of scoring only, if it is not empty."""
    leads: bool
    """It says who scores highest, as the first screen of a report does."""

    def __new__(
        cls,
        text: str,
        runs: Iterable[str] = (),
        weight: int = 1,
        flag: str = "",
        way: str = "",
        leads: bool = False,
    ) -> Finding:
        """`runs` are those that the sentence names or only counts (`and 3 more`); `marked` marks the names in it."""
        parts = getattr(text, "parts", None) or tuple(re.split(f"[{NAME_BEGINS}{NAME_ENDS}]", text))
        made = super().__new__(cls, "".join(parts))
        made.parts = parts
        made.runs = tuple(dict.fromkeys(run for run in map(run_of, runs) if run is not None))
        made.weight = weight
        made.flag, made.way, made.leads = flag, way, leads
        return made


Findings = tuple[Callable[[Any], Iterable[Finding]], ...]
"""Functions of a result that yield findings."""


def headline(text: str, runs: Iterable[str] = (), flag: str = "", way: str = "", leads: bool = False) -> Finding:
    """A finding for the top of a report."""
    return Finding(text, runs, HEADLINE, flag, way, leads)


@dataclass(frozen=True)
class Checked:
    """Something that passes or fails, for a build server."""

    name: str
    outcome: Literal["passed", "failed", "skipped"]
    text: str
    """What was found; the first line says it in short."""


@dataclass(frozen=True)
class Signature:
    """All that a number depends on, never threads or time."""

    version: str
    study: str
    files: tuple[Source, ...]
    measures: tuple[str, ...]
    way: str | None
    ties: str | None
    missing: str | None
    seed: int | None
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def short(self) -> str:
        """A short identifier of the result, shown beside tables and figures."""
        return f"{self.study} {hashlib.sha256(repr(self).encode('utf-8', 'backslashreplace')).hexdigest()[:8]}"

    def told(self, verbose: bool) -> str:
        """For people: all of it, or its hash and how to see the rest."""
        return str(self) if verbose else f"signature: {self.short} (--verbose shows it in full)"

    def __str__(self) -> str:
        """One line of what was set; JSON has everything."""
        parts = [f"karat {self.version}", self.study]
        named = {"way": self.way, "ties": self.ties, "missing": self.missing, "seed": self.seed, **self.parameters}
        parts += [f"{name}:{_plain(value)}" for name, value in named.items() if _said(value)]
        parts += [f"{source.name}:{source.sha256[:12]}" for source in self.files]
        return spelled_out(" | ".join(parts))


UNSIGNED = Signature("", "", (), (), None, None, None, None)


def _said(value: Any) -> bool:
    return bool(value) or (value == 0 and value is not False)


def _plain(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


@dataclass(frozen=True, kw_only=True)
class Result:
    """What every study returns."""

    study: str = ""
    signature: Signature = UNSIGNED
    """Both are set by the decorator of studies."""
    undefined: tuple[Undefined, ...] = ()
    warnings: tuple[Problem, ...] = ()
    RECORDS: ClassVar[Records | None] = None
    """What `records` returns."""

    @property
    def heading(self) -> str:
        """The heading of a page."""
        return f"karat {self.study}"

    def make_sheets(self) -> list[Sheet]:
        """The result as tables; a study implements this."""
        raise NotImplementedError

    @cached_property
    def _made_sheets(self) -> list[Sheet]:
        return self.make_sheets()

    def sheets(self) -> list[Sheet]:
        """The result as tables, which are made only once."""
        return list(self._made_sheets)

    def in_full(self) -> Self:
        """The same result, whose tables have all their rows."""
        made = copy(self)
        vars(made)["_made_sheets"] = [sheet.in_full() for sheet in self.sheets()]
        return made

    def sheet(
        self,
        title: str,
        rows: Sequence[Any],
        *columns: str | Field | Column,
        notes: Sequence[str] = (),
        sorted_by: str = "",
    ) -> Sheet:
        """One of the tables: one row per dataclass, with columns as their fields describe them."""
        return Sheet.of(title, rows, *columns, result=self, notes=notes, sorted_by=sorted_by)

    @property
    def first_sheets(self) -> int:
        """The number of tables that a page shows before the charts."""
        return 1

    def every_sheet(self) -> list[Sheet]:
        """All tables that can be selected by number."""
        return self.sheets()

    def sheet_named(self, wanted: str) -> Sheet:
        """One of the tables, by its number from 1 or by the beginning of its title, in any case."""
        sheets = self.every_sheet()
        numbered = {str(number): sheet for number, sheet in enumerate(sheets, 1)}
        begun = [sheet for sheet in sheets if sheet.title.casefold().startswith(wanted.casefold())]
        found = [numbered[wanted]] if wanted in numbered else begun
        if len(found) != 1:
            listed = "; ".join(f"{number}: {sheet.title}" for number, sheet in numbered.items())
            named = f"{len(found)} tables" if found else "no table"
            raise UsageError(f"{wanted!r} names {named} of this result, which has {listed}")
        return found[0]

    def records(self) -> Sheet:
        """The data for spreadsheets and data frames, as RECORDS declares them, or else the first table."""
        return self.RECORDS.of(self, self.study) if self.RECORDS else self.sheets()[0]

    def explored(self) -> Explored | None:
        """The pairs with every answer, from which a page lists errors."""
        return None

    def board(self) -> Board | None:
        """The runs as a leaderboard, in a result that ranks them."""
        return None

    def first_screen(self) -> Opening | None:
        """The first screen of a page, in a result that consists of others."""
        return None

    def beside(self) -> list[Finding]:
        """The findings that neither the first screen nor a chapter says."""
        opening = self.first_screen()
        said = {text for view in (opening.views if opening else ()) for text in (view.verdict, view.resolution)}
        said |= {one for chapter in self.chapters() for one in chapter.result.findings()}
        return [one for one in self.findings() if one not in said]

    def chapters(self) -> list[Chapter]:
        """The parts of a result that consists of others."""
        return []

    def portraits(self) -> list[Portrait]:
        """The pages of single runs, in a result that consists of others."""
        return []

    def about(self, run: str) -> list[Sheet]:
        """The tables about one run."""
        return [about for sheet in self.sheets() if (about := sheet.about(run))]

    def lines(self) -> list[str]:
        """Output that is printed line by line instead of in tables."""
        return []

    def reasons_shown(self, sheets: Sequence[Sheet] | None = None) -> list[str]:
        """The reasons of undefined cells in the sheets, or in some of them."""
        columns = [column for sheet in (self.sheets() if sheets is None else sheets) for column in sheet.columns]
        told = [value.why for column in columns for value in column.values if isinstance(value, Missing)]
        return list(dict.fromkeys(why for why in told if why))

    def findings(self) -> list[Finding]:
        """The findings, in sentences."""
        return []

    def headlines(self) -> list[Finding]:
        """The findings for the top of a report."""
        return [one for one in self.findings() if one.weight >= HEADLINE]

    def charts(self) -> list[Chart]:
        """The charts."""
        return []

    def checks(self) -> list[Checked]:
        """What passes and what fails, in a result that does either."""
        return []

    def citations(self) -> list[str]:
        """The sources of the numbers (`Cohen 1960`)."""
        return []

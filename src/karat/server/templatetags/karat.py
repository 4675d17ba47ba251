"""Filters and tags of the templates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from karat.campaign.dates import exact, plain
from karat.campaign.definition import Task
from karat.campaign.events import SCORED, ReportReceived, promise
from karat.campaign.judging.kinds import KINDS
from karat.campaign.judging.progress import Progress
from karat.campaign.sight import state_seen
from karat.campaign.state import Campaign, KeyVersion, Run
from karat.errors import Problem
from karat.server.making import NotYet, patient
from karat.server.pages import results
from karat.server.pages.questions import label_words
from karat.server.pages.screens import Duty, duties, progress_words

register = template.Library()
PHASES = {
    "preparing": "in preparation",
    "registering": "teams can join",
    "data": "test data are out",
    "open": "open for submissions",
    "grace": "closed; late runs are still accepted",
    "closed": "closed",
}
BULLET = re.compile(r"(?m)^[ \t]*[-*][ \t]+")
LOWEST = 4
"""The lowest level of a heading in a text of the organisers; the first level is the page's own."""


@register.filter
def precisely(moment: datetime) -> str:
    """A moment to the microsecond, for receipts and machines."""
    return exact(moment)


@register.filter
def plainly(moment: datetime) -> SafeString:
    """A moment to the second in universal time; a script adds the reader's own time."""
    return format_html('<time datetime="{}">{}</time>', exact(moment), plain(moment))


@register.filter
def phase_words(phase: str) -> str:
    """What a phase means."""
    return PHASES[phase]


@register.filter
def alike(problems: Iterable[Problem]) -> list[tuple[Problem, list[str]]]:
    """Problems, and with the first of those without a line that differ only in what was found, what the others found.

    A run that was cut off lacks hundreds of pairs; one row says all of that.
    """
    rows: list[tuple[Problem, list[str]]] = []
    first: dict[Problem, list[str]] = {}
    for one in problems:
        kind = replace(one, found="")
        if one.line is None and kind in first:
            first[kind].append(one.found)
            continue
        rows.append((one, first.setdefault(kind, []) if one.line is None else []))
    return rows


@register.filter
def is_primary(run: Run, state: Campaign) -> bool:
    """Whether a run is the official one of its team."""
    return state.primary(run.received.team, run.received.sent.task) == run.received.number


@register.simple_tag(takes_context=True)
def state_of(context: template.Context, run: Run) -> str:
    """How far a run is, as the visitor is told."""
    return state_seen(context["visit"].state, context["visit"].sight, run)


@register.filter
def plural(count: int, noun: str) -> str:
    """A count with its noun."""
    many = f"{noun[:-1]}ies" if noun.endswith("ry") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else many}"


@register.simple_tag
def score(run: Run, way: str, measure: str) -> str:
    """A score of a run by the newest key as a table shows it; a dash where there is none."""
    value = run.scores.get(way, {}).get(measure)
    if value is None:
        return "–"
    from karat.data.fields import written  # here: it loads numpy, and the server answers before that

    return written(100 * value, 1) if measure == "accuracy" else written(value, 3)


@register.filter
def measure_name(measure: str) -> str:
    """A stored measure as a heading."""
    named = {"accuracy": "Accuracy %", "list_f": "List F", "nugget_f": "Nugget F", "series": "Series score"}
    return named.get(measure, measure.replace("_", " ").capitalize())


@register.filter
def way_name(way: str) -> str:
    """How labels or answers were scored."""
    return (SCORED | {"2c": "contradiction or not"}).get(way, way)


@register.filter
def on_page(fix: str) -> str:
    """What to do about a problem, without the options of the command line, which a page does not have."""
    said = re.sub(r"`([^`]+)`", r"“\1”", re.sub(r" \([^()]*--[^()]*\)", "", fix))
    kept = [part for part in re.split(r"(?:, or |; (?:or )?|, )", said) if "--" not in part]
    return said if "--" not in said else kept[0] if kept else "correct the file"


@register.filter
def prose(text: str) -> SafeString:
    """Markdown as readable text: headings, lists, paragraphs, emphasis; everything else stays as it was written."""
    return mark_safe("\n".join(_blocks(text)))  # every line has been escaped


def _blocks(text: str) -> Iterator[str]:
    for blank, block in groupby(text.strip().splitlines(), lambda line: not line.strip()):
        if blank:
            continue
        lines = list(block)
        if heading := re.match(r"(#{1,6})\s+(.*)", lines[0]):
            level = min(len(heading[1]) + 1, LOWEST)
            yield f"<h{level}>{_inline(heading[2])}</h{level}>"
            lines = lines[1:]
        # A list begins with a bullet, so that nothing stands before its first item: people sign what is shown.
        if lines and BULLET.match(lines[0]) and all(BULLET.match(line) or line.startswith("  ") for line in lines):
            items = BULLET.split("\n".join(lines))[1:]
            yield "<ul>" + "".join(f"<li>{_inline(item)}</li>" for item in items) + "</ul>"
        elif lines:
            yield f"<p>{_inline(chr(10).join(lines))}</p>"


def _inline(text: str) -> str:
    strong = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(text.strip()))
    return re.sub(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])", r"<em>\1</em>", strong)


@register.simple_tag(takes_context=True)
def entry(context: dict[str, Any], address: str, label: str, **rest: str) -> SafeString:
    """An entry of the menu, marked if it is the page that is shown."""
    match = getattr(context["request"], "resolver_match", None)
    here = match is not None and match.url_name == address
    current = mark_safe(' aria-current="page"' if here else "")
    return format_html('<li><a href="{}"{}>{}</a></li>', reverse(address, kwargs=rest), current, label)


@register.simple_tag(takes_context=True)
def entry_of_task(context: dict[str, Any], task: Task, page: str = "submit") -> SafeString:
    """The entry of the menu for submitting to a task, or for judging it."""
    match, name = context["request"].resolver_match, context["visit"].name
    here = match is not None and match.url_name == page and match.kwargs["task"] == task.name
    current = mark_safe(' aria-current="page"' if here else "")
    address = reverse(page, kwargs={"name": name, "task": task.name})
    label = f"{page.capitalize()}: {task.title or task.name}"
    return format_html('<li><a href="{}"{}>{}</a></li>', address, current, label)


@register.filter
def progress_in_words(one: Progress) -> str:
    """How far somebody is with judging."""
    return progress_words(one)


@register.filter
def label_in_words(label: str) -> str:
    """A label as people read it."""
    return label_words(label)


@register.filter
def with_code(text: str) -> SafeString:
    """A sentence whose words between backquotes are commands."""
    parts = [format_html("<code>{}</code>", one) if odd % 2 else escape(one) for odd, one in enumerate(text.split("`"))]
    return SafeString("".join(parts))


@register.filter
def waiting_units(duties: Iterable[Duty]) -> int:
    """How many units wait to be judged."""
    return sum(duty.waiting for duty in duties)


@register.simple_tag
def duties_of(visit: Any) -> list[Duty]:
    """What was given to whoever looks at a page to judge."""
    return [] if visit.member is None else duties(visit.state, visit.member.account)


@register.simple_tag(takes_context=True)
def entry_of_judging(context: dict[str, Any], task: Task) -> SafeString:
    """The entry of the menu for the judging of a task; empty if nothing of it is judged."""
    return entry_of_task(context, task, "judging") if task.kind in KINDS else SafeString("")


@register.filter
def recipe(key: KeyVersion, state: Campaign) -> str:
    """A line for a shell that computes a commitment again; no name of a task contains a quotation mark."""
    return f"printf '%s' '{promise(state.nonce, key.tests).decode()}' | sha256sum"


@register.simple_tag
def reports(state: Campaign) -> list[ReportReceived]:
    """The system reports of all teams."""
    return [team.report for _, team in sorted(state.teams.items()) if team.report is not None]


@register.inclusion_tag("karat/methods.html", takes_context=True)
def methods(context: dict[str, Any]) -> dict[str, Any]:
    """The methods of the overview paper and their references, for whoever sees all scores and the key.

    No page waits for the reports that they take their numbers from.
    """
    from karat.server.releasing import methods_of  # here: it loads scipy, and the server answers before that

    visit = context["visit"]
    if not (visit.sight.scores and visit.sight.key):
        return {}
    try:
        with patient(results.PATIENCE):
            text, references = methods_of(visit.state, visit.sight)
    except NotYet:
        return {"later": True}
    return {"text": text, "references": references}


@register.filter
def paragraphs(text: str) -> list[tuple[str, bool]]:
    """The paragraphs of a letter, and whether each is a table, whose columns must stay below each other."""
    return [(part, re.search(r"\S  +\S", part) is not None) for part in text.strip().split("\n\n")]


@register.simple_tag
def sent_at(written: Any, team: str) -> datetime | None:
    """When a letter was sent to a team before; None if it was not."""
    found: datetime | None = written.before.get(team)
    return found


@register.filter
def pairs(given: dict[str, Any]) -> list[tuple[str, Any]]:
    """The items of a dictionary whose keys people choose: one called `items` would stand in the way of its items."""
    return list(given.items())

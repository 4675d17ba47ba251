"""What the organisers' page of judging says: numbers as words and cells of tables."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from django.utils.safestring import mark_safe

from karat.campaign.definition import Task
from karat.campaign.events import Item
from karat.campaign.judging.kinds import kinds_of
from karat.campaign.judging.work import Ballot
from karat.campaign.remembered import Remembered
from karat.campaign.state import Campaign
from karat.errors import spelled_out
from karat.server.pages.questions import WORDS
from karat.server.store import material

if TYPE_CHECKING:
    from karat.campaign.judging.quality import Assessor, Quality, Share
    from karat.data.result import Result
    from karat.server.watching import Watched
    from karat.studies.keys.result import ScoredKey

MOST_SPLITS = 50
"""The units that are shown on which the best assessors differ."""
STANDINGS = {
    "open": "waiting for judgments",
    "agreed": "finished: people said the same",
    "disputed": "waiting for an adjudicator",
    "undecided": "too many skipped them",
    "adjudicated": "decided by an adjudicator",
}


def percent(share: float | None) -> str:
    """A share in per cent; empty if there is none."""
    return "" if share is None else f"{share:.1%}"


def shared(one: Share) -> str:
    """A share with its interval and its size, for a cell."""
    if not one.of:
        return "–"
    small = " (few)" if one.small else ""
    return f"{percent(one.value)} [{percent(one.low)}, {percent(one.high)}] of {one.of:,}{small}"


def progress(state: Campaign, task: Task, told: dict[str, Any], quality: Quality | None) -> list[dict[str, Any]]:
    """A row for each assessor."""
    work, rows = state.work_of(task.name), []
    found = {} if quality is None else {one.name: one for one in quality.assessors}
    for one in told["assessors"]:
        name = one["assessor"]
        mine, about = work.of(name), found.get(name)
        rows.append(
            one
            | {
                "left": one["units"] - one["judged"],
                "last": _last.of((state.definition.name, task.name, name), (mine,), partial(_last_of, mine)),
                "pace": "" if about is None else _pace(about),
                "repeats": "" if about is None else shared(about.repeats),
                "examples": "" if about is None else shared(about.examples),
                "others": "" if about is None else shared(about.others),
                "adjudicates": name in work.adjudicators,
            }
        )
    return rows


def _last_of(mine: Mapping[Item, Ballot]) -> datetime | None:
    """When somebody judged last."""
    return max((ballot.at for ballot in mine.values()), default=None)


_last: Remembered[datetime | None] = Remembered()


def _pace(one: Assessor) -> str:
    if one.seconds is None:
        return "–"
    return f"{one.seconds:.1f} s over {one.timed:,}"


def standing(told: dict[str, Any]) -> list[tuple[str, str, int]]:
    """How many units stand where."""
    return [(name, STANDINGS[name], count) for name, count in told["units"].items()]


def of_agreement(seen: Watched | None) -> list[dict[str, Any]]:
    """What the laboratory says about agreement on each kind of judging: sentences if there is enough, and tables."""
    if seen is None:
        return []
    from karat.campaign.judging.quality import FEWEST

    told = []
    for one in seen.agreement:
        about = {"title": one.votes.title, "command": one.votes.command, "file": one.votes.name, "unsaid": one.unsaid}
        if one.found is not None:
            small = one.found.paired < FEWEST
            about |= {"paired": one.found.paired, "fewest": FEWEST, "small": small} | _tables(one.found, small)
        told.append(about)
    if seen.ratings is not None or seen.unsaid:
        about = {"title": "Ratings", "command": "karat justify", "file": "ratings", "unsaid": seen.unsaid}
        told.append(about if seen.ratings is None else about | _tables(seen.ratings, False))
    return told


def _tables(result: Result, small: bool) -> dict[str, Any]:
    """The tables of a result, the main ones first, and its sentences unless they would say too much."""
    from karat.render.html import table

    sheets = [mark_safe(table(sheet, 4)) for sheet in result.sheets()]  # the renderer has escaped every cell
    pairs = [place for place, sheet in enumerate(result.sheets()) if sheet.title == "Pairs of assessors"][:1]
    first = [0, *pairs]
    return {
        "findings": [] if small else [str(one) for one in result.findings()],
        "tables": [sheets[place] for place in first],
        "more": [sheet for place, sheet in enumerate(sheets) if place not in first],
        "signature": result.signature.short,
    }


def of_quality(state: Campaign, task: Task, seen: Watched | None) -> dict[str, Any] | None:
    """Who is out of the ordinary, who drifts, and on what the best differ."""
    if seen is None:
        return None
    from karat.campaign.judging import quality as rules

    found = seen.quality
    told = []
    for one in found.splits[:MOST_SPLITS]:
        shown = kinds_of(task)["labels"].show(material(state, task), Item("labels", one.unit), "")
        labels = [(who, WORDS.get(label, label), who in found.best) for who, label in sorted(one.labels.items())]
        texts = shown.get("text", shown.get("question", "")), shown.get("hypothesis", shown.get("answer", ""))
        told.append(
            {"unit": one.unit, "text": texts[0], "hypothesis": texts[1], "labels": labels, "said": one.comments}
        )
    return {
        "named": [_named(one) for one in found.named],
        "timed": sum(one.ratio is not None for one in found.assessors),
        "drifting": [_drift(one) for one in found.drifting],
        "tested": found.tested,
        "days": [
            (one.name, [(day.day, shared(day.agreement)) for day in one.days])
            for one in found.assessors
            if len(one.days) > 1
        ],
        "best": found.best,
        "splits": told,
        "split": len(found.splits),
        "rules": {
            "fewest": rules.FEWEST,
            "factor": f"{rules.FACTOR:g}",
            "level": f"{rules.LEVEL:.0%}",
            "day": rules.FEWEST_OF_A_DAY,
        },
    }


def _named(one: Assessor) -> str:
    assert one.ratio is not None
    how = f"{1 / one.ratio:.1f} times as fast as" if one.speed == "fast" else f"{one.ratio:.1f} times as slow as"
    return (
        f"{one.name} is {how} the others: {one.seconds:.1f} seconds at the median of {one.timed:,} judgments "
        f"(95% CI {one.low:.1f} to {one.high:.1f})"
    )


def _drift(one: Assessor) -> str:
    assert one.slope is not None
    assert one.p is not None
    way = "falls" if one.slope < 0 else "rises"
    return f"{one.name}: agreement with the others {way} by {abs(one.slope):.1%} a day (p = {one.p:.3f})"


def of_rankings(found: list[tuple[str, ScoredKey]] | None) -> list[dict[str, Any]]:
    """A row for each key: how many labels differ, and what becomes of the ranking."""
    from karat.campaign.judging.quality import FEWEST
    from karat.server.watching import OFFICIAL

    return [
        {
            "name": name,
            "units": f"{one.units:,}{' (few)' * (one.units < FEWEST)}",
            "changed": one.changed,
            "tau": "–" if one.tau != one.tau or name == OFFICIAL else _signed(one.tau),
            "interval": ""
            if one.tau_interval[0] != one.tau_interval[0] or name == OFFICIAL
            else _ends(one.tau_interval),
            "swaps": len(one.swaps),
            "first": spelled_out(_first(one)),
        }
        for name, one in found or ()
    ]


def _first(one: ScoredKey) -> str:
    """The runs that are first under a key, all of them if they are equal."""
    best = max(one.scores.values(), default=None)
    return ", ".join(run for run in one.ranking if one.scores[run] == best)


def _signed(number: float) -> str:
    return f"{number:.3f}".replace("-", "−")


def _ends(ends: tuple[float, float]) -> str:
    if ends[0] != ends[0]:
        return ""
    return f"[{_signed(ends[0])}, {_signed(ends[1])}]"

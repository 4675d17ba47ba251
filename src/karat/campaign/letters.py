"""Letters to teams: on their own results, on a new key, on the public release. Each is about its own team alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, get_args

from karat.campaign.dates import plain
from karat.campaign.events import SCORED, Scores
from karat.campaign.sight import Sight, sight
from karat.campaign.state import SCORED_BY, Campaign, Run
from karat.errors import UsageError

About = Literal["results", "key", "public"]
ABOUT: dict[About, str] = {
    "results": "Each team's own results",
    "key": "The new key or new judgments, with old and new scores",
    "public": "The public release",
}
"""The letters that there are, in words."""
UNDEFINED, UNJUDGED = "–", "not judged"


class Letter(NamedTuple):
    """A message to one team."""

    team: str
    to: tuple[str, ...]
    """The addresses of its members; none if it cannot be mailed."""
    subject: str
    text: str


def subject(state: Campaign, about: About) -> str:
    """What stands above a letter; a letter on results with another key is another letter."""
    name, version = state.definition.name, len(state.keys)
    key = "answers have been judged" if newly_judged(state) else "new key, your scores have been computed again"
    said = {
        "results": f"your results (key version {version})",
        "key": f"{key} (key version {version})",
        "public": "all results are public",
    }
    return f"[{name}] {said[about]}"


def check_letters(state: Campaign, about: About, now: datetime) -> None:
    """Refuse letters about what teams do not see."""
    if about not in get_args(About):
        raise UsageError.unknown("letter", about, get_args(About))
    seeing, name = sight(state, "team", now), state.definition.name
    release = f"release them first: karat campaign release {name}"
    if about == "public" and not (seeing.scores and seeing.all_runs):
        raise UsageError(f"results are not public yet; {release} public --apply")
    if not (seeing.own_scores or seeing.scores):
        raise UsageError(f"teams cannot see their scores yet; {release} teams --apply")
    if about == "key" and len(state.keys) == 1:
        raise UsageError("there has been no new key and no new judgment: all scores are those of key version 1")


def newly_judged(state: Campaign) -> list[str]:
    """The tasks whose answers the newest version of the key has judged, if it changes nothing else."""
    former, newest = state.keys[max(len(state.keys) - 2, 0)], state.keys[-1]
    return newest.judged_since(former) if newest.tests == former.tests else []


def letters(
    state: Campaign, about: About, now: datetime, address: str, before: Campaign | None = None
) -> Iterator[Letter]:
    """The letters to all teams whom they concern; `before` is the state before the newest key."""
    check_letters(state, about, now)
    write = {"results": _results, "key": _key, "public": _public}[about]
    tasks = set(newly_judged(state) if about == "key" else ()) or {task.name for task in state.definition.tasks}
    for team in state.teams:
        if about == "public" or any(run.received.sent.task in tasks for run in state.active(team)):
            signed = any(state.has_signed(one) for one in state.members.values() if one.team == team)
            seeing = sight(state, "team", now, team, signed)
            place = f"{address.rstrip('/')}/c/{state.definition.name}/"
            body = [f"Dear team {team},", *write(state, team, seeing, place, before or state)]
            body += _next(state, seeing, about)
            yield Letter(team, addresses(state, team), subject(state, about), "\n\n".join(body) + "\n")


def addresses(state: Campaign, team: str) -> tuple[str, ...]:
    """Where the members of a team can be reached, each address once."""
    given = [one.contact.strip() for one in state.members.values() if one.team == team and one.role == "team"]
    return tuple(dict.fromkeys(one for one in given if one))


def sent_before(state: Campaign, about: About) -> dict[str, datetime]:
    """When each team was last sent this letter."""
    wanted = subject(state, about)
    return {team: at for at, event in state.mailed if event.subject == wanted for team in event.teams}


def _results(state: Campaign, team: str, seeing: Sight, place: str, before: Campaign) -> Iterator[str]:
    del before
    runs = state.active(team)
    yield f"Here are the official scores of your runs in {state.definition.title}, by key version {len(state.keys)}."
    for task in dict.fromkeys(run.received.sent.task for run in runs if run.scores):
        yield _scores([run for run in runs if run.received.sent.task == task])
    yield from _waiting(runs)
    yield f"Your results: {place}teams/{team}/"
    if seeing.key:
        yield f"You can also see the key and your errors: {place}results/"
    elif not seeing.scores:
        yield "The key and the results of other teams stay secret until all results are public."


def _key(state: Campaign, team: str, seeing: Sight, place: str, before: Campaign) -> Iterator[str]:
    del seeing
    key, former = state.keys[-1], {run.received.id: run.scores for run in before.active(team)}
    tasks = newly_judged(state)
    runs = [run for run in state.active(team) if not tasks or run.received.sent.task in tasks]
    yield _what_is_new(state, tasks)
    yield "\n".join(f"    {line}" for line in key.reason.splitlines())
    if tasks and not any(former.get(run.received.id) for run in runs):
        yield "Your scores:"
        yield _scores(runs)
    else:
        changed = any(run.scores != former.get(run.received.id) for run in runs)
        again = f"The runs of {', '.join(tasks)}" if tasks else "All runs"
        yield f"{again} were scored again. Your scores:" if changed else "None of your scores has changed:"
        yield _both_scores(runs, former, len(state.keys))
    yield from _waiting(runs)
    if tasks and len(runs) < len(state.active(team)):
        yield "The scores of your other runs are as they were."
    yield f"Your results: {place}teams/{team}/"


def _what_is_new(state: Campaign, tasks: Sequence[str]) -> str:
    """The key has been replaced, or answers have been judged."""
    title, version, at = state.definition.title, len(state.keys), plain(state.keys[-1].at)
    if not tasks:
        return f"The key of {title} was replaced on {at}. Key version {version} is now in force. The reason:"
    again = " again" * all(task in state.keys[-2].judgments for task in tasks)
    said = f"The answers to questions in {title} ({', '.join(tasks)}) have been judged{again}, on {at}."
    return f"{said} This is key version {version}; no label of a key has changed. What the organisers say about it:"


def _both_scores(runs: Iterable[Run], former: Mapping[str, Scores], version: int) -> str:
    """Runs with their scores by the former version and by the newest one, one line for each measure."""
    rows = [
        (
            *_named(run, way),
            _readable(measure),
            _former(former.get(run.received.id, {}), way, measure),
            _said(measure, value),
        )
        for run in runs
        for way, measures in _official(run)
        for measure, value in measures.items()
    ]
    return _table(["task", "run", "scored", "measure", f"key {version - 1}", f"key {version}"], rows)


def _former(scores: Scores, way: str, measure: str) -> str:
    """A score by the former version; answers without one had not been judged."""
    return UNJUDGED if way in SCORED_BY and way not in scores else _said(measure, scores.get(way, {}).get(measure))


def _public(state: Campaign, team: str, seeing: Sight, place: str, before: Campaign) -> Iterator[str]:
    del team, before
    title, version = state.definition.title, len(state.keys)
    yield f"All results of {title} are public, by key version {version}: leaderboards, runs, reports and the key."
    yield f"See {place}results/"
    if not seeing.names and (until := state.definition.dates.names) is not None:
        yield f"The names of the teams are hidden until {plain(until)}; until then each team has an alias."


def _next(state: Campaign, seeing: Sight, about: About) -> Iterator[str]:
    """What a team can do now, and whom it can ask."""
    dates, can = state.definition.dates, []
    if seeing.report:
        due = "" if dates.reports is None else f", until {plain(dates.reports)}"
        can.append(f"- send your system report, on the page of the campaign{due};")
    if seeing.submit:
        can.append("- try out further runs, which are kept apart from the official ones;")
    if can:
        yield "\n".join(["What you can do next:", *can])[:-1] + "."
    if about != "public" and "public" not in state.released and dates.public is not None:
        yield f"The results of all teams will not be public before {plain(dates.public)}."
    organisers = dict.fromkeys(one.contact for one in state.members.values() if one.role == "organiser" and one.contact)
    asked = f" ({', '.join(organisers)})" if organisers else ""
    yield f"If you think that a score is wrong, write to the organisers{asked}."
    yield f"The organisers of {state.definition.title}"


def _waiting(runs: Iterable[Run]) -> Iterator[str]:
    if names := [f"{run.name} ({run.received.sent.task})" for run in runs if not run.scores]:
        yield f"Not yet judged, and so without scores: {', '.join(names)}."


def _official(run: Run) -> Iterator[tuple[str, dict[str, float | None]]]:
    """The scores of a run in the ways of tables, three-way first; the page of the team has all."""
    yield from ((way, run.scores[way]) for way in SCORED if way in run.scores)


def _scores(runs: Sequence[Run]) -> str:
    """Runs with their scores, one column for each measure."""
    rows = [(run, way, scores) for run in runs for way, scores in _official(run)]
    measures = list(dict.fromkeys(measure for _, _, scores in rows for measure in scores))
    lines = [(*_named(run, way), *(_said(one, scores.get(one)) for one in measures)) for run, way, scores in rows]
    return _table(["task", "run", "scored", *map(_readable, measures)], lines)


def _named(run: Run, way: str) -> tuple[str, str, str]:
    marks = "".join([" (manual)" * run.received.sent.manual, " (late)" * run.received.late])
    return run.received.sent.task, f"{run.name}{marks}", SCORED[way]


def _readable(measure: str) -> str:
    from karat.data.fields import readable  # here, as below: these load numpy, and the server answers before that

    return readable(measure)


def _said(measure: str, value: float | None) -> str:
    from karat.studies.wording import said

    return UNDEFINED if value is None else said(measure, value)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in plain text."""
    widths = [max(len(row[at]) for row in [headings, *rows]) for at in range(len(headings))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in [headings, *rows]]
    if any(UNDEFINED in row for row in rows):
        lines.append(f"({UNDEFINED}: undefined for this run)")
    return "\n".join(line.rstrip() for line in lines) if rows else "(no scores yet)"

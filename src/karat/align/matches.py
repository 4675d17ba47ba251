"""Align matches: match what was said of runs' answers with the list of nuggets, and report everything wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from karat.align.columns import Columns, again
from karat.data.nuggets import (
    ABSENT,
    NOT,
    OTHER,
    UNKNOWN,
    Junk,
    Matches,
    Nuggets,
    degree_code,
    importance_code,
)
from karat.errors import Problems

MAX_CELLS = 1 << 28
"""Runs times nuggets: a file of many runs of one line each would fill a matrix of nothing."""
JunkKind = Literal["importance", "assignment"]


def align_matches(nuggets: Nuggets, columns: Sequence[Columns], problems: Problems) -> Matches:
    """The matches of some files against one list; where a file has errors (in `problems`) its runs say little.

    A file that names nuggets is held against the list: what it does not name is not matched, and every topic counts
    as judged, by those assessors who have a row for the run. A file that spells nuggets out, with their importance, has
    a list of its own, topic by topic: what the list lacks is added to it, and what the file lacks is absent for its
    runs. Columns are run, topic, nugget (its name, or spelled out its text), degree, assessor and importance; a fact of
    files that spell nuggets out are `texts`, what each run answered to each topic (None where they do not say).
    """
    spelled = _SpelledOut(nuggets, problems)
    runs: list[_Run] = []
    for part in columns:
        found = spelled.read(part) if "importance" in part.values else _named(nuggets, part, problems)
        if (len(runs) + len(found)) * (len(nuggets) + len(spelled.added)) > MAX_CELLS:
            told = f"{len(found):,} runs, {len(nuggets):,} nuggets"
            problems.add("too-large", told, file=part.file, limit=f"{MAX_CELLS:,} runs times nuggets")
        else:
            runs += found
    listed, order = spelled.extended()
    size = len(listed)
    degree = np.full((len(runs), size), NOT, dtype=np.int8)
    importance = np.full((len(runs), size), ABSENT, dtype=np.int8)
    answered = np.zeros((len(runs), len(nuggets.units)), dtype=np.bool_)
    assessors = np.array(nuggets.assessor)
    now = np.empty(size, dtype=np.int64)  # where a nugget stands in the longer list
    now[order] = np.arange(size)
    for row, run in enumerate(runs):
        places = now[np.array(run.places, dtype=np.int64)]
        degree[row, places] = run.degree
        if run.assessors:
            own = np.flatnonzero(np.isin(assessors, list(run.assessors)))
            importance[row, now[own]] = nuggets.importance[own]
            answered[row, nuggets.topic[own]] = True
        else:
            importance[row, places] = run.importance
            answered[row, run.topics] = True
    _tell_unjudged(runs, nuggets, answered, problems)
    texts = tuple(tuple(run.texts.get(topic) for topic in nuggets.units) for run in runs)
    return Matches(
        runs=tuple(run.name for run in runs),
        nuggets=listed,
        degree=degree,
        importance=importance,
        answered=answered,
        texts=texts if any(run.texts for run in runs) else (),
        junk=tuple(junk for run in runs for junk in (*_junk_of_list(nuggets, run), *run.junk)),
        sources=tuple(part.source for part in columns),
    )


def _tell_unjudged(runs: Sequence[_Run], nuggets: Nuggets, answered: NDArray[np.bool_], problems: Problems) -> None:
    """Topics that have nuggets and that a run was not judged on."""
    for row, run in enumerate(runs):
        if problems.failed(run.file):  # then what is missing may only be misspelled
            continue
        missing = np.flatnonzero(~answered[row] & nuggets.listed).tolist()
        for topic in problems.first(missing, "no-assignment", run.file):
            found = f"nothing of run {run.name!r} on topic {nuggets.units[topic]!r}"
            problems.add("no-assignment", found, file=run.file)


@dataclass
class _Run:
    """What one run was held against, and how far it holds it."""

    name: str
    file: str
    assessors: set[str] = field(default_factory=set)
    """Against whose lists it is held as they are, where only what it holds is told."""
    places: list[int] = field(default_factory=list)
    degree: list[int] = field(default_factory=list)
    importance: list[int] = field(default_factory=list)
    topics: list[int] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    junk: list[Junk] = field(default_factory=list)


def _named(nuggets: Nuggets, columns: Columns, problems: Problems) -> list[_Run]:
    """The runs of a file that names the nuggets of the list."""
    only = nuggets.assessors[0] if len(nuggets.assessors) == 1 else ""
    runs: dict[str, _Run] = {}
    met: dict[tuple[str, int], int | None] = {}
    rows = zip(*(columns[name] for name in ("run", "topic", "nugget", "assessor", "degree")), strict=True)
    for row, (name, topic, nugget, assessor, spelled) in enumerate(rows):
        line, who = columns.lines[row], assessor or only
        run = runs.setdefault(name, _Run(name, columns.file))
        run.assessors.add(who)
        code = degree_code(spelled)
        place = nuggets.index.get((who, topic, nugget))
        if place is None:
            found = f"nugget {nugget!r} of topic {topic!r}" + (f" of assessor {who!r}" if who else "")
            columns.tell(problems, "unknown-nugget", found, row)
        elif (first := again(met, (name, place), line)) is not None:
            found = f"nugget {nugget!r} of topic {topic!r} again for run {name!r}{first}"
            columns.tell(problems, "duplicate-id", found, row)
        else:
            run.places.append(place)
            run.degree.append(code)
            if code == UNKNOWN:
                _tell_junk(run, topic, nuggets.texts[place], "assignment", spelled, line, problems)
    return list(runs.values())


def _tell_junk(
    run: _Run, topic: str, nugget: str, what: JunkKind, label: str, line: int | None, problems: Problems
) -> None:
    """Keep a label that means nothing with its run, and report it."""
    run.junk.append(Junk(run.name, topic, nugget, what, label))
    problems.add(what, f"{what} {label!r} of nugget {nugget!r} of topic {topic!r}", file=run.file, line=line)


def _junk_of_list(nuggets: Nuggets, run: _Run) -> list[Junk]:
    """Labels of the list that mean nothing, as they bear on a run that is held against it as it is."""
    others = np.flatnonzero(nuggets.importance == OTHER).tolist()
    places = [at for at in others if nuggets.assessor[at] in run.assessors]
    units = [nuggets.units[nuggets.topic[at]] for at in places]
    return [
        Junk(run.name, unit, nuggets.texts[at], "importance", nuggets.spelled[at])
        for at, unit in zip(places, units, strict=True)
    ]


class _SpelledOut:
    """Files that spell nuggets out: their lists are held against the one given, and lengthen it."""

    def __init__(self, nuggets: Nuggets, problems: Problems) -> None:
        self.nuggets, self.problems = nuggets, problems
        # Where several assessors have lists, nobody says whose was assigned: the first one's.
        self.assessor = nuggets.assessors[0] if nuggets.assessors else ""
        self.place = {topic: at for at, topic in enumerate(nuggets.units)}
        self.lists: list[dict[tuple[str, int], int]] = [{} for _ in nuggets.units]
        self.importance = nuggets.importance.tolist()
        times: Counter[tuple[int, str]] = Counter()
        rows = zip(nuggets.topic.tolist(), nuggets.texts, nuggets.assessor, strict=True)
        for at, (topic, text, who) in enumerate(rows):
            if who == self.assessor:
                text = _plain(text)
                self.lists[topic][text, times[topic, text]] = at
                times[topic, text] += 1
        self.given = [len(one) for one in self.lists]
        self.added: list[tuple[int, str, str, str]] = []
        """Topic, name, text and importance of nuggets that the list lacks."""

    def read(self, columns: Columns) -> list[_Run]:
        """The runs of a file, each judged on the topics it has."""
        runs: dict[str, dict[str, list[int]]] = {}
        for row, (run, topic) in enumerate(zip(columns["run"], columns["topic"], strict=True)):
            runs.setdefault(run, {}).setdefault(topic, []).append(row)
        for run, topic in columns.facts["texts"]:
            runs.setdefault(run, {}).setdefault(topic, [])
        return [self._run(name, topics, columns) for name, topics in runs.items()]

    def _run(self, name: str, topics: dict[str, list[int]], columns: Columns) -> _Run:
        run = _Run(name, columns.file)
        for topic, rows in topics.items():
            if topic not in self.place:
                line = columns.lines[rows[0]] if rows else None
                self.problems.add("unknown-id", f"topic {topic!r}", file=columns.file, line=line)
                continue
            at = self.place[topic]
            run.topics.append(at)
            if (text := columns.facts["texts"].get((name, topic))) is not None:
                run.texts[topic] = text
            self._topic(run, at, rows, columns)
        return run

    def _topic(self, run: _Run, topic: int, rows: list[int], columns: Columns) -> None:
        """Align one list by its texts, occurrence by occurrence."""
        listed = self.lists[topic]
        times: Counter[str] = Counter()
        beyond = other = 0
        for row in rows:
            text = _plain(columns["nugget"][row])
            key = text, times[text]
            times[text] += 1
            importance, degree = importance_code(columns["importance"][row]), degree_code(columns["degree"][row])
            place = listed.get(key)
            if place is None:
                place = listed[key] = self._add(topic, text, columns["importance"][row])
            given = place < len(self.nuggets)
            beyond += not given
            other += given and importance != self.importance[place]
            run.places.append(place)
            run.importance.append(importance)
            run.degree.append(degree)
            at = self.nuggets.units[topic], columns["nugget"][row]
            if importance == OTHER:
                _tell_junk(run, *at, "importance", columns["importance"][row], columns.lines[row], self.problems)
            if degree == UNKNOWN:
                _tell_junk(run, *at, "assignment", columns["degree"][row], columns.lines[row], self.problems)
        lacking = self.given[topic] - (len(rows) - beyond)
        if beyond or other or lacking:
            counts = ((beyond, "that the list lacks"), (lacking, "of the list missing"), (other, "of other importance"))
            told = ", ".join(f"{count} {what}" for count, what in counts if count)
            found = f"nuggets of topic {self.nuggets.units[topic]!r} for run {run.name!r}: {told}"
            line = columns.lines[rows[0]] if rows else None
            self.problems.add("nugget-list", found, file=columns.file, line=line)

    def _add(self, topic: int, text: str, importance: str) -> int:
        """The place of a new nugget, which is named by a number that the topic does not have yet."""
        unit, number = self.nuggets.units[topic], len(self.lists[topic]) + 1
        while (self.assessor, unit, str(number)) in self.nuggets.index:
            number += 1
        self.added.append((topic, str(number), text, importance))
        return len(self.nuggets) + len(self.added) - 1

    def extended(self) -> tuple[Nuggets, NDArray[np.int64]]:
        """The list with what was added, sorted by topic again, and where each nugget of it was before."""
        old, added = self.nuggets, self.added
        topic = np.concatenate([old.topic, np.array([one[0] for one in added], dtype=np.int32)])
        order = np.argsort(topic, kind="stable")
        if not added:
            return old, order
        codes = np.array([importance_code(one[3]) for one in added], dtype=np.int8)
        # Nobody weighed what is not on the list.
        weights = None if old.weights is None else np.concatenate([old.weights, np.zeros(len(added))])
        longer = replace(
            old,
            topic=topic,
            names=old.names + tuple(one[1] for one in added),
            texts=old.texts + tuple(one[2] for one in added),
            importance=np.concatenate([old.importance, codes]),
            spelled=old.spelled + tuple(one[3] for one in added),
            assessor=old.assessor + (self.assessor,) * len(added),
            weights=weights,
            lines=old.lines + (None,) * len(added) if old.lines else (),
        )
        return longer.take(order), order


def _plain(text: str) -> str:
    """A text by which nuggets are the same: blanks aside."""
    return " ".join(text.split())

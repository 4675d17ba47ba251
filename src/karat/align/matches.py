"""Align nuggets and matches: match the nuggets found in answers with the list of nuggets, and report all problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from karat.align.columns import Columns, as_numbers, cell_text, seen_before
from karat.align.nugget_labels import degree_code, importance_code, is_contradicted
from karat.arrays import Floats
from karat.data.nuggets import NEITHER, NOT, NOT_JUDGED, UNKNOWN_DEGREE, Junk, Matches, Nuggets
from karat.errors import Problems

MAX_RUNS_TIMES_NUGGETS = 1 << 28
"""Many runs of one line each would otherwise make a huge, almost empty matrix."""
JunkKind = Literal["importance", "assignment"]


def align_matches(nuggets: Nuggets, columns: Sequence[Columns], problems: Problems) -> Matches:
    """The matches in one or more files against one list of nuggets; files with errors yield incomplete runs.

    A file that refers to nuggets by name uses the list: nuggets it does not mention are not matched, and every topic is
    judged by the assessors who have a row for the run. A file that gives the text and importance of nuggets has its own
    list per topic: its new nuggets are added to the list, and nuggets missing from it are absent for its runs.
    Columns are run, topic, nugget (name or text), degree, assessor and importance. Files with texts of nuggets have a
    fact `texts`: the answer of each run to each topic, or None if the file does not contain it. Files with names of
    nuggets may have it too; then it contains all answers, and a run with a text was judged even without a match.
    """
    spelled = _SpelledOut(nuggets, problems)
    runs: list[_Run] = []
    for part in columns:
        found = spelled.read(part) if "importance" in part.values else _named(nuggets, part, problems)
        if (len(runs) + len(found)) * (len(nuggets) + len(spelled.added)) > MAX_RUNS_TIMES_NUGGETS:
            message = f"{len(found):,} runs, {len(nuggets):,} nuggets"
            problems.add("too-large", message, file=part.file, limit=f"{MAX_RUNS_TIMES_NUGGETS:,} runs times nuggets")
        else:
            runs += found
    listed, order = spelled.extended()
    size = len(listed)
    degree = np.full((len(runs), size), NOT, dtype=np.int8)
    importance = np.full((len(runs), size), NOT_JUDGED, dtype=np.int8)
    answered = np.zeros((len(runs), len(nuggets.units)), dtype=np.bool_)
    assessors = np.array(nuggets.assessor)
    now = np.empty(size, dtype=np.int64)  # the index of each nugget in the longer list
    now[order] = np.arange(size)
    contrary = np.zeros((len(runs), size), dtype=np.bool_)
    for row, run in enumerate(runs):
        places = now[np.array(run.places, dtype=np.int64)]
        degree[row, places] = run.degree
        contrary[row, places] = run.contradicted
        if run.assessors:
            own = np.flatnonzero(np.isin(assessors, list(run.assessors)))
            importance[row, now[own]] = nuggets.importance[own]
            answered[row, nuggets.topic[own]] = True
        else:
            importance[row, places] = run.importance
            answered[row, run.topics] = True
    _report_unjudged(runs, nuggets, answered, problems)
    _report_lists(runs, nuggets, problems)
    texts = tuple(tuple(run.texts.get(topic) for topic in nuggets.units) for run in runs)
    return Matches(
        runs=tuple(run.name for run in runs),
        nuggets=listed,
        degree=degree,
        importance=importance,
        answered=answered,
        contradicted=contrary if contrary.any() else None,
        texts=texts if any(run.texts for run in runs) else (),
        junk=tuple(junk for run in runs for junk in (*_junk_of_list(nuggets, run), *run.junk)),
        sources=tuple(part.source for part in columns),
    )


def _report_unjudged(runs: Sequence[_Run], nuggets: Nuggets, answered: NDArray[np.bool_], problems: Problems) -> None:
    for row, run in enumerate(runs):
        if problems.failed(run.file):  # what is missing may only be misspelled
            continue
        missing = np.flatnonzero(~answered[row] & nuggets.listed).tolist()
        for topic in problems.first(missing, "no-assignment", run.file):
            found = f"nothing of run {run.name!r} on topic {nuggets.units[topic]!r}"
            problems.add("no-assignment", found, file=run.file)


def _report_lists(runs: Sequence[_Run], nuggets: Nuggets, problems: Problems) -> None:
    """Warn of lists against which some runs were judged and others not: scores leave them out, for every run."""
    named = [run for run in runs if run.assessors]
    for who in nuggets.assessors:
        without = [run for run in named if who not in run.assessors]
        if not without or len(without) == len(named) or any(problems.failed(run.file) for run in without):
            continue
        names = ", ".join(repr(run.name) for run in without)
        topics = np.unique(nuggets.topic[nuggets.places_of(who)]).tolist()
        for topic in problems.first(topics, "list-left-out", without[0].file):
            found = f"nothing by assessor {who!r} on question {nuggets.units[topic]!r} about {names}"
            problems.add("list-left-out", found, file=without[0].file)


@dataclass
class _Run:
    """The nuggets that one run was judged on, and their degrees."""

    name: str
    file: str
    assessors: set[str] = field(default_factory=set)
    """The assessors whose whole lists apply, if the file has rows only for matched nuggets."""
    places: list[int] = field(default_factory=list)
    degree: list[int] = field(default_factory=list)
    contradicted: list[bool] = field(default_factory=list)
    importance: list[int] = field(default_factory=list)
    topics: list[int] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    junk: list[Junk] = field(default_factory=list)


def _named(nuggets: Nuggets, columns: Columns, problems: Problems) -> list[_Run]:
    only = nuggets.assessors[0] if len(nuggets.assessors) == 1 else ""
    runs: dict[str, _Run] = {}
    met: dict[tuple[str, int], int | None] = {}
    rows = columns.rows("run", "topic", "nugget", "assessor", "degree")
    for row, (name, topic, nugget, assessor, spelled) in enumerate(rows):
        line, who = columns.lines[row], assessor or only
        run = runs.setdefault(name, _Run(name, columns.file))
        run.assessors.add(who)
        code = degree_code(spelled)
        place = nuggets.index.get((who, topic, nugget))
        if place is None:
            found = f"nugget {nugget!r} of topic {topic!r}" + (f" of assessor {who!r}" if who else "")
            columns.report(problems, "unknown-nugget", found, row)
        elif (first := seen_before(met, (name, place), line)) is not None:
            found = f"nugget {nugget!r} of topic {topic!r} again for run {name!r}{first}"
            columns.report(problems, "duplicate-id", found, row)
        else:
            run.places.append(place)
            run.degree.append(code)
            run.contradicted.append(is_contradicted(spelled))
            if code == UNKNOWN_DEGREE:
                _report_junk(run, topic, nuggets.texts[place], "assignment", spelled, line, problems)
    texts = columns.facts.get("texts", {})
    for name in dict.fromkeys(run for run, _ in texts):
        run = runs.setdefault(name, _Run(name, columns.file))
        run.assessors.add(only)
        run.texts = {topic: texts.get((name, topic), "") for topic in nuggets.units}
    return list(runs.values())


def _report_junk(
    run: _Run, topic: str, nugget: str, what: JunkKind, label: str, line: int | None, problems: Problems
) -> None:
    """Record an unknown label with its run, and report it."""
    run.junk.append(Junk(run.name, topic, nugget, what, label))
    problems.add(what, f"{what} {label!r} of nugget {nugget!r} of topic {topic!r}", file=run.file, line=line)


def _junk_of_list(nuggets: Nuggets, run: _Run) -> list[Junk]:
    """Unknown labels of the list that affect a run judged on the whole list."""
    others = np.flatnonzero(nuggets.importance == NEITHER).tolist()
    places = [at for at in others if nuggets.assessor[at] in run.assessors]
    units = [nuggets.units[nuggets.topic[at]] for at in places]
    return [
        Junk(run.name, unit, nuggets.texts[at], "importance", nuggets.spelled[at])
        for at, unit in zip(places, units, strict=True)
    ]


class _SpelledOut:
    """Files that give the text of nuggets: their lists are compared with the given one and extend it."""

    def __init__(self, nuggets: Nuggets, problems: Problems) -> None:
        self.nuggets, self.problems = nuggets, problems
        # If several assessors have lists, files do not say whose was used: take the first.
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
        """Topic, name, text and importance of nuggets that are not on the list."""

    def read(self, columns: Columns) -> list[_Run]:
        """The runs of a file, each judged on the topics it contains."""
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
        """Align one list by its texts; repeated texts are matched in order."""
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
            run.contradicted.append(is_contradicted(columns["degree"][row]))
            at = self.nuggets.units[topic], columns["nugget"][row]
            if importance == NEITHER:
                _report_junk(run, *at, "importance", columns["importance"][row], columns.lines[row], self.problems)
            if degree == UNKNOWN_DEGREE:
                _report_junk(run, *at, "assignment", columns["degree"][row], columns.lines[row], self.problems)
        lacking = self.given[topic] - (len(rows) - beyond)
        if beyond or other or lacking:
            counts = (
                (beyond, "not in the list"),
                (lacking, "of the list missing"),
                (other, "with a different importance"),
            )
            message = ", ".join(f"{count} {what}" for count, what in counts if count)
            found = f"nuggets of topic {self.nuggets.units[topic]!r} for run {run.name!r}: {message}"
            line = columns.lines[rows[0]] if rows else None
            self.problems.add("nugget-list", found, file=columns.file, line=line)

    def _add(self, topic: int, text: str, importance: str) -> int:
        """The index of a new nugget, named by the next number that the topic does not use."""
        unit, number = self.nuggets.units[topic], len(self.lists[topic]) + 1
        while (self.assessor, unit, str(number)) in self.nuggets.index:
            number += 1
        self.added.append((topic, str(number), text, importance))
        return len(self.nuggets) + len(self.added) - 1

    def extended(self) -> tuple[Nuggets, NDArray[np.int64]]:
        """The extended list, sorted by topic, and the previous index of each nugget."""
        old, added = self.nuggets, self.added
        topic = np.concatenate([old.topic, np.array([one[0] for one in added], dtype=np.int32)])
        order = np.argsort(topic, kind="stable")
        if not added:
            return old, order
        codes = np.array([importance_code(one[3]) for one in added], dtype=np.int8)
        # Nuggets that are not on the list were never weighed.
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
            attributes={name: values + (None,) * len(added) for name, values in old.attributes.items()},
        )
        return longer.take(order), order


def _plain(text: str) -> str:
    """The text with white space normalised, for comparison."""
    return " ".join(text.split())


def make_nuggets(columns: Columns, problems: Problems) -> Nuggets | None:
    """The nuggets of one file, or None if it has errors (all of them are in `problems`).

    Columns are topic, name, text and importance, and optionally assessor and weight. The fact `topics` lists all topics
    in the file, including those without nuggets, and `attributes` has what else it says about them.
    """
    if not len(columns):
        problems.add("empty-file", "no nuggets", file=columns.file, what="a nugget for every topic")
        return None
    weights = as_numbers(columns["weight"]) if any(map(cell_text, columns["weight"])) else None
    _check(columns, weights, problems)
    if problems.failed(columns.file):
        return None
    units = list(dict.fromkeys([*columns.facts.get("topics", ()), *columns["topic"]]))
    place = {name: at for at, name in enumerate(units)}
    topic = np.array([place[name] for name in columns["topic"]], dtype=np.int32)
    order = np.argsort(topic, kind="stable")
    rows = order.tolist()
    spelled = [columns["importance"][row] for row in rows]
    return Nuggets(
        units=tuple(units),
        topic=topic[order],
        names=tuple(map(columns["name"].__getitem__, rows)),
        texts=tuple(map(columns["text"].__getitem__, rows)),
        importance=np.array(list(map(importance_code, spelled)), dtype=np.int8),
        spelled=tuple(spelled),
        assessor=tuple(map(columns["assessor"].__getitem__, rows)),
        weights=None if weights is None else weights[order],
        lines=tuple(columns.lines[row] for row in rows),
        attributes={
            name: tuple(values[row] or None for row in rows)
            for name, values in columns.facts.get("attributes", {}).items()
            if any(values)
        },
        source=columns.source,
    )


def _check(columns: Columns, weights: Floats | None, problems: Problems) -> None:
    """Every nugget has a topic, a unique name within it, a text, and a weight that is not negative."""
    met: dict[tuple[str, str, str], int | None] = {}
    rows = columns.rows("assessor", "topic", "name", "text", "importance")
    for row, (who, topic, name, text, importance) in enumerate(rows):
        nugget = f"nugget {name!r} of topic {topic!r}"
        for what, value in (("topic", topic), ("name", name), ("text", text)):
            if not value.strip():
                columns.report(problems, "empty-nugget", f"{nugget} without a {what}", row)
        if (first := seen_before(met, (who, topic, name), columns.lines[row])) is not None:
            columns.report(problems, "duplicate-id", f"{nugget} again{first}", row)
        if importance_code(importance) == NEITHER:
            columns.report(problems, "importance", f"importance {importance!r} of {nugget}", row)
    for row, weight in enumerate(() if weights is None else weights.tolist()):
        if not 0 <= weight < float("inf"):
            nugget = f"nugget {columns['name'][row]!r} of topic {columns['topic'][row]!r}"
            columns.report(problems, "weight", f"weight {weight:g} of {nugget}", row)

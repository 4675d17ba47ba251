"""A new key for a test set: read in whatever format, checked against what teams were given, and previewed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from karat import __version__
from karat.align.columns import Columns
from karat.align.pairs import make_pairs
from karat.arrays import EXACT_TOLERANCE, NAN
from karat.campaign.checking import FREE_LINES, MOST_UNPACKED, TestSet, read_test
from karat.campaign.events import Scores
from karat.campaign.rescored import (
    MEASURE,
    NO_LABEL,
    ChangedLabel,
    ChangedVerdict,
    Overtaking,
    RescoredRun,
    Rescoring,
    View,
)
from karat.data.fields import explain
from karat.data.pairs import Pairs
from karat.data.provenance import Reading
from karat.data.responses import Responses
from karat.data.result import Signature
from karat.errors import KaratError, Problems
from karat.formats.documents import document_of
from karat.formats.registry import pair_formats, parse_columns, read_columns, run_formats
from karat.labels import THREE, TWO, Way, fold
from karat.studies.base import MOST_RUNS
from karat.studies.compare.result import Comparison, PairOfRuns
from karat.studies.compare.study import compare

Pair = tuple[str, str]
MOST_LINES = 100
"""The lines of a key for each pair: texts may be broken into lines."""


def new_key(test: TestSet, name: str, raw: bytes, *others: TestSet) -> bytes:
    """The content of a test set with the key in a file: whole pairs, a table of ids and labels, or lines `id LABEL`.

    `others` are the test sets of further tasks on the same file. What teams were given stays the same, byte by byte:
    the file itself is returned if it leads to that, otherwise the old pairs with the new labels.
    """
    tests, problems = (test, *others), Problems()
    columns = _columns(name, raw, len(test.units), problems)
    if columns is not None and not set(columns["id"]).isdisjoint(test.units.ids):
        problems.recognise(name)
    given = None if columns is None else make_pairs(columns, Reading(), problems)
    if columns is not None and given is not None and not problems.failed(name):
        _check(columns, given, tests, problems)
    problems.raise_errors()
    assert given is not None
    pairs = replace(test.units, labels=given.labels[given.places(test.units.ids)], way=given.way)
    for content in _contents(raw, pairs):
        if all(_keeps(one, content, pairs) for one in tests):
            return content
    problems.add("key-text", "pairs that cannot be written again as they were", file=name)
    problems.raise_errors()
    raise AssertionError


def _columns(name: str, raw: bytes, units: int, problems: Problems) -> Columns | None:
    """The ids and labels of a file, with texts if it has them."""
    document = document_of(name, raw, problems, MOST_UNPACKED)
    if document is None:
        return None
    if (lines := document.data.count(b"\n")) > (most := MOST_LINES * units + FREE_LINES):
        problems.recognise(name)
        limit = f"{most:,} for {units:,} pairs"
        problems.add("too-many-lines", f"{lines:,} lines", file=name, limit=limit)
        return None
    if not document.data or document.data.isspace() or pair_formats.fits(document):
        return parse_columns(document, Reading(), problems)
    plain = read_columns(run_formats, document, problems, "plain")
    if plain is None:
        return None
    values = {column: plain[column] for column in ("id", "text", "hypothesis", "label")}
    return Columns(plain.source, values, plain.lines, {"textless": True}, plain.at)


def ids_in(name: str, raw: bytes, units: int) -> set[str]:
    """The ids of the pairs in a file, by which it is known what it is a key of; none if it cannot be read.

    A file for so many units, or fewer, is not longer than that.
    """
    columns = _columns(name, raw, units, Problems())
    return set() if columns is None else set(columns["id"])


def _check(columns: Columns, given: Pairs, tests: Sequence[TestSet], problems: Problems) -> None:
    """Report what is not a key of these test sets."""
    file, units = columns.file, tests[0].units
    for row in np.flatnonzero(units.places(given.ids) < 0).tolist():
        columns.report(problems, "key-unknown", f"pair {given.ids[row]!r}", row, "id")
    for place in np.flatnonzero(given.places(units.ids) < 0).tolist():
        problems.add("key-missing", f"no pair {units.ids[place]!r}", file=file)
    if problems.failed(file):
        return
    if given.has_texts:
        for row, place in enumerate(units.places(given.ids).tolist()):
            before, here = ((one.texts[at], one.hypotheses[at]) for one, at in ((units, place), (given, row)))
            if [part.split() for part in before] != [part.split() for part in here]:
                columns.report(problems, "key-text", f"another text in pair {given.ids[row]!r}", row)
    if given.blind:
        problems.add("key-labels", "no pair with a label", file=file, what="a label for each pair that is scored")
    elif given.way is TWO and (three := [one.task.name for one in tests if one.task.way == 3]):
        what = f"ENTAILMENT, UNKNOWN and CONTRADICTION, since {three[0]!r} is three-way"
        problems.add("key-labels", "a two-way key", file=file, what=what)


def _contents(raw: bytes, pairs: Pairs) -> Iterator[bytes]:
    """What the new test set could be, the first choice first."""
    yield raw
    for name in ("rte", "table"):  # a table keeps what XML does not: odd characters, odd names of attributes
        try:
            yield bytes(pair_formats[name].facts["write"](pairs))
        except KaratError:
            continue


def _keeps(test: TestSet, content: bytes, wanted: Pairs) -> bool:
    """Whether a content has the wanted labels, and gives teams what they have."""
    try:
        found = read_test(test.task, content)
    except KaratError:
        return False
    return found.blind == test.blind and bool(np.array_equal(found.units.labels, wanted.labels))


def rekeyed(old: TestSet, content: bytes, seed: str) -> TestSet:
    """The test set with its new key; refused if nothing could be scored by it any more."""
    made = read_test(old.task, content, seed)
    if (old.scored.labels >= 0).any() and not (made.scored.labels >= 0).any():
        problems, what = Problems(), "a label for some of the pairs that are not on the live board"
        problems.add("key-labels", "labels for pairs on the live board alone", file=old.task.test, what=what)
        problems.raise_errors()
    return made


class Rescored(NamedTuple):
    """A task with its old and its new key, and the runs that count, by name."""

    old: TestSet
    new: TestSet
    runs: Responses | None
    """By the old key of the official scores; None if there are none."""
    old_scores: Mapping[str, Scores]
    new_scores: Mapping[str, Scores]


def preview(version: int, tasks: Sequence[Rescored]) -> Rescoring:
    """What a new key changes, without changing anything."""
    views = [_View(one, way) for one in tasks for way in _ways(one)]
    sources = dict.fromkeys(key.source.bare for one in tasks for key in (one.old.units, one.new.units))
    signed = Signature(__version__, "rescore", tuple(sources), (MEASURE,), None, None, None, 0)
    warnings = dict.fromkeys(warning for one in tasks for warning in one.new.warnings if warning.code == "unlabelled")
    return explain(
        Rescoring(
            study="rescore",
            signature=signed,
            warnings=tuple(warnings),
            old_version=version,
            new_version=version + (not all(same_key(one.old, one.new) for one in tasks)),
            views=[view.facts() for view in views],
            labels=[label for view in views for label in view.labels()],
            runs=[run for view in views for run in view.runs()],
            passes=[one for view in views for one in view.passes()],
            verdicts=[one for view in views for one in view.verdicts()],
        )
    )


def same_key(old: TestSet, new: TestSet) -> bool:
    """Whether two versions of a test set have the same labels."""
    return old.units.way is new.units.way and bool(np.array_equal(old.units.labels, new.units.labels))


def _ways(one: Rescored) -> list[Way]:
    """The ways in which the runs of a task are scored."""
    three = one.old.task.way == 3 and one.old.units.way is THREE
    return [THREE, TWO] if three else [TWO]


class _View:
    """A task in one way of scoring: everything that its rows are made from."""

    def __init__(self, of: Rescored, way: Way) -> None:
        self.of, self.way = of, way
        self.at = of.old.task.name, way.name
        self.old, self.new = (
            {run: _score(scores, way) for run, scores in given.items()} for given in (of.old_scores, of.new_scores)
        )
        tested = of.runs is not None and 2 <= len(of.runs) <= MOST_RUNS
        self.before = compare(of.runs, way=way.name, measure=MEASURE) if tested else None
        self.after = compare(replace(of.runs, key=of.new.scored), way=way.name, measure=MEASURE) if tested else None  # type: ignore[type-var]

    def facts(self) -> View:
        """The task and what its pairs of runs were tested with."""
        before, after = (int((test.scored.labels >= 0).sum()) for test in (self.of.old, self.of.new))
        return View(*self.at, len(self.of.old.units), before, after, _test(self.before), _test(self.after))

    def labels(self) -> Iterable[ChangedLabel]:
        """How many pairs change from each label to each other one."""
        old, new = (fold(test.units.labels, self.way) for test in (self.of.old, self.of.new))
        names = [*self.way.labels, NO_LABEL]  # -1 is the last
        kinds, counts = np.unique(np.stack([old, new])[:, old != new], axis=1, return_counts=True)
        for (before, after), count in zip(kinds.T.tolist(), counts.tolist(), strict=True):
            yield ChangedLabel(*self.at, names[before], names[after], count)

    def runs(self) -> list[RescoredRun]:
        """Every run, best first by the new key."""
        old_places, new_places = places(self.old), places(self.new)
        old_ranks, new_ranks = _ranks(self.before), _ranks(self.after)
        made = [
            RescoredRun(
                *self.at,
                run,
                self.old[run],
                self.new[run],
                self.new[run] - self.old[run],
                old_places.get(run),
                new_places.get(run),
                old_ranks.get(run),
                new_ranks.get(run),
            )
            for run in self.new
        ]
        return sorted(made, key=lambda row: (row.new_place or len(made) + 1, row.old_place or 0, row.run))

    def passes(self) -> Iterator[Overtaking]:
        """Every two runs whose order is reversed, strictly; the best first."""
        verdicts = _verdicts(self.after)
        for one, other in combinations([row.run for row in self.runs()], 2):
            old, new = (scores[one] - scores[other] for scores in (self.old, self.new))
            if old < -EXACT_TOLERANCE and new > EXACT_TOLERANCE:
                yield Overtaking(*self.at, one, other, old, new, verdicts.get((one, other), "not tested"))

    def verdicts(self) -> Iterator[ChangedVerdict]:
        """Every two runs of which the test says something else."""
        before, after = _verdicts(self.before), _verdicts(self.after)
        for pair in self.after.pairs if self.after else ():
            both = pair.a, pair.b
            if before[both] != after[both]:
                old = self.old[pair.a] - self.old[pair.b]
                yield ChangedVerdict(*self.at, *both, old, pair.difference, before[both], after[both])


def _score(scores: Scores, way: Way) -> float:
    value = scores.get(way.name, {}).get(MEASURE)
    return NAN if value is None else value


def places(scores: Mapping[str, float]) -> dict[str, int]:
    """The place of each run: tied runs share one, and as many are then left out (1, 2, 2, 4); none without a score."""
    known = {run: score for run, score in scores.items() if score == score}
    ordered = np.sort([-score for score in known.values()])
    return {run: int(np.searchsorted(ordered, -score - EXACT_TOLERANCE)) + 1 for run, score in known.items()}


def _ranks(found: Comparison | None) -> dict[str, tuple[int, int] | None]:
    return {} if found is None else {row.run: row.ranks for row in found.runs}


def _test(found: Comparison | None) -> str | None:
    if found is None:
        return None
    return f"{found.test_name}, {found.correction_name}, level {1 - found.level:.2g}"


def _verdicts(found: Comparison | None) -> dict[Pair, str]:
    """What the test says of the first of every two runs, in both orders."""
    made: dict[Pair, str] = {}
    for pair in found.pairs if found else ():
        made[pair.a, pair.b], made[pair.b, pair.a] = _verdict(pair, 1), _verdict(pair, -1)
    return made


def _verdict(pair: PairOfRuns, sign: int) -> str:
    if not pair.different:
        return "not tested" if pair.different is None else "not significantly different"
    return f"significantly {'better' if sign * pair.difference > 0 else 'worse'}"

"""Labels of runs in a Parquet file too large to hold: ids, the key and one column per run, counted part by part.

All that is kept of a run is how often it says which word where the key says which. These counts add up over parts, and
from them the runs are aligned like any others: as a few rows, each of which stands for many pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from karat.align.columns import Columns, is_answer
from karat.align.pairs import make_pairs
from karat.align.runs import SUSPICIOUS_FROM, align, report_two_way
from karat.arrays import Ints
from karat.data.parameters import takes
from karat.data.provenance import Reading
from karat.data.responses import Multiplicity, Responses, Run
from karat.errors import Problems, counted
from karat.formats.answer_columns import GOLD, run_names
from karat.formats.documents import FilePath
from karat.formats.label_columns import FLAGS, LABEL, REFERENCE
from karat.formats.parquet_parts import LARGE, ParquetParts, TablePart, large_parquet
from karat.formats.rows import IDS, INDEX
from karat.kernels.counting import row_hashes
from karat.labels import THREE, Spellings
from karat.places import check_place, counted_on
from karat.progress import track

MOST_WORDS = 32
"""A column of more different words is no column of labels."""
SHAPE = (MOST_WORDS, MOST_WORDS)
ENOUGH = -(-SUSPICIOUS_FROM // 2)
"""The fewest rows that stand for the pairs of one label, so that a copy of the key is noticed."""


@dataclass(eq=False)
class _Said:
    """How often a column says which word where the key says which (words of the key, words), and its fingerprint.

    Each pair has a random number; columns that say the same have the same sums of them, and others hardly ever have.
    """

    words: dict[str, int] = field(default_factory=dict)
    first: list[int] = field(default_factory=list)
    """The row in which each word occurs first."""
    times: Ints = field(default_factory=lambda: np.zeros(SHAPE, np.int64))
    sums: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(SHAPE, np.uint64))

    def numbers(self, part: TablePart, name: str, start: int) -> Ints | None:
        """The number of the word in each cell; None if there are too many words."""
        places, words = part.texts[name]
        if len(words) > MOST_WORDS:
            return None
        for place, word in enumerate(map(str.strip, words)):
            if word not in self.words:
                self.words[word] = len(self.words)
                self.first.append(start + int(np.argmax(places == place)))
        known = np.array([self.words[word.strip()] for word in words], dtype=np.int64)
        return known[places] if len(self.words) <= MOST_WORDS else None

    def count(self, key: Ints, numbers: Ints, hashes: NDArray[np.float64]) -> None:
        """Count some rows, given the number of the key's word and of the column's own."""
        cell, size = key * MOST_WORDS + numbers, self.times.size
        self.times += np.bincount(cell, minlength=size).reshape(SHAPE)
        self.sums += np.bincount(cell, hashes, minlength=size).astype(np.uint64).reshape(SHAPE)

    def places(self, more: _Said) -> Ints | None:
        """The numbers here of the words of later rows, those that are new included; None if there are too many."""
        for word, first in zip(more.words, more.first, strict=True):
            if word not in self.words:
                self.words[word] = len(self.words)
                self.first.append(first)
        return np.array([self.words[word] for word in more.words]) if len(self.words) <= MOST_WORDS else None

    def add(self, more: _Said, key: Ints, own: Ints) -> None:
        """Count what was counted of later rows, given the numbers here of the key's words there, and of its own."""
        here, there = np.ix_(key, own), np.ix_(range(len(key)), range(len(own)))
        self.times[here] += more.times[there]
        self.sums[here] += more.sums[there]

    def share_of_labels(self, spellings: Spellings) -> float:
        """Of the rows that say something, how many say a label."""
        met = {word: self.times[:, at].sum() for word, at in self.words.items() if not spellings.unanswered(word)}
        return sum(many for word, many in met.items() if spellings[word]) / max(sum(met.values()), 1)


@takes(Reading)
def read_run_parts(
    path: FilePath,
    reading: Reading,
    least: int = LARGE,
    rows_at_once: int | None = None,
    on: str = "here",
) -> Responses | None:
    """Runs counted in parts, from a Parquet file of more than `least` cells with ids, the key and labels of runs.

    None for other files, and with options of reading that concern more than this: they are read whole.
    """
    check_place(on)
    plain = Reading(label=reading.label, column=reading.column, manual=reading.manual, way=reading.way)
    table = large_parquet(path, least) if reading == plain else None
    if table is None:
        return None
    ids = [reading.column["id"]] if "id" in reading.column else [name for name in IDS if name not in INDEX]
    keys = [reading.column["label"]] if "label" in reading.column else list(LABEL)
    unit, *_ = [*(name for name in ids if name in table.columns), None]
    key, *more = [*(name for name in keys if name in table.columns), None]
    if unit is None or key is None or len(more) > 1:
        return None
    columns = [name for name in table.columns if name != unit]
    if any(table.columns[name] != "text" for name in columns):
        return None
    said = _counted(table, unit, key, columns, rows_at_once, on)
    if said is None:
        return None
    problems, spellings = Problems(), Spellings(reading.label)
    runs = _answers(said, key, spellings)
    if not runs or said[key].share_of_labels(spellings) <= 1 / 2:
        return None
    _check_words(table, said, runs, spellings, problems)
    problems.raise_errors()
    return _aligned(table, key, said, runs, reading, problems)


def _counted(
    table: ParquetParts, unit: str, key: str, columns: list[str], rows_at_once: int | None, on: str
) -> dict[str, _Said] | None:
    """What each column says; None if one has too many words to be labels. A unit that occurs twice is an error."""
    said = {name: _Said() for name in columns}
    names: list[NDArray[np.uint64]] = []

    def parts() -> Iterator[tuple[int, TablePart]]:
        start = 0
        found = table.parts(texts=columns, hashed=[unit], rows_at_once=rows_at_once)
        for part in track(found, "counting answers", table.rows, lambda part: part.rows):
            names.append(part.hashed[unit])
            yield start, part
            start += part.rows

    for more in counted_on(on, parts(), partial(_of_part, key=key, columns=columns)):
        places = None if more is None else {name: said[name].places(one) for name, one in more.items()}
        if more is None or places is None:
            return None
        of_key = places[key]
        for name, one in more.items():
            own = places[name]
            if of_key is None or own is None:
                return None
            said[name].add(one, of_key, own)
    table.refuse_repeated(names, "pair", unit)
    return said


def _of_part(item: tuple[int, TablePart], key: str, columns: list[str]) -> dict[str, _Said] | None:
    """What each column says in some rows, the first of which is known; None if one has too many words."""
    start, part = item
    said, hashes = {name: _Said() for name in columns}, row_hashes(start, part.rows)
    of_key = said[key].numbers(part, key, start)
    for name, column in said.items():
        numbers = column.numbers(part, name, start)
        if numbers is None or of_key is None:
            return None
        column.count(of_key, numbers, hashes)
    return said


def _answers(said: dict[str, _Said], key: str, spellings: Spellings) -> list[str]:
    """The columns of answers: those called so, or else all with labels that are not called a key."""
    labelled = [name for name in said if name != key and said[name].share_of_labels(spellings) > 1 / 2]
    if called := [name for name in labelled if is_answer(name)]:
        return called
    others = [name for name in labelled if name not in GOLD and not {*map(str.casefold, said[name].words)} <= FLAGS]
    return [name for name in others if name not in REFERENCE] or others


def _check_words(
    table: ParquetParts, said: dict[str, _Said], runs: list[str], spellings: Spellings, problems: Problems
) -> None:
    """Every answer is a label."""
    for run in runs:
        for (word, at), row in zip(said[run].words.items(), said[run].first, strict=True):
            if not spellings[word]:
                code = "unanswered" if spellings.unanswered(word) else "label-outside-task"
                found = f"label {word!r} in {counted(int(said[run].times[:, at].sum()), 'row')} of the column {run}"
                labels = ", ".join(THREE.labels)
                problems.add(code, found, file=table.name, line=row + 1, labels=labels, spelled=repr(word))


def _aligned(
    table: ParquetParts, key: str, said: dict[str, _Said], columns: list[str], reading: Reading, problems: Problems
) -> Responses:
    """The runs on rows that stand for all pairs with the same label, to which a run gives the same answer."""
    words = {name: list(said[name].words) for name in (key, *columns)}
    labels: list[str] = []
    cells: dict[str, list[int]] = {name: [] for name in columns}
    times: dict[str, list[int]] = {name: [] for name in columns}
    for at, label in enumerate(words[key]):
        met = {name: np.flatnonzero(said[name].times[at]).tolist() for name in columns}
        rows = max(ENOUGH, *map(len, met.values()))
        labels += [label] * rows
        for name, numbers in met.items():
            more = rows - len(numbers)
            cells[name] += [*numbers, *numbers[:1] * more]
            times[name] += [*said[name].times[at, numbers].tolist(), *[0] * more]
    ids = list(map(str, range(len(labels))))
    its = problems.apart()
    pairs = make_pairs(_columns(table, ids, labels, textless=True), reading, its)
    runs: list[Run] = []
    for name, run in zip(run_names(columns), columns, strict=True):
        answers = [words[run][number] for number in cells[run]]
        made = align(pairs, _columns(table, ids, answers, run=name), reading, its)
        runs += [made] if made is not None else []
    its.raise_errors()
    report_two_way(pairs, runs, reading, its)
    many = np.array([times[run] for run in columns], dtype=np.float64)
    there = {
        "unlabelled": f"{int(many[0, pairs.labels < 0].sum()):,} of {counted(table.rows, 'pair')} without a label",
        "equals-key": f"the key's label on every one of {int(many[0, pairs.labels >= 0].sum())} pairs",
    }
    told = tuple(replace(one, found=there.get(one.code, one.found)) for one in its)
    prints = [_print(said[run], made, cells[run]) for run, made in zip(columns, runs, strict=True)]
    return replace(
        Responses.of(replace(pairs, warnings=()), runs, reading, told),
        many=Multiplicity(table.rows, many, tuple(prints)),
    )


def _columns(table: ParquetParts, ids: list[str], labels: list[str], **facts: object) -> Columns:
    nothing = [""] * len(ids)
    values = {"id": ids, "label": labels} | ({"text": nothing, "hypothesis": nothing} if "textless" in facts else {})
    return Columns(table.source, values, [None] * len(ids), facts)


def _print(said: _Said, run: Run, cells: list[int]) -> bytes:
    """The fingerprint of a run's answers: the sums of the random numbers of the pairs with each code."""
    sums: dict[int, int] = {}
    for number, code in dict(zip(cells, run.codes.tolist(), strict=True)).items():
        sums[code] = (sums.get(code, 0) + int(said.sums[:, number].sum(dtype=np.uint64))) % (1 << 64)
    return repr(sorted(sums.items())).encode()

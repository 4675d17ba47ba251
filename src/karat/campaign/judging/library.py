"""The files of a campaign as the laboratory reads them, each read once: what the judging of a task is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from karat.campaign.definition import Task
from karat.campaign.events import Item
from karat.campaign.judging.work import Work
from karat.campaign.state import Campaign, Run
from karat.errors import Problems
from karat.labels import TWO, fold

if TYPE_CHECKING:
    from karat.campaign.checking import TestSet
    from karat.data.answers import Answers
    from karat.data.pairs import Pairs
    from karat.data.questions import Questions

Content = Callable[[str], bytes]
"""A file by its SHA-256."""


class NoFilesError(LookupError):
    """There are no files at hand, so that nobody can tell what a judgment was about."""


def no_content(sha256: str) -> bytes:
    """For those who have a record without its files."""
    raise NoFilesError(sha256)


class Library:
    """Files by their SHA-256, parsed and kept. What reads them loads scipy, so it is imported when first needed."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.test = lru_cache(maxsize=64)(self._test)
        self.examples = lru_cache(maxsize=16)(self._examples)
        self.justified = lru_cache(maxsize=256)(self._justified)
        self.beside = lru_cache(maxsize=32)(self._beside)
        self.answers = lru_cache(maxsize=16)(self._answers)

    def material(self, state: Campaign, task: Task | str) -> Material:
        """What the judging of a task is about."""
        return Material(self, state, state.definition.task(task) if isinstance(task, str) else task)

    def _test(self, task: Task, sha256: str, seed: str, judged: tuple[tuple[str, str], ...] = ()) -> TestSet:
        from karat.campaign.checking import read_test

        return read_test(task, self.content(sha256), seed, {name: self.content(one) for name, one in judged})

    def _examples(self, name: str, sha256: str) -> Pairs:
        from karat.campaign.checking import read_examples

        problems = Problems()
        pairs = read_examples(name, self.content(sha256), problems)
        problems.raise_errors()
        assert pairs is not None
        return pairs

    def _beside(self, task: Task, test: str, seed: str, use: str, name: str, sha256: str) -> Any:
        from karat.campaign.beside import read_beside

        problems = Problems()
        made = read_beside(use, name, self.content(sha256), self.test(task, test, seed).units, problems)
        problems.raise_errors()
        return made

    def _justified(self, task: Task, key: str, seed: str, file: str, sha256: str) -> tuple[list[str], list[str]]:
        from karat.campaign.checking import together

        made = together(self.test(task, key, seed), {"run": (file, self.content(sha256))})
        run = made.runs[0]
        labels = run.info.way.labels
        return [one or "" for one in run.justifications or [""] * len(made.key)], [labels[code] for code in run.codes]

    def _answers(self, task: Task, key: str, seed: str, runs: tuple[tuple[str, str, str], ...]) -> Answers:
        from karat.campaign.judged import answers_of

        files = {id: (file, self.content(sha256)) for id, file, sha256 in runs}
        return answers_of(self.test(task, key, seed).units, files)


@dataclass(frozen=True)
class Material:
    """What the judging of a task is about, as far as the files at hand tell."""

    library: Library
    state: Campaign
    task: Task

    @property
    def work(self) -> Work:
        """The judging so far."""
        return self.state.work_of(self.task.name)

    @cached_property
    def run_names(self) -> dict[str, str]:
        """The names of all runs by their ids: for organisers, never for assessors."""
        return {id: run.name for id, run in self.state.runs.items()}

    @cached_property
    def test(self) -> TestSet:
        """The test set, with its key."""
        return self.library.test(self.task, self.state.files[self.task.test], self.state.seed)

    @property
    def pairs(self) -> Pairs:
        """The units of a task of pairs."""
        found: Pairs = self.test.units
        return found

    @property
    def questions(self) -> Questions:
        """The units of a task of questions."""
        found: Questions = self.test.units
        return found

    @cached_property
    def examples(self) -> Pairs:
        """The pairs with known labels by which assessors qualify."""
        name = self.state.definition.judging.examples
        assert name is not None
        return self.library.examples(name, self.state.files[name])

    def known_label(self, unit: str) -> str:
        """The label of an example, in as many labels as the task has."""
        pairs = self.examples
        code = pairs.labels[pairs.index[unit]]
        way = TWO if self.task.way == 2 else pairs.way or TWO
        return str(way.labels[fold(code, way)])

    def key_label(self, unit: str) -> str:
        """The label of a unit by the key; empty if it has none."""
        code = int(self.pairs.labels[self.pairs.index[unit]])
        return str(self.pairs.way.labels[code]) if code >= 0 and self.pairs.way is not None else ""

    def justified(self, run: str) -> tuple[list[str], list[str]]:
        """The justifications and the labels of a run, in the order of the test set."""
        sent = self.state.runs[run].received.sent
        return self.library.justified(
            self.task, self.state.files[self.task.test], self.state.seed, sent.file, sent.sha256
        )

    def link_to(self, document: str) -> str:
        """The address of a document; empty if the campaign has none."""
        link = self.task.link
        return "" if link is None or not document else link.replace("{id}", quote(document, safe=""))

    def place_of(self, item: Item, who: str) -> str:
        """Which of the items of a unit this is for an assessor, such as one of several runs."""
        queue = self.work.queues.get((item.stage, who), ())
        others = [one for one in queue if one.unit == item.unit]
        return f"{others.index(item) + 1} of {len(others)}" if item in others else ""

    @property
    def runs(self) -> Mapping[str, Run]:
        """The runs that count, by their ids."""
        return {run.received.id: run for run in self.state.active(task=self.task.name)}

    @cached_property
    def answers(self) -> Answers | None:
        """The answers of all runs that count, which are named by their ids; None if there are none."""
        sent = [(id, run.received.sent) for id, run in self.runs.items()]
        if not sent:
            return None
        named = tuple((id, one.file, one.sha256) for id, one in sent)
        return self.library.answers(self.task, self.state.files[self.task.test], self.state.seed, named)

    def beside(self, use: str) -> Any:
        """A file beside the test set that helps assessors, such as documents; None if there is none."""
        name = self.task.beside().get(use)
        if name is None:
            return None
        test = self.state.files[self.task.test]
        return self.library.beside(self.task, test, self.state.seed, use, name, self.state.files[name])

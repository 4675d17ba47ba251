"""`qa` with the verdicts of several assessors: the majority's by hand, each one's alone, and random ones enumerated."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import karat
from karat.data.verdicts import CORRECT, INCORRECT, INEXACT, UNSUPPORTED
from karat.errors import DataError, UsageError
from tests.question_files import tabs

QUESTIONS = "id\tseries\ttarget\ttype\tquestion\n" + "".join(
    f"{series}.{place}\t{series}\tthe river\t{kind}\tq\n"
    for series in (1, 2)
    for place, kind in enumerate(("FACTOID", "FACTOID", "LIST"), 1)
)
RUNS = ("low", "middle", "high")
ASSESSORS = ("anna", "ben", "cleo")
WEIGHTS = (2.0, 1.0, 0.0)
"""Of factoids, lists and others, of which there are none."""


def write_world(folder: Path, seed: int, share: float = 1.0) -> dict[str, dict[tuple[str, str], str]]:
    """Files of questions, of three runs, and of verdicts by three assessors; what each of them says of an answer."""
    dice = random.Random(seed)
    (folder / "questions.tsv").write_text(QUESTIONS)
    rows: dict[str, list[str]] = {run: [] for run in RUNS}
    said: dict[str, dict[tuple[str, str], str]] = {name: {} for name in ASSESSORS}
    for series, place in itertools.product((1, 2), (1, 2, 3)):
        question = f"{series}.{place}"
        strings = ["a", "b", "c"]
        for run in RUNS:
            for string in dice.sample(strings, 2 if place == 3 else 1):
                rows[run].append(f"{run}\t{question}\tD\t{string}\n")
        for string, name in itertools.product(strings, ASSESSORS):
            if name == "anna" or dice.random() < share:
                # Every list has a known answer, so that every question is scored under every assessor.
                said[name][question, string] = "R" if place == 3 and string == "a" else dice.choice("RRWXU")
    (folder / "runs").mkdir()
    for run, lines in rows.items():
        (folder / "runs" / f"{run}.tsv").write_text("run\tqid\tdoc\tanswer\n" + "".join(lines))
    verdicts = "qid\tdoc\tanswer\tverdict\tgroup\tassessor\n"
    for name, own in said.items():
        for (question, string), verdict in own.items():
            group = string if verdict == "R" and question.endswith("3") else ""
            verdicts += f"{question}\tD\t{string}\t{verdict}\t{group}\t{name}\n"
    (folder / "judgments.tsv").write_text(verdicts)
    return said


def read(folder: Path) -> tuple[karat.Questions, karat.Answers, karat.Verdicts]:
    """What was written."""
    questions = karat.read_questions(folder / "questions.tsv")
    answers = karat.read_answers(folder / "runs", questions)
    return questions, answers, karat.read_verdicts(folder / "judgments.tsv", questions)


def test_the_majority_by_hand(tmp_path: Path) -> None:
    """The verdict of most assessors, and the strictest of equally many."""
    said = write_world(tmp_path, 0, share=0.8)
    questions, _, verdicts = read(tmp_path)
    strictest = "WUXR"
    for (question, _, string), row in verdicts.index.items():
        votes = Counter(own[questions.questions[question].id, string] for own in said.values()
                        if (questions.questions[question].id, string) in own)  # fmt: skip
        expected = max(strictest, key=lambda letter: votes[letter])
        assert verdicts.verdict[row] == (INCORRECT, UNSUPPORTED, INEXACT, CORRECT)[strictest.index(expected)]
    assert [name for name, _ in verdicts.each] == list(ASSESSORS)


@pytest.mark.parametrize("seed", range(6))
def test_each_assessor_alone(tmp_path: Path, seed: int) -> None:
    """The scores under an assessor are those of a file with that assessor's rows alone."""
    write_world(tmp_path, seed)
    questions, answers, verdicts = read(tmp_path)
    result = karat.qa(questions, answers, verdicts=verdicts, weights=WEIGHTS)
    assert result.assessors is not None
    lines = (tmp_path / "judgments.tsv").read_text().splitlines(keepends=True)
    for one in result.assessors.assessors:
        own = tmp_path / f"{one.assessor}.tsv"
        own.write_text(lines[0] + "".join(line for line in lines if line.endswith(f"\t{one.assessor}\n")))
        alone = karat.qa(questions, answers, verdicts=karat.read_verdicts(own, questions), weights=WEIGHTS)
        assert one.scores == pytest.approx({run.run: run.score for run in alone.runs}, nan_ok=True)
        chosen = karat.qa(questions, answers, verdicts=verdicts, assessor=one.assessor, weights=WEIGHTS)
        assert [run.questions for run in chosen.runs] == [run.questions for run in alone.runs]
        assert one.verdicts == 18


@pytest.mark.parametrize("seed", range(6))
def test_random_assessors_enumerated(tmp_path: Path, seed: int) -> None:
    """Mean and deviation are those over all ways of drawing, for each question, one of the assessors who judged it."""
    write_world(tmp_path, seed)
    questions, answers, verdicts = read(tmp_path)
    each = [karat.qa(questions, answers, verdicts=verdicts, assessor=name, weights=WEIGHTS) for name in ASSESSORS]
    values = np.array([[list(run.questions.values()) for run in one.runs] for one in each])
    judged: list[Sequence[int]] = [range(3)] * 6
    if seed > 3:  # the third assessor judged no answer to two of the questions, the second none to another
        lines = (tmp_path / "judgments.tsv").read_text().splitlines(keepends=True)
        absent = {("1.1", "cleo"), ("2.2", "cleo"), ("1.2", "ben")}
        kept = [line for line in lines if (line.split("\t")[0], line.rstrip("\n").split("\t")[-1]) not in absent]
        (tmp_path / "judgments.tsv").write_text("".join(kept))
        verdicts = karat.read_verdicts(tmp_path / "judgments.tsv", questions)
        judged = [(0, 1), (0, 2), range(3), range(3), (0, 1), range(3)]
    result = karat.qa(questions, answers, verdicts=verdicts, weights=WEIGHTS)
    assert result.assessors is not None
    drawn = []
    for chosen in itertools.product(*judged):
        scores = values[list(chosen), :, range(6)].T  # runs, questions
        series = [(2 * scores[:, at : at + 2].mean(axis=1) + scores[:, at + 2]) / 3 for at in (0, 3)]
        drawn.append(np.mean(series, axis=0))
    found = result.assessors.random
    totals = np.array(drawn)[:, [[run.run for run in each[0].runs].index(one.run) for one in found]]
    assert [one.mean for one in found] == pytest.approx(totals.mean(axis=0).tolist())
    assert [one.deviation for one in found] == pytest.approx(totals.std(axis=0).tolist())
    leads = totals[:, :-1] - totals[:, 1:]
    assert [one.lead for one in found[:-1]] == pytest.approx(leads.mean(axis=0).tolist())
    assert [one.lead_deviation for one in found[:-1]] == pytest.approx(leads.std(axis=0).tolist())
    assert np.isnan([found[-1].lead, found[-1].lead_deviation]).all()
    assert [one.majority for one in found] == sorted((one.majority for one in found), reverse=True)


def test_disputes_and_sentences(tmp_path: Path) -> None:
    """How many answers are disputed, and whether runs swap ranks."""
    said = write_world(tmp_path, 1)
    questions, answers, verdicts = read(tmp_path)
    result = karat.qa(questions, answers, verdicts=verdicts, weights=WEIGHTS)
    assert result.assessors is not None
    disputed = sum(len({own[key] == "R" for own in said.values()}) > 1 for key in said["anna"])
    assert (result.assessors.judged, result.assessors.disputed) == (18, disputed)
    swapped = any(one.swaps for one in result.assessors.assessors)
    assert any("swap ranks under the verdicts of" in one for one in result.findings())
    [found] = [one for one in result.findings() if "verdicts of" in one]
    assert found.startswith("No two runs swap") is not swapped


def test_they_are_written_as_they_were_read(tmp_path: Path) -> None:
    """All assessors' verdicts survive writing and reading."""
    write_world(tmp_path, 2, share=0.7)
    questions, _, verdicts = read(tmp_path)
    karat.write_verdicts(verdicts, tmp_path / "again.tsv")
    again = karat.read_verdicts(tmp_path / "again.tsv", questions)
    assert again.index == verdicts.index
    assert again.verdict.tolist() == verdicts.verdict.tolist()
    assert [(name, own.verdict.tolist()) for name, own in again.each] == [
        (name, own.verdict.tolist()) for name, own in verdicts.each
    ]


def test_wrong_calls(tmp_path: Path) -> None:
    """An assessor who is not there, or where one judged; rows without a name beside those with one."""
    write_world(tmp_path, 3)
    questions, answers, verdicts = read(tmp_path)
    with pytest.raises(UsageError, match="ann"):
        karat.qa(questions, answers, verdicts=verdicts, assessor="ann")
    with pytest.raises(UsageError, match="do not come from several assessors"):
        karat.qa(questions, answers, verdicts=dict(verdicts.each)["anna"], assessor="anna")
    rows = tabs("qid|doc|answer|verdict|assessor", "1.1|D|a|R|anna", "1.1|D|a|W|ben", "1.2|D|a|R|")
    (tmp_path / "some.tsv").write_text(rows)
    with pytest.raises(DataError, match="a verdict without its assessor"):
        karat.read_verdicts(tmp_path / "some.tsv", questions)

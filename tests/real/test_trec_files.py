"""Tests of NIST's forms with the questions, known answers and nuggets of TREC 2004, of which no run is public."""

from __future__ import annotations

from pathlib import Path

import pytest

import karat


def test_judged_runs_on_the_lists_and_nuggets_of_2004(real: Path, tmp_path: Path) -> None:
    """A run with every known answer scores 1, and one with every second answer, each twice, what D/N and D/S say.

    The lists of known answers give S, and those of nuggets the recall on 64 OTHER questions.
    """
    folder = real / "trec-qa"
    questions = karat.read_questions(folder / "trec13questions.xml", exclude=["7.4", "25.4"])
    known = karat.read_verdicts(folder / "trec13answers_list", questions)
    lists: dict[str, list[str]] = {}
    for question, string in zip(known.question.tolist(), known.strings, strict=True):
        lists.setdefault(known.units[question], []).append(string)
    lines, wanted = [], {}
    for name, strings in lists.items():
        lines += [f"{name} all NYT19990326.0303 1 1 {one}" for one in strings]
        half = strings[::2]
        lines += [f"{name} half NYT19990326.0303 1 1 {one}" for one in half]
        lines += [f"{name} half APW20000908.0100 1 0 {one}" for one in half]
        wanted[name] = 2 * len(half) / (2 * len(half) + len(strings))
    (tmp_path / "x.list_judged").write_text("\n".join(lines) + "\n", encoding="utf-8")
    nuggets = karat.read_nuggets(folder / "trec13answers_other")
    items = [f"{unit} all 1 NYT19990326.0303 short" for unit in nuggets.units]
    marks = [
        f"{nuggets.units[topic]} all 1 {name}"
        for topic, name in zip(nuggets.topic.tolist(), nuggets.names, strict=True)
    ]
    (tmp_path / "x.otherjudged").write_text("\n".join([*items, *marks]) + "\n", encoding="utf-8")
    verdicts = karat.read_verdicts([tmp_path / "x.list_judged", folder / "trec13answers_list"], questions)
    assert len(lists) == 55
    assert verdicts.warnings == ()
    answers = karat.read_answers(tmp_path / "x.list_judged", questions)
    whole, half_of_it = karat.qa(questions, answers, verdicts=verdicts).runs
    assert {name: whole.questions[name] for name in lists} == pytest.approx(dict.fromkeys(lists, 1))
    assert {name: half_of_it.questions[name] for name in lists} == pytest.approx(wanted)
    (run,) = karat.nuggets(karat.read_matches(tmp_path / "x.otherjudged", nuggets)).runs
    assert (run.recall, run.precision, run.f, run.topics) == (1, 1, 1, 64)

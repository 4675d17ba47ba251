"""Exact match and token F1 beside the verdicts of people: NQ-301, with several gold answers to each question.

The files do not say which system gave an answer, so every answer is a question of its own, in a series with the others
to the same question: agreement has its interval over the 301 questions.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import karat
from karat.studies.qa.result import QuestionAnswering
from tests.studies.test_qa_accepted import official


def rows_of(folder: Path) -> list[tuple[str, str, list[str], bool]]:
    """Question, answer, gold answers and whether people accept the answer, row by row."""
    people, bem = (
        list(csv.DictReader((folder / f"NQ301_{name}.tsv").read_text(encoding="utf-8").splitlines(), delimiter="\t"))
        for name in ("human", "BEM")
    )
    return [
        (
            one["id"],
            " ".join(one["Model answer"].split()),
            other["Gold answers"].split(" | "),
            one["Acceptable?"] == "Yes",
        )
        for one, other in zip(people, bem, strict=True)
    ]


@pytest.fixture(scope="module")
def rows(real: Path) -> list[tuple[str, str, list[str], bool]]:
    """The rows, gold answers without blanks at either end."""
    return [
        (name, said or "–", [one.strip() for one in gold if one.strip()], right)
        for name, said, gold, right in rows_of(real / "nq301")
    ]


@pytest.fixture(scope="module")
def result(rows: list[tuple[str, str, list[str], bool]], tmp_path_factory: pytest.TempPathFactory) -> QuestionAnswering:
    """What `karat qa` says with accepted answers and verdicts."""
    folder = tmp_path_factory.mktemp("nq301")
    tables: dict[str, list[list[str]]] = {
        "questions": [["id", "series", "target", "type", "question"]],
        "accepted": [["qid", "answer"]],
        "judgments": [["qid", "doc", "answer", "verdict"]],
        "answers": [["run", "qid", "doc", "answer"]],
    }
    for place, (name, said, gold, right) in enumerate(rows):
        tables["questions"].append([f"a{place}", f"q{name}", "NQ", "FACTOID", "?"])
        tables["accepted"] += [[f"a{place}", one] for one in dict.fromkeys(gold)]
        tables["judgments"].append([f"a{place}", "", said, "R" if right else "W"])
        tables["answers"].append(["all", f"a{place}", "", said])
    for name, table in tables.items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as opened:
            csv.writer(opened).writerows(table)
    questions = karat.read_questions(folder / "questions.csv")
    return karat.qa(
        questions,
        karat.read_answers(folder / "answers.csv", questions),
        verdicts=karat.read_verdicts(folder / "judgments.csv", questions),
        patterns=karat.read_accepted(folder / "accepted.csv", questions),
    )


def test_agreement_with_people(rows: list[tuple[str, str, list[str], bool]], result: QuestionAnswering) -> None:
    """Exact match and every threshold of token F1, as SQuAD's script and scikit-learn have them."""
    judge = result.patterns
    assert judge is not None
    assert judge.answers == len(rows) == 1490
    right = np.array([row[3] for row in rows])
    exact, overlap = np.array([official(said, gold) for _, said, gold, _ in rows]).T
    for one in judge.rules:
        least = float(one.rule.split("≥")[1]) if "≥" in one.rule else None
        accepts = exact > 0 if least is None else overlap >= least - 1e-12
        assert one.accepted == accepts.sum()
        assert one.agreement.value == pytest.approx(np.mean(accepts == right))
        assert one.kappa.value == pytest.approx(cohen_kappa_score(accepts, right))
        assert one.kappa.low < one.kappa.value < one.kappa.high


def test_what_comes_out(result: QuestionAnswering) -> None:
    """Long answers are seldom the same as a gold answer, so exact match misses most of those that people accept."""
    assert result.patterns is not None
    found = {one.rule: one for one in result.patterns.rules}
    shown = {name: (round(one.agreement.value, 3), round(one.kappa.value, 2)) for name, one in found.items()}
    assert shown["exact match"] == (0.654, 0.34)
    assert shown["token F1 ≥ 0.5"] == (0.719, 0.45)
    assert shown["token F1 ≥ 0.1"] == (0.786, 0.57)
    # Over questions, since answers to one question are alike: wider by a third than over 1,490 answers.
    exact = found["exact match"].agreement
    assert (round(exact.low, 3), round(exact.high, 3)) == (0.621, 0.686)

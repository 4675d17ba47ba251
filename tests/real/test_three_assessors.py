"""As TREC 2002: three assessors judge every answer to 500 questions, and each has a key and a ranking of their own."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from pathlib import Path

import pytest

import karat
from karat.formats.answer_table import read_answers
from karat.formats.question_table import read_questions
from karat.formats.scores import write_scores
from karat.formats.verdict_table import read_verdicts

WHO = ("anna", "ben", "cleo")
RUNS = tuple("abcdefgh")
STRICTEST = "WUXR"


@pytest.fixture(scope="session")
def said(real: Path) -> tuple[dict[tuple[str, str], str], dict[tuple[str, str, str], str]]:
    """What each run answers to each question, and what each assessor says of it; made up, the questions are not."""
    dice = random.Random(2002)
    text = (real / "trec-qa" / "trec11questions").read_text(encoding="latin-1")
    names = re.findall(r"<num>\s*Number:\s*(\d+)", text)
    assert len(names) == 500
    given = {(run, name): dice.choice(["yes"] * (9 - at) + ["nearly", "no", f"no {run}"])
             for at, run in enumerate(RUNS) for name in names}  # fmt: skip
    verdicts = {}
    for name, string in sorted({(name, string) for (_, name), string in given.items()}):
        for at, who in enumerate(WHO):
            usual = {"yes": "R", "nearly": "RXU"[at]}.get(string, "W")
            verdicts[name, string, who] = usual if dice.random() < 0.9 else dice.choice("RWXU")
    return given, verdicts


def correct(rows: dict[tuple[str, str, str], str], given: dict[tuple[str, str], str], who: str) -> dict[str, float]:
    """The accuracy of each run by one assessor."""
    return {
        run: sum(rows[name, string, who] == "R" for (own, name), string in given.items() if own == run) / 500
        for run in RUNS
    }


def naive_tau(one: dict[str, float], other: dict[str, float]) -> float:
    """Concordant less discordant pairs, over all pairs."""
    signs = [
        ((one[a] > one[b]) - (one[a] < one[b])) * ((other[a] > other[b]) - (other[a] < other[b]))
        for a, b in itertools.combinations(RUNS, 2)
    ]
    return sum(signs) / len(signs)


def test_three_keys_and_rankings(
    real: Path, tmp_path: Path, said: tuple[dict[tuple[str, str], str], dict[tuple[str, str, str], str]]
) -> None:
    """Each assessor's scores, the majority's, random ones, and every tau, counted from what was written."""
    given, verdicts = said
    (tmp_path / "runs").mkdir()
    for run in RUNS:
        rows = [f"{run}\t{name}\tD1\t{string}\n" for (own, name), string in given.items() if own == run]
        (tmp_path / "runs" / f"{run}.tsv").write_text("run\tqid\tdoc\tanswer\n" + "".join(rows))
    lines = [f"{name}\tD1\t{string}\t{verdict}\t\t{who}\n" for (name, string, who), verdict in verdicts.items()]
    (tmp_path / "verdicts.tsv").write_text("qid\tdoc\tanswer\tverdict\tgroup\tassessor\n" + "".join(lines))
    questions = read_questions(real / "trec-qa" / "trec11questions")
    answers = read_answers(tmp_path / "runs", questions)
    judged = read_verdicts(tmp_path / "verdicts.tsv", questions)
    result = karat.qa(questions, answers, verdicts=judged, weights=(1.0, 0.0, 0.0))
    assert result.assessors is not None
    majority = {}
    for key in {key[:2] for key in verdicts}:
        votes = Counter(verdicts[(*key, who)] for who in WHO)
        majority[(*key, "most")] = max(STRICTEST, key=lambda letter: votes[letter])
    by = {who: correct(verdicts, given, who) for who in WHO}
    most = correct(majority, given, "most")
    assert {run.run: run.factoid.score.value for run in result.runs} == pytest.approx(most)
    for one in result.assessors.assessors:
        assert one.scores == pytest.approx(by[one.assessor])
        assert one.tau == pytest.approx(naive_tau(most, by[one.assessor]))
    for random_one in result.assessors.random:
        each = [
            [float(verdicts[name, string, who] == "R") for who in WHO]
            for (run, name), string in given.items()
            if run == random_one.run
        ]
        assert random_one.mean == pytest.approx(sum(map(sum, each)) / 1500)
        spread = sum(sum(x * x for x in three) / 3 - (sum(three) / 3) ** 2 for three in each) ** 0.5 / 500
        assert random_one.deviation == pytest.approx(spread)
    files = []
    for who in WHO:
        files.append(tmp_path / f"{who}.csv")
        alone = karat.qa(questions, answers, verdicts=judged, assessor=who, weights=(1.0, 0.0, 0.0))
        write_scores(alone.scores("factoid"), files[-1])
    made = karat.meta(karat.read_judgments(files), replicates=10)
    assert [(one.first, one.second) for one in made.between] == list(itertools.combinations(WHO, 2))
    for pair in made.between:
        assert pair.tau == pytest.approx(naive_tau(by[pair.first], by[pair.second]))
        leaders = [max(by[who], key=by[who].__getitem__) for who in (pair.first, pair.second)]
        assert pair.same_leader == (leaders[0] == leaders[1])
    for judge in made.judges:
        assert {row.run: row.judge for row in judge.runs} == pytest.approx(by[judge.judge])
        assert judge.ranks.tau.value == pytest.approx(naive_tau(by["anna"], by[judge.judge]))

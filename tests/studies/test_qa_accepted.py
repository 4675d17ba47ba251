"""Exact match and token F1 against accepted answers, as SQuAD's evaluation script has them."""

from __future__ import annotations

import collections
import re
import string
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t
from sklearn.metrics import cohen_kappa_score

import karat
from karat.cli import cli
from karat.data.accepted import normalised, token_counts
from karat.measures import token_f1
from karat.studies.qa.patterns import agreement_of
from tests.undefined import all_explained

QUESTIONS = "id\tquestion\nq1\tWho?\nq2\tWhere?\nq3\tWhen?\nq4\tHow many?\n"
ACCEPTED = "qid\tanswer\nq1\tThe Beatles\nq1\tBeatles band\nq2\tDenver, Colorado\nq3\tNIL\nq4\t1,966\n"
RUNS = {
    # q1: equal. q2: {in, denver} and {denver, colorado}: 2·1/4 = ½. q3: NIL is right. q4: 1966 = 1,966.
    "a": (["beatles!", "in Denver", "NIL", "1966"], 3 / 4, 3.5 / 4),
    # q1: {rock, band} and {beatles, band}: ½. q2: equal. q3: wrong. q4: {about, 1966} and {1966}: ⅔.
    "b": (["rock band", "Denver Colorado", "1970", "about 1,966"], 1 / 4, (0.5 + 1 + 0 + 2 / 3) / 4),
}


def official(said: str, accepted: list[str]) -> tuple[float, float]:
    """Exact match and F1 by SQuAD's script (evaluate-v2.0.py), written down once more."""

    def normalise(text: str) -> str:
        kept = "".join(one for one in text.lower() if one not in set(string.punctuation))
        return " ".join(re.sub(r"\b(a|an|the)\b", " ", kept).split())

    def f1(one: str, other: str) -> float:
        given, gold = normalise(one).split(), normalise(other).split()
        same = sum((collections.Counter(given) & collections.Counter(gold)).values())
        if not given or not gold:
            return float(given == gold)
        if same == 0:
            return 0.0
        precision, recall = same / len(given), same / len(gold)
        return 2 * precision * recall / (precision + recall)

    return float(max(normalise(said) == normalise(one) for one in accepted)), max(f1(said, one) for one in accepted)


@pytest.fixture
def questions(tmp_path: Path) -> karat.Questions:
    """Four factoids."""
    (tmp_path / "questions.tsv").write_text(QUESTIONS)
    (tmp_path / "accepted.tsv").write_text(ACCEPTED)
    for name, (answers, _, _) in RUNS.items():
        lines = [f"q{place}\t{answer}\n" for place, answer in enumerate(answers, 1)]
        (tmp_path / f"{name}.tsv").write_text("qid\tanswer\n" + "".join(lines))
    return karat.read_questions(tmp_path / "questions.tsv")


def test_by_hand(questions: karat.Questions, tmp_path: Path) -> None:
    """The figures worked out above; NIL counts as SQuAD 2.0's empty answer."""
    answers = karat.read_answers([tmp_path / "a.tsv", tmp_path / "b.tsv"], questions)
    result = karat.qa(questions, answers, patterns=karat.read_accepted(tmp_path / "accepted.tsv", questions))
    assert result.judged_by == "accepted answers"
    for run in result.runs:
        _, exact, overlap = RUNS[run.run]
        assert run.factoid.score.value == pytest.approx(exact)
        assert run.factoid.token_f1 is not None
        assert run.factoid.token_f1.value == pytest.approx(overlap)
        assert run.factoid.token_f1.low <= overlap <= run.factoid.token_f1.high
    first = result.sheets()[0]
    assert [one.name for one in first.columns] == ["run", "exact match", "95% CI", "token F1", "95% CI"]
    ranked = karat.qa(
        questions, answers, patterns=karat.read_accepted(tmp_path / "accepted.tsv", questions), rank_by="token_f1"
    )
    assert ranked.scores().measure == "token_f1"
    assert ranked.scores().values.mean(axis=1).tolist() == pytest.approx([RUNS[name][2] for name in "ab"])


WORDS = st.lists(st.sampled_from("The the a An cat, dog. (bird) U.S. 1,000 co-op – ’s".split()), max_size=6)


@given(WORDS.map(" ".join), st.lists(WORDS.map(" ".join).filter(str.strip), min_size=1, max_size=3))
def test_is_squads(said: str, accepted: list[str]) -> None:
    """Any answer has SQuAD's exact match and F1."""
    from karat.data.accepted import AcceptedAnswer
    from karat.data.answers import Answers
    from karat.data.patterns import Patterns

    units, one = ("q",), np.zeros(1, dtype=np.int32)
    known = Patterns(units, tuple(AcceptedAnswer(0, each) for each in dict.fromkeys(accepted)), in_words=True)
    answers = Answers(("run",), units, one, one, ("",), (said,))
    exact, overlap = official(said, accepted)
    assert float(any(pattern.accepts(said) for pattern in known.patterns)) == exact
    assert token_f1(token_counts(known, answers)).item() == pytest.approx(overlap)


def test_normalisation() -> None:
    """Punctuation goes before articles, so that `a.` is one."""
    assert normalised(" The  U.S.A. — an ‘A.’ cat’s  ") == "usa — ‘ ’ cat’s"


def test_command(questions: karat.Questions, tmp_path: Path) -> None:
    """Accepted answers on the command line, and what does not go together."""
    del questions
    words = [
        "qa",
        str(tmp_path / "questions.tsv"),
        str(tmp_path / "a.tsv"),
        "--accepted",
        str(tmp_path / "accepted.tsv"),
    ]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.output
    assert re.search(r"a +0\.75 .* 0\.8[78]", done.output)
    both = CliRunner().invoke(cli, [*words, "--patterns", str(tmp_path / "accepted.tsv")])
    assert isinstance(both.exception, karat.UsageError)
    assert "accepted answers or patterns, not both" in str(both.exception)


def test_questions_without_accepted_answers(questions: karat.Questions, tmp_path: Path) -> None:
    """They are named and not scored, by exact match or by token F1."""
    (tmp_path / "accepted.tsv").write_text("qid\tanswer\nq1\tThe Beatles\nq9\tNobody\n")
    with pytest.raises(karat.DataError, match="'q9'"):
        karat.read_accepted(tmp_path / "accepted.tsv", questions)
    (tmp_path / "accepted.tsv").write_text("qid\tanswer\nq1\tThe Beatles\nq2\tDenver\nq2\tNIL\n")
    accepted = karat.read_accepted(tmp_path / "accepted.tsv", questions)
    assert [one.code for one in accepted.warnings] == ["nil-key"]
    result = karat.qa(questions, karat.read_answers(tmp_path / "a.tsv", questions), patterns=accepted)
    assert result.asked.units["factoid"].scored == 2
    assert result.runs[0].factoid.token_f1 is not None
    assert result.runs[0].factoid.token_f1.value == pytest.approx((1 + 2 / 3) / 2)
    assert sum(one.code == "no-pattern" for one in result.warnings) == 2


def judged_rows(random: np.random.Generator, questions: int, each: int) -> tuple[list[bool], list[bool], list[int]]:
    """Verdicts of people and of a rule on several answers to each question, which are alike."""
    people, rule, cluster = [], [], []
    for question in range(questions):
        easy, odd = random.beta(2, 1), random.beta(1, 4)
        for _ in range(each):
            right = random.random() < easy
            people.append(bool(right))
            rule.append(bool(right != (random.random() < odd)))
            cluster.append(question)
    return people, rule, cluster


def test_agreement_and_kappa() -> None:
    """As scikit-learn and a plain mean have them."""
    people, rule, cluster = (np.array(column) for column in judged_rows(np.random.default_rng(3), 40, 5))
    agreement, kappa = agreement_of(people, rule, cluster, 0.95)
    assert agreement.value == pytest.approx(np.mean(people == rule))
    assert kappa.value == pytest.approx(cohen_kappa_score(people, rule))
    # Leaving out whole questions: the error is that of the jackknife over them, and Student's interval is around it.
    left_out = [cohen_kappa_score(people[cluster != one], rule[cluster != one]) for one in range(40)]
    error = np.sqrt(39 / 40 * np.sum((np.array(left_out) - np.mean(left_out)) ** 2))
    assert kappa.high - kappa.low == pytest.approx(2 * t.ppf(0.975, 39) * error)


def test_intervals_of_agreement_with_people_cover() -> None:
    """In about 95 of 100 samples of questions, although answers to one question are alike."""
    random = np.random.default_rng(0)
    people, rule, _ = judged_rows(random, 40_000, 5)
    truth = np.mean(np.array(people) == np.array(rule)), cohen_kappa_score(people, rule)
    hits, samples = np.zeros(2), 400
    for _ in range(samples):
        one, other, cluster = (np.array(column) for column in judged_rows(random, 60, 5))
        found = agreement_of(one, other, cluster, 0.95)
        hits += [each.low <= true <= each.high for each, true in zip(found, truth, strict=True)]
    assert (hits / samples > 0.92).all()
    assert (hits / samples < 0.98).all()


def test_beside_verdicts(questions: karat.Questions, tmp_path: Path) -> None:
    """Exact match and token F1 from every threshold on, against what people said, by hand."""
    said = {
        ("q1", "beatles!"): "R", ("q2", "in Denver"): "R", ("q4", "1966"): "R",
        ("q1", "rock band"): "W", ("q2", "Denver Colorado"): "R", ("q3", "1970"): "W", ("q4", "about 1,966"): "R",
    }  # fmt: skip
    rows = "".join(f"{question}\t\t{answer}\t{verdict}\n" for (question, answer), verdict in said.items())
    (tmp_path / "judgments.tsv").write_text("qid\tdoc\tanswer\tverdict\n" + rows)
    answers = karat.read_answers([tmp_path / "a.tsv", tmp_path / "b.tsv"], questions)
    result = karat.qa(
        questions,
        answers,
        verdicts=karat.read_verdicts(tmp_path / "judgments.tsv", questions),
        patterns=karat.read_accepted(tmp_path / "accepted.tsv", questions),
    )
    assert result.judged_by == "people"
    judge = result.patterns
    assert judge is not None
    # Exact match accepts beatles!, 1966 and Denver Colorado; people also accept in Denver and about 1,966.
    assert (judge.judge, judge.answers, judge.agreement) == ("exact match", 7, pytest.approx(5 / 7))
    rules = {one.rule: (one.accepted, one.agreement.value) for one in judge.rules}
    # F1: 1, ½, 1; ½, 1, 0, ⅔. At ½ it also accepts rock band, at 0.6 neither that nor in Denver.
    assert rules["exact match"] == rules["token F1 ≥ 1"] == (3, pytest.approx(5 / 7))
    assert rules["token F1 ≥ 0.5"] == (6, pytest.approx(6 / 7))
    assert rules["token F1 ≥ 0.6"] == (4, pytest.approx(6 / 7))
    assert len(judge.rules) == 11
    # People: a is right on all four (NIL too), b on two.
    assert {one.run: (one.people, one.patterns) for one in judge.runs} == {"a": (1.0, 0.75), "b": (0.5, 0.25)}
    assert judge.mean_f1_tau == 1.0
    assert {run.run: run.factoid.token_f1.value for run in result.runs if run.factoid.token_f1} == pytest.approx(
        {name: overlap for name, (_, _, overlap) in RUNS.items()}
    )
    told = "Exact match agrees with people on 71.4% of 7 factoid answers, and a token F1 of at least 0.5 on 85.7%."
    assert told in result.findings()
    all_explained(result)

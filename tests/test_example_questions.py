"""The shipped question series are what they say: complete, consistent, of different characters, made by the script."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tools import make_example_questions

import karat
from karat.data.verdicts import CORRECT, LETTERS
from karat.examples import HERE
from karat.studies.nuggets.result import NuggetScores
from karat.studies.qa.result import QaRun, QuestionAnswering

ROOT = Path(__file__).parent.parent
QA = HERE / "qa"
RUNS = {"careful", "steady", "middling", "verbose", "guesser", "lister", "sloppy"}


@cache
def asked() -> karat.Questions:
    """The test set."""
    return karat.read_questions(QA / "questions.xml", target_types=QA / "target-types.txt")


@cache
def answered() -> karat.Answers:
    """The runs."""
    return karat.read_answers(QA / "runs", asked())


@cache
def verdicts() -> karat.Verdicts:
    """The judgments."""
    return karat.read_verdicts(QA / "judgments.tsv", asked())


@cache
def matches() -> karat.Matches:
    """What two assessors found."""
    return karat.read_matches(QA / "matches.tsv", karat.read_nuggets(QA / "nuggets.tsv"))


@cache
def scored(**options: Any) -> QuestionAnswering:
    """The study on everything."""
    patterns = karat.read_patterns(QA / "patterns.txt", asked())
    return karat.qa(asked(), answered(), verdicts=verdicts(), matches=matches(), patterns=patterns, **options)


@cache
def augmented() -> NuggetScores:
    """The retrieval-augmented answers."""
    return karat.nuggets(karat.read_matches(QA / "rag/assignments", karat.read_nuggets(QA / "rag/nuggets.jsonl")))


def by_name() -> dict[str, QaRun]:
    """The runs that were scored."""
    return {run.run: run for run in scored().runs}


def test_questions() -> None:
    """Twelve series of four to seven questions over three kinds of targets, OTHER last, three without lists."""
    questions = asked()
    assert questions.type_counts() == {"FACTOID": 43, "LIST": 12, "OTHER": 12}
    assert Counter(one.kind for one in questions.series) == {"PERSON": 4, "ORG": 4, "THING": 4}
    types = [[questions.questions[questions.index[name]].type for name in one.questions] for one in questions.series]
    assert all(4 <= len(series) <= 7 and series.index("OTHER") == len(series) - 1 for series in types)
    assert sum("LIST" not in series for series in types) == 3


def test_nothing_to_complain_of() -> None:
    """Everything is read without errors and without warnings, and every answer is judged."""
    for noun in (asked(), answered(), verdicts(), matches(), matches().nuggets):
        assert noun.warnings == ()
    assert scored().warnings == ()
    assert not [one for one in scored().questions if one.unscored]


def test_verdicts() -> None:
    """All four are given; some correct answers are the assessor's own, and five factoids have none."""
    rows = verdicts()
    assert set(Counter(LETTERS[code] for code in rows.verdict.tolist())) == set("WUXR")
    given = {(question, document, " ".join(string.split())) for _, question, document, string in answered().rows()}
    own = [key for key, row in rows.index.items() if key not in given]
    assert len(own) > 10
    assert all(rows.verdict[rows.index[key]] == CORRECT for key in own)
    assert scored().asked.unanswerable == 5


def test_two_assessors() -> None:
    """Both have a list for every OTHER; they differ in what is vital, in nuggets, and in degrees of some matches."""
    nuggets = matches().nuggets
    assert nuggets.assessors == ("anna", "ben")
    lists = {
        who: {(one.topic[at].item(), one.names[at]): one.spelled[at] for at in range(len(one))}
        for who in nuggets.assessors
        for one in [nuggets.of(who)]
    }
    shared = lists["anna"].keys() & lists["ben"].keys()
    assert {topic for topic, _ in lists["anna"]} == {topic for topic, _ in lists["ben"]} == set(range(12))
    assert all(
        "vital" in [lists[who][key] for key in lists[who] if key[0] == topic] for who in lists for topic in range(12)
    )
    assert sum(lists["anna"][key] != lists["ben"][key] for key in shared) > 10
    assert lists["anna"].keys() - shared
    assert lists["ben"].keys() - shared
    assert set(matches().degree.ravel().tolist()) == {0, 1, 2}


def test_characters() -> None:
    """Runs are what their names say."""
    runs = by_name()
    assert runs.keys() == RUNS
    assert max(runs.values(), key=lambda run: run.other.recall).run == "verbose"
    assert runs["verbose"].other.length > 5 * max(run.other.length for run in runs.values() if run.run != "verbose")
    assert max(runs.values(), key=lambda run: run.nil.given).run == "careful"
    assert runs["careful"].nil.recall == 1 > runs["careful"].nil.precision
    assert runs["steady"].nil.precision == 1 > runs["steady"].nil.recall
    assert runs["guesser"].nil.given == 0
    assert runs["sloppy"].factoid.accepting["lenient"] > 5 * runs["sloppy"].factoid.accuracy
    lengths = {name: answered().counts[at, asked().types == 1].sum() for at, name in enumerate(answered().runs)}
    assert max(lengths, key=lambda name: lengths[name]) == "lister"


def test_orders_change() -> None:
    """By type another run is first than by series; precision and recall change places with β; medians are 0."""
    result = scored()
    assert result.aggregations is not None
    assert [(one.a, one.b) for one in result.aggregations.swaps] == [("verbose", "careful")]
    assert result.betas is not None
    assert {frozenset((one.a, one.b)) for one in result.betas.crossings if 1 < one.beta < 3} >= {
        frozenset(("careful", "verbose")),
        frozenset(("steady", "verbose")),
    }
    assert {one.of: one.zero for one in result.zero_medians} == {"factoid": 33, "list": 2, "other": 2, "series": 0}


def test_compared() -> None:
    """Over series some runs are told apart and some are not."""
    pairs = karat.compare(scored().scores("series")).pairs
    apart = {(pair.a, pair.b) for pair in pairs if pair.p_corrected < 0.05}
    assert ("verbose", "guesser") in apart
    assert ("verbose", "careful") not in apart
    assert 8 <= len(apart) <= 16


def test_patterns() -> None:
    """Patterns agree with people more than by chance, not always, and are kind to the sloppy run."""
    judge = scored().patterns
    assert judge is not None
    assert 0.4 < judge.kappa < 0.8
    assert {row.verdict for row in judge.verdicts if row.accepted and row.refused} == {
        "correct",
        "inexact",
        "unsupported",
        "incorrect",
    }
    assert max(judge.runs, key=lambda run: run.bias).run == "sloppy"


def test_ratings() -> None:
    """Both assessors rated every answer to an OTHER question, from 0 to 10; first by content is who says most."""
    ratings = karat.read_ratings(QA / "ratings.tsv")
    assert ratings.criteria == ("content", "organisation")
    assert ratings.values.shape == (7 * 12 * 2, 2)
    assert 0 <= ratings.values.min() <= ratings.values.max() <= 10
    result = karat.nuggets(matches().with_texts(answered()), ratings=ratings)
    assert [one.ranking[0] for one in result.ratings] == ["verbose", "verbose"]
    assert [one.ranking[0] for one in karat.nuggets(matches(), ratings=ratings, content=0).ratings] != ["verbose"] * 2
    assert all(pair.tau < 1 for pair in result.agreement)


def test_augmented() -> None:
    """Twelve topics, one without vital nuggets; two labels mean nothing and change scores; strict F turns the order."""
    result = augmented()
    assert (result.nuggets.topics, result.nuggets.without_vital) == (12, ["krt-10"])
    assert sorted((one.run, one.topic, one.label) for one in result.junk) == [
        ("broad", "krt-02", "failed"),
        ("drifting", "krt-04", ""),
    ]
    assert {(one.run, one.topic) for one in result.changed} >= {("broad", "krt-02"), ("drifting", "krt-04")}
    runs = {run.run: run for run in result.runs}
    assert runs["broad"].vital > runs["brief"].vital > runs["drifting"].vital
    assert runs["drifting"].f > runs["brief"].f
    assert runs["drifting"].strict_f < runs["brief"].strict_f


def test_it_comes_from_the_script() -> None:
    """The files are what the script writes."""
    subprocess.run([sys.executable, "tools/make_example_questions.py", "--check"], cwd=ROOT, check=True)


def test_a_change_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that the script did not write so, or that is missing, is named."""
    monkeypatch.setattr(make_example_questions, "FOLDER", tmp_path)
    assert make_example_questions.main([]) == 0
    assert make_example_questions.main(["--check"]) == 0
    (tmp_path / "judgments.tsv").write_text("", encoding="utf-8")
    assert make_example_questions.main(["--check"]) == 1

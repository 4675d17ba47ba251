"""Tests on the question files, answer patterns and list answers of TREC 2002 to 2004."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.stats import permutation_test, ttest_ind

import karat
from karat.data.provenance import QuestionFiles
from karat.data.questions import Questions
from karat.formats.patterns import read_patterns
from karat.formats.question_table import read_questions
from karat.formats.verdict_table import read_verdicts
from karat.studies.qa.kinds import kind_differences


@pytest.fixture(scope="session")
def trec(real: Path) -> Path:
    """The folder of TREC files."""
    return real / "trec-qa"


@pytest.fixture(scope="session")
def trec_2004(trec: Path) -> Questions:
    """The question series of 2004 with the types of their targets."""
    return read_questions(trec / "trec13questions.xml", target_types=trec / "trec13targettypes")


def without_list(questions: Questions) -> int:
    """How many series ask no list question."""
    types = {question.id: question.type for question in questions.questions}
    return sum("LIST" not in {types[name] for name in series.questions} for series in questions.series)


def test_the_series_of_2004(trec_2004: Questions) -> None:
    """65 series of 4 to 10 questions, on organisations, persons and things; nothing to complain of."""
    assert trec_2004.warnings == ()
    assert len(trec_2004.series) == 65
    assert trec_2004.type_counts() == {"FACTOID": 230, "LIST": 56, "OTHER": 65}
    assert Counter(series.kind for series in trec_2004.series) == {"ORG": 25, "PERSON": 23, "THING": 17}
    sizes = [len(series.questions) for series in trec_2004.series]
    assert (min(sizes), max(sizes)) == (4, 10)
    assert trec_2004.series[6].target == "agouti"


def test_what_was_taken_out_of_2004(trec_2004: Questions) -> None:
    """Only the OTHER of series 7 and list question 25.4 were not scored: 230, 55, 64.

    Series 7 is therefore in no mean over series (64), while its two factoids and its list count by type; taking out
    the whole series leaves 228 and 54.
    """
    last = trec_2004.series[6].questions[-1]
    scored = trec_2004.without([last, "25.4"])
    assert scored.type_counts() == {"FACTOID": 230, "LIST": 55, "OTHER": 64}
    others = {question.series for question in scored.questions if question.type == "OTHER"}
    assert [series.id for series in scored.series if series.id not in others] == ["7"]
    whole = trec_2004.without(["7", "25.4"])
    assert (len(whole.series), whole.type_counts()["LIST"]) == (64, 54)


def test_series_without_list_questions(trec_2004: Questions) -> None:
    """19, and 20 when 25.4 is dropped."""
    assert without_list(trec_2004) == 19
    assert without_list(trec_2004.without(["25.4"])) == 20


def test_the_list_answers_of_2004(trec: Path, trec_2004: Questions) -> None:
    """55 questions, 7.3 among them and 25.4 not; 8.8 answers on average, 2 to 41."""
    verdicts = read_verdicts(trec / "trec13answers_list", trec_2004)
    assert verdicts.warnings == ()
    known = {name: len(answers) for name, answers in zip(verdicts.units, verdicts.known(), strict=True) if answers}
    lists = {question.id for question in trec_2004.questions if question.type == "LIST"}
    assert lists - set(known) == {"25.4"}
    assert len(known) == 55
    assert np.mean(list(known.values())) == pytest.approx(8.8)
    assert (min(known.values()), max(known.values())) == (2, 41)


def test_the_list_answers_of_2003(trec: Path) -> None:
    """549 lines for 37 questions: four lines say an answer again, a fifth in other letters."""
    questions = read_questions(trec / "trec12questions")
    verdicts = read_verdicts(trec / "trec12answers_list", questions)
    assert Counter(warning.code for warning in verdicts.warnings) == {"judged-twice": 4}
    assert len(verdicts) == 545
    known = [len(answers) for answers in verdicts.known() if answers]
    assert (len(known), sum(known)) == (37, 544)


def test_questions_of_2002_and_2003(trec: Path) -> None:
    """500 factoids; 413 factoids, 37 lists, 50 definitions."""
    assert read_questions(trec / "trec11questions").type_counts() == {"FACTOID": 500, "LIST": 0, "OTHER": 0}
    assert read_questions(trec / "trec12questions").type_counts() == {"FACTOID": 413, "LIST": 37, "OTHER": 50}


@pytest.mark.parametrize(
    ("questions", "patterns", "lines", "asked"),
    [
        ("trec11questions", "trec11patterns", 530, 444),
        ("trec12questions", "trec12patterns", 467, 380),
        ("trec13questions.xml", "trec13patterns_factoid", 224, 202),
        ("trec13questions.xml", "trec13patterns_list", 484, 55),
    ],
)
def test_every_pattern_is_read(trec: Path, questions: str, patterns: str, lines: int, asked: int) -> None:
    """Every line is a pattern of a question that there is, none has documents, and none is refused."""
    found = read_patterns(trec / patterns, read_questions(trec / questions))
    assert {warning.code for warning in found.warnings} == set()
    assert len(found.patterns) == lines
    assert sum(map(bool, found.of_question)) == asked
    assert not any(pattern.documents for pattern in found.patterns)


def test_list_patterns_accept_the_list_answers(trec: Path, trec_2004: Questions) -> None:
    """Nearly all answers that assessors knew are accepted by the pattern of some answer to their question."""
    patterns = read_patterns(trec / "trec13patterns_list", trec_2004)
    verdicts = read_verdicts(trec / "trec13answers_list", trec_2004)
    accepted = [
        any(one.regex.search(string) for _, one in patterns.of_question[question])
        for question, string in zip(verdicts.question.tolist(), verdicts.strings, strict=True)
    ]
    assert np.mean(accepted) > 0.95


def test_2004_is_scored_as_it_was(trec: Path, tmp_path: Path) -> None:
    """A run of all that is known, through `qa`: 55 lists, 64 others and 64 series are scored.

    So are the factoids that have a pattern; where a file says that no answer to the others is known, all 230 are.
    """
    questions = read_questions(trec / "trec13questions.xml", exclude=["7.4", "25.4"])
    known = read_verdicts(trec / "trec13answers_list", questions)
    nuggets = karat.read_nuggets(trec / "trec13answers_other")
    rows = ["run\tqid\tdoc\tanswer"]
    rows += [f"known\t{one.id}\tNIL\t" for one in questions.questions if one.type == "FACTOID"]
    rows += [
        f"known\t{questions.questions[question].id}\t\t{string}"
        for question, string in zip(known.question.tolist(), known.strings, strict=True)
    ]
    rows += [f"known\t{nuggets.units[topic]}\tX\t{topic}" for topic in range(len(nuggets.units))]
    (tmp_path / "run.tsv").write_text("\n".join(rows) + "\n")
    matched = [
        f"known\t{nuggets.units[topic]}\t{name}\tsupport"
        for topic, name in zip(nuggets.topic.tolist(), nuggets.names, strict=True)
    ]
    (tmp_path / "matches.tsv").write_text("\n".join(["run\tqid\tnugget\tdegree", *matched]) + "\n")
    files = [trec / "trec13patterns_factoid", trec / "trec13patterns_list"]
    patterns = read_patterns(files, questions)
    # 28 factoids have no pattern. The track has 22 questions without a known answer, and nobody says which.
    asked = zip(questions.questions, patterns.covered.tolist(), strict=True)
    without = [one.id for one, covered in asked if one.type == "FACTOID" and not covered]
    assert len(without) == 28
    (tmp_path / "nil.txt").write_text("".join(f"{name} NIL\n" for name in without))
    nouns: dict[str, Any] = {"verdicts": known, "matches": karat.read_matches(tmp_path / "matches.tsv", nuggets)}
    answers = karat.read_answers(tmp_path / "run.tsv", questions)
    scored = {"series": (65, 64), "list": (55, 55), "other": (64, 64)}
    whole = read_patterns([*files, tmp_path / "nil.txt"], questions)
    for given, factoids, right in ((patterns, 202, 0), (whole, 230, 28)):
        result = karat.qa(questions, answers, **nouns, patterns=given, unjudged="patterns")
        counts = {name: (count.asked, count.scored) for name, count in result.asked.units.items()}
        assert counts == {**scored, "factoid": (230, factoids)}
        run = result.runs[0]
        assert (run.list.score.value, run.other.score.value) == (1.0, 1.0)
        assert run.factoid.accuracy == pytest.approx(right / factoids)
        assert sum(one.code == "no-pattern" for one in result.warnings) == 230 - factoids


def test_2004_in_numbers(trec: Path) -> None:
    """What the paper says of its test set, from `karat check`; the 22 questions without an answer are in no file."""
    files = QuestionFiles(
        target_types=str(trec / "trec13targettypes"),
        judgments=(str(trec / "trec13answers_list"),),
        patterns=(str(trec / "trec13patterns_factoid"),),
        nuggets=str(trec / "trec13answers_other"),
    )
    whole = karat.check(trec / "trec13questions.xml", [], files=files).described
    assert whole is not None
    counts = {one.what: one.number for one in whole.counts}
    assert counts == {
        "factoid questions": 230,
        "list questions": 56,
        "other questions": 65,
        "series": 65,
        "series: ORG": 25,
        "series: PERSON": 23,
        "series: THING": 17,
        "series without a list question": 19,
        "factoid questions without a pattern": 28,
    }
    amounts = {one.what: (one.units, one.total, one.least, one.most) for one in whole.amounts}
    assert amounts["questions per series"] == (65, 351, 4, 10)
    assert amounts["known answers per list question"] == (55, 484, 2, 41)
    assert amounts["vital nuggets per question"][:2] == (64, 234)
    assert amounts["okay nuggets per question"][:2] == (64, 346)
    scored = karat.check(trec / "trec13questions.xml", [], files=replace(files, exclude=("25.4",))).described
    assert scored is not None
    assert {one.what: one.number for one in scored.counts}["series without a list question"] == 20


def test_kinds_of_targets(trec: Path, trec_2004: Questions) -> None:
    """The 65 series of TREC 2004 with made runs: each kind of target against the others, from the files alone."""
    lines = (trec / "trec13targettypes").read_text(encoding="latin-1").split("\n")
    kinds = [line[1:].split()[0] for line in lines if line.startswith("#")]
    assert [one.kind for one in trec_2004.series] == kinds
    random = np.random.default_rng(2004)
    scores = random.beta(1, 2, (5, 65)) + 0.3 * np.array([kind == "PERSON" for kind in kinds])
    found = {one.kind: one for one in kind_differences(trec_2004, scores)}
    assert set(found) == {"PERSON", "ORG", "THING"}
    means = [sum(float(row[at]) for row in scores) / 5 for at in range(65)]
    for name, one in found.items():
        mine = [mean for mean, kind in zip(means, kinds, strict=True) if kind == name]
        others = [mean for mean, kind in zip(means, kinds, strict=True) if kind != name]
        assert (one.series, one.others) == (len(mine), len(others)) == (kinds.count(name), 65 - kinds.count(name))
        assert one.difference == pytest.approx(sum(mine) / len(mine) - sum(others) / len(others))
        p = permutation_test(
            (mine, others),
            lambda a, b, axis: abs(ttest_ind(a, b, equal_var=False, axis=axis).statistic),
            vectorized=True,
            alternative="greater",
            n_resamples=4000,
            rng=np.random.default_rng(1),
        ).pvalue
        assert one.p == pytest.approx(p, abs=0.03)
        assert one.p_corrected >= one.p
    assert found["PERSON"].p_corrected <= 0.05

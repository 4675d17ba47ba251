"""Tests of `support`: by hand, against plain loops on random runs, several assessors, what is undefined."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karat
from karat.data.support import VERDICTS, Support
from karat.errors import DataError, UsageError
from karat.examples import RAG
from karat.formats.answer_table import write_answers
from karat.formats.support_table import read_support
from karat.studies.support.result import SUPPORT_SCORES
from karat.studies.support.study import WORTH, support
from tests.support_files import ALL, HEADER, SMALL, judged, support_problems, written
from tests.undefined import all_explained


def test_by_hand() -> None:
    """TREC RAG 2024: 1, .5 and 0 by the first citation; over the cited sentences, over all, and their harmonic mean."""
    result = support(judged(ALL))
    one, two = result.runs
    # t1: three sentences, two cited: full and partial, 1.5 / 2, 1.5 / 3, 2·.75·.5 / 1.25; t2: no support.
    assert one.scores == {
        "f1": {"t1": pytest.approx(0.6), "t2": 0},
        "precision": {"t1": 0.75, "t2": 0},
        "recall": {"t1": 0.5, "t2": 0},
        "reward": {"t1": 0.5, "t2": 0},
    }
    assert (one.f1.value, one.precision.value, one.recall.value) == (pytest.approx(0.3), 0.375, 0.25)
    assert (one.cited, one.full, one.partial, one.none, one.contradicted) == (0.75, *(pytest.approx(1 / 3),) * 3, 0)
    # The second run does not answer t2: recall and F1 are 0 there, and precision is over the other topic.
    assert (two.f1.value, two.precision.value, two.recall.value) == (0.5, 1, 0.5)
    assert (two.citing, two.unanswered, two.sentences) == (1, 1, 1)
    assert [one.code for one in result.warnings] == ["no-response"]
    assert result.scores().values.tolist() == [[pytest.approx(0.6), 0], [1, 0]]
    assert result.scores("precision").units == ("t1",)
    with pytest.raises(UsageError, match="f1"):
        result.scores("f2")


def test_only_the_first_citation_counts() -> None:
    """A verdict on another one changes nothing, and one on it alone is not enough."""
    more = "one\tt1\t1\td2\tcontradicted\tann\n"
    assert repr(support(judged(ALL + more)).runs) == repr(support(judged(ALL)).runs)
    told = support_problems(more + ALL.partition("\n")[2])
    assert [one.found for one in told] == ["no verdict on sentence 1 of run 'one' on topic 't1'"]


def test_a_contradiction_may_cost() -> None:
    """Its worth is declared; the interval stays within what verdicts are worth."""
    rows = ALL.replace("none", "contradicted")
    assert support(judged(rows)).runs[0].f1.value == pytest.approx(0.3)
    one = support(judged(rows), worth={"contradicted": -1}).runs[0]
    assert one.scores["f1"] == {"t1": pytest.approx(0.6), "t2": -1}
    assert one.f1.value == pytest.approx(-0.2)
    assert one.f1.low == -1
    assert one.f1.high == 1
    costly = support(judged(ALL), worth={"uncited": -0.4}).runs[0]
    assert costly.scores["reward"] == {"t1": pytest.approx((1.5 - 0.4) / 3), "t2": 0}
    assert costly.scores["recall"] == {"t1": 0.5, "t2": 0}
    for worth in ({"all": 1.0}, {"full": 2.0}, {"none": float("nan")}):
        with pytest.raises(UsageError):
            support(judged(rows), worth=worth)


def test_unjudged() -> None:
    """Every citation without a verdict is named, or all of them count as no support and are counted."""
    rows = ALL.partition("\n")[0] + "\n" + ALL.splitlines()[2] + "\n"
    told = support_problems(rows)
    assert [one.code for one in told] == ["unjudged-citation"] * 2
    assert [one.line for one in told] == [1, 1]
    result = support(judged(rows), unjudged="none")
    assert [run.unjudged for run in result.runs] == [1, 1]
    assert result.runs[0].scores["f1"]["t1"] == pytest.approx(2 * 1 / (2 + 3))
    assert any("2 cited sentences without a verdict count as no support" in str(one) for one in result.findings())


def naive(runs: Any, verdicts: Any, assessors: list[str], run: str, topic: str, worth: Any) -> dict[str, float | None]:
    """The scores of an answer, sentence by sentence."""
    total, cited, count = 0.0, 0, 0
    for number, documents in enumerate(runs[run].get(topic, []), 1):
        count += 1
        if documents:
            cited += 1
            said = [verdicts.get((run, topic, number, documents[0], who)) for who in assessors]
            given = [worth[one] for one in said if one is not None]
            total += sum(given) / len(given) if given else worth["none"]
    precision = total / cited if cited else None
    recall = total / count if count else 0.0
    both = (precision or 0) + recall
    f1 = 2 * (precision or 0) * recall / both if both else 0.0
    reward = (total + worth["uncited"] * (count - cited)) / count if count else 0.0
    return {"precision": precision, "recall": recall, "f1": f1, "reward": reward}


@pytest.mark.parametrize("seed", range(12))
def test_against_plain_loops(seed: int, tmp_path: Path) -> None:
    """Random runs, some of whose sentences cite nothing, judged in part by several assessors."""
    dice = random.Random(seed)
    topics = [f"t{place}" for place in range(dice.randrange(2, 6))]
    runs = {
        name: {
            topic: [dice.sample(["d1", "d2", "d3"], dice.randrange(0, 3)) for _ in range(dice.randrange(1, 5))]
            for topic in topics
            if dice.random() < 0.9 or topic == "t0"
        }
        for name in ("one", "two", "three")
    }
    assessors = ["ann", "bo", "cy"][: 1 + seed % 3]
    verdicts = {
        (name, topic, number, document, who): dice.choice(VERDICTS)
        for name, run in runs.items()
        for topic, sentences in run.items()
        for number, documents in enumerate(sentences, 1)
        for document in documents
        for who in assessors
        if dice.random() < 0.8
    }
    rows = ["\t".join(map(str, (*key[:4], said, key[4]))) + "\n" for key, said in verdicts.items()]
    dice.shuffle(rows)
    found = read_support(*written(tmp_path, runs, "".join(rows)))
    assert set(found.left_out) == set(topics) & {t for run in runs.values() for t in run} - {key[1] for key in verdicts}
    worth = WORTH | ({"contradicted": -1.0, "uncited": -0.25} if seed % 2 else {})
    result = support(found, unjudged="none", worth=worth)
    assert all_explained(result)
    scored = sorted({key[1] for key in verdicts})
    for run in result.runs:
        by_hand = {topic: naive(runs, verdicts, assessors, run.run, topic, worth) for topic in scored}
        for name in SUPPORT_SCORES:
            expected = {topic: np.nan if one[name] is None else one[name] for topic, one in by_hand.items()}
            assert run.scores[name] == pytest.approx(expected, nan_ok=True), (run.run, name)
            known = [one for one in expected.values() if one is not None and one == one]
            assert getattr(run, name).value == pytest.approx(np.mean(known) if known else np.nan, nan_ok=True)
    # One assessor alone is scored as if the others were not there.
    for who in result.assessors:
        alone = support(found, unjudged="none", worth=worth, assessor=[who.assessor])
        whole = [
            topic
            for topic in scored
            if any(key[1] == topic and key[4] == who.assessor and key[3] == runs[key[0]][topic][key[2] - 1][0]
                   for key in verdicts)
            and all(
                (name, topic, number, documents[0], who.assessor) in verdicts
                for name, run in runs.items()
                for number, documents in enumerate(run.get(topic, []), 1)
                if documents
            )
        ]  # fmt: skip
        assert who.topics == len(whole)
        for run in alone.runs:
            mean = np.mean([run.scores["f1"][topic] for topic in whole]) if whole else np.nan
            assert who.scores["f1"][run.run] == pytest.approx(mean, nan_ok=True)


def test_assessors() -> None:
    """Scores are means over assessors, or those of one; a table has each; nobody else can be named."""
    rows = ALL + ALL.replace("\tann", "\tbo").replace("partial", "full")
    both, ann, bo = (support(judged(rows), assessor=who) for who in ((), ("ann",), ("bo",)))
    assert both.runs[0].scores["recall"]["t1"] == pytest.approx((0.5 + 2 / 3) / 2)
    assert [one.scores["f1"]["one"] for one in both.assessors] == [ann.runs[0].f1.value, bo.runs[0].f1.value]
    assert [sheet.title for sheet in both.sheets()] == ["Runs", "F1 by assessor", "Verdicts by assessor"]
    assert [sheet.title for sheet in ann.sheets()] == ["Runs"]
    with pytest.raises(UsageError, match="ann"):
        support(judged(rows), assessor=("an",))


def test_a_run_that_cites_nothing() -> None:
    """It has no precision, which says why; recall and F1 are 0."""
    result = support(judged(ALL, SMALL | {"mute": {"t1": [[]], "t2": [[], []]}}))
    mute = {run.run: run for run in result.runs}["mute"]
    assert (mute.f1.value, mute.recall.value, mute.cited) == (0, 0, 0)
    assert np.isnan(mute.precision.value)
    assert all_explained(result)
    assert result.scores("precision").units == ()


def test_topics_without_judgments_are_named() -> None:
    """They are left out of everything, and a sentence says so."""
    first = "".join(f"{row}\n" for row in ALL.splitlines() if "t1" in row)
    result = support(judged(first))
    assert (result.topics, result.left_out) == (1, ["t2"])
    assert any("1 topic that runs answer is left out: nothing of it was judged (t2)." in str(one)
               for one in result.findings())  # fmt: skip


HOSTILE = [
    ("", ["empty-file"]),
    (ALL.replace("partial", ""), ["support"]),
    (ALL.replace("t1\t3", "t1\t0"), ["sentence"]),
    (ALL.replace("t1\t3", "t1\t²"), ["sentence"]),
    (ALL.replace("t1\t3", "t1\t4"), ["unknown-citation"]),
    (ALL.replace("t1\t3", "t1\t2"), ["unknown-citation"]),
    (ALL.replace("two\tt1", "two\tt2"), ["unknown-citation"]),
    (ALL + ALL.splitlines()[0] + "\n", ["judged-twice"]),
    (ALL + ALL.splitlines()[0].replace("full", "none") + "\n", ["verdicts-differ"]),
    (ALL + "three\tt1\t1\td1\tfull\tann\n", ["run-beside"]),
    (ALL.replace("\tt1", "\t"), ["unknown-citation", "unknown-citation", "unknown-citation", "unknown-id"]),
    (ALL.replace("partial", "perhaps").replace("t1\t1", "t1\tx"), ["sentence", "support", "sentence"]),
]


@pytest.mark.parametrize(("rows", "codes"), HOSTILE)
def test_hostile_judgments(rows: str, codes: list[str]) -> None:
    """Everything wrong is told at once, with its line; nothing but this is told."""
    told = [one for one in support_problems(rows) if one.code != "no-response"]
    assert sorted(one.code for one in told) == sorted(codes)
    assert all(one.line for one in told if one.code not in ("empty-file", "run-beside", "unknown-id"))


def test_without_the_columns() -> None:
    """A table that is none of judged citations is refused by its header."""
    assert [one.code for one in support_problems("one\tt1\tfull\n", header="run\tqid\tsupport\n")] == ["format"]


@pytest.mark.parametrize(
    ("spelled", "meant"),
    [("Full Support", "full"), ("PARTIAL_SUPPORT", "partial"), ("no support", "none"), ("None", "none"),
     ("entailment", "full"), ("neutral", "none"), ("contradiction", "contradicted"), ("Contradicted", "contradicted")],
)  # fmt: skip
def test_spellings(spelled: str, meant: str) -> None:
    """In any case, as TREC RAG says it, or as labels of entailment."""
    found = judged(ALL.replace("partial", spelled), header=HEADER.replace("support", "verdict"))
    assert VERDICTS[found.verdict[0, 2]] == meant


def test_support_by_hand_must_fit() -> None:
    """Verdicts of another shape than the sentences are refused."""
    answers = judged(ALL).answers
    with pytest.raises(UsageError, match="sentences"):
        Support(answers, ("ann",), np.zeros((1, 1), dtype=np.int8))


@pytest.mark.parametrize("writer", ["rag", "table"])
def test_runs_keep_their_citations(writer: str, tmp_path: Path) -> None:
    """Read, written and read again, the runs are the same and are scored the same."""
    first = read_support(RAG / "citations.tsv", RAG / "runs")
    file = tmp_path / f"runs.{'jsonl' if writer == 'rag' else 'tsv'}"
    write_answers(first.answers, file, writer=writer)
    again = read_support(RAG / "citations.tsv", file)
    assert (again.answers.runs, list(again.answers.rows())) == (first.answers.runs, list(first.answers.rows()))
    assert support(again).runs == support(first).runs


def test_the_example_goes_on_to_other_commands(tmp_path: Path) -> None:
    """The score matrices of people and of a program are compared; their verdicts are ballots."""
    found = read_support(RAG / "citations.tsv", RAG / "runs")
    files = []
    for who in ("anna", "auto"):
        files.append(tmp_path / f"{who}.csv")
        karat.write_scores(support(found, assessor=(who,)).scores(), files[-1])
    assert len(karat.compare(karat.read_scores(files[0])).pairs) == 3
    assert karat.meta(karat.read_judgments(files), replicates=99).judges
    ballots = karat.read_ballots(
        RAG / "citations.tsv",
        ballot_column={"unit": "run+qid+sentence+doc", "label": "support"},
        level="ordinal",
        order=VERDICTS[::-1],
    )
    assert ballots.assessors == ("anna", "ben", "auto")
    assert len(ballots.units) == 167


def test_no_runs() -> None:
    """Nothing is scored without a run."""
    with pytest.raises((UsageError, DataError)):
        read_support(RAG / "citations.tsv", [])


def test_a_page_can_tell_names_of_runs_from_words() -> None:
    """Sentences about the best run, and about contradicted ones, mark the names in them."""
    said = [one for one in support(judged(ALL)).findings() if "highest" in one]
    assert said
    assert all(set(one.runs) == set(one.parts[1::2]) for one in said)

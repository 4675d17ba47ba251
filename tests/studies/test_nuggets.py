"""Tests of `nuggets`: all scores against plain loops, junk, assessors, ratings, and what is undefined."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from karat.data.nuggets import NEITHER, SUPPORT, UNKNOWN_DEGREE, Junk, Matches
from karat.data.ratings import Ratings
from karat.errors import DataError, UsageError
from karat.formats.nugget_table import read_matches, read_nuggets, write_matches
from karat.studies.nuggets.result import NUGGET_SCORES, NuggetScores
from karat.studies.nuggets.study import nuggets
from karat.studies.qa.study import qa
from tests.studies import nuggets_by_hand as hand
from tests.studies import qa_by_hand
from tests.studies.qa_worlds import World, matches_of, nouns, random_world
from tests.undefined import all_explained

WORLDS = [
    pytest.param(random_world(seed, runs=2 + seed % 3, series=3 + seed % 5, assessors=1 + seed % 3), id=str(seed))
    for seed in range(15)
]


def matched(world: World, texts: bool = True) -> Matches:
    """What runs hold, with their answers or without."""
    return matches_of(world).with_texts(nouns(world)["answers"]) if texts else matches_of(world)


def mean_or_none(values: list[float | None]) -> float | None:
    """Over all, where all are defined."""
    return None if not values or None in values else sum(value for value in values if value is not None) / len(values)


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("texts", [True, False])
def test_scores(world: World, texts: bool) -> None:
    """Six supports, F and strict F of every topic, and their means over the topics scored for every run."""
    result = nuggets(matched(world, texts), beta=2.0)
    for name in NUGGET_SCORES:
        rows: list[list[float | None]] = []
        for run in result.runs:
            lengths = {topic: qa_by_hand.length(world, run.run, topic) if texts else None for topic in run.scores[name]}
            row = [hand.score(world, run.run, topic, name, lengths[topic], 2.0) for topic in run.scores[name]]
            found = list(run.scores[name].values())
            np.testing.assert_allclose(found, [np.nan if one is None else one for one in row], atol=1e-12)
            rows.append(row)
        shared = [at for at in range(len(rows[0])) if all(row[at] is not None for row in rows)]
        for run, row in zip(result.runs, rows, strict=True):
            expected = mean_or_none([row[at] for at in shared])
            assert getattr(run, name) == pytest.approx(np.nan if expected is None else expected, nan_ok=True), name
            assert run.interval[name].value == pytest.approx(getattr(run, name), nan_ok=True)


@pytest.mark.parametrize("world", WORLDS)
def test_same_as_qa(world: World) -> None:
    """F of the same nuggets is that of `qa`: old and new scores are compared on one set of answers."""
    given = nouns(world)
    questions = qa(given["questions"], given["answers"], matches=given["matches"]).runs
    for one, other in zip(questions, nuggets(matched(world)).runs, strict=True):
        assert one.other.score.value == pytest.approx(other.f, nan_ok=True)


@pytest.mark.parametrize("world", WORLDS)
def test_betas(world: World) -> None:
    """The curve at the β asked for is the score, of several assessors too."""
    result = nuggets(matched(world), beta=2.0)
    assert result.betas is not None
    official = next(one for one in result.betas.rankings if one.beta == 2.0)
    assert official.scores == pytest.approx({run.run: run.f for run in result.runs})
    for one in result.assessors:
        if one.betas is not None:
            at = next(ranking for ranking in one.betas.rankings if ranking.beta == 2.0)
            assert at.scores == pytest.approx(one.scores)
            assert at.ranking == one.ranking


@pytest.mark.parametrize("world", WORLDS)
def test_assessors(world: World) -> None:
    """Each assessor's own list alone: mean F, ranking, and tau between every two."""
    result = nuggets(matched(world))
    assert [one.assessor for one in result.assessors] == world.assessors
    for one in result.assessors:
        alone = nuggets(
            matched(replace(world, nuggets={k: v for k, v in world.nuggets.items() if k[0] == one.assessor}))
        )
        assert one.scores == pytest.approx({run.run: run.f for run in alone.runs}, nan_ok=True)
    pairs = [(a, b) for at, a in enumerate(result.assessors) for b in result.assessors[at + 1 :]]
    assert len(result.agreement) == len(pairs)
    for found, (a, b) in zip(result.agreement, pairs, strict=True):
        if all(value == value for value in (*a.scores.values(), *b.scores.values())):
            assert found.tau == pytest.approx(qa_by_hand.tau(list(a.scores.values()), list(b.scores.values())))


def junk_world() -> Matches:
    """Two runs, three topics: one assignment and one importance that mean nothing, one topic without vital nuggets."""
    world = World(runs=["a", "b"])
    world.nuggets = {
        ("", "t1"): [("1", "vital"), ("2", "vital")],
        ("", "t2"): [("1", "vital"), ("2", "okay")],
        ("", "t3"): [("1", "okay")],
    }
    for run in world.runs:
        for topic in ("t1", "t2", "t3"):
            world.held[run, "", topic, "1"] = "support"
    matches = matches_of(world)
    degree, importance = matches.degree.copy(), matches.importance.copy()
    degree[0, 1], importance[1, 3] = UNKNOWN_DEGREE, NEITHER
    degree[1, 3] = SUPPORT
    junk = Junk("a", "t1", "nugget 2", "assignment", "failed"), Junk("b", "t2", "nugget 2", "importance", "failed")
    return replace(matches, degree=degree, importance=importance, junk=junk)


def test_junk() -> None:
    """Left out, a label that means nothing is no support and no nugget; as zero it is a nugget not supported."""
    missing, zero = (nuggets(junk_world(), missing=policy).runs for policy in ("missing", "zero"))
    assert (missing[0].scores["vital"]["t1"], zero[0].scores["vital"]["t1"]) == (1.0, 0.5)
    assert (missing[1].scores["all"]["t2"], zero[1].scores["all"]["t2"]) == (1.0, 1.0)
    assert (missing[1].scores["weighted"]["t2"], zero[1].scores["weighted"]["t2"]) == (1.0, 1.0)
    assert missing[0].scores["vital"]["t3"] != missing[0].scores["vital"]["t3"]
    assert zero[0].scores["vital"]["t3"] == 0.0
    assert (missing[0].topics, missing[0].missing, zero[0].topics, zero[0].missing) == (2, 1, 3, 0)


def test_changed() -> None:
    """Every score that the policy changes is named, with the label, or without where the list has no vital nugget."""
    result = nuggets(junk_world())
    missing, zero = (nuggets(junk_world(), missing=policy).runs for policy in ("missing", "zero"))
    expected = {
        (run.run, topic, name)
        for run, other in zip(missing, zero, strict=True)
        for name in NUGGET_SCORES
        for topic, value in run.scores[name].items()
        if value != other.scores[name][topic] and not (value != value and np.isnan(other.scores[name][topic]))
    }
    assert {(one.run, one.topic, one.score) for one in result.changed} == expected
    told = {(one.run, one.topic): one.labels_cell for one in result.changed}
    assert told["a", "t1"] == "assignment 'failed'"
    assert told["a", "t3"] == told["b", "t3"] == "no judged vital nugget"
    assert ("b", "t1") not in told
    assert result.nuggets.without_vital == ["t3"]
    sentences = " ".join(result.findings())
    assert "2 labels are invalid, and their nuggets are left out; this affects the scores of 1 answer" in sentences
    assert "1 of 3 topics has no vital nugget and is not scored: t3." in sentences
    assert "count as no support" in " ".join(nuggets(junk_world(), missing="zero").findings())


def test_not_judged() -> None:
    """A run that was not judged on a topic has no score there, and the means of all leave the topic out."""
    world = random_world(3, runs=2, series=4)
    matches = matched(world)
    answered = matches.answered.copy()
    answered[0, 1] = False
    result = nuggets(replace(matches, answered=answered))
    topic = matches.nuggets.units[1]
    assert np.isnan([result.runs[0].scores[name][topic] for name in NUGGET_SCORES]).all()
    rest = [value for name, value in result.runs[1].scores["vital"].items() if name != topic and value == value]
    assert result.runs[1].vital == pytest.approx(sum(rest) / len(rest))
    assert topic not in result.scores("vital").units
    assert not np.isnan(result.scores("all").values).any()


def test_answers_of_some_runs() -> None:
    """F would compare what is known with what is not: an error that names the runs."""
    world = random_world(3, runs=3)
    answers = nouns(replace(world, runs=["run1"]))["answers"]
    with pytest.raises(DataError) as caught:
        nuggets(matches_of(world).with_texts(answers))
    assert [(one.code, one.found) for one in caught.value.problems] == [
        ("run-without", "no answers of run 'run0', so no lengths"),
        ("run-without", "no answers of run 'run2', so no lengths"),
    ]
    strangers = replace(nouns(world)["answers"], runs=("x", "y", "z"))
    with pytest.raises(DataError) as caught:
        nuggets(matches_of(world).with_texts(strangers))
    assert [one.code for one in caught.value.problems] == ["run-without"] * 3, "of other names, they are of no use"


def rated(*assessors: tuple[str, dict[str, tuple[float, float]]]) -> Ratings:
    """Content and organisation of each run, on one unit."""
    rows = [(run, at, *values) for at, (_, runs) in enumerate(assessors) for run, values in runs.items()]
    names = tuple(dict.fromkeys(row[0] for row in rows))
    return Ratings(
        runs=names,
        units=("1",),
        assessors=tuple(name for name, _ in assessors),
        criteria=("content", "organisation"),
        run=np.array([names.index(row[0]) for row in rows], dtype=np.int32),
        unit=np.zeros(len(rows), dtype=np.int32),
        assessor=np.array([row[1] for row in rows], dtype=np.int32),
        values=np.array([row[2:] for row in rows]),
    )


def test_ratings() -> None:
    """Content dominates organisation by the weight given; rankings of ratings against those of nuggets."""
    world = random_world(4, runs=2)
    ratings = rated(("ann", {"run0": (8, 0), "run1": (6, 8)}), ("ben", {"run0": (1, 1), "run1": (2, 2)}))
    dominant, even = (nuggets(matched(world), ratings=ratings, content=weight) for weight in (0.9, 0.5))
    assert dominant.ratings[0].scores == pytest.approx({"run0": 7.2, "run1": 6.2})
    assert (dominant.ratings[0].ranking, even.ratings[0].ranking) == (["run0", "run1"], ["run1", "run0"])
    named = {(pair.a, pair.b): pair.tau for pair in dominant.agreement}
    assert named["ratings of ann", "ratings of ben"] == -1.0
    assert ("ratings of ann", "nuggets of who0") in named


def test_ratings_lack_a_column() -> None:
    """What is rated is content and organisation."""
    ratings = replace(rated(("ann", {"run0": (1, 1)})), criteria=("content", "style"))
    with pytest.raises(UsageError, match="content and organisation; there are content, style"):
        nuggets(matched(random_world(4)), ratings=ratings)


def odd_results() -> list[NuggetScores]:
    """Results of inputs that leave much undefined."""
    world, alone = random_world(4, assessors=2), random_world(4, runs=1, series=1)
    none = World(runs=["a", "b"], nuggets={("", "t"): [("1", "okay")]})
    partly = rated(("ann", {"run0": (1, 1), "elsewhere": (2, 2)}), ("ben", {"run1": (1, 1)}))
    return [
        nuggets(matched(world)),
        nuggets(matched(world, texts=False)),
        nuggets(matched(world), ratings=partly),
        nuggets(matched(alone)),
        nuggets(matches_of(none)),
        nuggets(junk_world()),
        nuggets(junk_world(), missing="zero"),
    ]


def test_every_null_has_its_reason() -> None:
    """In JSON every null has one reason, and each is about a null."""
    for result in odd_results():
        all_explained(result)


@pytest.mark.parametrize("format", ["text", "json", "csv", "latex", "html"])
def test_renders(format: str) -> None:
    """Whatever is undefined, every format shows it."""
    for result in odd_results():
        assert not re.search(r"\b(nan|None)\b", result.render(format))


def test_matrix() -> None:
    """The topics by any score; an unknown one is refused."""
    result = nuggets(matched(random_world(4)))
    for name in NUGGET_SCORES:
        assert result.scores(name).values.mean(axis=1) == pytest.approx([getattr(run, name) for run in result.runs])
    with pytest.raises(UsageError, match="score of nuggets"):
        result.scores("vitals")


@pytest.mark.parametrize("options", [{"beta": -1}, {"content": 2}, {"missing": "some"}, {"bета": 1}])
def test_odd_options(options: dict[str, Any]) -> None:
    """Refused by name."""
    with pytest.raises(UsageError):
        nuggets(matched(random_world(4)), **options)


def test_no_runs() -> None:
    """Nothing to score."""
    with pytest.raises(UsageError, match="no runs"):
        nuggets(matches_of(replace(random_world(4), runs=[])))


@pytest.mark.parametrize("missing", ["missing", "zero"])
def test_an_assessor_without_a_list(missing: str) -> None:
    """An assessor who has no list of a topic says nothing of it, under either policy."""
    world = World(runs=["a"], nuggets={("ann", "t1"): [("1", "vital")], ("ben", "t2"): [("1", "vital")]})
    world.held["a", "ann", "t1", "1"] = world.held["a", "ben", "t2", "1"] = "support"
    (run,) = nuggets(matches_of(world), missing=missing).runs
    assert run.scores["vital"] == {"t1": 1.0, "t2": 1.0}


def test_what_answers_contradict(tmp_path: Path) -> None:
    """It is counted, named in the table and in a sentence, scored as no support, and written again as it was."""
    listed = tmp_path / "nuggets.tsv"
    head = "qid\tnugget\tassessor\timportance\ttext\n"
    listed.write_text(head + "".join(f"t\t{n}\ta\tvital\tnugget {n}\n" for n in range(1, 5)), encoding="utf-8")
    results = {}
    for name, word in (("contrary", "Contradicted"), ("silent", "not_support")):
        file = tmp_path / f"{name}.tsv"
        rows = [("one", 1, "support"), ("one", 2, word), ("one", 3, word), ("two", 1, "support"), ("two", 4, word)]
        text = "".join(f"{run}\tt\t{nugget}\ta\t{degree}\n" for run, nugget, degree in rows)
        file.write_text(f"run\tqid\tnugget\tassessor\tdegree\n{text}", encoding="utf-8")
        matches = read_matches(file, read_nuggets(listed))
        again = tmp_path / f"{name}-again.tsv"
        write_matches(matches, again)
        results[name] = nuggets(matches)
        assert [run.contradicted for run in nuggets(read_matches(again, read_nuggets(listed))).runs] == [
            run.contradicted for run in results[name].runs
        ]
    contrary, silent = results["contrary"], results["silent"]
    assert str([run.scores for run in contrary.runs]) == str([run.scores for run in silent.runs])
    assert ([run.contradicted for run in contrary.runs], [run.contradicted for run in silent.runs]) == ([2, 1], [0, 0])
    said = "Assessors judged 3 times that an answer contradicts a nugget (one 2, two 1)"
    said += ", which counts as no support."
    assert said in [str(one) for one in contrary.findings()]
    assert not [one for one in silent.findings() if "contrary" in str(one)]
    assert "contradicted" in [column.name for column in contrary.sheets()[1].columns]
    assert "contradicted" not in [column.name for column in silent.sheets()[1].columns]


def test_invalid_labels_are_shown_in_a_few_rows(tmp_path: Path) -> None:
    """The first ten answers, with the first labels of each, and how many more there are; JSON has all."""
    lines = []
    for topic in range(12):
        nuggets_of = [{"text": f"n{place}", "importance": "vital"} for place in range(6)]
        lines.append({"qid": f"t{topic:02}", "nuggets": nuggets_of})
    (tmp_path / "n.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    for line in lines:
        for place, nugget in enumerate(line["nuggets"]):
            nugget["assignment"] = f"junk {place}" if place else "support"
    (tmp_path / "run.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    result = nuggets(read_matches(tmp_path / "run.jsonl", read_nuggets(tmp_path / "n.jsonl")))
    sheet = next(one for one in result.sheets() if one.title == "Scores that depend on invalid labels")
    assert len(sheet.rows()) == 10
    assert sheet.rows()[0][-1] == "assignment 'junk 1', assignment 'junk 2', assignment 'junk 3' and 2 more"
    assert any("2 more answers and all scores are in JSON" in note for note in map(str, sheet.notes))
    assert {one.topic for one in result.changed} == {f"t{topic:02}" for topic in range(12)}
    assert all(len(one.columns) <= 9 for one in result.sheets()[:2])


def test_programs_may_say_contradicted_too(tmp_path: Path) -> None:
    """In JSON lines of TREC RAG it is no label without a meaning."""
    line = {"qid": "t", "nuggets": [{"text": "one", "importance": "vital"}, {"text": "two", "importance": "okay"}]}
    (tmp_path / "n.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    for nugget, said in zip(line["nuggets"], ("support", "contradicted"), strict=True):
        nugget["assignment"] = said
    (tmp_path / "run.jsonl").write_text(json.dumps(line | {"answer_text": "…"}) + "\n", encoding="utf-8")
    (run,) = nuggets(read_matches(tmp_path / "run.jsonl", read_nuggets(tmp_path / "n.jsonl"))).runs
    assert (run.contradicted, run.all, run.vital) == (1, 0.5, 1.0)

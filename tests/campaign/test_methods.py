"""The methods paragraphs: every number from the data, names as they are seen, references that are there."""

from __future__ import annotations

import json
import re
from dataclasses import replace as changed
from datetime import timedelta

import numpy as np
import pytest
from immutables import Map
from msgspec.structs import replace

import karat
from karat import __version__, examples
from karat.campaign.checking import TestSet as Read
from karat.campaign.checking import read_test, together
from karat.campaign.commands import Extend, Join, Rekey, Release, Withdraw
from karat.campaign.dates import Dates
from karat.campaign.definition import Definition, Task
from karat.campaign.judged import answers_of
from karat.campaign.judging.work import Work
from karat.campaign.methods import _verdicts, methods, references
from karat.campaign.sight import alias, sight
from karat.data.verdicts import CORRECT, INCORRECT, Verdicts
from karat.studies.report.result import Report
from karat.studies.report.study import SECTIONS, report
from tests.campaign.worlds import AFTER, CLOSES, OPENS, Scores, World, digest

PAIRS = (examples.HERE / "pairs.xml").read_bytes()
RUNS = {name: (examples.HERE / "runs" / name).read_bytes() for name in ("careful.jsonl", "cautious.txt", "terse.jsonl")}
BRIEF = tuple(name for name in SECTIONS if name not in ("score", "compare"))
QA_RUNS = ("careful", "steady", "guesser")
TASK = Task(name="three-way", title="Three-way {entailment}", test="pairs.xml", runs=2)
OTHER = Task(name="questions", kind="questions", test="others.xml", runs=5)
DEFINITION = Definition(
    name="rte",
    title="RTE & more",
    dates=Dates(opens=OPENS, closes=CLOSES),
    grace=20,
    tasks=(TASK, OTHER),
    practice=True,
)


@pytest.fixture(scope="module")
def questions() -> Read:
    """A test set that people judge."""
    return read_test(OTHER, (examples.HERE / "qa" / "questions.xml").read_bytes())


def played(definition: Definition = DEFINITION) -> World:
    """A campaign that has taken place: three teams, one without a run, one with more time."""
    world = World(definition)
    world.join("Alder", "Birch", "Cedar")
    world.do(Join(account="org", role="organiser", person="Olga O'Hara & Sons"))
    world.do(Extend(team="Birch", until=CLOSES + timedelta(days=1), reason="a power cut at Zebra University"))
    world.accepted("Alder", "1", run=1)
    world.accepted("Alder", "2", run=1)
    world.accepted("Alder", "3", run=2, manual=True)
    late = CLOSES + timedelta(days=1, minutes=5)
    world.accepted("Birch", "4", received=late, ranked=True)
    gone = world.accepted("Birch", "5", task="questions", scores={})
    world.do(Withdraw(account="Birch", id=gone.id))
    world.accepted("Alder", "6", task="questions", scores={})
    world.submit("Cedar", "7", "missing-id")
    world.accepted("Alder", "8", area="practice", received=AFTER)
    return world


def reported(world: World, test: Read, count: int = 3) -> dict[str, Report]:
    """The brief report on three runs, as a server makes it."""
    runs = dict(list(RUNS.items())[:count])
    names = [run.name for run in world.campaign.active(task="three-way")]
    given = {name: (file, raw) for name, (file, raw) in zip(names, runs.items(), strict=False)}
    return {"three-way": report(together(test, given), title="RTE", without=BRIEF)}


def test_every_number_is_from_the_data(questions: Read) -> None:
    """Units, labels, dates, teams, runs, limits, refusals, tests and versions, against what was done."""
    world = played()
    world.do(Release(to="teams"), AFTER)
    scores = {id: run.scores for id, run in world.campaign.runs.items() if run.scores}
    world.do(Rekey(files={"pairs.xml": digest("new")}, scores=scores, reason="Pair 3 was wrong."), AFTER)
    world.do(Release(to="public"), AFTER)
    state, test = world.campaign, read_test(TASK, PAIRS)
    made = reported(world, test)
    text = methods(state, {"three-way": test, "questions": questions}, made, sight(state, "public", AFTER))
    compared = made["three-way"].of("compare")
    for said in (
        "RTE & more had 2 tasks.",
        "had 160 pairs: 80 ENTAILMENT (50.0%), 56 UNKNOWN (35.0%) and 24 CONTRADICTION (15.0%).",
        f"had {len(questions.units)} questions: 43 factoid, 12 list and 12 other, in 12 series.",
        "The runs of questions have not been judged, and have no scores.",
        "in three-way, every pair had to be answered once, with a label of the task; in questions, every factoid",
        "How the key of three-way was annotated, by whom and with what agreement, is not recorded here.",
        "from 1 May 2027, 00:00:00 UTC until 8 May 2027, 23:59:59 UTC.",
        "1 team was given more time, until 9 May 2027, 23:59:59 UTC at the latest.",
        "up to 20 minutes after the deadline",
        "3 teams registered, and 2 took part with runs that count: Alder (3 runs) and Birch (1 run).",
        "A team could submit up to 2 in three-way and 5 in questions.",
        "There were 3 runs in three-way and 1 run in questions.",
        "Of the 4 runs, 1 was late, 1 was made with manual intervention, 1 was ranked by confidence and 1 was not yet",
        "In all, 1 file was refused, 1 file was replaced and 1 file was withdrawn.",
        f"The runs of three-way were scored with karat {__version__}. The measures are accuracy",
        f"{len(compared.pairs)} pairs of runs were compared in accuracy (three-way) on 160 units by a paired exact",
        compared.controls,
        compared.intervals,
        f"Key version 2 replaced the key on 10 May 2027, 23:59:59 UTC (commitment {state.commitment}): Pair 3 was",
        state.keys[0].commitment,
        "All scores are those of key version 2.",
        "Each team received its own results on 10 May 2027",
        "All results became public on 10 May 2027",
    ):
        assert said in text, text
    assert "Zebra" not in text, "why somebody got more time is not for the public"


def test_the_words_follow_the_study(questions: Read) -> None:
    """Another test and correction give other words; a single run is not compared."""
    world, test = played(), read_test(TASK, PAIRS)
    state, tests = world.campaign, {"three-way": test, "questions": questions}
    seeing = sight(state, "organiser", AFTER)
    alone = methods(state, tests, reported(world, test, 1), seeing)
    assert "Runs were not tested against each other" in alone
    assert "paired exact test" not in alone
    assert "No run has been scored yet." in methods(state, tests, {}, seeing)


def test_each_way_is_a_family_of_tests(questions: Read) -> None:
    """Where runs are compared in both ways, both are told, and that neither corrects for the other."""
    world, test = played(), read_test(TASK, PAIRS)
    made, seeing = reported(world, test), sight(world.campaign, "organiser", AFTER)
    text = methods(world.campaign, {"three-way": test, "questions": questions}, made, seeing)
    assert [view.board.way for view in made["three-way"].opening.views] == ["3", "2"]
    assert (
        "The runs were also compared two-way: 3 pairs of runs in accuracy on 160 units (paired exact test, Holm "
        "correction, level 0.05). The three-way and two-way comparisons are two families of tests, each corrected"
    ) in text
    one = {"three-way": in_one_way(made["three-way"])}
    alone = methods(world.campaign, {"three-way": test, "questions": questions}, one, seeing)
    assert "families" not in alone


def in_one_way(made: Report) -> Report:
    """A report without the comparison in the other way."""
    return changed(made, opening=changed(made.opening, views=made.opening.views[:1]))


def test_sources_stand_where_they_are_used(questions: Read) -> None:
    """Each interval has its own source, and what only confidences need is not cited."""
    world, test = played(), read_test(TASK, PAIRS)
    made, seeing = reported(world, test), sight(world.campaign, "organiser", AFTER)
    assert "Brier" in next(one.source for one in made["three-way"].methods if one.name == "score")
    text = methods(world.campaign, {"three-way": test, "questions": questions}, made, seeing)
    assert "of accuracy by Wilson's method [Wilson 1927]; of macro F1 and kappa" in text
    assert "with two units added where counts are small [Agresti and Coull 1998]." in text
    assert not re.search("Brier|Naeini|Broecker", text)
    assert not re.search("brier|naeini|broecker", references(world.campaign, text))


JUDGMENTS = (examples.HERE / "qa" / "judgments.tsv").read_bytes()
ANSWERS = {f"{run}-1": (f"{run}.tsv", (examples.HERE / "qa" / "runs" / f"{run}.tsv").read_bytes()) for run in QA_RUNS}


def judged_scores(world: World) -> dict[str, Scores]:
    """Scores of the only run of answers that counts."""
    (asked,) = world.campaign.active(task="questions")
    return {asked.received.id: {"questions": {"factoid_accuracy": 0.5}}}


def judged_test() -> Read:
    """The questions with the verdicts on the answers."""
    return read_test(OTHER, (examples.HERE / "qa" / "questions.xml").read_bytes(), judgments={"verdicts": JUDGMENTS})


def test_judged_questions_have_words_of_their_own() -> None:
    """Verdicts, measures and the test of answers, apart from those of labels; every number from the results."""
    world, test, judged = played(), read_test(TASK, PAIRS), judged_test()
    assert judged.judged.verdicts is not None
    evidence = {"questions": judged.units, "verdicts": judged.judged.verdicts}
    brief = tuple(name for name in SECTIONS if name not in ("qa", "qa-compare"))
    made = report(None, answers=answers_of(judged.units, ANSWERS), **evidence, title="QA", without=brief)
    world.do(
        Rekey(
            judgments={"questions": {"verdicts": digest("verdicts")}},
            scores=judged_scores(world),
            reason="All were judged.",
        ),
        AFTER,
    )
    state = world.campaign
    seeing, tests = sight(state, "organiser", AFTER), {"three-way": test, "questions": judged}
    text = methods(state, tests, reported(world, test) | {"questions": made}, seeing)
    of_labels, of_answers = (one for one in text.split("\n\n") if one.startswith("The runs of"))
    compared, verdicts = made.of("qa-compare"), judged.judged.verdicts
    given = zip(verdicts.documents, verdicts.verdict.tolist(), strict=True)
    codes = [code for document, code in given if document]
    right, own = codes.count(CORRECT), len(verdicts) - len(codes)
    assert f"The judgments have {own} answers without a document besides." in text
    assert f"{len(codes)} different answers to its questions, each a string with its document, were judged" in text
    assert f"{right} correct ({right / len(codes):.1%})" in text
    assert "have not been judged" not in text
    for said in (
        "The runs of questions were scored",
        "factoid accuracy [TREC 2002 QA] on 43 factoid questions and list F [Voorhees 2005 (TREC 2003 and 2004 QA)] on",
        "Not scored: 12 series and 12 other questions (no nuggets were given).",
        f"NIL is the right answer to {made.of('qa').asked.unanswerable} factoid questions",
        "3 pairs of runs were compared in factoid accuracy on 43 questions in 12 series, which are the clusters, by a "
        f"paired exact test at the level 0.05 ({compared.why})",
        compared.intervals,
    ):
        assert said in of_answers, of_answers
    assert not re.search("kappa|label|McNemar|Bonett", of_answers)
    assert not re.search("factoid|series", of_labels)
    assert "corrected within each task, and not across tasks" in text
    assert {"voorhees2005", "voorhees2002trec"} <= set(re.findall(r"(?m)^@\w+\{([^,]+),$", references(state, text)))


def test_answers_that_assessors_knew_are_counted_apart() -> None:
    """They were given out to nobody; in a file from elsewhere, they are those without a document."""
    asked = karat.read_questions(examples.HERE / "qa" / "questions.xml")
    name = asked.questions[0].id
    rows = [(name, "D1", "x", CORRECT), (name, "D2", "x", INCORRECT), (name, "", "own", CORRECT)]
    rows.append((name, "D3", "known", CORRECT))

    def told(some: list[tuple[str, str, str, int]], *units: str) -> list[str]:
        made = Verdicts(
            units=tuple(asked.index),
            question=np.zeros(len(some), dtype=np.int32),
            documents=tuple(row[1] for row in some),
            strings=tuple(row[2] for row in some),
            verdict=np.array([row[3] for row in some], dtype=np.int8),
            groups=("",) * len(some),
        )
        return list(_verdicts(made, Work(labels=Map({unit: Map() for unit in units}))))

    start = "different answers to its questions, each a string with its document, were judged: "
    assert told(rows, f"{name}\tD1\tx", f"{name}\tD2\tx") == [
        f"2 {start}1 correct (50.0%) and 1 incorrect (50.0%).",
        "Assessors added 2 answers of their own.",
    ]
    assert told(rows[:3]) == [
        f"2 {start}1 correct (50.0%) and 1 incorrect (50.0%).",
        "The judgments have 1 answer without a document besides.",
    ]
    assert told([rows[2]]) == ["1 different answer to its questions was judged: 1 correct (100.0%)."]


def test_judgments_are_not_committed_to(questions: Read) -> None:
    """A version that brings judgments alone has no commitment of its own, and is no replacement of the key."""
    world, tests = played(), {"three-way": read_test(TASK, PAIRS), "questions": questions}
    scores = judged_scores(world)
    seeing = sight(world.campaign, "organiser", AFTER)
    assert "no commitment covers them" not in methods(world.campaign, tests, {}, seeing)
    world.do(
        Rekey(judgments={"questions": {"verdicts": digest("first")}}, scores=scores, reason="All were judged."), AFTER
    )
    world.do(
        Rekey(judgments={"questions": {"verdicts": digest("second")}}, scores=scores, reason="One was misread."), AFTER
    )
    kept = {id: run.scores for id, run in world.campaign.runs.items() if run.received.sent.task == "three-way"}
    world.do(Rekey(files={"pairs.xml": digest("new")}, scores=kept, reason="Pair 3 was wrong."), AFTER)
    text = methods(world.campaign, tests, {}, seeing)
    for said in (
        "Key version 2 brought the judgments of the answers in questions on 10 May 2027, 23:59:59 UTC; test sets and "
        "keys stayed as they were: All were judged.",
        "Key version 3 brought other judgments of the answers in questions on",
        f"Key version 4 replaced the key on 10 May 2027, 23:59:59 UTC (commitment {world.campaign.commitment}): Pair",
        "no commitment covers them. All scores are those of key version 4.",
    ):
        assert said in text, text
    assert text.count("(commitment") == 1


def test_hidden_names_are_hidden(questions: Read) -> None:
    """No name where names are hidden, and aliases in an order that does not give them away."""
    dates = Dates(opens=OPENS, closes=CLOSES, names=CLOSES + timedelta(days=99))
    world = played(replace(DEFINITION, dates=dates, baselines=("Birch",)))
    world.do(Release(to="public"), AFTER)
    state, test = world.campaign, read_test(TASK, PAIRS)
    seeing = sight(state, "public", AFTER)
    text = methods(state, {"three-way": test, "questions": questions}, {}, seeing)
    assert not re.search("Alder|Birch|Cedar", text + references(state, text))
    assert f"{alias(state, 'Birch')} (1 run)" in text
    shown = re.findall(r"(team-\w+) \(", text)
    assert shown == sorted(shown)
    named = methods(state, {"three-way": test, "questions": questions}, {}, sight(state, "organiser", AFTER))
    assert "Birch (1 run)" in named


def test_a_live_board_is_told(questions: Read) -> None:
    """With the units it showed and the units that count."""
    task = replace(TASK, public_share=0.25)
    world = played(replace(DEFINITION, tasks=(task, OTHER)))
    test = read_test(task, PAIRS, world.campaign.seed)
    seeing = sight(world.campaign, "organiser", AFTER)
    text = methods(world.campaign, {"three-way": test, "questions": questions}, {}, seeing)
    assert "the scores on 40 pairs drawn at random (a share of 25%); the official scores rest on the other 120." in text


def test_agreement_is_computed_from_the_ballots(questions: Read) -> None:
    """A test set with the labels of several people has its agreement told, with an interval."""
    labels = ("entailment", "neutral", "contradiction")
    lines = [
        json.dumps(
            {
                "pairID": f"p{at}",
                "sentence1": f"text {at}",
                "sentence2": f"hypothesis {at}",
                "gold_label": labels[at % 3],
                "annotator_labels": [labels[at % 3]] * 4 + [labels[(at + at % 2) % 3]],
            }
        )
        for at in range(40)
    ]
    task = Task(name="three-way", test="pairs.jsonl")
    test = read_test(task, "\n".join(lines).encode())
    assert test.units.ballots is not None
    world = played()
    state = replace(world.campaign, definition=replace(DEFINITION, tasks=(task, OTHER)))
    seeing = sight(state, "organiser", AFTER)
    text = methods(state, {"three-way": test, "questions": questions}, {}, seeing)
    given = "assessors who are not identified gave 200 labels to 40 pairs, 5 to each"
    same = r"two labels of a pair were the same in \d\d\.\d% of cases"
    assert re.search(f"For the key of three-way, {given}; {same}", text)
    assert re.search(r"Krippendorff's alpha was 0\.\d{3} \(95% CI 0\.\d{3} to 0\.\d{3}; .*Krippendorff", text)
    assert "@" in references(state, text)
    assert "krippendorff" in references(state, text)
    corrected = test._replace(units=changed(test.units, ballots=None))
    later = methods(state, {"three-way": corrected, "questions": questions}, {}, seeing, {"three-way": test})
    assert f"For the key of three-way with which submissions opened, {given}" in later
    assert "Who decided on the changes since, and with what agreement, is not recorded here." in later


def test_two_way_tasks_have_two_labels(questions: Read) -> None:
    """The mix of a two-way task is that of its answers."""
    task = Task(name="three-way", way=2, test="pairs.xml")
    world = played()
    state = replace(world.campaign, definition=replace(DEFINITION, tasks=(task, OTHER)))
    tests = {"three-way": read_test(task, PAIRS), "questions": questions}
    text = methods(state, tests, {}, sight(state, "organiser", AFTER))
    assert "80 ENTAILMENT (50.0%) and 80 NO_ENTAILMENT (50.0%)" in text


def test_references_are_bibtex(questions: Read) -> None:
    """The campaign, karat, and every source of the text once; special characters are escaped, braces balance."""
    world, test = played(), read_test(TASK, PAIRS)
    state = world.campaign
    seeing = sight(state, "organiser", AFTER)
    text = methods(state, {"three-way": test, "questions": questions}, reported(world, test), seeing)
    found = references(state, text)
    keys = re.findall(r"(?m)^@\w+\{([^,]+),$", found)
    assert keys[:2] == ["rte", "karat"]
    assert len(keys) == len(set(keys))
    assert {"holm1979", "wilson1927", "mcnemar1947", "cohen1960", "bonett2012"} <= set(keys)
    assert found.count("{") == found.count("}")
    assert r"RTE \& more" in found
    assert r"{Olga O'Hara \& Sons}" in found
    assert state.commitment in found

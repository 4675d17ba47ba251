"""Tests of alignment: what NO means, which ids a run must answer, and what a ranking says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.align.columns import Columns
from karat.align.runs import align
from karat.data.pairs import Pairs
from karat.data.provenance import Reading, Source
from karat.errors import MOST_KEPT, Problems
from karat.labels import THREE, TWO, Way
from tests.files import (
    NO_E,
    C,
    E,
    U,
    answers_of,
    codes_of,
    key_of,
    place_of,
    read_key,
    read_run,
    run_problems,
    three_way,
    two_way,
)


def run_of(*labels: str) -> str:
    """A plain run that gives pairs 1, 2, … these labels."""
    return "".join(f"{place} {label}\n" for place, label in enumerate(labels, 1))


# What a run says, against which key, with which options: the way it is read in, and its answers.
MEANINGS: dict[str, tuple[Pairs, list[str], dict[str, Any], Way, list[str]]] = {
    "NO, two-way key": (two_way(), ["YES", "NO", "NO"], {}, TWO, [E, NO_E, NO_E]),
    "NO beside UNKNOWN": (three_way(), ["YES", "UNKNOWN", "NO"], {}, THREE, [E, U, C]),
    "NO beside CONTRADICTION": (three_way(), ["YES", "CONTRADICTION", "NO"], {}, THREE, [E, C, C]),
    "NO beside NO ENTAILMENT": (three_way(), ["YES", "NO ENTAILMENT", "NO"], {}, TWO, [E, NO_E, NO_E]),
    "FALSE, three-way key": (three_way(), ["TRUE", "FALSE", "FALSE"], {}, TWO, [E, NO_E, NO_E]),
    "NO and --way 2": (three_way(), ["YES", "NO", "NO"], {"way": "2"}, TWO, [E, NO_E, NO_E]),
    "NO=CONTRADICTION": (three_way(), ["YES", "NO", "NO"], {"label": {"NO": C}}, THREE, [E, C, C]),
    "NO=NO_ENTAILMENT": (three_way(), ["YES", "NO", "NO"], {"label": {"no": NO_E}}, TWO, [E, NO_E, NO_E]),
    "both said": (three_way(), ["YES", "NO", "NO"], {"label": {"NO": C}, "way": "2"}, THREE, [E, C, C]),
    "NO beside UNKNOWN, --way 2": (three_way(), ["YES", "UNKNOWN", "NO"], {"way": "2"}, THREE, [E, U, C]),
    "YES alone": (three_way(), ["YES", "YES", "YES"], {}, THREE, [E, E, E]),
    "YES alone, two-way key": (two_way(), ["YES", "YES", "YES"], {}, TWO, [E, E, E]),
    "YES alone, --way 2": (three_way(), ["YES", "YES", "YES"], {"way": "2"}, THREE, [E, E, E]),
    "UNKNOWN alone": (three_way(), ["UNKNOWN"] * 3, {}, THREE, [U, U, U]),
    "NO ENTAILMENT alone": (three_way(), ["NO ENTAILMENT"] * 3, {}, TWO, [NO_E, NO_E, NO_E]),
    "three-way on a two-way key": (two_way(), ["YES", "UNKNOWN", "NO"], {}, TWO, [E, NO_E, NO_E]),
}


@pytest.mark.parametrize(("key", "labels", "options", "way", "answers"), MEANINGS.values(), ids=MEANINGS)
def test_what_no_means(key: Pairs, labels: list[str], options: dict[str, Any], way: Way, answers: list[str]) -> None:
    """A run is read at the key's way unless its own words or the user say otherwise."""
    run, _ = read_run(run_of(*labels), key, **options)
    assert run.info.way is way
    assert answers_of(run) == answers


@pytest.mark.parametrize("way", ["auto", "3", "both"])
@pytest.mark.parametrize("labels", [["YES", "NO", "NO"], ["NO", "no", "No"]], ids=["YES and NO", "NO alone"])
def test_an_ambiguous_no_is_refused(way: str, labels: list[str]) -> None:
    """NO without UNKNOWN, CONTRADICTION or NO ENTAILMENT against a three-way key has two readings."""
    (problem,) = run_problems(run_of(*labels), three_way(), way=way)
    line = labels.index("NO") + 1
    assert place_of(problem) == ("ambiguous-no", line, 3, "error")
    assert "--way 2" in problem.fix
    assert "--label NO=CONTRADICTION" in problem.fix


def test_an_ambiguous_no_is_told_beside_other_errors() -> None:
    """Everything at once: what NO means is asked although a pair is missing too."""
    assert set(codes_of(run_problems("1 YES\n2 NO\n", three_way()))) == {"missing-id", "ambiguous-no"}


@pytest.mark.parametrize(("yes", "no"), [("True", "False"), ("Yes", "No")])
def test_a_word_of_the_key_means_the_same_in_a_run(yes: str, no: str) -> None:
    """FALSE is CONTRADICTION in a key beside NEITHER, so it is in a run that never says NEITHER."""
    key = read_key(f"id,label\n1,{yes}\n2,Neither\n3,{no}\n", "key.csv")
    run, problems = read_run(run_of(yes, no, no), key)
    assert run.info.way is THREE
    assert answers_of(run) == [E, C, C]
    assert list(problems) == []
    assert read_run(run_of(yes, no, "not_entailment"), key)[0].info.way is TWO
    two = read_key(f"id,label\n1,{yes}\n2,{no}\n3,{no}\n", "key.csv")
    assert read_run(run_of(yes, no, no), two)[0].info.way is TWO


@pytest.mark.parametrize("way", ["auto", "2"])
def test_the_runs_because_of_which_a_key_is_folded_are_named(way: Any) -> None:
    """A warning travels to every study of the runs, unless the user asked for two-way scores."""
    key, said = ["E", "N", "C"] * 3, {"three": ["E", "N", "E"] * 3, "two": ["True", "False", "True"] * 3}
    runs = karat.responses(key, said, way=way)
    for result in (karat.score(runs), karat.compare(runs, versus="three", fail_if_worse=0)):
        found = [warning.found for warning in result.warnings if warning.code == "two-way-runs"]
        assert found == ["1 run of 2 with two-way answers beside a three-way key: two"] * (way == "auto")


@pytest.mark.parametrize("way", ["3", "both"])
def test_no_run_is_three_way(way: Any) -> None:
    """Scoring only two-way runs three-way is refused with the fix."""
    runs = karat.responses(["E", "N", "C"], {"two": ["E", "not_entailment", "E"]})
    with pytest.raises(karat.UsageError, match="'two' answers two-way; leave it out, or use"):
        karat.score(runs, way=way)


def test_a_blind_set_has_no_ambiguous_no() -> None:
    """Without a key there is no way to contradict: the run's own words decide."""
    blind = read_key("id,text,hypothesis\n1,a,b\n2,a,b\n3,a,b\n", "key.csv")
    assert read_run(run_of("YES", "NO", "NO"), blind)[0].info.way is TWO
    assert read_run(run_of("YES", "NO", "UNKNOWN"), blind)[0].info.way is THREE
    assert codes_of(run_problems(run_of("YES", "UNKNOWN"), blind)) == ["missing-id"]


def test_a_three_way_run_on_a_two_way_key_is_folded() -> None:
    """It is read, and a warning tells how."""
    (problem,) = run_problems(run_of("YES", "UNKNOWN", "NO"), two_way())
    assert place_of(problem) == ("folded", None, None, "warning")


def test_two_way_words_do_not_unfold() -> None:
    """NO ENTAILMENT beside UNKNOWN is outside a three-way task; the sentence lists the labels inside it."""
    problems = run_problems(run_of("YES", "UNKNOWN", "NO ENTAILMENT"), three_way())
    assert list(map(place_of, problems)) == [("label-outside-task", 3, 3, "error")]
    assert problems[0].expected == "one of ENTAILMENT, UNKNOWN, CONTRADICTION"
    assert "--label 'NO ENTAILMENT'=LABEL" in problems[0].fix


IDS = {
    "unknown": ("1 YES\n2 UNKNOWN\n3 NO\n9 NO\n", [("unknown-id", 4, 1, "error")]),
    "missing": ("1 YES\n3 UNKNOWN\n", [("missing-id", None, None, "error")]),
    "twice": ("1 YES\n2 UNKNOWN\n3 NO\n 2 NO\n", [("duplicate-id", 4, 2, "error")]),
    "three times": ("1 YES\n1 UNKNOWN\n3 NO\n1 NO\n2 NO\n", [("duplicate-id", n, 1, "error") for n in (2, 4)]),
    "typo": (
        "1 YES\n22 UNKNOWN\n3 NO\n",
        [("unknown-id", 2, 1, "error"), ("missing-id", None, None, "error")],
    ),
}


@pytest.mark.parametrize(("content", "places"), IDS.values(), ids=IDS)
def test_ids_are_checked(content: str, places: list[object]) -> None:
    """Every id is the key's, every pair is answered, none twice."""
    assert list(map(place_of, run_problems(content, three_way()))) == places


def test_a_duplicate_names_the_first_line() -> None:
    """Also where the two lines agree."""
    (problem,) = run_problems("1 YES\n2 UNKNOWN\n3 NO\n1 YES\n", three_way())
    assert problem.found == "pair '1' again (first in line 1)"


def test_a_missing_pair_is_named() -> None:
    """There is no line to point at, so the sentence says which."""
    problems = run_problems("2 UNKNOWN\n", three_way())
    assert [problem.found for problem in problems] == ["no line for pair '1'", "no line for pair '3'"]


def test_pairs_without_a_label_need_no_answer() -> None:
    """They are never scored; an answer to them is kept where there is one."""
    key = key_of("YES", "-", "UNKNOWN")
    assert answers_of(read_run("1 YES\n3 UNKNOWN\n", key)[0]) == [E, None, U]
    assert answers_of(read_run("1 YES\n2 YES\n3 UNKNOWN\n", key)[0]) == [E, E, U]


def test_all_problems_of_a_run_at_once() -> None:
    """Ids, labels and confidences are all looked at, whatever fails first."""
    content = "1 YES 0.5\n\n9 MAYBE 1\n1 NO inf\n"
    found = run_problems(content, three_way())
    assert set(codes_of(found)) == {
        "empty-line",
        "unknown-id",
        "duplicate-id",
        "missing-id",
        "label-outside-task",
        "confidence",
        "ambiguous-no",
    }


def test_a_sound_ranking_has_entailment_first() -> None:
    """One that has not is read, with a warning at its first late line."""
    header = "ranked-by: entailment\n"
    assert run_problems(header + "1 YES\n2 UNKNOWN\n3 NO\n", three_way()) == []
    (problem,) = run_problems(header + "3 NO\n1 YES\n2 YES\n", two_way())
    assert place_of(problem) == ("not-sound", 3, 3, "warning")
    assert "(2 times)" in problem.found


def test_a_ranking_by_response_may_mix() -> None:
    """Only a ranking by entailment can contradict its labels."""
    assert run_problems("ranked-by: response\n3 NO\n1 YES\n2 NO\n", two_way()) == []


def test_millions_of_wrong_labels_are_only_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a limit, wrong labels and numbers cost nothing, and the count is right."""
    reported: list[str] = []
    report = Columns.report

    def counting(self: Columns, problems: Problems, code: str, *rest: Any, **facts: Any) -> None:
        reported.append(code)
        report(self, problems, code, *rest, **facts)

    monkeypatch.setattr(Columns, "report", counting)
    count = MOST_KEPT + 7
    lines = {"label": ["1", "L"] * count, "id": ["1"] * 2 * count, "confidence": ["x"] * 2 * count}
    columns = Columns(Source.of_bytes("run.txt", b""), lines, range(1, 2 * count + 1))
    align(three_way(), columns, Reading(), problems := Problems())
    assert {code: reported.count(code) for code in set(reported)} == dict.fromkeys(
        ("label-code", "label-outside-task", "confidence", "duplicate-id"), MOST_KEPT
    )
    more = {problem.found for problem in problems if problem.code == "more"}
    assert {"7 more of label-code", "7 more of label-outside-task", f"{count + 7} more of confidence"} <= more


def test_the_file_says_more_than_the_option() -> None:
    """`ranked-by:` in the file goes before --ranked-by; the option ranks files that do not say."""
    run, _ = read_run("ranked-by: response\n" + run_of("YES", "NO", "NO"), two_way(), ranked_by="entailment")
    assert run.info.ranked_by == "response"
    run, _ = read_run(run_of("YES", "NO", "NO"), two_way(), ranked_by="entailment")
    assert run.info.ranked_by == "entailment"


def test_confidence_in_entailment() -> None:
    """`--confidence entailment` says what the column means."""
    run, _ = read_run("1 YES 1\n2 NO 0\n3 NO 0\n", two_way(), confidence="entailment")
    assert run.info.ranked_by == "entailment"
    assert run.info.numeric


def test_manual_runs_are_starred() -> None:
    """By header or by option."""
    assert read_run(run_of("YES", "NO", "NO"), two_way(), manual=["run"])[0].info.title == "run*"


def test_a_self_made_label_is_inside_the_task() -> None:
    """`--label` serves key and run alike."""
    options: dict[str, Any] = {"label": {"follows": E, "open": U}}
    key = read_key("id,text,hypothesis,label\n1,a,b,follows\n2,a,b,open\n", "key.csv", **options)
    assert answers_of(read_run("1 open\n2 follows\n", key, **options)[0]) == [U, E]


@given(order=st.permutations(range(6)), codes=st.lists(st.integers(0, 2), min_size=6, max_size=6))
def test_the_order_of_lines_does_not_matter(order: list[int], codes: list[int]) -> None:
    """Answers land on their pairs, and the place of each line is remembered."""
    key = key_of(E, U, C, E, U, C)
    codes[order[0]] = 2
    values = {
        "id": [key.ids[unit] for unit in order],
        "label": [THREE.labels[codes[unit]] for unit in order],
        "confidence": [float(unit) for unit in order],
    }
    columns = Columns(Source("f", ""), values, range(1, 7))
    run = align(key, columns, Reading(), Problems())
    assert run is not None
    assert run.codes.tolist() == codes
    assert run.position[order].tolist() == list(range(6))
    assert run.confidence is not None
    np.testing.assert_array_equal(run.confidence, np.arange(6))


@pytest.mark.parametrize("key", [key_of(*"ENCEN"), key_of("YES", "NO", "NO", "YES", "NO"), key_of(*"ENCEN", "-")])
def test_a_run_that_equals_the_key_is_reported(key: Pairs) -> None:
    """One that is right on every labelled pair may be the key itself; one error, or fewer pairs, and it is a run."""
    spelled = ["YES" if code == 0 else "NO" for code in key.labels.tolist()]
    answers = [key.way.labels[code] if code >= 0 else E for code in key.labels.tolist()] if key.way else []
    (problem,) = run_problems(run_of(*answers), key)
    assert place_of(problem) == ("equals-key", None, None, "warning")
    assert problem.found == "the key's label on every one of 5 pairs"
    assert "--run-column label=NAME" in problem.fix
    assert codes_of(run_problems(run_of(*spelled), key, way="2")) == ["equals-key"]  # as far as it goes
    wrong = [C if answers[0] == E else E, *answers[1:]]
    assert "equals-key" not in codes_of(run_problems(run_of(*wrong), key))
    assert codes_of(run_problems(run_of(E, U, C), three_way())) == []


def test_no_on_a_blind_set_is_reported() -> None:
    """Nobody knows yet whether its key is three-way; then the run would be refused, as `check` can tell beforehand."""
    blind = read_key("id,text,hypothesis\n1,a,b\n2,a,b\n", "key.csv")
    (problem,) = run_problems(run_of("YES", "NO"), blind)
    assert place_of(problem) == ("ambiguous-no-blind", 2, 3, "warning")
    assert codes_of(run_problems(run_of("YES", "NO"), blind, way="2")) == []
    assert codes_of(run_problems(run_of("YES", "NO"), blind, label={"NO": "CONTRADICTION"})) == []
    assert codes_of(run_problems(run_of("UNKNOWN", "NO"), blind)) == []
    assert codes_of(run_problems(run_of("YES", "NO ENTAILMENT"), blind)) == []

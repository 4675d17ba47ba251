"""Tests of the NLI sets: SNLI, MultiNLI, ANLI, HANS, SICK, GLUE."""

from __future__ import annotations

import pytest

from karat.data.pairs import Pairs
from karat.errors import UsageError
from karat.formats.pairs import write_pairs
from karat.labels import TWO
from tests.files import NO_E, C, E, U, codes_of, key_problems, labels_of, place_of, read_key
from tests.formats import samples


def ballots_of(pairs: Pairs) -> list[list[int]]:
    """Entailment, unknown, contradiction: how many ballots each pair has of each."""
    assert pairs.ballots is not None
    counts: list[list[int]] = pairs.ballots.counts().tolist()
    return counts


def test_snli_json_lines() -> None:
    """Annotators' labels are ballots, `-` is no label, other keys are attributes."""
    pairs = read_key(samples.SNLI, "key.jsonl")
    assert pairs.ids == ("7.jpg#1", "7.jpg#2")
    assert labels_of(pairs) == [U, None]
    assert ballots_of(pairs) == [[1, 2, 0], [1, 0, 1]]
    assert pairs.attributes == {"captionID": ("7.jpg", "7.jpg")}
    assert [warning.code for warning in pairs.warnings] == ["unlabelled"]


def test_multinli_tab_separated() -> None:
    """label1 to label5 are ballots, empty ones are none, and quotes are plain characters."""
    pairs = read_key(samples.MULTINLI, "key.tsv")
    assert pairs.ids == ("9e", "9n")
    assert pairs.texts[0] == '"Quite" said he.'
    assert ballots_of(pairs) == [[2, 1, 0], [0, 1, 0]]
    assert pairs.attributes["genre"] == ("travel", "travel")


def test_a_ballot_of_no_meaning_is_told() -> None:
    """An annotator's label is not dropped in silence."""
    problems = key_problems(samples.SNLI.replace('["neutral", "entailment"', '["neutral", "perhaps"'), "key.jsonl")
    assert place_of(problems[0]) == ("label", 1, 1, "error")
    assert "annotator's label 'perhaps' of pair '7.jpg#1'" in problems[0].found


def test_hans_is_two_way() -> None:
    """non-entailment is NO ENTAILMENT, and heuristics are attributes."""
    pairs = read_key(samples.HANS, "key.txt")
    assert pairs.way is TWO
    assert labels_of(pairs) == [NO_E, E]
    assert pairs.attributes["heuristic"] == ("lexical_overlap", "lexical_overlap")


def test_anli_json_lines() -> None:
    """e, n, c are labels; the premise may be called context."""
    pairs = read_key(samples.ANLI, "key.jsonl")
    assert labels_of(pairs) == [C, U]
    assert pairs.texts == ("Ann sings.", "Ann sings.")
    assert pairs.attributes["reason"] == ("she sings", "")


def test_anli_tags_span_lines() -> None:
    """A quoted text may hold quotes, commas and line breaks; the place of a row is where it begins."""
    pairs = read_key(samples.ANLI_TAGS, "key.csv")
    assert pairs.texts == ('Ann said: "no",\nand left.', "Bo came.")
    assert labels_of(pairs) == [E, U]
    assert pairs.attributes["tags"] == ("Numerical, Tricky", "")
    bad = key_problems(samples.ANLI_TAGS.replace("Bo stayed.,,e,n", "Bo stayed.,,e,q"), "key.csv")
    assert [place_of(problem) for problem in bad if problem.severity == "error"] == [("label", 4, 1, "error")]


def test_sick() -> None:
    """NEUTRAL is UNKNOWN, and relatedness an attribute."""
    pairs = read_key(samples.SICK, "key.txt")
    assert labels_of(pairs) == [C, E, U]
    assert pairs.attributes == {"relatedness_score": ("3.6", "4.4", "3.1")}


@pytest.mark.parametrize("content", [samples.GLUE, samples.QNLI], ids=["RTE", "QNLI"])
def test_glue_is_two_way(content: str) -> None:
    """GLUE's words, whatever the two sentences are called."""
    pairs = read_key(content, "key.tsv")
    assert pairs.way is TWO
    assert labels_of(pairs) == [E, NO_E]


def test_the_diagnostic_set_is_numbered() -> None:
    """It has no ids: rows are numbered from 0, and its categories are attributes."""
    pairs = read_key(samples.DIAGNOSTIC, "key.tsv")
    assert pairs.ids == ("0", "1")
    assert pairs.attributes["Logic"] == ("Negation", "")
    assert labels_of(pairs) == [C, E]


def test_a_blind_test_set_is_read() -> None:
    """GLUE's test files have no label column."""
    assert read_key("index\tsentence1\tsentence2\n0\ta\tb\n", "key.tsv", reader="glue").blind


def test_codes_are_refused_until_mapped() -> None:
    """Integers mean nothing until the user says what; -1 is no label unless the user says otherwise."""
    content = "index\tsentence1\tsentence2\tlabel\n0\ta\tb\t0\n1\ta\tb\t1\n2\ta\tb\t-1\n"
    problems = key_problems(content, "key.tsv")
    assert codes_of(problems) == ["label-code", "label-code"]
    assert "--label 0=LABEL" in problems[0].fix
    mapped = {"0": "ENTAILMENT", "1": "NEUTRAL"}
    assert labels_of(read_key(content, "key.tsv", label=mapped)) == [E, U, None]
    mapped["-1"] = "CONTRADICTION"
    assert labels_of(read_key(content, "key.tsv", label=mapped)) == [E, U, C]


def test_more_ballots_than_columns_are_refused_when_written(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Five columns hold five labels; nothing is dropped."""
    content = samples.SNLI.replace('"neutral", "entailment", "neutral"', ", ".join(['"neutral"'] * 6))
    pairs = read_key(content, "key.jsonl")
    folder = tmp_path_factory.mktemp("out")
    with pytest.raises(UsageError, match="room for 5 labels a pair, here are 6"):
        write_pairs(pairs, folder / "key.tsv", "snli")
    write_pairs(pairs, folder / "key.jsonl", "snli")
    assert ballots_of(read_key((folder / "key.jsonl").read_bytes(), "key.jsonl")) == [[0, 6, 0], [1, 0, 1]]

"""Tests of labels: spellings, folds and negation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import UsageError
from karat.labels import (
    AMBIGUOUS_NO,
    CONTRADICTION_ONLY,
    FALSE,
    THREE,
    TWO,
    WAYS,
    Spellings,
    canonical,
    code_table,
    fold,
    is_code,
    way_of,
)
from tests.cases import negate
from tests.files import NO_E, C, E, U

SEEN = {
    E: [
        "YES",
        "TRUE",
        "entailment",
        "ENTAILS",
        "E",
        "Entailment",
        "⊢",
        "SUPPORTS",
        "supported",
        "faithful",
        "'Yes.'",
        "**entailment**",
    ],
    U: ["UNKNOWN", "neutral", "NEITHER", "N", "◇", "NOT ENOUGH INFO", "(neutral)", "Unknown!"],
    C: ["contradiction", "CONTRADICTS", "C", "⊣", "REFUTES", "Contradiction."],
    NO_E: ["not_entailment", "non-entailment", "NONENTAILMENT", "NO ENTAILMENT", "NonEntailment", "▽", "unsupported"],
    AMBIGUOUS_NO: ["NO", "no"],
    FALSE: ["FALSE", "False."],
}
three_way_codes = st.lists(st.integers(-1, 2), min_size=1, max_size=20).map(lambda row: np.array(row, dtype=np.int8))


@pytest.mark.parametrize(("meaning", "spelling"), [(m, s) for m, words in SEEN.items() for s in words])
def test_spellings_seen_in_real_files(meaning: str, spelling: str) -> None:
    """Each is read, whatever its case, dashes, underscores and blanks."""
    spellings = Spellings()
    for variant in (spelling, spelling.lower(), f" {spelling}\t", spelling.replace(" ", "_"), spelling.upper()):
        assert spellings[variant] == meaning


@pytest.mark.parametrize(
    "spelling",
    [
        *("", "-", "_", "0", "1", "-1", "2", "perhaps", "YESNO", "label_neutral", "answer is", "</think>"),
        *("Answer: entailment or neutral", "The answer is not entailment", "entailment, because", "not neutral"),
    ],
)
def test_what_means_nothing(spelling: str) -> None:
    """Codes, dashes and other words are no label until the user says so."""
    assert Spellings()[spelling] is None


@pytest.mark.parametrize(
    "answer",
    [
        *("Answer: neutral.", "**Final answer:** Neutral", "The answer is **neutral**", "### Label: NEUTRAL"),
        *('```json\n{"label": "neutral"}\n```', '{"answer": "neutral"}', "The final answer is $\\boxed{neutral}$."),
    ],
)
def test_what_models_write_before_a_label(answer: str) -> None:
    """An introduction and nothing else: what follows must be a label alone."""
    assert Spellings()[answer] == U
    assert Spellings()[answer.casefold().replace("neutral", "neutral or not")] is None


def test_what_a_model_thought_is_not_its_answer() -> None:
    """Only what stands after its thoughts; several lines of them are skipped."""
    assert Spellings()["<think>Is it neutral?\n\nNo, entailment.</think>\n\nContradiction"] == C
    assert Spellings()["<think>neutral</think>"] is None


def test_codes_of_columns_with_gaps() -> None:
    """pandas writes 1.0 for 1 where others are missing: the same code, and none that is meant by 1.5."""
    spellings = Spellings({"1": "neutral", "0.0": "E"})
    assert [spellings[code] for code in ("1.0", "1", "0", "Answer: 1", "1.5", "11.0")] == [U, U, E, U, None, None]
    assert is_code("-1.0")


def test_the_users_word_goes_first() -> None:
    """A given spelling overrides the usual one; codes with and without sign are different codes."""
    spellings = Spellings({"NO": "CONTRADICTION", "1": "neutral", "-1": "E", "-": "unknown"})
    assert [spellings[word] for word in ("no", "1", "-1", "-", "")] == [C, U, E, U, None]
    assert not spellings.is_none("-1")
    assert not spellings.is_none("-")


@pytest.mark.parametrize("spelling", [None, "", "-", "-1", "undef", " Undef "])
def test_what_says_that_there_is_no_label(spelling: str | None) -> None:
    """SNLI's dash, the hub's -1 and FraCaS's undef."""
    assert Spellings().is_none(spelling)


@pytest.mark.parametrize("meaning", ["NO", "PERHAPS", ""])
def test_a_meaning_must_be_a_label(meaning: str) -> None:
    """NO has two meanings itself."""
    with pytest.raises(UsageError, match="must be one of ENTAILMENT, UNKNOWN, CONTRADICTION, NO_ENTAILMENT"):
        Spellings({"x": meaning})


@pytest.mark.parametrize(
    ("word", "code"), [("0", True), ("-1", True), (" 2 ", True), ("E", False), ("", False), ("²", False)]
)
def test_codes(word: str, code: bool) -> None:
    """An integer, with or without sign."""
    assert is_code(word) is code


def test_a_measures_label_in_any_spelling() -> None:
    """`recall(yes)` is `recall(ENTAILMENT)`; a wrong one is answered with the nearest."""
    assert [canonical(word) for word in ("yes", "Neutral", "no-entailment", "NO_CONTRADICTION")] == [
        E,
        U,
        NO_E,
        "NO_CONTRADICTION",
    ]
    with pytest.raises(UsageError, match="did you mean 'ENTAILMENT'"):
        canonical("entailmant")
    with pytest.raises(UsageError, match="no label is called 'NO'"):
        canonical("NO")


def test_the_way_of_a_key() -> None:
    """Three-way as soon as UNKNOWN or CONTRADICTION is used."""
    assert way_of([E, AMBIGUOUS_NO]) is TWO
    assert way_of([E, NO_E]) is TWO
    assert way_of([E, U]) is THREE
    assert way_of([C]) is THREE


def test_every_label_of_a_way_has_its_code() -> None:
    """The code table agrees with the order of the labels, for both ways that files are in."""
    for way in (TWO, THREE):
        table = code_table(way)
        assert [table[label] for label in way.labels] == list(range(len(way.labels)))
    assert NO_E not in code_table(THREE)


@given(three_way_codes)
def test_folding_twice_is_folding_once(codes: np.ndarray[tuple[int], np.dtype[np.int8]]) -> None:
    """Two-way codes fold to themselves, and none stays none."""
    folded = fold(codes, TWO)
    assert (fold(folded, TWO) == folded).all()
    assert ((folded < 0) == (codes < 0)).all()
    assert ((folded == 0) == (codes == 0)).all()


@given(three_way_codes)
def test_negation_swaps_the_two_folds(codes: np.ndarray[tuple[int], np.dtype[np.int8]]) -> None:
    """Negating twice changes nothing, and ⊣ against the rest is the two-way fold of the negation."""
    assert (negate(negate(codes)) == codes).all()
    assert (fold(negate(codes), TWO) == fold(codes, CONTRADICTION_ONLY)).all()


def test_ways_are_found_by_name() -> None:
    """`--way` names them."""
    assert {name: way.name for name, way in WAYS.items()} == {"3": "3", "2": "2", "2c": "2c"}
    assert [THREE.code(label) for label in THREE.labels] == [0, 1, 2]


def test_letters_of_options() -> None:
    """C is an option beside A, B or D, whose meaning must be given; beside E and N it is CONTRADICTION."""
    for words in (["A", "C"], ["(B)", "c."], ["D", "C", "E"]):
        spellings = Spellings()
        spellings["C"]  # looked up before
        spellings.beside(words)
        assert spellings["C"] is None
        assert spellings["E"] is None
        assert spellings["neutral"] == "UNKNOWN"
    assert Spellings({"A": "ENTAILMENT"})["c"] is None
    assert Spellings({"A": "ENTAILMENT", "C": "UNKNOWN"})["c"] == "UNKNOWN"
    for words in (["E", "N", "C"], ["C"], ["e", "n", "c", "a"], ["C", "x"]):
        spellings = Spellings()
        spellings.beside(words)
        assert spellings["C"] == "CONTRADICTION"

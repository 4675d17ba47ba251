"""Tests of FraCaS XML."""

from __future__ import annotations

from tests.files import C, E, codes_of, key_problems, labels_of, read_key
from tests.formats.samples import FRACAS


def test_premises_sections_and_answers_are_read() -> None:
    """Premises are one text, `undef` is no label, and sections end where the next begins."""
    pairs = read_key(FRACAS)
    assert pairs.ids == ("001", "002", "003")
    assert labels_of(pairs) == [E, None, C]
    assert pairs.texts[0] == "A man won. Every winner sings."
    assert pairs.hypotheses[0] == "A man sings."
    assert pairs.attributes["section"] == ("1 QUANTIFIERS", "2 PLURALS", "2 PLURALS")
    assert pairs.attributes["subsection"] == ("1.1 Some", None, None)
    assert pairs.attributes["premises"] == ("2", "1", "1")
    assert pairs.attributes["question"][0] == "Does a man sing?"


def test_the_unlabelled_are_counted() -> None:
    """A problem without answer is a warning, and may lack its hypothesis."""
    (problem,) = key_problems(FRACAS)
    assert problem.code == "unlabelled"
    assert problem.found == "1 of 3 pairs without a label"


def test_a_labelled_problem_needs_its_hypothesis() -> None:
    """Only what is never scored may be empty."""
    assert codes_of(key_problems(FRACAS.replace("<h>Ann won.</h>", ""))) == ["empty-text"]

"""The lint of justifications: what is fine passes, and each rule finds its planted offender."""

from __future__ import annotations

import pytest

from karat.engines.engine import Justification, Span
from karat.engines.explaining.linting import RULES, lint
from karat.errors import UsageError

TEXT = "Ann Lee, a lawyer of 47, bought the old mill near Ely in 1998, and the town did not object to the sale at all."
HYPOTHESIS = "A professional acquired the old mill near the town."
E, U, C, N = "ENTAILMENT", "UNKNOWN", "CONTRADICTION", "NO_ENTAILMENT"

FINE = [
    ('The text says "bought the old mill", and a lawyer is a kind of professional.', E),
    ("The text says “bought the old mill”. To buy is to acquire.", "yes"),
    ("The text says this in the same words.", E),
    ('The text mentions "the old mill" but says nothing of "A professional".', U),
    ('The text reports this only as something planned ("bought").', U),
    ('The text says "did not object", not "acquired".', C),
    ('The text gives "Ann Lee" where the hypothesis has "A professional".', N),
    ("The text says nothing of this.", "NO ENTAILMENT"),
    ('The text says "bought the old mill"; "acquired" is inferred from this.', E),
    ('The text says "the town did not object to the sale", not "acquired".', C),
    ('An "old mill" is a mill, and it was bought in 1998 by "Ann Lee".', E),
]

OFFENDERS = [
    ("The text says so. It does. Really it does so.", E, "_length", "3 sentences"),
    ("The text says so" + " and so" * 21 + ".", E, "_length", "46 words"),
    ("the text says so.", E, "_form", "begin with a capital"),
    ("The text says so", E, "_form", "no full stop"),
    ("The text says so..", E, "_form", "two full stops"),
    ('The text says "bought.', E, "_form", "no partner"),
    ("The text says “bought.", E, "_form", "no partner"),
    ("The text  says so.", E, "_form", "blanks too many"),
    (" The text says so.", E, "_form", "blanks too many"),
    ("The text\nsays so.", E, "_form", "line break"),
    ("The text says so!", E, "_form", "exclamation mark"),
    ("Buying is a acquisition.", E, "_form", "“an acquisition”"),
    ('It is an "lawyer" who buys.', E, "_form", "“a lawyer”"),
    ("See https://example.org for more.", E, "_markup", "https://"),
    ("The text <b>says</b> so.", E, "_markup", "<b>"),
    ("The text **says** so.", E, "_markup", "plain text"),
    ('The text says "purchased the old mill".', E, "_literal", "neither in the text nor"),
    ('The text says "".', E, "_literal", "empty quote"),
    ("The text gives 1999 as the year.", E, "_digits", "1999"),
    ("The score is high.", E, "_wording", "the workings of a program"),
    ("WordNet knows both.", E, "_wording", "the workings of a program"),
    ("The polarity is the same.", E, "_wording", "jargon"),
    ("Obviously the text says so.", E, "_wording", "chat"),
    ("I know that it is so.", E, "_wording", "chat"),
    ("There is a match between the two.", E, "_wording", "tells the reader nothing"),
    ("There is a relationship between Ann and the mill.", E, "_wording", "tells the reader nothing"),
    (f'The text says "{TEXT[:-1]}".', E, "_repetition", "whole text"),
    (f'It makes "{HYPOTHESIS[:-1]}" true.', E, "_repetition", "whole hypothesis"),
    ("So a professional acquired the old mill, near the town.", E, "_repetition", "whole hypothesis"),
    ("The text does not mention the town.", E, "_consistency", "denies the answer"),
    ("The text says nothing of the town.", E, "_consistency", "denies the answer"),
    ('The text does not mention "the town", but says "bought".', E, "_consistency", "denies the answer"),
    ('The text says "bought the old mill", though not "acquired" in so many words.', E, "_consistency", "denies the"),
    ('The text says "bought the old mill", without naming "A professional".', E, "_consistency", "denies the answer"),
    ('The text says "bought the".', E, "_clipped", "breaks off"),
    ('The text says "a lawyer of 47, bought the old mill near Ely in 1998, and the".', E, "_clipped", "breaks off"),
    ('"bought" in the text is the opposite of "acquired".', C, "_opposites", "no dictionary"),
    ("A match is found for the mill.", E, "_wording", "tells the reader nothing"),
    ('The text has "bought".', C, "_consistency", "the two expressions"),
    ("The two disagree.", C, "_consistency", "the two expressions"),
    ('The text says "bought".', U, "_consistency", "leaves out"),
    ('The text says "bought".', N, "_consistency", "say what is missing"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "label"), FINE)
def test_fine(said: str, label: str) -> None:
    """Plain, short and literal passes, under any spelling of its label."""
    assert lint(said, TEXT, HYPOTHESIS, label) == []


@pytest.mark.parametrize(("said", "label", "rule", "complaint"), OFFENDERS)
def test_offenders(said: str, label: str, rule: str, complaint: str) -> None:
    """Each offender is found, by one rule alone, with what to do after a colon."""
    found = lint(said, TEXT, HYPOTHESIS, label)
    assert rule in {each.__name__ for each in RULES}
    assert len(found) == 1
    assert complaint in found[0]
    assert ": " in found[0]


def test_opposites_of_the_dictionary() -> None:
    """Opposites that the dictionary knows may be called so, in any form."""
    said = '"lost" in the text is the opposite of "won".'
    assert lint(said, "The team lost the match.", "The team won the match.", C) == []


def test_every_rule_has_an_offender() -> None:
    """No rule goes untested."""
    assert {rule.__name__ for rule in RULES} - {"_spans"} == {rule for _, _, rule, _ in OFFENDERS}


def test_empty() -> None:
    """Nothing at all is one complaint."""
    assert lint(" ", TEXT, HYPOTHESIS, E) == ["it is empty: say in a sentence what decides"]


def test_jargon_in_quotes() -> None:
    """A word that is frowned upon may be quoted where the pair has it."""
    assert lint('The text says "the score".', "He kept the score.", "He kept it.", E) == []


def test_spans() -> None:
    """Evidence must lie in its text, at edges of words, and under every quote; without any, none is asked for."""
    said = 'The text says "bought the old mill".'
    begin = TEXT.index("bought")
    right = Span("T", begin, begin + len("bought the old mill"))
    assert lint(Justification(said, (right,)), TEXT, HYPOTHESIS, E) == []
    assert lint(Justification(said), TEXT, HYPOTHESIS, E) == []
    beyond = lint(Justification(said, (right, Span("H", 3, 999))), TEXT, HYPOTHESIS, E)
    inside = lint(Justification(said, (right, Span("T", begin + 1, begin + 6))), TEXT, HYPOTHESIS, E)
    nowhere = lint(Justification(said, (Span("T", 0, 3),)), TEXT, HYPOTHESIS, E)
    assert [len(found) for found in (beyond, inside, nowhere)] == [1, 1, 1]
    assert "outside" in beyond[0]
    assert "inside a word" in inside[0]
    assert "no evidence" in nowhere[0]


def test_blanks_in_the_text() -> None:
    """A quote across a line break of the text is literal all the same."""
    text = "Ann  Lee\nbought it."
    assert lint(Justification('The text says "Ann Lee bought it".', (Span("T", 0, 18),)), text, "Ann has it.", E) == []


def test_unknown_label() -> None:
    """A label that is none is an error of use."""
    with pytest.raises(UsageError, match="label"):
        lint("The text says so.", TEXT, HYPOTHESIS, "PERHAPS")

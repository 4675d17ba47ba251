"""Names that are the same though spelled otherwise, and signatures of verbs."""

from __future__ import annotations

import pytest

from karat.engines.checks.likeness import alike, find_alike, find_rest, initials
from karat.engines.checks.marks import IF_ASSERTED, IF_DENIED, SIGNATURES
from karat.engines.kernels.contexts import KEEPS, OPEN, SAYS_NOT, SAYS_SO, TURNS


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("CIA", "The Central Intelligence Agency said", 1),
        ("SEC", "Securities and Exchange Commission", 0),
        ("U.S.", "in the United States today", 2),
        ("US", "the U.S. army", 1),
        ("Barak", "Barack Obama", 0),
        ("Condoleezza", "Ms Condoleeza Rice", 1),
        ("NATO", "the North Sea and the Atlantic", -1),
        ("Iran", "Iraq", -1),
        ("Petrov", "Smith spoke", -1),
    ],
)
def test_find_alike(name: str, text: str, place: int) -> None:
    """Initials, other initials and slips of spelling are found; other names are not."""
    assert find_alike(name, text.split()) == place


@pytest.mark.parametrize(
    ("name", "at", "text", "last", "place"),
    [
        ("Tom Cruise", 0, "Cruise spoke", 0, 0),
        ("Tom Cruise", 0, "Mr. Cruise spoke", 1, 1),
        ("Tom Cruise", 0, "Ann Cruise spoke", 1, -1),
        ("Tom Cruise", 0, "a cruise to Oslo", 1, -1),
        ("North Korea", 0, "in Korea", 1, -1),
        ("Korea Times", 1, "in Korea", -1, -1),
        ("United States", 0, "the U.S. army", -1, 1),
        ("United States", 1, "the U.S. army", -1, 1),
    ],
)
def test_find_rest(name: str, at: int, text: str, last: int, place: int) -> None:
    """Initials stand for a name, and its last word does unless another name stands before it."""
    assert find_rest(name.split(), at, text.split(), last, tells=False) == place
    assert find_rest(name.split(), at, text.split(), last, tells=True) == (place if "U.S." in text else -1)


def test_known_names() -> None:
    """A name that is known to be spelled so is no slip of another."""
    assert find_alike("Australia", ["Austria"], known=True) == -1
    assert find_alike("Australia", ["Austria"]) == 0
    assert find_alike("US", ["United", "States"], known=True) == 0


def test_alike_is_symmetric() -> None:
    """Which of two names comes first does not matter."""
    for one, other in (("Barak", "Barack"), ("Kaddafy", "Qaddafi"), ("Mercedez", "Mercedes")):
        assert alike(one, other) == alike(other, one)


def test_initials() -> None:
    """Only short words all in capitals stand for a longer name."""
    assert [initials(word) for word in ("U.S.", "NATO", "A", "Nato", "ABCDEFGH", "B52")] == [
        "US",
        "NATO",
        "",
        "",
        "",
        "",
    ]


def test_signatures() -> None:
    """There are some two hundred words or more, and each class does what its signs say."""
    assert len(SIGNATURES) >= 200
    expected = {
        "manage": (KEEPS, KEEPS), "fail": (TURNS, TURNS), "know": (SAYS_SO, SAYS_SO), "refuse": (SAYS_NOT, OPEN),
        "believe": (OPEN, OPEN), "say": (KEEPS, OPEN), "hesitate": (OPEN, SAYS_SO), "able": (OPEN, KEEPS),
    }  # fmt: skip
    assert {word: (IF_ASSERTED[word], IF_DENIED[word]) for word in expected} == expected

"""Regular expressions: Perl's spelling, linear time, and a reason for what is refused."""

from __future__ import annotations

import pytest

from karat.kernels.regex import MAX_LENGTH, accepts_everything, compile_regex


@pytest.mark.parametrize(
    ("spelled", "accepted", "refused"),
    [
        (r"120\s?\-?\s?f(ee|oo)t", "a 120-foot wall", "120 yards"),
        (r"\Qa.b\E", "xa.by", "xaby"),
        (r"\x{41}\hB", "A B", "AB"),
        (r"[[:alpha:]]{3}\Z", "1 abc", "abc 1"),
        (r"(?<year>19\d\d)", "in 1955", "in 2055"),
        (r"(?i)mississippi", "the MISSISSIPPI", "the Missouri"),
        (r"\p{Lu}\.S", "Ü.S", "ü.S"),
    ],
)
def test_perls_spelling(spelled: str, accepted: str, refused: str) -> None:
    """What people wrote for Perl is read as meant."""
    assert compile_regex(spelled).search(accepted)
    assert not compile_regex(spelled).search(refused)


@pytest.mark.parametrize("spelled", ["(a|a)*b", "(a|aa)+b", "(a?){30}a{30}b", "(a+)+b", ".*a.*a.*a.*b"])
def test_no_pattern_takes_forever(spelled: str) -> None:
    """What would outlast the sun elsewhere is told at once: the text has 100,000 letters."""
    assert not compile_regex(spelled).search("a" * 100_000)


@pytest.mark.parametrize(
    ("spelled", "reason"),
    [
        ("(", "missing"),
        ("(?=a)b", "invalid perl operator"),
        (r"(a)\1", "invalid escape"),
        ("a{1,99999}", "repetition"),
        ("a" * (MAX_LENGTH + 1), "more than 2,000"),
        ("\ud800", "no text"),
    ],
)
def test_what_is_refused_has_a_reason(spelled: str, reason: str) -> None:
    """In words that help to mend it."""
    with pytest.raises(ValueError, match=reason):
        compile_regex(spelled)


@pytest.mark.parametrize(
    ("spelled", "everything"),
    [
        *[("a*", True), ("", True), ("^", True), ("$", True), ("x|", True), (".", True), (".+", True), (r"\S", True)],
        *[("a", False), (r"\w", False), (".{2}", False), ("[a-z]", False), (r"[^\s]n", False)],
    ],
)
def test_what_is_found_in_every_text(spelled: str, everything: bool) -> None:
    """Also in no text at all, or in any one character."""
    assert accepts_everything(compile_regex(spelled)) is everything


def test_case() -> None:
    """Capital and small letters differ unless told otherwise."""
    assert not compile_regex("nile").search("the Nile")
    assert compile_regex("nile", ignore_case=True).search("the Nile")


@pytest.mark.parametrize(
    ("pattern", "text", "whole"),
    [
        ("LA", "ATLANTA", False),
        ("LA", "in LA.", True),
        (r"\$5", "US$5", True),
        ("19|1980", "1980", True),
        ("1871", "1871-72", True),
        ("Köln", "Kölner", False),
        ("ус", "Русь", False),
        ("Русь", "Русь.", True),
        ("Venez", "Venezuela", False),
        (r"Venez\w*", "Venezuela", True),
        ("^x$", "x", True),
    ],
)
def test_whole_words(pattern: str, text: str, whole: bool) -> None:
    """Of any script; a sign at the edge of an expression is no part of a word."""
    assert compile_regex(pattern).search(text)
    assert bool(compile_regex(pattern, in_words=True).search(text)) is whole

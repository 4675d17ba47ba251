"""Tests of expressions written for Perl, and of those that could take forever."""

from __future__ import annotations

import re
import time

import pytest

from karat.formats.perl_regex import compile_pattern, repeats_in_repeats, to_python


@pytest.mark.parametrize(
    ("spelled", "accepted", "refused"),
    [
        (r"^\d{4}\z", "1994", "1994 or so"),
        (r"New\h+York", "New\tYork", "New\nYork"),
        (r"[\h-]x", "-x", "\nx"),
        (r"(?<word>\w+) \k<word>", "go go", "go an"),
        (r"\x{e9}t\x{E9}", "été", "ete"),
        (r"\QU.S. (1)\E$", "the U.S. (1)", "the UxS. (1)"),
        (r"[[:upper:][:digit:]]{2}x", "A1x", "aax"),
        (r"[^[:alpha:]]z", "1z", "az"),
        (r"a[]x]b", "a]b", "ab"),
        (r"a[[]b", "a[b", "ab"),
        (r"[\]](?<!a)", "]", "a"),
        (r"(?i)mississippi", "MISSISSIPPI", "missouri"),
        (r"\$\s?(4|6\.5) billion", "$ 6.5 billion", "6.5 billion"),
    ],
)
def test_perl_is_understood(spelled: str, accepted: str, refused: str) -> None:
    """Each as Perl would have it."""
    pattern = compile_pattern(spelled)
    assert pattern.search(accepted)
    assert not pattern.search(refused)


@pytest.mark.parametrize("spelled", [r"Dallas(\s\/\s|\-)Fort", "Aug. 9.?", r"\.03 seconds", "a.*?b", "[a-z]+[0-9]*"])
def test_what_needs_no_translation_is_left(spelled: str) -> None:
    """Most patterns are the same in both."""
    assert to_python(spelled) == spelled


@pytest.mark.parametrize(
    ("spelled", "reason"),
    [
        ("(", "missing )"),
        (")", "unbalanced parenthesis"),
        ("[a", "unterminated character set"),
        ("*a", "nothing to repeat"),
        (r"\p{L}", "bad escape"),
        (r"\x{110000}", "escape"),
        ("a(?i)b", "global flags not at the start"),
        ("(" * 1500, "nested too deep"),
        ("a{99999999999999}", "too large"),
        ("a" * 2001, "2,001 characters, more than 2,000"),
        ("(a+)+$", "a repeat inside a repeat"),
        ("x?", "accepts every string"),
        ("a|", "accepts every string"),
    ],
)
def test_what_is_refused_is_refused_with_its_reason(spelled: str, reason: str) -> None:
    """Never another exception."""
    with pytest.raises(ValueError) as caught:
        compile_pattern(spelled)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("regex", "nested"),
    [
        ("(a+)+", True),
        ("((a*)b)*", True),
        ("(?:a|b+){2,}", True),
        (r"(\w+\s?)*$", True),
        ("(a{1,99}){1,99}", True),
        ("(a{1,9})+", False),
        ("(a+)?", False),
        ("(a+){2}", False),
        ("(a+)b+", False),
        ("a+(b)+", False),
        ("(a)+(b)+", False),
        (r"(\+)+", False),
        ("([+*])+", False),
        (r"(\(a+)b+", False),
        ("(?i)a+", False),
        ("(?i:a+)+", True),
        ("a+?b*", False),
    ],
)
def test_repeats_in_repeats(regex: str, nested: bool) -> None:
    """A repeat counts from eleven times on, at whatever depth; brackets that are escaped or in a class are none."""
    re.compile(regex)
    assert repeats_in_repeats(regex) == nested


def test_what_is_refused_would_have_taken_long() -> None:
    """The reason for the rule: eight more characters take a hundred times as long and more."""
    slow = re.compile(r"(a+)+$")

    def seconds(size: int) -> float:
        start = time.perf_counter()
        slow.search("a" * size + "b")
        return time.perf_counter() - start

    assert seconds(21) > 20 * seconds(13)

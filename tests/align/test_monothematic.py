"""The builder: a hypothesis composed from T and a rule, and rows that come back as they were written."""

from __future__ import annotations

from pathlib import Path

import pytest

import karat
from karat.align.decomposition import align_decomposition
from karat.align.monothematic import (
    MOST_OCCURRENCES,
    Monothematic,
    compose,
    compositions,
    found_in_other_case,
    monothematic,
    monothematic_pairs,
    occurrences,
)
from karat.data.decomposition import join_pairs
from karat.errors import DataError, Problems, UsageError
from tests.files import read_key
from tests.formats.limits import bounded

# The paper's pair 125, shortened.
T = "Mexico's new president, Felipe Calderon, seems to be doing all the right things in Mexico's drug war."
ORIGINALS = read_key(
    f'<entailment-corpus><pair id="125" entailment="CONTRADICTION"><t>{T}</t>'
    "<h>Felipe Calderon is the outgoing President of Mexico.</h></pair></entailment-corpus>"
)


@pytest.mark.parametrize(
    ("text", "left", "right", "occurrence", "made"),
    [
        ("a new man", "new", "old", None, "a old man"),
        ("new and renewed", "new", "old", None, "old and renewed"),  # a whole word goes before a piece of one
        ("art at the party", "art", "music", None, "music at the party"),
        ("the cat saw the cat", "the cat", "it", 2, "the cat saw it"),
        ("Ann, a nurse, left.", ", a nurse,", "", None, "Ann left."),
        ("Ann left today.", "today", "", None, "Ann left."),
        ("Today Ann left.", "Today", "", None, "Ann left."),
        ("Ann  today  left.", "today", "", None, "Ann left."),
        ("Ann left today", "today", " ", None, "Ann left"),
        ("a.b", ".", "x", None, "axb"),  # no regular expression
    ],
)
def test_compose(text: str, left: str, right: str, occurrence: int | None, made: str) -> None:
    """The left side replaced; left out, one of the blanks around it goes too."""
    assert compose(text, left, right, occurrence) == made


def test_inside_words() -> None:
    """Only where it is told so, and the error says how."""
    assert compose("renewed", "new", "old", inside_words=True) == "reolded"
    with pytest.raises(UsageError, match="except inside words: name whole words, or use inside_words=True"):
        compose("the party", "art", "music")


@pytest.mark.parametrize(
    ("left", "occurrence", "told"),
    [
        ("New", None, "not in the text .*; did you mean 'new'?"),
        ("old", None, "the left side 'old' is not in the text"),
        ("", None, "the left side '' is not in the text"),
        ("Mexico's", None, "in the text 2 times; say which: occurrence=1"),
        ("Mexico's", 3, "occurrence=3: the left side .* 2 times"),
        ("Mexico's", 0, "occurrence=0"),
    ],
)
def test_what_cannot_be_composed(left: str, occurrence: int | None, told: str) -> None:
    """Not there, or there several times: said in words."""
    with pytest.raises(UsageError, match=told):
        compose(T, left, "x", occurrence)


def rows() -> list[Monothematic]:
    """H1 and H2 substitute, H3 rewrites."""
    return [
        monothematic(
            ORIGINALS, "125", "lexical:semantic-opp.", "new", "outgoing", "CONTRADICTION", id="125-1",
            pattern="x ⇎ y", constraint="semantic_opposition(y, x)",
        ),
        monothematic(
            ORIGINALS, "125", "synt:arg-realization", "Mexico's new president", "The new president of Mexico",
            "ENTAILMENT", id="125-2",
        ),
        monothematic(
            ORIGINALS, "125", "apposition", "Mexico's new president, Felipe Calderon,", "", "ENTAILMENT", id="125-3",
            category="syntactic", hypothesis="Felipe Calderon is Mexico's new president.",
        ),
    ]  # fmt: skip


def test_the_papers_example() -> None:
    """Pair 125: what each hypothesis is, and how it was composed."""
    first, second, third = rows()
    assert first.hypothesis.startswith("Mexico's outgoing president, Felipe")
    assert second.hypothesis.startswith("The new president of Mexico, Felipe")
    assert [row.composed for row in (first, second, third)] == ["substitution", "substitution", "rewrite"]
    made = align_decomposition(join_pairs(ORIGINALS, monothematic_pairs(rows())), problems := Problems())
    assert not list(problems)
    assert [str(one) for one in made.phenomena] == [
        "lexical:semantic-opposition", "syntactic:argument-realization", "syntactic:apposition",
    ]  # fmt: skip


@pytest.mark.parametrize("suffix", [".xml", ".jsonl", ".tsv"])
@pytest.mark.parametrize("files", [1, 2])
def test_round_trip(suffix: str, files: int, tmp_path: Path) -> None:
    """Written and read again, in one file or two, nothing is lost."""
    mono = monothematic_pairs(rows())
    whole = join_pairs(ORIGINALS, mono)
    if files == 1:
        karat.write_pairs(whole, tmp_path / f"all{suffix}")
        back = karat.read_decomposition(tmp_path / f"all{suffix}")
    else:
        karat.write_pairs(ORIGINALS, tmp_path / f"originals{suffix}")
        karat.write_pairs(mono, tmp_path / f"mono{suffix}")
        back = karat.read_decomposition(tmp_path / f"originals{suffix}", tmp_path / f"mono{suffix}")
    assert (back.pairs.ids, back.pairs.texts, back.pairs.hypotheses) == (whole.ids, whole.texts, whole.hypotheses)
    assert back.pairs.labels.tolist() == whole.labels.tolist()
    for name, values in whole.attributes.items():
        assert [value or "" for value in back.pairs.attributes[name]] == [value or "" for value in values]
    assert back.original.tolist() == [-1, 0, 0, 0]
    assert len(back.sources) == files


def test_rows_are_checked() -> None:
    """An original that is not there, an id twice."""
    with pytest.raises(UsageError, match="no original pair is called '126'"):
        monothematic(ORIGINALS, "126", "synonymy", "new", "old", id="1")
    with pytest.raises(DataError, match="duplicate-id"):
        monothematic_pairs([rows()[0]] * 2)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"id": "125"}, "id='125' is the id of an original"),
        ({"right": "new"}, "both 'new': such a rule changes nothing"),
        ({"category": "syntactic"}, "has 'synonymy' in the category 'syntactic'; expected lexical"),
        ({"phenomenon": "apposition"}, "may be in several categories; expected one of syntactic"),
        ({"phenomenon": "synonimy"}, "did you mean 'synonymy'"),
        ({"left": 3}, "left is a string, not 3 .int."),
        ({"right": None}, "right is a string, not None"),
        ({"id": 7}, "id is a string, not 7"),
        ({"original": 125}, "original is a string, not 125"),
        ({"label": 0}, "label is a string, not 0"),
        ({"occurrence": "1"}, "occurrence is a number from 1, not '1'"),
    ],
)
def test_what_no_row_is(changed: dict[str, object], told: str) -> None:
    """Each argument is looked at, and what is wrong is said in words."""
    given: dict[str, object] = {
        "original": "125",
        "phenomenon": "synonymy",
        "left": "new",
        "right": "recent",
        "id": "1",
    }
    assert monothematic(ORIGINALS, **given).category == "lexical"  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=told):
        monothematic(ORIGINALS, **given | changed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "part", "places", "inside"),
    [
        ("an an an", "an an", [0, 3], [0, 3]),
        ("banana", "ana", [], [1, 3]),
        ("renewed new", "new", [8], [2, 8]),
        ("a", "", [], []),
        ("a", "b", [], []),
    ],
)
def test_occurrences(text: str, part: str, places: list[int], inside: list[int]) -> None:
    """Overlapping ones too."""
    assert occurrences(text, part) == places
    assert occurrences(text, part, inside_words=True) == inside


@pytest.mark.parametrize(
    ("text", "part", "found"),
    [("A New car", "new", "New"), ("a new car", "new", None), ("a car", "new", None), ("ab", "", None)],
)
def test_other_case(text: str, part: str, found: str | None) -> None:
    """What differs in capitals alone is suggested."""
    assert found_in_other_case(text, part) == found


def test_left_sides_without_end() -> None:
    """Half a million letters in a million, and one letter half a million times, take no time and little memory."""
    long = "a" * 1_000_000
    with bounded(10, 400):
        assert occurrences(long, long[:500_000]) == []
        assert found_in_other_case(long, "A" * 500_000 + "b") is None
        assert len(compositions("a " * 500_000, "a", "b")) == MOST_OCCURRENCES

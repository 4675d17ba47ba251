"""Labels that look like slips, columns that are no labels, orders that lack some."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from karat.data.ballots import Ballots
from karat.errors import DataError, UsageError
from karat.studies.agree.study import agree
from tests.files import place_of
from tests.formats.test_ballots import read


def ballots_of(folder: Path, labels: list[str], **options: Any) -> Ballots:
    """One assessor's labels, a line each from the second on."""
    rows = "".join(f"u{place},anna,{label}\n" for place, label in enumerate(labels))
    return read(folder, "unit,assessor,label\n" + rows, "b.csv", **options)


def test_a_slip_is_told(tmp_path: Path) -> None:
    """A label cast once among 500 ballots has its line and the label it resembles; it is read all the same."""
    labels = ["YES", "NO"] * 250
    labels[40] = "YESS"
    ballots = ballots_of(tmp_path, labels)
    assert ballots.scale.values == ("NO", "YES", "YESS")
    (told,) = ballots.warnings
    assert place_of(told) == ("rare-label", 42, None, "warning")
    assert "label 'YESS', once in 500 ballots" in told.found
    assert told.fix == "correct it if 'YES' was meant; otherwise nothing to do"


RARE: dict[str, tuple[list[str], dict[str, Any], list[int]]] = {
    "twice": (["a"] * 150 + ["b"] * 149 + ["qq"] * 2, {}, [301, 302]),
    "three times": (["a"] * 500 + ["b"] * 3, {}, []),
    "few ballots": (["a"] * 99 + ["b"], {}, []),
    "just enough": (["a"] * 100 + ["b"], {}, [102]),
    "labels that are known": (["ENTAILMENT", "UNKNOWN"] * 200 + ["CONTRADICTION"], {}, []),
    "an order": (["low", "high"] * 200 + ["mid"], {"order": ("low", "mid", "high"), "level": "ordinal"}, []),
    "numbers in their order": (["1", "2"] * 200 + ["9"], {"level": "interval"}, []),
    "a number in two spellings": (["1", "2"] * 200 + ["1.0"], {}, []),
}


@pytest.mark.parametrize(("labels", "options", "lines"), RARE.values(), ids=RARE)
def test_what_is_rare(tmp_path: Path, labels: list[str], options: dict[str, Any], lines: list[int]) -> None:
    """At most twice, and in less than one ballot of a hundred, where labels are names that nobody declared."""
    told = [one for one in ballots_of(tmp_path, labels, **options).warnings if one.code == "rare-label"]
    assert [one.line for one in told] == lines


def test_too_many_labels(tmp_path: Path) -> None:
    """More than thirty names are another column, or numbers; one warning, not one each."""
    labels = [str(place) for place in range(31)] * 4
    (told,) = ballots_of(tmp_path, [*labels, "99"]).warnings
    assert told.code == "many-labels"
    assert "32 different labels in 125 ballots" in told.found
    assert "--ballot-column label=NAME" in told.fix
    assert "--level" in told.fix
    assert ballots_of(tmp_path, [str(place) for place in range(30)] * 4).warnings == ()
    assert ballots_of(tmp_path, labels, level="ordinal").warnings == ()


GRADES = [str(place) for place in (0, 1, 2, 3, 4)] * 4
LEVELS = "level='nominal' or 'ordinal' or 'interval'"
NEITHER = f"5 different numbers, 0 to 4: say whether they are names, ranks or amounts, {LEVELS}"


def test_numbers_want_a_level(tmp_path: Path) -> None:
    """Grades are neither names nor amounts until somebody says which; two values, and words, are the same as either."""
    read_as_found = ballots_of(tmp_path, GRADES)
    with pytest.raises(UsageError, match=NEITHER):
        agree(read_as_found)
    assert agree(read_as_found, level="ordinal").level == "ordinal"
    for level in ("nominal", "ordinal", "interval"):
        assert agree(ballots_of(tmp_path, GRADES, level=level)).level == level
    for plain in (["0", "1"] * 4, ["0", "1", "many"] * 4):
        assert agree(ballots_of(tmp_path, plain)).level == "nominal"
    table = '{"labels": ["2", "0", "1"], "table": [[5, 1, 0], [1, 5, 1], [0, 1, 5]]}'
    with pytest.raises(UsageError, match="3 different numbers, 0 to 2"):
        agree(read(tmp_path, table, "t.json"))


def test_an_order_says_the_level(tmp_path: Path) -> None:
    """Whoever gives the labels from low to high has said that they have an order."""
    words = ["low", "mid", "high"] * 4
    assert ballots_of(tmp_path, words, order=("low", "mid", "high")).scale.level == "ordinal"
    assert ballots_of(tmp_path, words, order=("low", "mid", "high"), level="nominal").scale.level == "nominal"


def test_an_order_that_lacks_labels(tmp_path: Path) -> None:
    """All that it lacks in one problem, with the line of the first and what to add."""
    with pytest.raises(DataError) as caught:
        ballots_of(tmp_path, ["low", "odd", "high", "even", "odd"], order=("low", "high"), level="ordinal")
    (told,) = caught.value.problems
    assert place_of(told) == ("format", 3, None, "error")
    assert told.found == "labels missing from --order: 'odd', 'even'"
    assert told.expected == "one of low, high"
    assert "--order odd --order even" in told.fix


def test_one_odd_word_does_not_part_spellings(tmp_path: Path) -> None:
    """Where a label has two spellings, a word that is none is an error with its line, and not agreement of 0."""
    rows = [("YES", "ENTAILMENT"), ("neutral", "UNKNOWN"), ("contradicts", "CONTRADICTION")] * 20
    cast = [*rows, ("skip", "UNKNOWN")]
    lines = [
        f"u{place},{who},{label}" for place, pair in enumerate(cast) for who, label in zip("ab", pair, strict=True)
    ]
    with pytest.raises(
        DataError, match=r"b\.csv:122: label: label 'skip' of unit 'u60' by 'a'.*label={.skip.: .ENTAILMENT., …}"
    ):
        read(tmp_path, "\n".join(["unit,assessor,label", *lines]) + "\n", "b.csv")
    ballots = read(tmp_path, "\n".join(["unit,assessor,label", *lines[:-2]]) + "\n", "b.csv")
    assert len(ballots.scale.values) == 3
    # A label of its own beside labels in one spelling parts nothing.
    assert len(ballots_of(tmp_path, ["ENTAILMENT", "NEUTRAL", "CONTRADICTION", "skip"] * 9).scale.values) == 4

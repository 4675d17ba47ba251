"""Names: shortened so that what differs still differs, whatever they are."""

from __future__ import annotations

import io
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.data.result import Column, Sheet
from karat.errors import spelled_out
from karat.render.characters import Terminal, short_names
from karat.render.html import table
from karat.render.scale import LONGEST_NAME, cut, shortened
from karat.render.text import broken, narrow_rooms, show_table
from tests.render.test_latex import SIGNATURE, Tables


def test_short_names_stay() -> None:
    """Nothing is done to names that have room, and nothing to the others but what has to be."""
    names = ["a", "x" * LONGEST_NAME, "abc" * 30]
    assert shortened(names) == ["a", "x" * LONGEST_NAME, "abc" * 5 + "…" + "abc" * 5]
    assert shortened([]) == []


def test_what_all_long_ones_share_is_left_out() -> None:
    """A beginning and an ending in whole words; also of short names that have them, and of no others."""
    names = [f"MaxEntClassification_Base+{parts}_German" for parts in ("One+Two+Three+Four", "Six+Two+Three+Four", "A")]
    assert shortened([*names, "EditDistance_German"], 32) == [
        "…One+Two+Three+Four…",
        "…Six+Two+Three+Four…",
        "…A…",
        "EditDistance_German",
    ]
    assert shortened([*names[:2], "MaxEntClassification_Other_German"], 32) == [
        "…Base+One+Two+Three+Four…",
        "…Base+Six+Two+Three+Four…",
        "…Other…",
    ]


def test_a_short_ending_is_not_worth_an_ellipsis() -> None:
    """Of a few letters that all names share, more is lost than room is won."""
    names = [f"MaxEntClassification_Base+{parts}_DE" for parts in ("One+Two+Three+Four", "Six+Seven+Eight+Nine")]
    assert shortened(names, 32) == ["…One+Two+Three+Four_DE", "…Six+Seven+Eight+Nine_DE"]


def test_the_place_where_they_differ_is_kept() -> None:
    """Names alike at both ends keep what tells them apart."""
    made = shortened([f"{'a' * 60}{middle}{'b' * 60}" for middle in ("one", "two")])
    assert all(middle in name for middle, name in zip(("one", "two"), made, strict=True))
    assert max(map(len, made)) <= LONGEST_NAME


def test_at_last_they_are_numbered() -> None:
    """Where too many places differ to show them all."""
    names = [f"{'a' * place}b{'a' * (99 - place)}" for place in range(20, 80)]
    made = shortened(names)
    assert len(set(made)) == 60
    assert max(map(len, made)) <= LONGEST_NAME


def test_a_name_that_stands_twice_stands_twice() -> None:
    """The same name looks the same, however long it is."""
    long = "n" * 50
    assert shortened([long, "m", long])[0] == shortened([long, "m", long])[2] == cut(long)


@given(
    st.lists(st.text("ab_+", min_size=1, max_size=60) | st.text(max_size=40), max_size=12),
    st.sampled_from([12, 28, 32, 48]),
)
def test_what_differs_still_differs(names: list[str], longest: int) -> None:
    """Two names look alike if and only if they are the same, and none is too long."""
    names = [name.encode("utf-8", "replace").decode() for name in names]
    made = shortened(names, longest)
    assert all(len(look) <= longest for look in made)
    assert all(look.isprintable() for look in made)
    for one, look in zip(names, made, strict=True):
        for other, other_look in zip(names, made, strict=True):
            assert (look == other_look) == (spelled_out(one) == spelled_out(other))


@pytest.mark.parametrize(("width", "whole"), [(80, False), (400, True)])
def test_only_a_narrow_page_shortens(width: int, whole: bool) -> None:
    """A page that is no terminal has room for all of a name."""
    name = "n" * 100
    assert (short_names([name], width) == [name]) == whole


def test_names_are_cut_between_words() -> None:
    """The middle of a long name goes in whole words, if a word ends near there; names lose first what they share."""
    assert cut("lexical-syntactic:paraphrase", 24) == "lexical-…:paraphrase"
    systems = [f"baseline_rag24.test_{name}_top20" for name in ("command-r-plus", "gpt-4o", "l31_70b_instruct")]
    assert shortened(systems, 28) == ["…command-r-plus…", "…gpt-4o…", "…l31_70b_instruct…"]
    counted = ["reasoning:quantity (n 14)", "lexical:geographical-knowledge (n 12)"]
    assert shortened(counted, 22) == ["…quantity (n 14)", "…knowledge (n 12)"]
    assert shortened(["27 with < 10 pairs each (n 98)"], 22) == ["27 with < … (n 98)"]
    assert cut(f"{'x' * 40} (n 1,234)", 22) == f"…{'x' * 11} (n 1,234)"


def test_what_is_left_out_is_marked() -> None:
    """A name that keeps only where it differs says at both ends that it goes on."""
    made = shortened(
        [f"MaxEnt+Base+{part}+TP+TPPos+TS_DE" for part in ("GN+DS+DB", "GN+DS+TR", "GN+XX+DB", "DS+GN+TR")], 16
    )
    assert len(set(made)) == 4
    assert all("…" in name and name[0] in "…M" and name[-1] in "…E" for name in made)


LONG = [f"{'a' * 30}{middle}{'b' * 30}" for middle in ("one", "two")]
PAIRED = Sheet(
    "Pairs",
    (
        Column("run a", [LONG[0], "short"]),
        Column("run b", [LONG[1], LONG[0]]),
        *(Column(f"number {place}", [0.5, 0.25]) for place in range(6)),
    ),
)


def test_a_page_cuts_names_in_the_middle() -> None:
    """A run has one short name in a table, whose title, and what is taken away, is the full one."""
    made = table(PAIRED)
    cells = re.findall(r'<t[hd][^>]* title="([^"]*)" data-text="([^"]*)">([^<]*)</t[hd]>', made)
    assert [(title, text) for title, text, _ in cells] == [(name, name) for name in (*LONG, LONG[0])]
    first, second, again = (shown for *_, shown in cells)
    assert first == again != second
    assert all("…" in shown and len(shown) <= LONGEST_NAME for shown in (first, second))
    assert ">short</th>" in made.replace("</td>", "</th>")


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_terminal_wraps_names(width: int) -> None:
    """All letters of a name are there, on lines of their own, so that two runs never look the same."""
    console = Terminal(file=io.StringIO(), width=width)
    show_table(Tables(study="sample", signature=SIGNATURE, tables=[PAIRED]), PAIRED, console)
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    assert "…" not in "".join(lines)
    assert max(map(len, lines)) <= width
    whole = Counter("".join(lines))
    for letter in "abw":
        assert whole[letter] >= Counter(LONG[0] + LONG[1] + LONG[0])[letter]


def test_a_terminal_breaks_names_after_signs() -> None:
    """Not inside a word, if there is a sign before it."""
    names = [f"MaxEntClassificationEDA_Base+GNPos+{part}+TPPos+TS_DE" for part in ("TransDmPos+TP", "DS+DBPos")]
    sheet = Sheet("Runs", (Column("run", names), *(Column(f"column {place}", [0.5, 0.25]) for place in range(4))))
    console = Terminal(file=io.StringIO(), width=80)
    show_table(Tables(study="sample", signature=SIGNATURE, tables=[sheet]), sheet, console)
    assert isinstance(console.file, io.StringIO)
    shown = [line.split("  ")[0].strip() for line in console.file.getvalue().splitlines()]
    first = shown.index("MaxEntClassificationEDA_")
    assert shown[first : first + 3] == ["MaxEntClassificationEDA_", "Base+GNPos+TransDmPos+TP+", "TPPos+TS_DE"]
    assert str(broken("a\nname_that_is_too_long+for_its_room", 16)) == "a\\nname_that_is_\ntoo_long+for_\nits_room"


def test_names_that_fit_are_not_broken() -> None:
    """A terminal with room for everything."""
    sheet = Sheet("Runs", (Column("run", LONG), Column("accuracy", [0.5, 0.25])))
    assert narrow_rooms(sheet, 160) == {}
    assert narrow_rooms(sheet, 400) == {}
    assert narrow_rooms(sheet, 80)["run"] < 63

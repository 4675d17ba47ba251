"""Decomposed test sets from files: problems with file and line, one file or two, weights of phenomena."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from karat.data.decomposition import Decomposition
from karat.errors import DataError, Problem, UsageError
from karat.formats.decomposed import read_decomposition, read_leading_decomposition
from karat.formats.weights import read_relevance
from karat.labels import TWO
from tests.decompositions import E, Part, decomposition_of

Write = Callable[[str, str], Path]
HEADER = "id\ttext\thypothesis\tlabel\toriginal\tphenomenon\tcategory\tlhs\trhs\tcomposed\n"
ORIGINALS = "id\ttext\thypothesis\tlabel\no1\tA new car.\tA cat.\tCONTRADICTION\no2\tA big dog.\tA dog.\tENTAILMENT\n"
GOOD = "m1\tA new car.\tA old car.\tCONTRADICTION\to1\tsemantic-opposition\t\tnew\told\tsubstitution\n"
OTHER = "m2\tA big dog.\tA dog.\tENTAILMENT\to2\tsyntactic:modifier\t\tbig\t\tsubstitution\n"


def problems(write: Write, *rows: str, originals: str = ORIGINALS) -> list[Problem]:
    """All that is said of originals and these monothematic pairs."""
    paths = write("originals.tsv", originals), write("mono.tsv", HEADER + "".join(rows))
    try:
        return list(read_decomposition(*paths).warnings)
    except DataError as error:
        return list(error.problems)


@pytest.mark.parametrize(
    ("row", "code", "severity"),
    [
        (GOOD.replace("\to1\t", "\to9\t"), "orphan", "error"),
        (GOOD.replace("\to1\t", "\t\t"), "orphan", "error"),
        (GOOD.replace("\to1\t", "\tm0\t"), "original-monothematic", "error"),
        (GOOD.replace("\tsemantic-opposition\t", "\t\t"), "no-phenomenon", "error"),
        (GOOD.replace("\tsemantic-opposition\t\t", "\tsemantic-opposition\tsyntactic\t"), "category", "error"),
        (GOOD.replace("\tsemantic-opposition\t\t", "\tlex:synonymy\tsyntactic\t"), "category", "error"),
        (GOOD.replace("\tsemantic-opposition\t", "\tapposition\t"), "category", "error"),
        (GOOD.replace("\tnew\t", "\tNew\t"), "left-side", "error"),
        (GOOD.replace("A old car", "An old car"), "composition", "error"),
        (GOOD.replace("\tnew\told\t", "\t\t\t"), "composition", "error"),
        (GOOD.replace("substitution", "magic"), "composed", "error"),
        (GOOD.replace("A new car.", "The new car.").replace("A old", "The old"), "other-text", "error"),
        (GOOD.replace("CONTRADICTION", "-"), "unlabelled", "warning"),
        (GOOD.replace("m1", "o1"), "duplicate-id", "error"),
    ],
)
def test_problem_with_its_line(write: Write, row: str, code: str, severity: str) -> None:
    """Each at the line of its pair in its own file, and nothing else is wrong."""
    first = "m0" + GOOD[2:]
    found = [one for one in problems(write, first, OTHER, row) if one.line is not None]
    assert [(one.code, one.severity, Path(one.file).name, one.line) for one in found] == [
        (code, severity, "mono.tsv", 4)
    ]


def test_good_ones(write: Write) -> None:
    """A substitution and a left side left out are right as they are; a rewrite may say anything."""
    rewrite = GOOD.replace("m1", "m3").replace("A old car.", "The car is old.").replace("substitution", "rewrite")
    assert problems(write, GOOD, OTHER, rewrite) == []


def test_all_files_at_once(write: Write) -> None:
    """What is wrong with the originals and with the monothematic pairs is told together."""
    found = problems(
        write, GOOD.replace("CONTRADICTION", "PERHAPS"), originals=ORIGINALS.replace("ENTAILMENT", "MAYBE")
    )
    assert {(Path(one.file).name, one.line, one.code) for one in found} == {
        ("originals.tsv", 3, "label"),
        ("mono.tsv", 2, "label"),
    }


def test_originals_never_decomposed(write: Write) -> None:
    """Told once, as a warning, at the first of them."""
    (one,) = problems(write, GOOD)
    assert (one.code, one.line, one.severity) == ("not-decomposed", 3, "warning")
    assert one.found == "1 of 2 originals without a monothematic pair, first 'o2'"


def test_three_way_beside_two_way(write: Write) -> None:
    """Labels are folded, and that is said."""
    two = ORIGINALS.replace("CONTRADICTION", "NO ENTAILMENT")
    (one,) = problems(write, GOOD, OTHER, originals=two)
    assert (one.code, Path(one.file).name) == ("folded", "mono.tsv")
    read = read_decomposition(write("originals.tsv", two), write("mono.tsv", HEADER + GOOD + OTHER))
    assert read.pairs.way is TWO
    assert read.pairs.labels.tolist() == [1, 0, 1, 0]


def test_one_file_or_two(write: Write) -> None:
    """A file that names originals holds all; after another its monothematic pairs follow, then runs."""
    originals, mono = write("originals.tsv", ORIGINALS), write("mono.tsv", HEADER + GOOD + OTHER)
    both = write("both.tsv", HEADER + "".join(
        line + "\t" * 6 + "\n" for line in ORIGINALS.splitlines()[1:]) + GOOD + OTHER)  # fmt: skip
    two, left = read_leading_decomposition([originals, mono, "run"])
    one, rest = read_leading_decomposition([both, "run", "other"])
    assert (left, rest) == (["run"], ["run", "other"])
    assert one.pairs.ids == two.pairs.ids
    assert one.original.tolist() == two.original.tolist()
    assert one.phenomena == two.phenomena
    with pytest.raises(UsageError, match=r"originals.tsv has no monothematic pairs .* name their file after it"):
        read_leading_decomposition([originals])


def test_lines_broken_elsewhere(write: Write) -> None:
    """Blanks and line breaks make no other text."""
    xml = """<entailment-corpus><pair id="o" entailment="YES"><t>A new
      car.</t><h>A car.</h></pair><pair id="m" entailment="YES" original="o" phenomenon="modifier" category="syntactic"
      lhs="A new car" rhs="A car" composed="substitution"><t>A new car.</t><h>A
      car.</h></pair></entailment-corpus>"""
    assert read_decomposition(write("one.xml", xml)).warnings == ()


def phenomena() -> Decomposition:
    """Two categories with an apposition each."""
    names = ("lexical:synonymy", "syntactic:apposition", "discourse:apposition")
    return decomposition_of([Part("o", E), *(Part(f"m{at}", E, "o", name) for at, name in enumerate(names))])


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("synonymy 2\nsynt:apposition 0\ndiscourse:apposition\t1.5\n", [2, 0, 1.5]),
        ("phenomenon,weight\napposition,3\nlex:synonymy,1\n", [1, 3, 3]),
        ("Synonymy  .5\n", [0.5, 1, 1]),
    ],
)
def test_relevance(write: Write, text: str, weights: list[float]) -> None:
    """A weight a phenomenon, by any of its names; one without category is meant in all; others weigh 1."""
    read = read_relevance(write("relevance.csv" if "," in text else "relevance.txt", text), phenomena())
    assert read.of_pairs(phenomena()).tolist() == [1, *weights]
    assert [one.code for one in read.warnings] == ["no-relevance"] * (len(read.weights) < 3)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("synonimy 2\n", ["relevance"]),
        ("synonymy 2\nlexical:synonymy 1\n", ["relevance"]),
        ("synonymy much\n", ["weight"]),
        ("synonymy -1\napposition nan\n", ["weight", "weight"]),
        ("synonymy 0\napposition 0\n", ["weight"]),
        ("synonymy\n", ["run-line"]),
    ],
)
def test_wrong_relevance(write: Write, text: str, codes: list[str]) -> None:
    """A phenomenon that is not there, one twice, no number, nothing but zeros."""
    with pytest.raises(DataError) as caught:
        read_relevance(write("relevance.txt", text), phenomena())
    assert [one.code for one in caught.value.problems if one.severity == "error"] == codes


def test_files_in_the_wrong_place(write: Write) -> None:
    """A run after a set without originals, the two files swapped: said in words."""
    originals, mono = write("originals.tsv", ORIGINALS), write("mono.tsv", HEADER + GOOD + OTHER)
    run = write("run.txt", "o1 ENTAILMENT\no2 UNKNOWN\n")
    tagged = write("tagged.tsv", "id\ttext\thypothesis\tlabel\ttopic\na\tT.\tH.\tENTAILMENT\tart\n")
    with pytest.raises(UsageError, match=r"and .*run.txt does not contain such pairs: name their file after it$"):
        read_leading_decomposition([originals, run])
    with pytest.raises(UsageError, match=r"let an attribute play the phenomenon: by=… \(topic\)"):
        read_leading_decomposition([tagged, run])
    with pytest.raises(UsageError, match=r"mono.tsv has monothematic pairs alone, .* name the file of the originals"):
        read_leading_decomposition([mono, originals, run])
    broken = write("broken.xml", "<entailment-corpus><pair>")
    with pytest.raises(DataError, match=r"broken.xml"):
        read_leading_decomposition([originals, broken])

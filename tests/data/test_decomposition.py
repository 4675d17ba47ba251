"""Decompositions: what of a decomposed test set is wrong, where; phenomena by any of their names; joined sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from karat.data.decomposition import by_attribute, join_pairs
from karat.data.pairs import tags
from karat.data.phenomena import CATEGORIES, KNOWN, PHENOMENA, categories_of, category_name, split_name
from karat.errors import DataError
from karat.labels import THREE, TWO
from tests.decompositions import C, E, Part, U, decomposition_of, told
from tests.files import key_of, labels_of


@pytest.mark.parametrize(
    ("spelled", "meant"),
    [
        ("syntactic:apposition", ("syntactic", "apposition")),
        ("synt:arg-realization", ("syntactic", "argument-realization")),
        ("lex:semantic-opp.", ("lexical", "semantic-opposition")),
        ("lexsynt:verb-nom.", ("lexical-syntactic", "nominalization")),
        ("reas:gen-inference", ("reasoning", "general-inference")),
        ("Semantic Opposition", (None, "semantic-opposition")),
        ("Morphology: Inflection", ("Morphology", "Inflection")),
        ("Inflection", (None, "Inflection")),
        (":x", (None, ":x")),
    ],
)
def test_names(spelled: str, meant: tuple[str | None, str]) -> None:
    """Known names in one spelling, whatever the file's; others as they are."""
    assert split_name(spelled) == meant


def test_the_paper_has_35_phenomena() -> None:
    """In five categories; two of them are in several."""
    assert sum(map(len, PHENOMENA.values())) == 35
    assert tuple(PHENOMENA) == CATEGORIES
    assert {name for name in KNOWN if len(categories_of(name)) > 1} == {"apposition", "modifier"}
    assert category_name("LEX-SYNT") == "lexical-syntactic"


def test_view() -> None:
    """Who was made from whom, and which pairs each category holds; unlabelled pairs are in neither."""
    made = decomposition_of(
        [
            Part("m1", E, "o1", "synonymy"),
            Part("o1", E),
            Part("o2", C),
            Part("m2", C, "o2", "syntactic:apposition"),
            Part("m3", E, "o2", "synonymy"),
            Part("m4", "-", "o1", "acronymy"),
        ]
    )
    # In the order of the paper's list, not of the file.
    assert [str(one) for one in made.phenomena] == ["lexical:acronymy", "lexical:synonymy", "syntactic:apposition"]
    assert made.original.tolist() == [1, -1, -1, 2, 2, 1]
    assert made.mono.tolist() == [True, False, False, True, True, False]
    assert made.originals.tolist() == [1, 2]
    assert made.categories == ("lexical", "syntactic")
    assert (made.in_category & made.mono).tolist() == [
        [True, False, False, False, True, False],
        [False, False, False, True, False, False],
    ]
    assert made.own.tolist() == [
        [True, False, False, False, False, False],
        [False, False, False, True, True, False],
    ]
    assert made.originals_of(made.in_category[1]).tolist() == [False, True]


@pytest.mark.parametrize(
    ("first", "second", "way", "labels"),
    [
        ("ENTAILMENT CONTRADICTION", "UNKNOWN ENTAILMENT", THREE, "ENTAILMENT CONTRADICTION UNKNOWN ENTAILMENT"),
        ("YES NO", "NO YES", TWO, "ENTAILMENT NO_ENTAILMENT NO_ENTAILMENT ENTAILMENT"),
        ("YES YES", "CONTRADICTION YES", THREE, "ENTAILMENT ENTAILMENT CONTRADICTION ENTAILMENT"),
        ("YES NO", "CONTRADICTION UNKNOWN", TWO, "ENTAILMENT NO_ENTAILMENT NO_ENTAILMENT NO_ENTAILMENT"),
        ("CONTRADICTION UNKNOWN", "YES NO", TWO, "NO_ENTAILMENT NO_ENTAILMENT ENTAILMENT NO_ENTAILMENT"),
        ("- -", "CONTRADICTION YES", THREE, "None None CONTRADICTION ENTAILMENT"),
        ("YES YES", "YES YES", TWO, "ENTAILMENT ENTAILMENT ENTAILMENT ENTAILMENT"),
    ],
)
def test_joined_labels(first: str, second: str, way: object, labels: str) -> None:
    """A code means in the joined set what it meant in its own; what cannot be told apart in both is folded."""
    joined = join_pairs(key_of(*first.split()), key_of(*second.split()))
    assert joined.way is way
    assert " ".join(map(str, labels_of(joined))) == labels
    assert len(joined.labels) == len(joined.texts) == 4


def test_joined_attributes() -> None:
    """A column that one set has alone is empty in the other's rows."""
    one, other = key_of("YES"), key_of("YES")
    joined = join_pairs(replace(one, attributes={"a": ("1",)}), replace(other, attributes={"b": ("2",)}))
    assert joined.attributes == {"a": ("1", None), "b": (None, "2")}


@pytest.mark.parametrize(
    ("cell", "separator", "found"),
    [
        (None, None, ["(none)"]),
        ("  ", None, ["(none)"]),
        ("a", None, ["a"]),
        ("a; b;a", None, ["a", "b"]),
        ("Quantifiers;Double negation", None, ["Quantifiers", "Double negation"]),
        ("""['Tricky', "it's"]""", None, ["Tricky", "it's"]),
        ("[]", None, ["(none)"]),
        ("[a, b]", None, ["[a, b]"]),
        ("[" * 300 + "]", None, ["[" * 300 + "]"]),
        ("a, b; c", ",", ["a", "b; c"]),
        ("['a']", ",", ["['a']"]),
    ],
)
def test_tags(cell: str | None, separator: str | None, found: Sequence[str]) -> None:
    """Lists, several values, one, or none; what looks like a list and is none stays one value."""
    assert list(tags(cell, separator)) == list(found)


def test_by_attribute() -> None:
    """Every value is a phenomenon, without originals and categories."""
    made = by_attribute(replace(key_of("YES", "NO"), attributes={"a": ("x; y", "y")}), "a")
    assert [(one.name, one.category) for one in made.phenomena] == [("x", None), ("y", None)]
    assert made.holds.tolist() == [[True, False], [True, True]]
    assert not len(made.originals)
    assert np.array_equal(made.mono, [True, True])


def problems_of(*parts: Part) -> list[tuple[str, str]]:
    """Codes and what was found."""
    with pytest.raises(DataError) as caught:
        decomposition_of(parts)
    return [(one.code, one.found) for one in caught.value.problems if one.severity == "error"]


def test_all_problems_at_once() -> None:
    """Each pair's own, in one error."""
    told = problems_of(
        Part("o", E),
        Part("m1", E, "o9", "synonymy"),
        Part("m2", E, "m1", "synonymy"),
        Part("m3", E, "o", None),
        Part("m4", E, "o", "syntactic:synonymy"),
        Part("m5", E, "o", "apposition"),
        Part("m6", E, "o", "Inflection"),
        Part("m7", E, "o", "morphology:Inflection"),
        Part("m8", E, "o", "lexical:Inflection"),
        Part("m9", E, None, "synonymy"),
    )
    assert told == [
        ("orphan", "pair 'm1' is made from 'o9', which is not there"),
        ("original-monothematic", "pair 'm2' is made from 'm1', which is monothematic itself"),
        ("no-phenomenon", "pair 'm3' isolates no phenomenon"),
        ("category", "pair 'm4' has 'synonymy' in the category 'syntactic'"),
        ("category", "pair 'm5' isolates 'apposition', which may be in several categories"),
        ("category", "pair 'm6' isolates 'Inflection', which is not a known phenomenon"),
        ("category", "pair 'm8' has 'Inflection' in the category 'lexical'"),
        ("orphan", "pair 'm9' names no original"),
    ]


def warned(*parts: Part, **last: str) -> list[tuple[str, str, str]]:
    """Codes, what was found and how to mend it."""
    return [(one.code, one.found, one.fix) for one in told(*parts, **last)]


def test_a_slip_in_a_phenomenon() -> None:
    """Told once for all pairs that have it; one of one's own that is like no other is taken as it is."""
    rows = [Part(f"m{at}", E, "o", "lexical:synonimy") for at in range(3)]
    (one,) = warned(Part("o", E), *rows)
    assert one[:2] == ("near-phenomenon", "pair 'm0' isolates 'synonimy', which is not a known phenomenon")
    assert one[2].startswith("did you mean synonymy?")
    assert warned(Part("o", E), Part("m", E, "o", "lexical:tense")) == []
    assert "did you mean 'synonymy'?" in warned(Part("o", E), Part("m", E, "o", "synonimy"))[0][1]


@pytest.mark.parametrize(
    ("label", "pattern", "wrong"),
    [(C, "x ⇒ y", True), (E, "x ⇎ y", True), (E, "x ⇒ y", False), (C, "x ⇎ y", False), (U, "x ⇏ y", False)],
)
def test_a_rule_against_its_label(label: str, pattern: str, wrong: bool) -> None:
    """⇒ does not contradict, ⇎ does not entail."""
    found = warned(Part("o", label), Part("m", label, "o", "lexical:synonymy"), pattern=pattern)
    assert [one[0] for one in found] == ["rule-and-label"] * wrong


@pytest.mark.parametrize(
    ("whole", "parts", "wrong"),
    [
        (E, [E, E], False),
        (E, [E, C], True),
        (E, [E, U], False),
        (C, [E, C], False),
        (C, [E, E], True),
        (U, [E], True),
        (U, [E, "-"], False),
        ("-", [E, C], False),
    ],
)
def test_an_original_against_its_parts(whole: str, parts: Sequence[str], wrong: bool) -> None:
    """Entailed parts make no other whole, and a contradicted one no entailment; without a label nothing is said."""
    rows = [Part(f"m{at}", label, "o", "lexical:synonymy") for at, label in enumerate(parts)]
    found = [one for one in warned(Part("o", whole), *rows) if one[0] == "parts-and-whole"]
    assert len(found) == wrong
    if wrong:
        assert found[0][1].startswith(f"pair 'o' is {whole}, and ")


def test_composed_otherwise() -> None:
    """A word that is none of the two, a rewrite that is none, a left side in other letters: each with its remedy."""
    rows = Part("o", E), Part("m", E, "o", "lexical:synonymy")
    assert warned(*rows, composed="substituted") == [
        ("composed", "pair 'm' is composed by 'substituted'", "write one of the two, or leave it out")
    ]
    text = {"lhs": "text", "rhs": "hypothesis", "text": "text m"}
    codes = [one[0] for one in warned(*rows, **text, composed="rewrite")]
    assert codes == ["other-text", "no-rewrite"]
    assert warned(*rows, lhs="Text")[0][1].endswith("which does not occur in its T (it has 'text')")

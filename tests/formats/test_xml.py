"""Tests of hostile XML: refused with a place, in little time and memory; defusedxml must agree."""

from __future__ import annotations

import defusedxml
import defusedxml.ElementTree
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.errors import Problem
from karat.formats import xml
from tests.files import codes_of, key_problems, place_of
from tests.formats.limits import bounded

PAIR = '<pair id="1" entailment="YES"><t>a</t><h>b</h></pair>'


def corpus(inside: str = PAIR, before: str = "") -> str:
    """A corpus with something before it and in it."""
    return f"{before}<entailment-corpus>{inside}</entailment-corpus>"


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
DECLARING = {
    "billion laughs": f'<!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]>',
    "quadratic": f'<!DOCTYPE x [<!ENTITY a "{"a" * 50_000}">]>',
    "external": '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    "public": '<!DOCTYPE x [<!ENTITY a PUBLIC "p" "http://example.org/a">]>',
    "parameter": '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://example.org/p.dtd"> %p;]>',
    "unparsed": '<!DOCTYPE x [<!NOTATION n SYSTEM "n"><!ENTITY a SYSTEM "a.gif" NDATA n>]>',
    "hidden behind a parameter": '<!DOCTYPE x [%p; <!ENTITY a "b">]>',
}


@pytest.mark.parametrize("before", DECLARING.values(), ids=DECLARING)
def test_entities_are_refused(before: str) -> None:
    """Every declaration, used or not, at its line; defusedxml refuses the same files."""
    content = corpus(PAIR.replace("<t>a", "<t>&l9;&a;"), before + "\n")
    with bounded(2, 50):
        (problem,) = key_problems(content)
    assert problem.code in ("entity", "undefined-entity")
    assert problem.line in (1, 2)
    with pytest.raises((defusedxml.EntitiesForbidden, defusedxml.ElementTree.ParseError)):
        defusedxml.ElementTree.fromstring(content)


HARMLESS = {
    "no DTD": "",
    "absent DTD": '<!DOCTYPE entailment-corpus SYSTEM "rte.dtd">',
    "public DTD": '<!DOCTYPE entailment-corpus PUBLIC "-//X" "http://example.org/rte.dtd">',
    "internal DTD": "<!DOCTYPE entailment-corpus [<!ELEMENT t (#PCDATA)><!ATTLIST pair id CDATA #REQUIRED>]>",
}


@pytest.mark.parametrize("before", HARMLESS.values(), ids=HARMLESS)
def test_a_doctype_without_entities_is_accepted(before: str) -> None:
    """Nothing it names is loaded; defusedxml accepts the same files."""
    content = corpus(before=before)
    assert key_problems(content) == []
    assert len(defusedxml.ElementTree.fromstring(content)) == 1


def test_an_unknown_entity_in_an_attribute_is_not_dropped() -> None:
    """Behind a DOCTYPE the parser would pass over it without a word, and the id would be another."""
    content = corpus(PAIR.replace('id="1"', 'id="1&eacute;"'), '<!DOCTYPE x SYSTEM "x.dtd">\n')
    assert list(map(place_of, key_problems(content))) == [("undefined-entity", 2, 31, "error")]


def hostile(content: str | bytes, seconds: float = 3, megabytes: int = 200) -> list[Problem]:
    """What is said of a hostile file, within bounds."""
    with bounded(seconds, megabytes):
        problems = key_problems(content)
    assert problems
    return problems


HOSTILE = {
    "100,000 levels": (corpus("<a>" * 100_000), "xml-too-deep"),
    "an attribute of 3 MB": (corpus(PAIR.replace('id="1"', f'id="{"1" * 3_000_000}"')), "too-large"),
    "100,000 attributes": (
        corpus(PAIR.replace('id="1"', " ".join(f'a{n}="1"' for n in range(100_000)))),
        "too-large",
    ),
    "a text of 3 MB": (corpus(PAIR.replace("<t>a", "<t>" + "a " * 1_500_000)), "too-large"),
    "a million pieces": (corpus(PAIR.replace("<t>a", "<t>" + "a<b/>" * 1_100_000)), "too-large"),
    "a million ampersands": (corpus("& " * 500_000 + "& \n" * 500_000), "bare-ampersand"),
    "unclosed comments": (corpus("&<!--" * 500_000), "bare-ampersand"),
    "default attributes": (
        corpus("<pair/>" * 100_000, f'<!DOCTYPE x [<!ATTLIST pair a CDATA "{"a" * 10_000}">]>'),
        "too-large",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_absurd_sizes_are_refused(name: str) -> None:
    """In little time and memory, whatever is multiplied."""
    content, code = HOSTILE[name]
    assert code in codes_of(hostile(content, seconds=10, megabytes=400))


def test_too_many_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    """An element costs a hundred times its spelling, so their number is bounded too."""
    monkeypatch.setattr(xml, "MAX_ELEMENTS", 100)
    assert "too-large" in codes_of(key_problems(corpus("<pair/>" * 101)))


def test_an_encoding_that_nobody_knows() -> None:
    """The declaration is blamed, not the file's first letter."""
    for name in ("klingon", "gb2312", "hex"):
        (problem,) = hostile(corpus(before=f'<?xml version="1.0" encoding="{name}"?>'))
        assert (problem.code, problem.line) == ("xml", 1)
        assert "encoding" in problem.found


def test_latin_1_undeclared() -> None:
    """A byte that is no UTF-8 is told as that, with the way to mend it."""
    (problem,) = hostile(corpus(PAIR.replace("<t>a", "<t>caf\xe9")).encode("latin-1"))
    assert place_of(problem) == ("encoding", 1, 56, "error")


PIECES = [
    "<pair id='1'>",
    "</pair>",
    "<t>",
    "</t>",
    "&",
    "&amp;",
    "&x;",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "a",
    "\n",
    "<",
    ">",
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@settings(max_examples=200, deadline=None)
def test_what_is_no_xml_to_others_is_none_here(inside: str) -> None:
    """A file is well-formed here exactly where defusedxml parses it."""
    content = corpus(inside)
    wrong = {"xml", "bare-ampersand", "undefined-entity"}
    try:
        defusedxml.ElementTree.fromstring(content)
    except defusedxml.ElementTree.ParseError:
        # A pair inside a pair is refused before the end shows that neither was closed.
        assert (wrong | {"element"}) & set(codes_of(key_problems(content)))
    else:
        assert not wrong & set(codes_of(key_problems(content)))

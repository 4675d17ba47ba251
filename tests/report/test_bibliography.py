"""The bibliography: every source that is named has its entry, and every entry is BibTeX."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from karat.engines.catalogue import engines
from karat.examples import HERE
from karat.formats import read_pairs, read_runs
from karat.measures import measures, question_measures
from karat.measures.agreement import coefficients
from karat.registry import Entry
from karat.report.bibliography import CITATION, NAMED, NO_PAPER, bibliography, cited
from karat.studies.catalogue import list_measures
from karat.studies.compare.study import compare
from karat.studies.score.study import evaluate

SOURCE = Path(__file__).parents[2] / "src" / "karat"
BIB = (SOURCE / "report" / "bibliography.bib").read_text(encoding="utf-8")
FILED = [entry for registry in (measures, question_measures, coefficients, engines) for entry in registry]
NEEDED = {
    "article": {"author", "title", "journal", "year"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "incollection": {"author", "title", "booktitle", "publisher", "year"},
    "book": {"author", "title", "publisher", "year"},
    "misc": {"author", "title", "year", "howpublished"},
}


def parsed(entry: str) -> tuple[str, str, dict[str, str]]:
    """Kind, key and fields of one entry; strict: a field a line, braces balanced, nothing else."""
    head, *lines, end = entry.split("\n")
    opening = re.fullmatch(r"@([a-z]+)\{([a-z]+\d{4}[a-z]*),", head)
    assert opening, head
    assert end == "}"
    fields: dict[str, str] = {}
    for place, line in enumerate(lines):
        match = re.fullmatch(r"  ([a-z]+) = \{(.+)\}" + ("," if place < len(lines) - 1 else ""), line)
        assert match, line
        assert match[1] not in fields, line
        depth = 0
        for character in match[2]:
            depth += (character == "{") - (character == "}")
            assert depth >= 0, line
        assert depth == 0, line
        fields[match[1]] = match[2]
    return opening[1], opening[2], fields


@pytest.mark.parametrize("key", bibliography())
def test_entries_parse(key: str) -> None:
    """An entry has what its kind needs; its key is the first author's last name and the year; it is plain ASCII."""
    kind, same, fields = parsed(bibliography()[key])
    assert same == key
    assert NEEDED[kind] <= set(fields)
    surname = fields["author"].partition(",")[0].split()[-1].lower()
    assert re.fullmatch(rf"{surname}{fields['year']}[a-z]*", key)
    assert bibliography()[key].isascii()
    assert re.fullmatch(r"10\.\d{4,}/\S+", fields.get("doi", "10.1000/none"))
    assert not re.search(r"\d-\d", fields.get("pages", "")), "pages have an en dash"


@pytest.mark.parametrize(
    "planted",
    [
        "@article{x2000,\n  title = {A {B}\n}",
        "@article{x2000,\n  title = {A}\n  year = {2000}\n}",
        "@article{x,\n  title = {A}\n}",
        "@article{x2000,\n  title = {A},\n  title = {B}\n}",
    ],
)
def test_planted_entries(planted: str) -> None:
    """The parser refuses an open brace, a missing comma, a key without year and a field said twice."""
    with pytest.raises(AssertionError):
        parsed(planted)


def test_keys_are_unique() -> None:
    """No entry hides another, and they stand in order."""
    keys = re.findall(r"^@\w+\{(\w+),", BIB, re.MULTILINE)
    assert keys == sorted(set(keys))
    assert keys == list(bibliography())


@pytest.mark.parametrize("entry", FILED, ids=lambda entry: f"{entry.kind} {entry.name}")
def test_every_source_resolves(entry: Entry) -> None:
    """A measure, coefficient or engine has an entry for each author and year it names, or is said to need none."""
    source = entry.facts["source"]
    assert bool(cited(source)) != (source in NO_PAPER)


def code() -> str:
    """All of the code on one line, strings that go on over lines put together."""
    lines = " ".join(file.read_text(encoding="utf-8") for file in SOURCE.rglob("*.py"))
    return " ".join(lines.split()).replace('" "', "")


def test_every_citation_in_code() -> None:
    """Whoever is cited in the code, author and year, has an entry."""
    found = {(match[0], f"{match[1]}{match[2]}".lower()) for match in CITATION.finditer(code())}
    people = {words: key for words, key in found if not re.match(r"[A-Z]{2}|.*\b(TREC|RAG|RTE)\b", words)}
    assert len(people) > 40
    assert {words: key for words, key in people.items() if key not in bibliography()} == {}


def test_no_entry_is_idle() -> None:
    """Every entry is cited somewhere in the code, or known by another name."""
    known = {f"{author}{year}".lower() for author, year in CITATION.findall(code())}
    assert set(bibliography()) <= known | {key for keys in NAMED.values() for key in keys}
    assert {key for keys in NAMED.values() for key in keys} <= set(bibliography())


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ("Cohen 1960; standard error Fleiss, Cohen & Everitt 1969", ["cohen1960", "fleiss1969"]),
        ("Voorhees 2003 (TREC 2002 QA)", ["voorhees2003trec"]),
        ("Voorhees 2003, 2005 (TREC 2003 and 2004 QA)", ["voorhees2003", "voorhees2005"]),
        ("Bergmair 2009, I(G;L); Shannon 1948", ["bergmair2009", "shannon1948"]),
        ("de Marneffe et al. 2008", ["marneffe2008"]),
        ("Nobody 1066", []),
    ],
)
def test_words_name_entries(words: str, keys: list[str]) -> None:
    """Words are resolved to what they cite and nothing else."""
    assert cited(words) == keys


def keys_of(text: str) -> set[str]:
    """The keys of rendered BibTeX, every entry of it parsed."""
    comment, *entries = text.rstrip("\n").split("\n\n")
    assert comment.startswith("% karat ")
    return {parsed(entry)[1] for entry in entries}


def test_results_cite() -> None:
    """A result has the sources of its own measures, test, correction and intervals, and no others."""
    key = read_pairs(HERE / "pairs.xml")
    runs = read_runs([HERE / "runs"], key)
    assert keys_of(evaluate(key, runs, measure=["kappa"], way="2").render("bibtex")) == {"cohen1960", "agresti1998"}
    compared = compare(key, runs, correction="by").render("bibtex")
    assert keys_of(compared) == {"giampiccolo2008", "mcnemar1947", "benjamini2001", "bonett2012"}
    assert {"cohen1960", "bergmair2009", "voorhees2005", "pradeep2024"} <= keys_of(list_measures().render("bibtex"))

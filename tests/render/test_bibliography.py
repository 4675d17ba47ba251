"""The bibliography: every source that is named has its entry, and every entry is BibTeX."""

from __future__ import annotations

import importlib
import pkgutil
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import karat.studies
from karat.engines.engine import engines
from karat.examples import HERE
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs
from karat.measures import measures, question_measures
from karat.measures.agreement import coefficients
from karat.measures.facts import INTERVALS
from karat.registry import Registered
from karat.render.bibliography import CITATION, NAMED, bibliography, cited, key_of, resolved
from karat.statistics.multiple_testing import CONTROLS
from karat.studies.base import StudyResult
from karat.studies.catalogue import list_measures
from karat.studies.compare.result import EQUIVALENCE_SOURCE, TEST_SOURCES
from karat.studies.compare.study import compare
from karat.studies.score.study import score

SOURCE = Path(__file__).parents[2] / "src" / "karat"
BIB = (SOURCE / "render" / "bibliography.bib").read_text(encoding="utf-8")
FILED = [entry for registry in (measures, question_measures, coefficients, engines) for entry in registry]
NO_PAPER = (
    "any network, as files",
    "any program, by JSON lines",
    "label shift: Σ π(g) · recall(g)",
    "the share of pairs of ballots that agree, each unit counted once",
)
"""Sources without a paper."""
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
    plain = re.sub(r'\{\\"([aou])\}', r"\1e", fields["author"].partition(",")[0])
    surname = plain.split()[-1]
    assert re.fullmatch(rf"{key_of(surname, fields['year'])}[a-z]*", key)
    assert 1900 < int(fields["year"]) <= 2026
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


def unexplained(words: str) -> list[str]:
    """Years and initials that no entry stands behind; the years of TREC are told in brackets only."""
    rest = re.sub(r"\(TREC [\d and]+ QA\)", "", resolved(words)[1])
    return re.findall(r"\b(?:1[89]|20)\d\d\b|\bet al\b", rest)


@pytest.mark.parametrize("entry", FILED, ids=lambda entry: f"{entry.kind} {entry.name}")
def test_every_source_resolves(entry: Registered) -> None:
    """A measure, coefficient or engine has an entry for each author and year it names, or is said to need none."""
    source = entry.facts["source"]
    assert bool(cited(source)) != (source in NO_PAPER)
    assert unexplained(source) == []


@pytest.mark.parametrize("planted", ["Cohen 1960; Nobody 1966", "Gwet 2008, 2013", "Scott 1955; Ölçer et al. 1999"])
def test_planted_sources(planted: str) -> None:
    """A source that is named beside one with an entry does not hide behind it."""
    assert cited(planted)
    assert unexplained(planted)


def kinds_of_results(kind: type[StudyResult] = StudyResult) -> Iterator[type[StudyResult]]:
    """Every kind of result that there is."""
    for below in kind.__subclasses__():
        yield below
        yield from kinds_of_results(below)


def test_every_study_resolves() -> None:
    """What studies, their tests, intervals and corrections say that they rest on has an entry, each of it."""
    for module in pkgutil.walk_packages(karat.studies.__path__, "karat.studies."):
        importlib.import_module(module.name)
    sources = {words for kind in kinds_of_results() for words in kind.SOURCES}
    assert len(sources) > 25
    sources |= {
        *TEST_SOURCES.values(),
        *(method.source for method in INTERVALS.values() if method.source),
        EQUIVALENCE_SOURCE,
    }
    assert {words for words in sources if not cited(words) or unexplained(words)} == set()
    assert {words for words in CONTROLS.values() if unexplained(words)} == set()
    assert {name for name, words in CONTROLS.items() if not cited(words)} <= {"none"}


def code() -> str:
    """All of the code on one line, strings that go on over lines put together."""
    lines = " ".join(file.read_text(encoding="utf-8") for file in SOURCE.rglob("*.py"))
    return " ".join(lines.split()).replace('" "', "")


def test_every_citation_in_code() -> None:
    """Whoever is cited in the code, author and year, has an entry."""
    found = {(match[0], key_of(match[1], match[2])) for match in CITATION.finditer(code())}
    people = {words: key for words, key in found if not re.match(r"[A-Z]{2}|.*\b(TREC|RAG|RTE)\b", words)}
    assert len(people) > 40
    assert {words: key for words, key in people.items() if key not in bibliography()} == {}


UNCITED = {"guo2017", "kumar2019"}
"""At hand for whoever writes on the reliability of confidences; once the code cites one, it goes from here."""


def test_no_entry_is_idle() -> None:
    """Every entry is cited somewhere in the code, or known by another name."""
    known = {key_of(author, year) for author, year in CITATION.findall(code())}
    named = {key for keys in NAMED.values() for key in keys}
    assert set(bibliography()) - known - named == UNCITED
    assert named <= set(bibliography())


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ("Cohen 1960; standard error Fleiss, Cohen & Everitt 1969", ["cohen1960", "fleiss1969"]),
        ("Voorhees 2003 (TREC 2002 QA)", ["voorhees2003case"]),
        ("TREC 2002 QA; RTE-1", ["voorhees2002trec", "dagan2006"]),
        ("Voorhees 2003, 2005 (TREC 2003 and 2004 QA)", ["voorhees2003", "voorhees2005"]),
        ("Bergmair 2009, I(G;L); Shannon 1948", ["bergmair2009", "shannon1948"]),
        ("de Marneffe et al. 2008", ["marneffe2008"]),
        ("Bröcker and Smith 2007; Broecker and Smith 2007", ["broecker2007"]),
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
    assert keys_of(score(runs, measure=["kappa"], way="2").render("bibtex")) == {"cohen1960", "agresti1998"}
    compared = compare(runs, correction="by").render("bibtex")
    assert keys_of(compared) == {"giampiccolo2008", "mcnemar1947", "benjamini2001", "bonett2012"}
    assert {"cohen1960", "bergmair2009", "voorhees2005", "pradeep2024"} <= keys_of(list_measures().render("bibtex"))


@pytest.mark.skipif(shutil.which("bibtex") is None, reason="bibtex is not installed")
def test_bibtex_takes_them(tmp_path: Path) -> None:
    """BibTeX makes a reference of every entry, and misses nothing in any."""
    (tmp_path / "all.bib").write_text(BIB, encoding="utf-8")
    wanted = "\n".join([r"\citation{*}", r"\bibstyle{plain}", r"\bibdata{all}"])
    (tmp_path / "page.aux").write_text(wanted, encoding="utf-8")
    done = subprocess.run(["bibtex", "page"], cwd=tmp_path, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stdout
    assert "Warning" not in done.stdout
    assert (tmp_path / "page.bbl").read_text(encoding="utf-8").count(r"\bibitem") == len(bibliography())

"""BibTeX: the sources of a result's measures and methods, ready for the paper that reports it.

Sources are given in words where they are used ("Cohen 1960"); `bibliography.bib` has an entry for each, whose key is
the first author's name and the year.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from karat.data.result import Result

NAMED = {
    "Voorhees 2003 (TREC 2002 QA)": ("voorhees2003case",),
    "Voorhees 2003, 2005": ("voorhees2003", "voorhees2005"),
    "TREC 2002 QA": ("voorhees2002trec",),
    "TREC 1999–2001 QA": ("voorhees1999",),
    "RTE-1": ("dagan2006",),
    "RTE-4 guidelines 2008": ("giampiccolo2008",),
    "VENSES (Delmonte and others 2005-2009)": ("delmonte2006",),
    "Excitement Open Platform": ("magnini2014",),
    "Bennett's S": ("bennett1954",),
    "McNemar": ("mcnemar1947",),
    "Wilcoxon": ("wilcoxon1945",),
    "accelerated": ("efron1987",),
    "Dawid and Skene": ("dawid1979",),
    "Kendall's tau-b": ("kendall1945",),
    "Kendall's tau": ("kendall1938",),
    "coefficient of concordance": ("kendall1939",),
    "Connor's formula": ("connor1987",),
}
"""Sources known by a name other than author and year; longer names come before those they contain."""
AUTHOR = r"[A-ZÀ-ÖØ-Þ][\w'-]+"
CITATION = re.compile(rf"(?<![\w'-])({AUTHOR})(?:(?:, | and | & ){AUTHOR}){{0,9}}(?: et al\.)?,? \(?(\d{{4}})\b")


@cache
def bibliography() -> dict[str, str]:
    """All entries as BibTeX, by key."""
    text = (files("karat.render") / "bibliography.bib").read_text(encoding="utf-8")
    return {entry.partition("{")[2].partition(",")[0]: entry for entry in text.strip().split("\n\n")}


def cited(words: str) -> list[str]:
    """The keys of the entries that a text names, without repetitions."""
    return resolved(words)[0]


def resolved(words: str) -> tuple[list[str], str]:
    """The keys of the entries that a text names, and the rest of the text."""
    found: list[str] = []
    for name, keys in NAMED.items():
        if name in words:
            found += keys
            words = words.replace(name, "")
    named = {match[0]: key_of(match[1], match[2]) for match in CITATION.finditer(words)}
    known = {name: key for name, key in named.items() if key in bibliography()}
    for name in known:
        words = words.replace(name, "")
    return list(dict.fromkeys([*known.values(), *found])), words


def key_of(author: str, year: str) -> str:
    """The key of an entry: the author's name in plain letters, and the year."""
    plain = re.sub("[äöü]", lambda umlaut: unicodedata.normalize("NFD", umlaut[0])[0] + "e", author.lower())
    return unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode() + year


def entries(sources: Iterable[str]) -> list[str]:
    """The entries that the sources name, in the order of their keys."""
    return [bibliography()[key] for key in citation_keys(sources)]


def citation_keys(sources: Iterable[str]) -> list[str]:
    """The keys of the entries that the sources name, in order."""
    return sorted({key for words in sources for key in cited(words)})


def render(result: Result) -> str:
    """The signature as a comment, which BibTeX ignores, and one entry per source of the result."""
    signature = str(result.signature).replace("@", "(at)")
    return "\n\n".join([f"% {signature}", *entries(result.citations())]) + "\n"

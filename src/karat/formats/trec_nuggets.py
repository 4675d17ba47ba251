"""Nugget files of the TREC question answering track, 2003 on, of relationships and of ciQA, and pyramids of nuggets.

A line `Qid 1.6: …` precedes the nuggets of a question, each `1.6 1<TAB>vital<TAB>text`. In a pyramid there is more
between importance and text, in every line of the file or in none: a weight, or the number of assessors who call the
nugget vital, or what each further assessor calls it (`vital<TAB>okay<TAB>vital<TAB>text`). The first assessor's
importance is the nugget's, and its weight is the number of its votes divided by the largest of the question. NIST
describes what a pyramid contains, but not the columns of the files of 2006 and 2007, so these are an assumption.
"""

from __future__ import annotations

import re

import numpy as np

from karat.align.columns import Columns
from karat.align.nugget_labels import importance_code
from karat.data.importance import vote_weights
from karat.data.nuggets import NEITHER, VITAL
from karat.errors import Problems, counted
from karat.formats.documents import Document
from karat.formats.registry import nugget_formats
from karat.formats.sniffing import has_first_line

_HEAD = re.compile(r"\s*qid[\s:]+([^\s:]+)\s*(?::|$)", re.IGNORECASE)
_NUGGET = re.compile(r"\s*(\S+)\s+(\S+)\s+([^\W\d]\S*)(?:\s(.*))?$")
_WEIGHT = re.compile(r" *(\d+(?:\.\d*)?|\.\d+) *\t(.*)$")
_VOTES = re.compile(r"((?:[ \t]*(?:vital|okay)[ ]*(?=\t))+)\t(.*)$", re.IGNORECASE)
_KNOWN = re.compile(r"\s*\S+\s+\S+\s+(vital|okay)\b", re.IGNORECASE)
Fields = tuple[str, str, str, str]


@nugget_formats.register(
    "trec",
    sniff=has_first_line(_HEAD, _KNOWN),
    what="TREC QA, `qid nugget<TAB>importance<TAB>text`, 2003 on",
)
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read headings and nuggets, ignoring empty lines."""
    lines = document.lines(problems)
    if lines is None:
        return None
    topics: list[str] = []
    found: list[tuple[int, *Fields]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if heading := _HEAD.match(line):
            topics.append(heading[1])
        elif fields := _fields(line):
            found.append((number, *fields))
            topics.append(fields[0])
        else:
            what = "`Qid ID: question`, or an id, a number, vital or okay, and a text, with tabs between"
            problems.add("run-line", f"{line!r}", file=document.name, line=number, column=1, what=what)
    if found and all(importance_code(importance) == NEITHER for _, _, _, importance, _ in found):
        message, what = "no nugget that is vital or okay", "`ID NUGGET<TAB>vital<TAB>TEXT` or the same with okay"
        fix = "check that the right file was given; a table begins with its header"
        problems.add("format", message, file=document.name, line=found[0][0], what=what, fix=fix)
    names, listed = ("topic", "name", "importance", "text"), list(dict.fromkeys(topics))
    columns = Columns.of_rows(document.source, names, found, topics=listed)
    weighed = [_WEIGHT.match(text) for text in columns["text"]]
    if weighed and all(weighed):
        columns.values["weight"] = [one[1] for one in weighed if one]
        columns.values["text"] = [one[2] for one in weighed if one]
    elif len(columns) and _VOTES.match(columns["text"][0]):
        _count_votes(columns, listed, problems)
    columns.values["text"] = [text.strip() for text in columns["text"]]
    return columns


def _count_votes(columns: Columns, topics: list[str], problems: Problems) -> None:
    """Replace what further assessors call each nugget by a weight; every line has as many of them as the first."""
    votes, texts = [], []
    for row, (importance, text) in enumerate(zip(columns["importance"], columns["text"], strict=True)):
        found = _VOTES.match(text)
        said = [importance, *(found[1].split() if found else ())]
        votes.append([importance_code(one) == VITAL for one in said])
        texts.append(found[2] if found else text)
        if len(said) != len(votes[0]):
            what = f"vital or okay from {len(votes[0])} assessors, with tabs between, as in line {columns.lines[0]}"
            columns.report(problems, "run-line", counted(len(said), "vote"), row, what=what)
    place = {name: at for at, name in enumerate(topics)}
    topic = np.array([place[name] for name in columns["topic"]], dtype=np.int32)
    columns.values["weight"] = vote_weights([[sum(one)] for one in votes], topic, len(topics)).tolist()
    columns.values["text"] = texts


def _fields(line: str) -> Fields | None:
    """Question, nugget, importance and text, separated by tabs or else by blanks."""
    first, *rest = line.split("\t")
    words = first.split()
    if len(words) == 2 and len(rest) > 1:
        return words[0], words[1], rest[0].strip(), "\t".join(rest[1:])
    if len(words) == 1 and len(rest) > 2:
        return words[0], rest[0].strip(), rest[1].strip(), "\t".join(rest[2:])
    match = _NUGGET.match(line)
    return (match[1], match[2], match[3], match[4] or "") if match else None

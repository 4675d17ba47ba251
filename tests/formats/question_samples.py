"""A small file of every format of questions, answers, verdicts and patterns, written for these tests."""

from __future__ import annotations

from karat.formats.registry import Formats, answer_formats, pattern_formats, question_formats, verdict_formats
from tests import nist_files
from tests.formats.samples import lines
from tests.question_files import SERIES, tabs

TREC_SERIES = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE trecqa [
    <!ELEMENT trecqa (target+)>
    <!ATTLIST q id ID #REQUIRED type (FACTOID|LIST|OTHER) #REQUIRED>
]>
<trecqa year="2004" track="main">
<target id = "1" text = "the Garonne">
    <qa>
        <q id = "1.1" type="FACTOID">
            Where does it rise,
            and how high?
        </q>
    </qa>
    <qa><q id = "1.2" type="LIST"> Which towns lie on it? </q></qa>
    <qa><q id = "1.3" type="OTHER"> Other </q></qa>
</target>

<target id = "2" text = "Caf\xe9 Oc\xe9an">
    <qa><q id = "2.1" type="FACTOID">Who owns the caf\xe9?</q></qa>
    <qa><q id = "2.2" type="OTHER">Other</q></qa>
</target>
</trecqa>
""".encode("latin-1")

TREC_TOPICS = """<top>

<num> Number: 901

<type> Type: factoid

<desc> Description:
How deep is the lake
at its deepest?

</top>


<top>

<num> Number: 902

<type> Type: list

<desc> Description:
Which rivers fill the lake?

</top>

<top>
<num> Number: 903
<type> Type: definition
<desc> Description:
What is a lake?
</top>
"""
UNTYPED_TOPICS = "<top>\n<num> Number: 7\n<desc> Description:\nWho dug it?\n\n</top>\n"

ANSWERS = tabs(
    "run|qid|rank|doc|answer",
    "one|1.1|1|D1|100 km",
    "one|1.2|1|NIL|",
    "one|1.3|1|D1|Upper Town",
    "one|1.3|2|D2|Lower Town",
    "one|1.4|1|D1|it freezes in winter",
    "two|1.1|1|D3|100 miles",
    "two|1.2|1|D3|the dwarfs",
    "two|1.3|1|D3|Lower Town",
    "two|1.4|1|D3|it has eels",
)
VERDICTS = tabs(
    "qid|doc|answer|verdict|group",
    "1.1|D1|100 km|R|",
    "1.1|D3|100 miles|W|",
    "1.2|D3|the dwarfs|U|",
    "1.2|NIL||R|",
    "1.3|D1|Upper Town|correct|upper",
    "1.3||the upper town|r|upper",
    "1.3|D2|Lower Town|Inexact|lower",
    "1.3|D3|Lower Town|R|lower",
)
LIST_ANSWERS = "# 1.3\nQ:Which towns are on it?\nUpper Town\n\nLower Town \n\n\n"
PATTERNS = "1.1 100\\s?(km|kilometers)\n1.1 62 miles\n1.3 [Uu]pper Town APW19980601.0001 NYT19990101.0123\n"

SAMPLES: list[tuple[Formats, str, str, bytes]] = [
    (question_formats, "trec-series", "questions.xml", TREC_SERIES),
    (question_formats, "trec-topics", "questions.txt", TREC_TOPICS.encode()),
    (question_formats, "trec-topics", "questions", UNTYPED_TOPICS.encode()),
    (question_formats, "table", "questions.tsv", SERIES.encode()),
    (question_formats, "table", "questions.jsonl", lines({"qid": 1, "question": "Who?"}).encode()),
    (answer_formats, "table", "answers.tsv", ANSWERS.encode()),
    (verdict_formats, "table", "verdicts.tsv", VERDICTS.encode()),
    (verdict_formats, "list-answers", "list.txt", LIST_ANSWERS.encode()),
    (answer_formats, "trec", "run.txt", nist_files.RUN.encode()),
    (answer_formats, "trec-ranked", "ranked.txt", nist_files.RANKED.encode()),
    (answer_formats, "list-judged", "one.list_judged", nist_files.LIST_JUDGED.encode()),
    (answer_formats, "other-judged", "one.otherjudged", nist_files.OTHER_JUDGED.encode()),
    (verdict_formats, "trec", "judged.txt", nist_files.JUDGED.encode()),
    (verdict_formats, "list-judged", "two.list_judged", nist_files.LIST_JUDGED.encode()),
    (pattern_formats, "patterns", "patterns.txt", PATTERNS.encode()),
]
"""Kind of format, format, name of the file, bytes; all but the questions are about those of `SERIES`."""

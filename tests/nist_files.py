"""Files as NIST and the participants of TREC's question answering tracks hold them, written for these tests.

The forms are documented by NIST: runs of 1999 to 2001 in trec.nist.gov/data/qa.html, later ones in the guidelines of
each year (trec.nist.gov/data/qa/2005_qadata/qa.05.guidelines.html); the judged lists and OTHER questions of 2005, and
the codes -1, 1, 2, 3 of verdicts, in trec.nist.gov/data/qa/2005_qadata/README.list+other.results.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

RUN = """1.1  one  D1   100 km
1.2 one NIL
1.3\tone\tD1\tUpper Town
1.3 one D2 Lower Town
1.4 one D1 it freezes in winter
"""
"""About the questions of `tests.question_files.SERIES`."""
RANKED = """1.1 Q0 D1 1 17.5 one 100 km
1.2 Q0 NIL 1 0.5 one
1.3 Q0 D1 1 1 one Upper Town
1.4 Q0 D1 1 1 one it freezes
"""
JUDGED = """1.1 D1 1 100 km
1.1 D2 3 100
1.2 D3 2 the dwarfs
1.2 NIL 1
1.3 D1 -1 Nowhere
"""
LIST_JUDGED = """1.3 one D1 1 1 Upper Town
1.3 one D2 1 0 the upper town
1.3 one D2 3 0 Lower
1.3 two D3 1 1 Lower Town
1.3 two D3 -1 0 Nowhere
"""
OTHER_JUDGED = """1.4 one 1 D1 it freezes in winter
1.4 one 2 D2 it has eels, and many
1.4 one 1 1
1.4 one 2 2
1.4 two 1 D3 it is long
"""

Row = dict[str, str]


def table(path: Path) -> list[Row]:
    """The rows of a tab-separated file."""
    header, *rows = (line.split("\t") for line in path.read_text().splitlines())
    return [dict(zip(header, row, strict=True)) for row in rows]


def run_lines(rows: Iterable[Row]) -> str:
    """Answers as they were submitted."""
    return "".join(f"{one['qid']} {one['run']} {one['doc']} {one['answer']}".rstrip() + "\n" for one in rows)


CODES = {"W": "-1", "R": "1", "U": "2", "X": "3", "L": "L"}


def judged_lines(rows: Iterable[Row]) -> str:
    """Judgments as NIST published them."""
    return "".join(f"{one['qid']} {one['doc']} {CODES[one['verdict']]} {one['answer']}".rstrip() + "\n" for one in rows)


def list_judged(answers: Iterable[Row], judgments: Iterable[Row]) -> str:
    """A run's lists with verdicts; the first of the right answers of a group is distinct."""
    verdicts = {(one["qid"], one["doc"], one["answer"]): one for one in judgments}
    met, lines = set(), []
    for one in answers:
        judged = verdicts[one["qid"], one["doc"], one["answer"]]
        group = one["qid"], judged["group"]
        distinct = judged["verdict"] == "R" and group not in met
        met |= {group} if distinct else set()
        fields = one["qid"], one["run"], one["doc"], CODES[judged["verdict"]], str(int(distinct)), one["answer"]
        lines.append(" ".join(fields) + "\n")
    return "".join(lines)


def list_answers(judgments: Iterable[Row]) -> str:
    """The known answers to list questions, one a group."""
    groups: dict[str, dict[str, None]] = {}
    for one in judgments:
        if one["verdict"] == "R" and one["group"]:
            groups.setdefault(one["qid"], {})[one["group"]] = None
    return "".join(f"# {qid}\nQ:?\n" + "".join(f"{one}\n" for one in known) + "\n" for qid, known in groups.items())


def nugget_lines(rows: Iterable[Row]) -> str:
    """Lists of nuggets, with a heading for each question."""
    lines, before = [], ""
    for one in rows:
        lines += [f"\nQid {one['qid']}: 'other' question\n"] if one["qid"] != before else []
        lines.append(f"{one['qid']} {one['nugget']}\t{one['importance']}\t{one['text']}\n")
        before = one["qid"]
    return "".join(lines)


def other_judged(answers: Iterable[Row], matches: Iterable[Row]) -> str:
    """The items of a run's responses and, after those of each question, the nuggets found in the first of them."""
    items: dict[str, list[Row]] = {}
    for one in answers:
        items.setdefault(one["qid"], []).append(one)
    lines, marks = [], list(matches)
    for qid, found in items.items():
        for item, one in enumerate(found, 1):
            lines.append(f"{qid} {one['run']} {item} {one['doc']} {one['answer']}\n")
        run = found[0]["run"]
        lines += [f"{qid} {run} 1 {one['nugget']}\n" for one in marks if (one["qid"], one["run"]) == (qid, run)]
    return "".join(lines)

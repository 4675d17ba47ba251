"""NQ-301 (answers to questions, judged by two or three people and three programs) as long ballots.

The unit is the row: ids repeat. What is missing (a third person who was not asked, a verdict that begins with neither
Yes nor No, a verdict on another answer than the one people judged) is no ballot. The files differ in how they quote;
"Acceptable?" is each file's own verdict, people's majority in the first file alone.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

Rows = list[list[str]]
PROGRAMS = ("gpt-4", "text-davinci-003", "bem")


def _rows(file: Path) -> Rows:
    """The lines after the header, split at tabs; quotes are the file's own."""
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()[1:]]


def _verdict(text: str) -> str:
    """Yes or No where the answer begins so, else nothing."""
    found = re.match(r"(Yes|No)\b", text.strip())
    return found[1] if found else ""


def _probable(text: str) -> str:
    """BEM: Yes if any gold answer makes the candidate acceptable with more than one half."""
    pairs = json.loads(text.strip('"'))
    return "Yes" if max(pair[1] for pair in pairs) > 0.5 else "No"


def verdicts(folder: Path) -> dict[str, list[str]]:
    """What each assessor said of each row, empty where nothing."""
    people = _rows(folder / "NQ301_human.tsv")
    gpt = _rows(folder / "NQ301_gpt-4.tsv")
    # Question and answer are one field here: four fields under a header of five.
    davinci = _rows(folder / "NQ301_text-davinci-003.tsv")
    bem = _rows(folder / "NQ301_BEM.tsv")
    assert len(people) == len(gpt) == len(davinci) == len(bem)
    asked = [row[1] + row[2] for row in people]
    said = {f"annotator{number}": [row[3 + number] for row in people] for number in (1, 2, 3)}
    for name, rows in (
        ("gpt-4", [(row[1] + row[2], _verdict(row[4])) for row in gpt]),
        ("text-davinci-003", [(row[1], _verdict(row[3])) for row in davinci]),
        ("bem", [(row[1] + row[3], _probable(row[5])) for row in bem]),
    ):
        said[name] = [verdict if _same(text, asked[place]) else "" for place, (text, verdict) in enumerate(rows)]
    return said


def _same(text: str, other: str) -> bool:
    """Whether two texts are one but for quotes, blanks and what spreadsheets add (US$1,499.00)."""
    one, two = (re.sub(r"\W", "", side) for side in (text, other))
    return one.startswith(two) or two.startswith(one)


def as_ballots(folder: Path) -> str:
    """A long file of unit, assessor and label."""
    said = verdicts(folder)
    lines = ["unit\tassessor\tlabel"]
    for row in range(len(said["bem"])):
        lines += [f"{row + 1}\t{name}\t{labels[row]}" for name, labels in said.items() if labels[row]]
    return "\n".join(lines) + "\n"

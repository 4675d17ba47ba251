"""NQ-301 (answers to questions, judged by two or three people and three programs), as the command line takes it.

The unit is the row: ids repeat. Two of the files are read once their header is mended: the davinci file has question
and answer in one field under a header of two, and BEM's verdict is called "Acceptable?", as every file's own is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

Write = Callable[[str, str], Path]
PEOPLE = ("annotator1", "annotator2", "annotator3")
PROGRAMS = ("gpt-4", "text-davinci-003", "BEM")
MENDED = {
    "NQ301_text-davinci-003.tsv": ("Model answer\t", ""),
    "NQ301_BEM.tsv": ("Acceptable?", "BEM"),
}


def files(folder: Path, write: Write) -> list[Path]:
    """People's file and gpt-4's as they are, the others with another header."""
    made = [folder / "NQ301_human.tsv", folder / "NQ301_gpt-4.tsv"]
    for name, (old, new) in MENDED.items():
        header, rest = (folder / name).read_text(encoding="utf-8").split("\n", 1)
        assert old in header
        made.append(write(name, f"{header.replace(old, new)}\n{rest}"))
    return made


def arguments(folder: Path, write: Write) -> list[str]:
    """The files and how they are read, for `karat judge`."""
    first, *others = files(folder, write)
    also = [part for other in others for part in ("--also", str(other))]
    people = [part for name in PEOPLE for part in ("--assessor", name)]
    programs = [part for name in PROGRAMS for part in ("--automatic", name)]
    reading = ["--leading", "Yes", "--leading", "No", "--same", "Model answer", "--ballot-column", "unit=row"]
    return [str(first), *also, *people, *programs, *reading]


def verdicts(folder: Path) -> dict[str, list[str]]:
    """What each assessor said of each row, empty where nothing, told apart by hand: the reader's naive twin."""
    people, gpt, davinci, bem = (
        [line.split("\t") for line in (folder / f"NQ301_{name}.tsv").read_text(encoding="utf-8").splitlines()[1:]]
        for name in ("human", "gpt-4", "text-davinci-003", "BEM")
    )
    assert len(people) == len(gpt) == len(davinci) == len(bem)
    said = {name: [row[4 + place] for row in people] for place, name in enumerate(PEOPLE)}
    said["gpt-4"] = [_verdict(row[4]) if _same(row[2], one[2]) else "" for row, one in zip(gpt, people, strict=True)]
    said["text-davinci-003"] = [_verdict(row[3]) for row in davinci]
    said["BEM"] = [row[4] if _same(row[3], one[2]) else "" for row, one in zip(bem, people, strict=True)]
    return said


def _verdict(text: str) -> str:
    """Yes or No where the answer begins so, else nothing."""
    found = re.match(r"(Yes|No)\b", text.strip())
    return found[1] if found else ""


def _same(text: str, other: str) -> bool:
    """Whether two texts are one but for quotes and blanks."""
    one, two = ("".join(letter for letter in side.casefold() if letter.isalnum()) for side in (text, other))
    return one == two

"""Plain runs: one line a pair, `id judgment [confidence] [TAB justification]`, white space between.

Lines `name: value` may stand before the first pair: `ranked: yes|no` (RTE-1 to RTE-3),
`ranked-by: entailment|response`, `type: manual|automatic`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from karat.data.responses import Responses
from karat.data.runs import Place, RankedBy, RunColumns
from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.formats.registry import Fit, run_formats
from karat.labels import Spellings

HEADERS = {"ranked": ("yes", "no"), "ranked-by": ("entailment", "response"), "type": ("manual", "automatic")}
_RANKED_BY: dict[str, RankedBy] = {"entailment": "entailment", "response": "response"}
_HEADER = re.compile(r"\s*([A-Za-z-]+)\s*:\s*(\S*)\s*$")


def sniff(head: Head) -> Fit:
    """Certain where the first line is a header or an id with a label; possible for any two words."""
    if head.is_xml or head.json_object or head.is_parquet:
        return Fit.NO
    line = head.first_line
    if (match := _HEADER.match(line)) and match[1].lower() in HEADERS:
        return Fit.CERTAIN
    words = line.split()
    if len(words) < 2 or line.startswith(("===", "%%%")):
        return Fit.NO
    spelled = Spellings()
    if len(words) > 2 and spelled[words[1]] and spelled[words[2]] and not spelled[" ".join(words[1:3])]:
        return Fit.NO  # id, gold, prediction: another format's
    return Fit.CERTAIN if spelled[words[1]] or spelled[" ".join(words[1:3])] else Fit.POSSIBLE


def write(responses: Responses, run: int) -> bytes:
    """A run as plain lines, in rank order where it is ranked, with its confidence and justifications if any."""
    info, answers = responses.runs[run].info, responses.runs[run]
    lines = ["type: manual"] if info.manual else []
    if info.ranked_by and not info.numeric:
        lines += ["ranked: yes", f"ranked-by: {info.ranked_by}"]
    for unit in sorted(range(len(responses.key)), key=answers.position.__getitem__):
        if answers.codes[unit] < 0:
            continue
        fields = [responses.key.ids[unit], info.way.labels[answers.codes[unit]].replace("_", " ")]
        if answers.confidence is not None:
            fields.append(repr(float(answers.confidence[unit])))
        if answers.justifications is not None:
            fields.append(" ".join(answers.justifications[unit].split()))
        lines.append("\t".join(fields))
    return "".join(line + "\n" for line in lines).encode()


@run_formats.register("plain", sniff=sniff, write=write, what="lines `id judgment [confidence]`, RTE-1 to RTE-5")
def read(document: Document, column: dict[str, str], problems: Problems) -> RunColumns | None:
    """Read plain lines; headers, empty lines and characters outside ASCII are looked at here."""
    del column  # a plain line has no named columns
    lines = document.lines(problems)
    if lines is None:
        return None
    headers, first = _headers(document.name, lines, problems)
    return rows_of_lines(document, lines, range(first, len(lines)), headers, problems)


def rows_of_lines(
    document: Document, lines: list[str], numbers: Sequence[int], headers: dict[str, str], problems: Problems
) -> RunColumns:
    """The lines at these places (from 0) as a run's columns."""
    rows = [lines[number].split() for number in numbers]
    if not all(rows):
        numbers, rows = _without_empty(document.name, numbers, rows, problems)
    if not rows:
        problems.add("empty-file", "no answers", file=document.name, what="a line for every pair")
    if not document.data.isascii():
        _check_ascii(document.name, lines, numbers, rows, problems)

    def place(row: int, what: str) -> Place:
        words = [match.start() + 1 for match in re.finditer(r"\S+", lines[numbers[row]])]
        if what == "confidence":
            return numbers[row] + 1, words[-1]
        return numbers[row] + 1, words[0 if what == "id" or len(words) < 2 else 1]

    parsed = _Parsed()
    if set(map(len, rows)) == {2}:  # by far the most common, and the fastest
        parsed.ids, parsed.labels = [row[0] for row in rows], [row[1] for row in rows]
    else:
        for number, row in zip(numbers, rows, strict=True):
            parsed.add(document.name, number, lines[number], row, problems)
    return RunColumns(
        file=document.name,
        name=document.stem,
        source=document.source,
        ids=parsed.ids,
        labels=parsed.labels,
        place=place,
        confidence=parsed.confidence or None,
        justification=parsed.justification or None,
        ranked=headers.get("ranked") == "yes" or "ranked-by" in headers,
        ranked_by=_RANKED_BY.get(headers.get("ranked-by", "")),
        manual=headers.get("type") == "manual",
    )


@dataclass
class _Parsed:
    """Lines of more than two words: a confidence, a label of two words, a justification after a tab."""

    ids: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    confidence: list[str] = field(default_factory=list)
    justification: list[str] = field(default_factory=list)

    def add(self, file: str, number: int, line: str, words: list[str], problems: Problems) -> None:
        """Take one line in; a line unlike the first is a problem."""
        if len(words) < 2:
            what = "an id and a label, with white space between"
            problems.add("run-line", f"{line.strip()!r}", file=file, line=number + 1, column=1, what=what)
            words = [*words, ""]
        fields = line.strip().split("\t")
        text = None
        if len(fields) > 2 and not _is_number(fields[-1]):
            text = fields[-1]
            words = "\t".join(fields[:-1]).split()
        confidence = words.pop() if len(words) > 2 and _is_number(words[-1]) else None
        first = not self.ids
        self.ids.append(words[0])
        self.labels.append(" ".join(words[1:]))
        for name, value, column in (
            ("confidence", confidence, self.confidence),
            ("justification", text, self.justification),
        ):
            if first or (value is not None) == bool(column):
                column.extend([] if value is None else [value])
            else:
                found = f"a line {'without' if value is None else 'with'} {name}"
                what = f"a {name} on every line, or on none"
                problems.add("run-line", found, file=file, line=number + 1, column=1, what=what)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _headers(name: str, lines: list[str], problems: Problems) -> tuple[dict[str, str], int]:
    """The header lines, and where the pairs begin."""
    headers: dict[str, str] = {}
    for number, line in enumerate(lines):
        match = _HEADER.match(line)
        if not match:
            return headers, number
        key, value = match[1].lower(), match[2].lower()
        if key not in HEADERS or value not in HEADERS[key]:
            what = " or ".join(f"`{known}: {'|'.join(values)}`" for known, values in HEADERS.items())
            problems.add("run-line", f"{line.strip()!r}", file=name, line=number + 1, column=1, what=what)
        headers[key] = value
    return headers, len(lines)


def _without_empty(
    name: str, numbers: Sequence[int], rows: list[list[str]], problems: Problems
) -> tuple[Sequence[int], list[list[str]]]:
    """The rows with something in them; an empty line inside is an error, at the end a warning."""
    last = max((number for number, row in zip(numbers, rows, strict=True) if row), default=-1)
    for number, row in zip(numbers, rows, strict=True):
        if not row:
            code = "empty-line" if number < last else "empty-line-at-end"
            problems.add(code, "an empty line", file=name, line=number + 1)
    kept = [number for number, row in zip(numbers, rows, strict=True) if row]
    return kept, [row for row in rows if row]


def _check_ascii(
    name: str, lines: list[str], numbers: Sequence[int], rows: list[list[str]], problems: Problems
) -> None:
    """Ids and labels are plain ASCII; justifications need not be."""
    for number, row in zip(numbers, rows, strict=True):
        for what, word in zip(("id", "label"), row[:2], strict=False):
            if not word.isascii():
                column = lines[number].index(word) + 1
                problems.add("not-ascii", f"{what} {word!r}", file=name, line=number + 1, column=column)

"""Runs without named columns: lines `id judgment [confidence] [TAB justification]`, with white space between.

Header lines `name: value` may precede the first pair: `ranked: yes|no` (RTE-1 to RTE-3),
`ranked-by: entailment|response`, `type: manual|automatic`. LangPro writes banner lines (`=== …`, `%%% …`) among them.
Excitement writes `id TAB gold TAB prediction TAB confidence`, in any order, with labels in any case.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from karat.align.columns import CellPlace, Columns
from karat.data.responses import Responses
from karat.errors import Problems, counted
from karat.files import as_number
from karat.formats.documents import MAX_LINE, Document, Head
from karat.formats.registry import run_formats
from karat.formats.rows import report_empty, report_empty_lines
from karat.formats.sniffing import Fit
from karat.kernels.id_index import two_columns
from karat.labels import Spellings

LANGPRO_BANNERS = ("===", "%%%")
EXCITEMENT_FIELDS = ("id", "gold", "label", "confidence")
HEADERS = {"ranked": ("yes", "no"), "ranked-by": ("entailment", "response"), "type": ("manual", "automatic")}
MOST_WORDS = 3
"""The most words of a label: NOT ENOUGH INFO."""
_HEADER = re.compile(r"([A-Za-z-]+)\s*:\s*(\S*)")
_ID_AND_LABEL = re.compile(r"\s*(\S+)\s+(\S+)")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_DIGIT = re.compile(r"[0-9]")
_WORD = re.compile(r"\s+(\S+)")


def sniff(head: Head) -> Fit:
    """Certain if the first line is a header or an id and a label; possible if it has two words."""
    if head.is_xml or head.json_object or head.is_json_array or head.is_parquet or head.is_zip:
        return Fit.NO
    line = head.first_line
    if (match := _HEADER.fullmatch(line.strip())) and match[1].lower() in HEADERS:
        return Fit.CERTAIN
    words = line.split()
    if len(words) < 2 or line.startswith(LANGPRO_BANNERS):
        return Fit.NO
    spelled = Spellings()
    two_words = " ".join(words[1:3])
    if sniff_excitement(head) is Fit.CERTAIN or (
        len(words) > 2 and spelled[words[1]] and spelled[words[2]] and not spelled[two_words]
    ):
        return Fit.NO  # id, gold, prediction: another format
    return Fit.CERTAIN if spelled[words[1]] or spelled[two_words] else Fit.POSSIBLE


def sniff_excitement(head: Head) -> Fit:
    """Certain of four fields with labels in the second and third."""
    fields = head.first_line.split("\t")
    spelled = Spellings()
    return Fit.CERTAIN if len(fields) == 4 and spelled[fields[1]] and spelled[fields[2]] else Fit.NO


def sniff_langpro(head: Head) -> Fit:
    """Certain of a banner."""
    return Fit.CERTAIN if head.first_line.startswith(LANGPRO_BANNERS) else Fit.NO


def write(responses: Responses, run: int) -> bytes:
    """A run as plain lines, in rank order if it is ranked, with confidence and justifications if it has them."""
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
            fields.append(" ".join(answers.justifications[unit].splitlines()))
        lines.append("\t".join(fields))
    return "".join(line + "\n" for line in lines).encode()


@run_formats.register("plain", sniff=sniff, write=write, what="lines `id judgment [confidence]`, RTE-1 to RTE-5")
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read plain lines; headers, empty lines and non-ASCII characters are checked here."""
    headed = _HEADER.fullmatch(document.head.first_line.strip())
    if not headed and (words := two_columns(document.data, MAX_LINE // 2)) is not None:
        return _two_words(document, *words)
    lines = document.lines(problems)
    if lines is None:
        return None
    headers, first = _headers(document.name, lines, problems)
    return _rows_of_lines(document, lines, range(first, len(lines)), headers, problems)


@run_formats.register("langpro", sniff=sniff_langpro, what="plain lines after banner lines")
def read_langpro(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read plain lines, ignoring banner lines."""
    lines = document.lines(problems)
    if lines is None:
        return None
    numbers = [number for number, line in enumerate(lines) if not line.startswith(LANGPRO_BANNERS)]
    return _rows_of_lines(document, lines, numbers, {}, problems)


@run_formats.register("excitement", sniff=sniff_excitement, what="`id gold prediction confidence`, tab-separated")
def read_excitement(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read the four columns; the gold label is compared with the key."""
    lines = document.lines(problems)
    if lines is None:
        return None
    rows: list[list[str]] = []
    numbers: list[int] = []
    report_empty_lines(document.name, lines, problems)
    for number, line in enumerate(lines, 1):
        fields = [field.strip() for field in line.split("\t")]
        if not line.strip():
            continue
        if len(fields) != 4:
            what = "id, gold, prediction and confidence with tabs between"
            problems.add(
                "run-line", counted(len(fields), "field"), file=document.name, line=number, column=1, what=what
            )
        else:
            rows.append(fields)
            numbers.append(number)

    def place(row: int, what: str) -> CellPlace:
        fields = lines[numbers[row] - 1].split("\t")
        before, field = fields[: EXCITEMENT_FIELDS.index(what)], fields[EXCITEMENT_FIELDS.index(what)]
        blanks = len(field) - len(field.lstrip())
        return numbers[row], sum(len(field) + 1 for field in before) + blanks + 1

    values = {name: [row[at] for row in rows] for at, name in enumerate(EXCITEMENT_FIELDS)}
    return Columns(document.source, values, numbers, at=place)


def _two_words(document: Document, ids: Sequence[str], labels: Sequence[str]) -> Columns:
    """The columns of a file with two words on every line, the most common case and the fastest."""

    def place(row: int, what: str) -> CellPlace:
        return row + 1, 1 if what == "id" else len(ids[row]) + 2

    return Columns(document.source, {"id": ids, "label": labels}, range(1, len(ids) + 1), at=place)


def _rows_of_lines(
    document: Document, lines: list[str], numbers: Sequence[int], headers: dict[str, str], problems: Problems
) -> Columns:
    """The columns of a run in the lines with these numbers, counted from 0."""
    rows = [lines[number].split() for number in numbers]
    if not all(rows):
        empty = [number + 1 for number, row in zip(numbers, rows, strict=True) if not row]
        numbers = [number for number, row in zip(numbers, rows, strict=True) if row]
        rows = [row for row in rows if row]
        report_empty(document.name, empty, max(numbers, default=-1) + 1, problems)
    if not rows:
        problems.add("empty-file", "no answers", file=document.name, what="a line for every pair")
    reported = [] if document.data.isascii() else _check_ascii(document.name, lines, numbers, problems)
    answers = _answers(document.name, lines, numbers, rows, problems)
    confidence = answers.get("confidence")

    def place(row: int, what: str) -> CellPlace:
        words = list(re.finditer(r"\S+", lines[numbers[row]]))
        if what == "id" or len(words) < 2:
            return numbers[row] + 1, words[0].start() + 1
        if what == "confidence" and confidence:
            words = [word for word in words[2:] if word[0] == confidence[row]] or words[-1:]
            return numbers[row] + 1, words[0].start() + 1
        return numbers[row] + 1, words[1].start() + 1

    facts = {
        "ranked": headers.get("ranked", "yes") == "yes" if headers.keys() & {"ranked", "ranked-by"} else None,
        "ranked_by": headers.get("ranked-by"),
        "manual": headers.get("type") == "manual",
        "reported": [*reported, *(row for row, label in enumerate(answers["label"]) if not label)],
    }
    return Columns(document.source, answers, [number + 1 for number in numbers], facts, place)


def _answers(
    name: str, lines: list[str], numbers: Sequence[int], rows: list[list[str]], problems: Problems
) -> dict[str, list[str]]:
    """The columns; in most files all lines are `id label`, or all are `id label number`."""
    widths = set(map(len, rows))
    if widths == {2} or (widths == {3} and all(_is_number(row[2]) for row in rows)):
        names = ("id", "label", "confidence")[: len(rows[0])]
        return {name: [row[at] for row in rows] for at, name in enumerate(names)}
    spelled = Spellings()
    parsed = [_line(lines[number], spelled) for number in numbers]
    ids, labels = [line.id for line in parsed], [line.label for line in parsed]
    for number, line in zip(numbers, parsed, strict=True):
        if not line.label:
            what = "an id and a label, with white space between"
            problems.add("run-line", f"a line {line.id!r}", file=name, line=number + 1, column=1, what=what)
        elif line.text and _looks_like_gold(line.text, spelled):
            found = f"the label {line.label!r}, and after it {line.text!r}"
            what = "a label, a confidence and a justification in words, or an id, gold, prediction and confidence"
            problems.add("run-line", found, file=name, line=number + 1, column=1, what=what)
    stated = sum(line.confidence is not None for line in parsed)
    justified = sum(bool(line.text) for line in parsed)
    if stated * 2 > len(parsed) and justified * 2 < len(parsed):
        # If most lines have a confidence, other words in its place are invalid confidences.
        for line in parsed:
            if line.confidence is None and line.text:
                line.confidence, line.text = line.text, None
    confidence = _column(name, numbers, [line.confidence for line in parsed], "confidence", problems)
    any_text = any(line.text for line in parsed)
    # An empty field after the label is a justification only if the file has justifications.
    texts = [line.text if any_text else None for line in parsed]
    justification = _column(name, numbers, texts, "justification", problems)
    columns = {"id": ids, "label": labels, "confidence": confidence, "justification": justification}
    return {name: column for name, column in columns.items() if column is not None}


@dataclass
class _Line:
    id: str
    label: str
    confidence: str | None = None
    text: str | None = None


def _line(line: str, spelled: Spellings) -> _Line:
    """A label may be several words; a confidence may follow it, and a justification after a tab."""
    start = _ID_AND_LABEL.match(line)
    if start is None:
        return _Line(line.strip(), "")
    label, end = start[2], start.end()
    longer, after = label, end
    for _ in range(MOST_WORDS - 1):
        if (word := _WORD.match(line, after)) is None:
            break
        longer, after = f"{longer} {word[1]}", word.end()
        if spelled[longer]:
            label, end = longer, after
    before_tab, *fields = line[end:].split("\t")
    words = before_tab.split()
    confidence = None
    # The last word is a number, or is in the place of one and has a digit: 0,5 is not part of a label.
    if words and (_is_number(words[-1]) or (len(words) == 1 and spelled[label] and _DIGIT.search(words[0]))):
        confidence = words.pop()
    elif not words and fields and _is_number(fields[0]):
        confidence = fields.pop(0).strip()
    return _Line(start[1], " ".join([label, *words]), confidence, "\t".join(fields).strip() if fields else None)


def _looks_like_gold(text: str, spelled: Spellings) -> bool:
    """Whether a label and a confidence follow the first label, which is then the gold label."""
    first, _, rest = text.partition("\t")
    return bool(spelled[first]) or (bool(rest) and _is_number(rest.strip()))


def _column(
    name: str, numbers: Sequence[int], values: list[str | None], what: str, problems: Problems
) -> list[str] | None:
    """A column that all lines have; None if none has it, or if only some have it, which is reported."""
    present = sum(value is not None for value in values)
    if present == 0:
        return None
    if present < len(values):
        odd = present * 2 <= len(values)
        found, expected = f"a line {'with' if odd else 'without'} {what}", f"a {what} on every line, or on none"
        for number, value in zip(numbers, values, strict=True):
            if (value is not None) is odd:
                problems.add("run-line", found, file=name, line=number + 1, column=1, what=expected)
        return None
    return [value or "" for value in values]


def _is_number(word: str) -> bool:
    return word.lower() == "nan" or as_number(word) == as_number(word)


def _headers(name: str, lines: list[str], problems: Problems) -> tuple[dict[str, str], int]:
    """The header lines, and the number of the first line with a pair."""
    headers: dict[str, str] = {}
    for number, line in enumerate(lines):
        match = _HEADER.fullmatch(line.strip())
        if not match:
            return headers, number
        key, value = match[1].lower(), match[2].lower()
        if key not in HEADERS or value not in HEADERS[key]:
            what = " or ".join(f"`{known}: {'|'.join(values)}`" for known, values in HEADERS.items())
            problems.add("run-line", f"{line.strip()!r}", file=name, line=number + 1, column=1, what=what)
        elif key in headers:
            what = f"one line `{key}:`"
            problems.add("run-line", f"{line.strip()!r} as well", file=name, line=number + 1, column=1, what=what)
        headers[key] = value
    return headers, len(lines)


def _check_ascii(name: str, lines: list[str], numbers: Sequence[int], problems: Problems) -> list[int]:
    """Report lines with non-ASCII characters before the justification, and return their rows."""
    reported = []
    for row, number in enumerate(numbers):
        line = lines[number]
        if line.isascii():
            continue
        fields = line.split("\t")
        answer = line if len(fields) < 3 else "\t".join(fields[:2])
        if stray := _NOT_ASCII.search(answer):
            what = unicodedata.name(stray[0], f"U+{ord(stray[0]):04X}")
            found = f"{stray[0]!r} ({what})"
            problems.add("not-ascii", found, file=name, line=number + 1, column=stray.start() + 1)
            reported.append(row)
    return reported

"""Markdown as GitHub reads it: a first screen or findings first, then a pipe table per sheet, and the signature."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from karat.data.result import Column, Result, Sheet
from karat.errors import spelled_out
from karat.render.paper import best_rows, notes_below


def render(result: Result) -> str:
    """The first screen of a composite result, the findings, its parts, then every sheet."""
    said: set[str] = set()
    return _joined([f"# {escaped(result.heading)}", *_opening(result, said), *_body(result, 2, said)])


def table(result: Result, sheet: Sheet) -> str:
    """One sheet of the result."""
    return _joined([*_sheet(result, sheet, 2), _signature(result)])


def escaped(text: str) -> str:
    """Text that Markdown shows unchanged, on one line."""
    marked = re.sub(r"[\\`*\[\]<>|~#&$]|(?<!\w)_|_(?!\w)", r"\\\g<0>", spelled_out(text))
    return re.sub(r"^(\d*)([-+.)]\s)", r"\1\\\2", marked)  # or a sentence could begin a list


def _joined(blocks: Iterable[str]) -> str:
    return "\n\n".join(blocks) + "\n"


def _opening(result: Result, said: set[str]) -> Iterator[str]:
    """Facts, and in each way the verdict, the resolution, the grades and the leaderboard."""
    opening = result.first_screen()
    if opening is None:
        return
    yield escaped(" · ".join([*opening.facts, f"karat {result.signature.version}"]))
    for verdict, view, grades in opening.in_words():
        if view is not None:
            yield f"**{escaped(verdict)}**"
            if view.resolution:
                yield escaped(view.resolution)
            said.update((view.verdict, view.resolution))
        if grades:
            rows = [(one.grade.part, f"**{escaped(one.grade.word)}**", _prose(one.grade.text)) for one in grades]
            yield "\n".join(["| part | grade | why |", "| --- | --- | --- |", *map(_row, rows)])
        if view is not None:
            yield from _sheet(result, view.board.first_sheet(), 2)


def _body(result: Result, level: int, said: set[str]) -> list[str]:
    """A result without the findings that were said before it."""
    blocks = []
    if found := [sentence for sentence in result.findings() if sentence not in said]:
        blocks.append("\n".join(f"- {_prose(sentence)}" for sentence in found))
        said.update(found)
    for chapter in result.chapters():
        blocks += [_heading(chapter.heading, level), *_body(chapter.result, level + 1, said)]
    for sheet in result.sheets():
        blocks += _sheet(result, sheet, level)
    return [*blocks, _signature(result)]


def _heading(text: str, level: int) -> str:
    return f"{'#' * level} {escaped(text)}"


def _prose(sentence: str) -> str:
    """A sentence in which text between backticks is code."""
    parts = spelled_out(sentence).split("`")
    if len(parts) % 2 == 0:
        return escaped(sentence)
    return "".join(f"`{part}`" if place % 2 and part else escaped(part) for place, part in enumerate(parts))


def _sheet(result: Result, sheet: Sheet, level: int) -> list[str]:
    lines = [_row([escaped(column.heading) for column in sheet.columns]), _rule(sheet.columns)]
    best = best_rows(sheet)
    cells = [
        [_cell(column.text(value), row in best.get(column.name, ())) for row, value in enumerate(column.values)]
        for column in sheet.columns
    ]
    lines += map(_row, zip(*cells, strict=True))
    return [_heading(sheet.title, level), "\n".join(lines), *map(_prose, notes_below(result, sheet))]


def _cell(text: str, best: bool) -> str:
    return f"**{escaped(text)}**" if best else escaped(text)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _rule(columns: Sequence[Column]) -> str:
    return f"| {' | '.join('---:' if column.numeric else '---' for column in columns)} |"


def _signature(result: Result) -> str:
    """The signature, folded."""
    signed = result.signature
    return f"<details><summary>Signature {signed.short}</summary>\n\n{escaped(str(signed))}\n\n</details>"

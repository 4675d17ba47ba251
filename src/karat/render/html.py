"""HTML: a result as part of a page: findings, tables, figures, the signature."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from html import escape
from math import isfinite

from karat.data.charts import Chart
from karat.data.result import Cell, Column, Finding, IntervalCell, Result, Sheet, Signature, run_of
from karat.errors import summary
from karat.render.escaped import ALL_WHOLE, NO_SECTIONS, Sections, Short, heading, named, prose
from karat.render.figures import svg_pair
from karat.render.leaderboard import board_names, leaderboard
from karat.render.scale import shortened

FINDINGS_SHOWN = 4
"""On a brief page, how many findings are shown before anything is opened."""
FINDINGS_ALONE = 6
"""On a page of one result, if two more would not be all."""
NO_LINKS: Mapping[str, str] = {}


def fragment(result: Result) -> str:
    """The result as the whole content of a page."""
    return warned(result) + piece(result, 2, result.study or "result")


def warned(result: Result) -> str:
    """The warnings from reading the files, folded."""
    if not result.warnings:
        return ""
    lines = summary(result.warnings).splitlines()[1:]
    count = f"{len(result.warnings):,} warning{'s' * (len(result.warnings) > 1)} about the files"
    return folded(count, f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>")


def piece(
    result: Result,
    level: int,
    anchor: str,
    links: Mapping[str, str] = NO_LINKS,
    brief: bool = False,
    board_on_top: bool = False,
    open_beside_board: bool = False,
    runs: tuple[str, ...] = (),
    sections: Sections = NO_SECTIONS,
    told: Container[str] = (),
) -> str:
    """The result as part of a page: findings, then the leaderboard or the main table, figures, tables, the signature.

    Headings have this level; the anchor makes ids unique on the page; links lead to the sections of runs; if brief,
    only what matters most is open: a leaderboard, or else the first figure and table, or all three. A leaderboard that
    is on the first screen already is not repeated. `runs` are those of the page by rank, which have the same colours in
    all its figures; `sections` are its other sections on the same runs, by command. Findings that were `told` above are
    not repeated.
    """
    sheets, board = result.sheets(), result.board()
    short = board_names(runs or _named_in(sheets))
    sentences = [sentence(said, sections, short) for said in result.findings() if said not in told]
    shown = FINDINGS_SHOWN if brief else FINDINGS_ALONE if len(sentences) > FINDINGS_ALONE + 2 else len(sentences)
    parts = [_listed(sentences[:shown])]
    if rest := sentences[shown:]:
        kind = "more" if brief else "more told"
        parts.append(folded(f"{len(rest):,} more finding{'s' * (len(rest) > 1)}", _listed(rest), kind))
    signed = _signed(result.signature, anchor)
    charts = [replace(chart, runs=runs or chart.runs) for chart in result.charts()]
    tables = [table(sheet, level, signed, links) for sheet in sheets]
    drawn = [figure(chart, level, signed, f"{anchor}-{place}") for place, chart in enumerate(charts)]
    if board is not None and not board_on_top:
        parts.append(leaderboard(board, links, board.heading))
    if brief:
        closed = board is not None and not open_beside_board
        first_charts, first_tables = (0, 0) if closed else (_first_charts(charts), result.first_sheets)
        first_charts = max(sum(chart.asked_for for chart in charts), first_charts)
        parts += [*drawn[:first_charts], *tables[:first_tables]]
        parts.append(_undefined(result, sheets[:first_tables]))
        titles = [chart.title for chart in charts[first_charts:]] + [sheet.title for sheet in sheets[first_tables:]]
        if titles:
            more = "".join([*drawn[first_charts:], *tables[first_tables:], _undefined(result, sheets[first_tables:])])
            different = list(dict.fromkeys(titles))  # a figure and a table of the same numbers have one title
            parts.append(folded(f"{len(different)} more: {'; '.join(different)}", more))
    else:  # a long page begins with the answer: the leaderboard, or else the main table
        first_tables = 0 if board else result.first_sheets
        if board:  # which has what the main table has, but for a column or two
            tables[0] = folded(f"As a table: {sheets[0].title}", tables[0])
        parts += [*tables[:first_tables], *drawn, *tables[first_tables:], _undefined(result, sheets)]
        parts.append(signature(result.signature, anchor))
    return "".join(parts)


def _undefined(result: Result, sheets: list[Sheet]) -> str:
    """Why cells of some tables have a dash, below these tables."""
    reasons = result.reasons_shown(sheets)
    return f'<p class="note">– is undefined: {prose("; ".join(reasons))}.</p>\n' if reasons else ""


def sentence(said: Finding, sections: Sections = NO_SECTIONS, short: Short = ALL_WHOLE) -> str:
    """A finding as an item of a list; one that holds in one way of scoring is shown with that way only."""
    return f"<li{_way(said.way)}>{prose(said, sections, short)}</li>"


def _named_in(sheets: list[Sheet]) -> tuple[str, ...]:
    """The runs that tables name."""
    columns = [column for sheet in sheets for column in sheet.columns if column.names_runs]
    return tuple(dict.fromkeys(run for column in columns for value in column.values if (run := run_of(value))))


def _first_charts(charts: list[Chart]) -> int:
    """The first chart; if it is drawn in several ways, all of them."""
    ways = [chart.way for chart in charts]
    return 2 if len(ways) > 1 and all(ways[:2]) and ways[0] != ways[1] else 1


def _listed(sentences: list[str]) -> str:
    return f'<ul class="found">{"".join(sentences)}</ul>\n' if sentences else ""


def folded(summary: str, inside: str, kind: str = "more") -> str:
    """Something that opens."""
    return f'<details class="{kind}"><summary>{escape(summary)}</summary>\n{inside}</details>\n'


def signature(signed: Signature, anchor: str) -> str:
    """The complete signature, folded because it is long if there are many files."""
    whole = f"<details><summary>Signature {escape(signed.short)}</summary><p>{escape(str(signed))}</p></details>"
    return f'<footer id="signature-{anchor}">{whole}</footer>\n'


def _signed(signature: Signature, anchor: str) -> str:
    """The short signature below a table or a figure, with a link to the complete one."""
    return f'<a class="signed" href="#signature-{anchor}">{escape(signature.short)}</a>'


def _way(way: str) -> str:
    """The class of what a page shows in one way of scoring only."""
    return f' class="way-{way}"' if way else ""


def figure(chart: Chart, level: int, signed: str, place: str) -> str:
    """A chart under its heading, with its caption and how to read it."""
    caption = "".join(f"<p>{escape(' '.join(part.split()))}</p>" for part in chart.caption.split("\n\n") if part)
    return (
        f"<figure{_way(chart.way)}>\n<h{level}>{named(chart.title)}</h{level}>\n"
        f'<div class="scroll" tabindex="0">{svg_pair(chart, place)}</div>\n'
        f'<figcaption class="note">{caption}<p>{signed}</p></figcaption>\n</figure>\n'
    )


LONGEST_UNBROKEN = 24
"""Texts up to this length are not broken."""


def _kind(column: Column) -> str:
    """The class of a column: numbers are aligned right, and short texts such as intervals are not broken."""
    texts = [column.text(value) for value in column.values]
    return "number" if column.numeric else "whole" if max(map(len, texts), default=0) <= LONGEST_UNBROKEN else ""


def table(sheet: Sheet, level: int = 2, signed: str = "", links: Mapping[str, str] = NO_LINKS) -> str:
    """A sheet under its heading, with its notes; names of runs link to their sections, if there are any."""
    kinds = [f' class="{kind}"' if (kind := _kind(column)) else "" for column in sheet.columns]
    titles = [f' title="{escape(column.note, quote=True)}"' if column.note else "" for column in sheet.columns]
    sorting = f' aria-sort="{"ascending" if sheet.ascending else "descending"}"'
    # A table that is taken away as CSV has shares, not per cent.
    names = [f' data-value="{escape(column.name, quote=True)}"' * bool(column.unit) for column in sheet.columns]
    order = [sorting * (column.name == sheet.sorted_by) for column in sheet.columns]
    head = "".join(
        f'<th scope="col"{"".join(facts)}>{heading(column.heading)}</th>'
        for column, *facts in zip(sheet.columns, kinds, titles, names, order, strict=True)
    )
    # The first cell is the heading of its row, unless it is a number.
    tags = ["td" if place or sheet.columns[0].numeric else 'th scope="row"' for place in range(len(sheet.columns))]
    short = _short_names(sheet)
    cells = [
        _cells(column, tag, kind, links, short) for column, tag, kind in zip(sheet.columns, tags, kinds, strict=True)
    ]
    rows = map("".join, zip(*cells, strict=True))
    body = "".join(f"<tr>{row}</tr>\n" for row in rows)
    notes = "".join(f"<p>{prose(note)}</p>\n" for note in sheet.notes) + (f"<p>{signed}</p>" if signed else "")
    title = escape(sheet.title)
    rows_and_head = (
        f"<table>\n<caption>{title}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table>"
    )
    return (
        f"<figure{_way(sheet.way)}>\n<h{level}>{named(sheet.title)}</h{level}>\n"
        f'<div class="scroll" tabindex="0">{rows_and_head}</div>\n'
        + (f'<figcaption class="note">{notes}</figcaption>\n' if notes else "")
        + "</figure>\n"
    )


def _exact(value: Cell) -> str:
    """The value that is taken away as CSV, where the text is not the same."""
    if isinstance(value, IntervalCell):
        return f' data-value="{value}"'
    known = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    return f' data-value="{value:.12g}"' if known else ""


def _short_names(sheet: Sheet) -> dict[str, str]:
    """The names of runs in a table without the middle of long ones; a run has the same name in every column."""
    names = [column.text(value) for column in sheet.columns if column.names_runs for value in column.values]
    return dict(zip(names, shortened(names), strict=True))


def _cells(column: Column, tag: str, kind: str, links: Mapping[str, str], short: Mapping[str, str]) -> list[str]:
    """The cells of a column; the name of a run links to its section, if it has one."""
    made = []
    for value in column.values:
        whole, facts = column.text(value), _exact(value)
        shown = short[whole] if column.names_runs else whole
        if shown != whole:
            facts += f' title="{escape(whole, quote=True)}" data-text="{escape(whole, quote=True)}"'
        text = named(shown)
        if column.names_runs and (where := links.get(run_of(value) or "")):
            text = f'<a href="#{where}">{text}</a>'
        made.append(f"<{tag}{kind}{facts}>{text}</{tag[:2]}>")
    return made

"""The leaderboard as HTML: ranges of ranks, values with their intervals on one scale, and differences to the leader."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from html import escape
from math import isfinite

from karat.arrays import DISPLAY_TOLERANCE
from karat.data.composite import RANKS_MEAN, SHOWN, Board, Entry
from karat.data.fields import span
from karat.data.result import IntervalCell
from karat.render.escaped import named
from karat.render.near import near
from karat.render.scale import rounded, shortened, ticks

DISTANT = 2
"""A baseline that would make the scale more than so many times as wide is not drawn to scale."""
LONGEST = 32
"""Longer names are shown without what they share, …"""
LONG = 24
"""… and beside flags, longer names than this leave no room on a small screen for more columns."""


FLAGS_MEAN = {
    "constant answer": "It gives every pair the same label.",
    "identical": "Another run gives the same answers.",
    "labels ≠ ranking": "No cut-off of its ranking gives its labels.",
    "labels swapped?": "It would be right significantly more often if its labels meant others.",
    "overconfident": "It is right less often than its confidences say.",
    "underconfident": "It is right more often than its confidences say.",
}


class _Scale:
    """From values to positions in the cells of the intervals, in per cent of their width."""

    def __init__(self, board: Board, entries: Sequence[Entry]) -> None:
        times = 100 if board.percent else 1
        low, high = near([[times * end for end in (*one.interval, one.value)] for one in entries])
        if board.baseline:
            rule = 100 * board.baseline.value if board.percent else board.baseline.value
            wide = max(high, rule) - min(low, rule)
            # One that is far off would squeeze the intervals: it is named at the edge.
            low, high = (min(low, rule), max(high, rule)) if wide <= DISTANT * (high - low) else (low, high)
        # Ends that differ by less than any step on the scale are one value.
        distinct = high - low > DISPLAY_TOLERANCE * max(abs(low), abs(high), DISPLAY_TOLERANCE)
        self.low, self.high = rounded(low, high) if distinct else (low - 1, high + 1)
        self.times = times
        self.marks = [(self.at(value / self.times), text) for value, text in ticks(self.low, self.high)]

    def at(self, value: float) -> float:
        """The position of a value; what is beyond an end stands at the end."""
        return min(100.0, max(0.0, 100 * (self.times * value - self.low) / (self.high - self.low)))

    def shows(self, value: float) -> bool:
        """Whether a value is on the scale."""
        return self.low <= self.times * value <= self.high


def board_names(runs: Sequence[str]) -> dict[str, str]:
    """How a leaderboard shows the names of runs, and so do sentences beside it."""
    return dict(zip(runs, shortened(runs, LONGEST), strict=True))


def leaderboard(board: Board, links: Mapping[str, str], caption: str, starred: Collection[str] = ()) -> str:
    """The table; names of runs link to their sections, or to the pages whose addresses are given; some have a star."""
    scales = {"": _Scale(board, board.entries)}
    if len(board.entries) > SHOWN:
        # Runs that are not shown at first do not stretch the scale of those that are.
        scales = {"top": _Scale(board, board.entries[:SHOWN]), "every": scales[""]}
    flags = any(one.flags for one in board.entries)
    names = board_names(board.runs)
    shown = [names[one.run] + "*" * (one.run in starred) for one in board.entries]
    rows = []
    for place, (one, name) in enumerate(zip(board.entries, shown, strict=True)):
        rows.append(_row(board, one, name, scales if place < SHOWN else {"every": scales["every"]}, links))
    line = _line(board.line, flags) if board.line else ""
    if line:
        rows[board.not_separated : board.not_separated] = [line]
    first, rest = rows[: SHOWN + bool(line)], rows[SHOWN + bool(line) :]
    more = f'<tbody class="rest">\n{"".join(rest)}</tbody>' if rest else ""
    switch = (
        f'<label class="note all" data-paper="The first {SHOWN} of {len(board.entries):,} runs.">'
        f'<input type="checkbox"> Show all {len(board.entries):,} runs</label>\n'
        if rest
        else ""
    )
    note = f'<p class="note">{escape(" ".join(filter(None, [_read(board), board.rounding])))}</p>\n'
    kind = "board long" if flags and max(map(len, shown), default=0) > LONG else "board"
    return (
        f'<div class="{kind}" tabindex="0">\n<table>\n<caption>{escape(caption)}</caption>\n'
        f"<thead>{_head(board, scales, flags)}</thead>\n<tbody>\n{''.join(first)}</tbody>{more}</table>\n"
        f"{switch}{note}</div>\n"
    )


def _head(board: Board, scales: Mapping[str, _Scale], flags: bool) -> str:
    beside = "difference on the units that both were scored on"
    level = f"{100 * board.level:g}% CI"
    axes = "".join(_axis(board, scale, kind) for kind, scale in scales.items())
    measure, exact = escape(board.heading) + " %" * board.percent, escape(board.measure, quote=True)
    heads = [
        f'<th scope="col" class="rank number" title="{RANKS_MEAN}">rank</th>',
        '<th scope="col" class="run">run</th>',
        f'<th scope="col" class="value number" aria-sort="descending" data-value="{exact}">{measure}</th>',
        f'<th scope="col" class="ends" data-text="{level}"><span>{level}</span>{axes}</th>',
        f'<th scope="col" class="difference number" title="{beside}">vs leader</th>',
        '<th scope="col" class="beside">difference</th>',
        '<th scope="col" class="flags">flags</th>' * flags,
    ]
    return f"<tr>{''.join(heads)}</tr>"


def _read(board: Board) -> str:
    """How the marks and the ranks are to be read."""
    ranks = " Rank: the ranks that a run could have, given the tests." if board.test else ""
    return f"Dots: {board.heading}; bars: {100 * board.level:g}% CI.{ranks}"


def _flag(flag: str) -> str:
    title = f' title="{escape(FLAGS_MEAN[flag], quote=True)}"' if flag in FLAGS_MEAN else ""
    return f"<span{title}>{escape(flag)}</span>"


def _row(board: Board, one: Entry, shown: str, scales: Mapping[str, _Scale], links: Mapping[str, str]) -> str:
    leads, flags = one.run in board.leaders, any(entry.flags for entry in board.entries)
    where = links.get(one.run, "")
    where = where if where.startswith("/") else f"#{where}"
    name = f'<a href="{where}">{named(shown)}</a>' if one.run in links else named(shown)
    difference = "—" if leads else board.text(one.difference, signed=True)
    last = f'<td class="flags">{"".join(map(_flag, one.flags))}</td>' if flags else ""
    low_end, high_end = one.interval
    ends = f' data-text="{board.text(low_end)}–{board.text(high_end)}"'
    ends += f' data-value="{IntervalCell.of(low_end, high_end)}"' if isfinite(low_end) else ""
    full = escape(one.run, quote=True)
    whole = f' title="{full}" data-text="{full}"' if shown.removesuffix("*") != one.run else ""
    # On a phone there is no column for flags.
    told = f' data-flags="{escape(", ".join(one.flags), quote=True)}"' if one.flags else ""
    kind = "leader" if leads else {True: "apart", False: "near", None: "untested"}[one.different]
    cells = [
        f'<td class="rank number">{span(one.ranks)}</td>',
        f'<th scope="row" class="run"{told}{whole}>{name}</th>',
        f'<td class="value number"{_exact(one.value)}>{board.text(one.value)}</td>',
        f'<td class="ends"{ends}>{"".join(_span(board, one, on, name) for name, on in scales.items())}</td>',
        f'<td class="difference number"{_exact(one.difference)}>{difference}</td>',
        f'<td class="beside">{board.outcome(one)}</td>{last}',
    ]
    return f'<tr class="{kind}">{"".join(cells)}</tr>\n'


def standing(board: Board, run: str) -> str:
    """One run's row of the board in words, for the page of that run; empty if it is not on the board."""
    one = next((entry for entry in board.entries if entry.run == run), None)
    if one is None:
        return ""
    low, high = one.interval
    ends = f" ({100 * board.level:g}% CI {board.text(low)}–{board.text(high)})" if isfinite(low) else ""
    parts = [f"rank {span(one.ranks)} of {len(board.entries):,}", f"{board.heading} {board.said(one.value)}{ends}"]
    if one.run not in board.leaders:
        points = " points" if board.percent else ""
        significant = {True: "significant", False: "not significant", None: "not tested"}[one.different]
        parts.append(f"{board.text(one.difference, signed=True)}{points} vs {board.leaders[0]} ({significant})")
    return " · ".join([*parts, *one.flags])


def _exact(value: float) -> str:
    """The value that is taken away as CSV."""
    return f' data-value="{value:.12g}"' if isfinite(value) else ""


def _div(kind: str, inner: str, more: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f"<div{named}{more}>{inner}</div>"


def _span(board: Board, one: Entry, scale: _Scale, kind: str) -> str:
    """A dot on its interval, over the ticks of the scale and the rule of the baseline; in words for other readers."""
    marks = "".join(f'<i style="left:{at:.1f}%"></i>' for at, _ in scale.marks)
    if board.baseline and scale.shows(board.baseline.value):
        marks += f'<i class="rule" style="left:{scale.at(board.baseline.value):.1f}%"></i>'
    low, high = one.interval
    if isfinite(low) and isfinite(high):
        ends = scale.at(low), scale.at(high)
        if scale.shows(high):
            marks += f'<b style="left:{ends[0]:.1f}%;width:{ends[1] - ends[0]:.1f}%"></b>'
        marks += f"<span>{100 * board.level:g}% CI {board.text(low)} to {board.text(high)}</span>"
    if isfinite(one.value) and not scale.shows(one.value):
        marks += "<s>◂</s>"
    elif isfinite(one.value):
        marks += f'<u style="left:{scale.at(one.value):.1f}%"></u>'
    return _div(kind, marks)


def _axis(board: Board, scale: _Scale, kind: str) -> str:
    """The head of the column of intervals: its ticks, and the baseline by name."""
    marks = [f'<i style="left:{at:.1f}%">{text}</i>' for at, text in scale.marks]
    if board.baseline:
        rule = scale.at(board.baseline.value)
        beyond = "" if scale.shows(board.baseline.value) else "◂ "
        name = f"{beyond}{escape(board.baseline.name)} {board.text(board.baseline.value)}"
        side = "right" if rule > 50 else "left"
        where = f"right:{100 - rule:.1f}%" if side == "right" else f"left:{rule:.1f}%"
        marks.append(f'<em class="{side}" style="{where}">{name}</em>')
        if not beyond:
            marks.append(f'<i class="rule" style="left:{rule:.1f}%"></i>')
    return _div(kind, "".join(marks), ' aria-hidden="true"')


def _line(text: str, flags: bool) -> str:
    """Below the runs that are not significantly different from the leader."""
    # On a phone the last columns are hidden, and a cell across them would keep their room.
    rest = '<td class="difference"></td><td class="beside"></td>' + '<td class="flags"></td>' * flags
    return f'<tr class="cut"><td colspan="4">▲ {escape(text)}</td>{rest}</tr>\n'

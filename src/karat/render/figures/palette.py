"""The colours of pages and figures: those of Okabe and Ito, which colour-blind readers tell apart, by day and night."""

from __future__ import annotations

SERIES = "abcdef"
"""A colour a series, by its name in the theme; then they begin again."""
LIGHT = {
    "ink": "#1b1f24",
    "paper": "#ffffff",
    "soft": "#5b6470",
    "line": "#d5dae1",
    "band": "#f5f7f9",
    "a": "#0072b2",  # blue
    "b": "#d55e00",  # vermillion
    "c": "#009e73",  # bluish green
    "d": "#cc79a7",  # reddish purple
    "e": "#010101",  # black, but for one step: matplotlib leaves black out of an SVG
    "f": "#e69f00",  # orange
    "more": "#3a8fc9",  # the fields of a heat map, which ink is read on: never too dark by day …
    "less": "#e0823d",
}
DARK = {
    "ink": "#e7eaee",
    "paper": "#14171b",
    "soft": "#9aa4b1",
    "line": "#343b44",
    "band": "#1c2127",
    "a": "#56b4e9",  # sky blue: blue is too dark on a dark page
    "b": "#d55e00",
    "c": "#009e73",
    "d": "#cc79a7",
    "e": "#fefefe",
    "f": "#e69f00",
    "more": "#0068a3",  # … nor too light by night
    "less": "#a34d00",
}


def variables(theme: dict[str, str]) -> str:
    """A theme as custom properties of a style sheet."""
    return " ".join(f"--{name}: {colour};" for name, colour in theme.items())

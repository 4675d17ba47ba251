"""The colours of pages and figures, those of Okabe and Ito, which colour-blind readers distinguish, in two themes."""

from __future__ import annotations

SERIES = "abcdef"
"""One colour per series, by its name in the theme, starting over after the last."""
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
    "e": "#010101",  # almost black, because matplotlib omits black from an SVG
    "f": "#e69f00",  # orange
    "more": "#3a8fc9",  # the cells of a heat map, on which text is readable: not too dark in the light theme …
    "less": "#e0823d",
    "warn": "#a85a00",
    "bad": "#b3261e",
    "entailment": "#228833",  # labels have their own colours, those of Tol, which no series has
    "unknown": "#ccbb44",
    "contradiction": "#aa3377",
    "no-entailment": "#8a8f98",
}
DARK = {
    "ink": "#e7eaee",
    "paper": "#14171b",
    "soft": "#9aa4b1",
    "line": "#343b44",
    "band": "#1c2127",
    "a": "#56b4e9",  # sky blue, because blue is too dark on a dark page
    "b": "#d55e00",
    "c": "#009e73",
    "d": "#cc79a7",
    "e": "#fefefe",
    "f": "#e69f00",
    "more": "#0068a3",  # … and not too light in the dark theme
    "less": "#a34d00",
    "warn": "#f0a23c",
    "bad": "#ff8a80",
    "entailment": "#4fb262",
    "unknown": "#d9c84f",
    "contradiction": "#d4649f",
    "no-entailment": "#a7adb5",
}


def variables(theme: dict[str, str]) -> str:
    """A theme as custom properties of a style sheet."""
    return " ".join(f"--{name}: {colour};" for name, colour in theme.items())

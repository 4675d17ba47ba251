"""The colours of pages and figures in two themes: runs, labels and everything else never share one.

Runs have colours of Okabe and Ito, which colour-blind readers distinguish, and differ in shape too; labels have the
usual ones (green, ochre, red), darker, so that they can be read as text.
"""

from __future__ import annotations

RUNS = ("run-1", "run-2", "run-3", "run-4", "run-5", "run-6")
"""The colours of runs by rank, by their names in the theme; they start over after the last, with other marks."""
LABELS = {
    "ENTAILMENT": "entailment",
    "UNKNOWN": "unknown",
    "CONTRADICTION": "contradiction",
    "NO_ENTAILMENT": "no-entailment",
}
"""The colours of labels, by their names in the theme."""
LIGHT = {
    "ink": "#1b1f24",
    "paper": "#ffffff",
    "soft": "#5b6470",
    "line": "#d5dae1",
    "band": "#f5f7f9",
    "a": "#0072b2",  # links and what can be chosen
    "run-1": "#0072b2",  # blue
    "run-2": "#e69f00",  # orange
    "run-3": "#cc79a7",  # reddish purple
    "run-4": "#010101",  # almost black, because matplotlib omits black from an SVG
    "run-5": "#56b4e9",  # sky blue
    "run-6": "#6a3d9a",  # violet
    "entailment": "#00735a",
    "unknown": "#856404",
    "contradiction": "#b3341d",
    "no-entailment": "#8c4f2b",
    "more": "#8d9db5",  # the cells of a heat map, on which text is readable: not too dark in the light theme …
    "less": "#c79a74",
    "good": "#2e7d4f",
    "warn": "#a85a00",
    "bad": "#b3261e",
}
DARK = {
    "ink": "#e7eaee",
    "paper": "#14171b",
    "soft": "#9aa4b1",
    "line": "#343b44",
    "band": "#1c2127",
    "a": "#4ea8e6",
    "run-1": "#4ea8e6",  # lighter, because blue is too dark on a dark page
    "run-2": "#e69f00",
    "run-3": "#dc8fb8",
    "run-4": "#fefefe",
    "run-5": "#a9dcf5",
    "run-6": "#b39ae0",
    "entailment": "#3fc29b",
    "unknown": "#d8b44a",
    "contradiction": "#f2836b",
    "no-entailment": "#d59a72",
    "more": "#4d5f7d",  # … and not too light in the dark theme
    "less": "#7d5636",
    "good": "#5fbf86",
    "warn": "#f0a23c",
    "bad": "#ff8a80",
}


def variables(theme: dict[str, str]) -> str:
    """A theme as custom properties of a style sheet."""
    return " ".join(f"--{name}: {colour};" for name, colour in theme.items())

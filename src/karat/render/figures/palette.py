"""The colours of pages and figures in two themes: runs, labels and everything else never share one.

Runs have colours of Okabe and Ito, which colour-blind readers distinguish, and differ in shape too; labels have the
usual ones (green, yellow, red; slate for what is not entailed), which can be read as text and differ in lightness too.
What needs attention is amber, and nothing else is; what is in order has a sign and no colour.
"""

from __future__ import annotations

RUN_COLOURS = ("run-1", "run-2", "run-3", "run-4", "run-5", "run-6")
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
    "entailment": "#00785c",
    "unknown": "#837600",
    "contradiction": "#99182f",
    "no-entailment": "#38456a",
    "more": "#8d9db5",  # the cells of a heat map, on which text is readable: not too dark in the light theme …
    "less": "#c79a74",
    "warn": "#a85a00",
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
    "entailment": "#4fd0aa",
    "unknown": "#e6d84a",
    "contradiction": "#f2604f",
    "no-entailment": "#8f9bc4",
    "more": "#4d5f7d",  # … and not too light in the dark theme
    "less": "#7d5636",
    "warn": "#f0a23c",
}


def variables(theme: dict[str, str]) -> str:
    """A theme as custom properties of a style sheet."""
    return " ".join(f"--{name}: {colour};" for name, colour in theme.items())


def in_theme(selector: str) -> str:
    """The colours inside of what is selected: in the theme of JupyterLab or VS Code, or else in that of the browser."""
    light, dark = (f"color-scheme: {name}; {variables(theme)}" for name, theme in (("light", LIGHT), ("dark", DARK)))
    return (
        f"{selector} {{ {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ {selector} {{ {dark} }} }}\n"
        f"[data-jp-theme-light=true] {selector}, .vscode-light {selector} {{ {light} }}\n"
        f"[data-jp-theme-light=false] {selector}, .vscode-dark {selector} {{ {dark} }}\n"
    )

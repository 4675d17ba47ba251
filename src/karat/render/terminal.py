"""The one console: it prints what it is given, and obeys nothing in it."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from karat.errors import spelled_out


class Terminal(Console):
    """A console on which every text is a text: no markup, no pictures for `:names:`, no control characters.

    Whatever is printed as `str`, also as a cell, a heading or a rule, comes by `render_str`. Line breaks at its end are
    meant; those inside come from files.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(markup=False, emoji=False, **settings)

    def render_str(self, text: str, **settings: Any) -> Text:
        """A text with everything that a terminal would obey in letters."""
        said = text.rstrip("\n")
        return super().render_str(spelled_out(said) + text[len(said) :], **settings)

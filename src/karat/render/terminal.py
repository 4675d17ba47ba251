"""The one console, which prints text as it is and obeys nothing in it."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from karat.errors import spelled_out


class Terminal(Console):
    """A console that takes all text literally: no markup, no emoji for `:names:`, no control characters.

    Everything printed as `str`, also a cell, a heading or a rule, goes through `render_str`. Line breaks at its end are
    intended; those inside come from files.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(markup=False, emoji=False, **settings)

    def render_str(self, text: str, **settings: Any) -> Text:
        """A text with control characters spelled out."""
        said = text.rstrip("\n")
        return super().render_str(spelled_out(said) + text[len(said) :], **settings)

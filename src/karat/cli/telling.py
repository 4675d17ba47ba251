"""What is said beside the output, on standard error."""

from __future__ import annotations

import click

from karat.errors import spelled_out


def tell(text: str) -> None:
    """Lines for people, with nothing in them that a terminal would obey."""
    click.echo("\n".join(map(spelled_out, text.split("\n"))), err=True)

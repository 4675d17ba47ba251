"""Refusals: what is said to somebody who asks a campaign for what it cannot do."""

from __future__ import annotations

from karat.errors import DataError, Problems, UsageError


class StaleError(UsageError):
    """A command that rests on a state that is no longer the newest: what it was computed from has changed."""


def refuse(code: str, found: str, **facts: str) -> DataError:
    """A refusal in the words of the catalogue."""
    (problems := Problems()).add(code, found, file="", line=None, column=None, **facts)
    return DataError(problems)


def need_reason(reason: str) -> None:
    """Refuse to do something without a reason."""
    need_text(reason, "a reason, which the record keeps")


def need_text(text: str, what: str) -> None:
    """Refuse an empty text."""
    if not text.strip():
        raise UsageError(f"expected {what}; nothing was given")

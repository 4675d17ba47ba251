"""Checks: what speaks against a hypothesis although its words are in the text; importing the package registers them."""

from __future__ import annotations

from karat.engines.checks import contexts, names, relations

__all__ = ["contexts", "names", "relations"]

"""Justifications: why a pair is answered so, in plain words; and a lint for anybody's."""

from karat.engines.explaining.explanation import explain
from karat.engines.explaining.linting import lint

__all__ = ["explain", "lint"]

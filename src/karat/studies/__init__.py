"""Studies: a user's question answered, one a file."""

from karat.studies.base import studies
from karat.studies.check import check
from karat.studies.evaluate import evaluate
from karat.studies.items import items

__all__ = ["check", "evaluate", "items", "studies"]

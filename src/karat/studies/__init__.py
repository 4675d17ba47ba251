"""Studies: a user's question answered, one a file."""

from karat.studies import evaluation_findings
from karat.studies.base import studies
from karat.studies.catalogue import list_formats, list_measures
from karat.studies.check import check
from karat.studies.evaluate import evaluate
from karat.studies.items import items

__all__ = ["check", "evaluate", "evaluation_findings", "items", "list_formats", "list_measures", "studies"]

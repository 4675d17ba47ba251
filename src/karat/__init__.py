"""karat: evaluate systems that understand language, and evaluate the evaluation."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from karat import measures as measures
    from karat.data.ballots import Ballots as Ballots
    from karat.data.pairs import Pairs as Pairs
    from karat.data.responses import Responses as Responses
    from karat.data.scores import Scores as Scores
    from karat.data.tables import Table as Table
    from karat.errors import DataError as DataError
    from karat.errors import KaratError as KaratError
    from karat.errors import UsageError as UsageError
    from karat.formats.ballots import read_ballots as read_ballots
    from karat.formats.reading import read_pairs as read_pairs
    from karat.formats.reading import read_runs as read_runs
    from karat.formats.scores import read_scores as read_scores
    from karat.formats.weights import read_weights as read_weights
    from karat.formats.writing import write_pairs as write_pairs
    from karat.formats.writing import write_run as write_run
    from karat.formats.writing import write_scores as write_scores
    from karat.studies.agree.study import agree as agree
    from karat.studies.check import check as check
    from karat.studies.compare.study import compare as compare
    from karat.studies.items import items as items
    from karat.studies.judge.study import judge as judge
    from karat.studies.keys.study import keys as keys
    from karat.studies.score.study import evaluate as evaluate
    from karat.studies.sensitivity.study import sensitivity as sensitivity
    from karat.studies.size.study import size as size
    from karat.studies.swap.study import swap as swap

# A name is loaded when it is first used, so that `import karat` costs nothing.
_NAMES = {
    "karat.data.ballots": "Ballots",
    "karat.data.pairs": "Pairs",
    "karat.data.responses": "Responses",
    "karat.data.scores": "Scores",
    "karat.data.tables": "Table",
    "karat.errors": "DataError KaratError UsageError",
    "karat.formats.ballots": "read_ballots",
    "karat.formats.reading": "read_pairs read_runs",
    "karat.formats.scores": "read_scores",
    "karat.formats.weights": "read_weights",
    "karat.formats.writing": "write_pairs write_run write_scores",
    "karat.measures": "measures",
    "karat.studies.agree.study": "agree",
    "karat.studies.check": "check",
    "karat.studies.compare.study": "compare",
    "karat.studies.items": "items",
    "karat.studies.judge.study": "judge",
    "karat.studies.keys.study": "keys",
    "karat.studies.score.study": "evaluate",
    "karat.studies.sensitivity.study": "sensitivity",
    "karat.studies.size.study": "size",
    "karat.studies.swap.study": "swap",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'karat' has no attribute {name!r}")
    module = importlib.import_module(_HOMES[name])
    return module if name == "measures" else getattr(module, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])

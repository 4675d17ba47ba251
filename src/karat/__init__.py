"""karat: evaluate systems that understand language, and evaluate the evaluation."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from karat import measures
    from karat.data.pairs import Pairs
    from karat.data.responses import Responses
    from karat.data.tables import Table
    from karat.errors import DataError, KaratError, UsageError
    from karat.formats import read_pairs, read_runs, write_pairs, write_run, write_scores
    from karat.studies import check, evaluate, items

# A name is loaded when it is first used, so that `import karat` costs nothing.
_HOMES = {
    "measures": "karat.measures",
    "Pairs": "karat.data.pairs",
    "Responses": "karat.data.responses",
    "Table": "karat.data.tables",
    "DataError": "karat.errors",
    "KaratError": "karat.errors",
    "UsageError": "karat.errors",
    "read_pairs": "karat.formats",
    "read_runs": "karat.formats",
    "write_pairs": "karat.formats",
    "write_run": "karat.formats",
    "write_scores": "karat.formats",
    "check": "karat.studies",
    "evaluate": "karat.studies",
    "items": "karat.studies",
}

__all__ = [
    "DataError",
    "KaratError",
    "Pairs",
    "Responses",
    "Table",
    "UsageError",
    "check",
    "evaluate",
    "items",
    "measures",
    "read_pairs",
    "read_runs",
    "write_pairs",
    "write_run",
    "write_scores",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'karat' has no attribute {name!r}")
    module = importlib.import_module(_HOMES[name])
    return module if name == "measures" else getattr(module, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])

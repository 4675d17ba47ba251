"""karat: evaluate systems that understand language, and evaluate the evaluation."""

from __future__ import annotations

import importlib
from typing import Any

from karat.studies import OVERVIEW

__version__ = "0.1.0"

# A name is loaded when it is first used, so that `import karat` costs nothing; their types are in __init__.pyi.
_NAMES = {
    "karat.data.answers": "Answers",
    "karat.data.ballots": "Ballots",
    "karat.data.decomposition": "Decomposition",
    "karat.data.judgments": "Judgments",
    "karat.data.nuggets": "Matches Nuggets",
    "karat.data.pairs": "Pairs",
    "karat.data.patterns": "Patterns",
    "karat.data.preferences": "Preferences",
    "karat.data.questions": "Questions",
    "karat.data.ratings": "Judges Ratings",
    "karat.data.responses": "Responses",
    "karat.data.scores": "Scores",
    "karat.data.support": "Support",
    "karat.data.tables": "Table",
    "karat.data.verdicts": "Verdicts",
    "karat.engines.explaining.linting": "lint",
    "karat.engines.model": "Model load_model",
    "karat.errors": "DataError KaratError UsageError",
    "karat.formats.accepted": "read_accepted",
    "karat.formats.ballots": "read_ballots",
    "karat.formats.judge_table": "read_judges",
    "karat.formats.justification_ratings": "read_justifications",
    "karat.formats.decomposed": "read_decomposition",
    "karat.formats.answer_table": "read_answers write_answers",
    "karat.formats.memory": "responses",
    "karat.formats.pair_files": "pair_files",
    "karat.formats.nugget_table": "read_matches read_nuggets write_matches write_nuggets",
    "karat.formats.patterns": "read_patterns",
    "karat.formats.preference_table": "read_preferences",
    "karat.formats.question_table": "read_questions write_questions",
    "karat.formats.rag_metrics": "read_rag_metrics",
    "karat.formats.rating_table": "read_ratings",
    "karat.formats.pairs": "read_pairs write_pairs",
    "karat.formats.runs": "read_runs write_run",
    "karat.formats.scores": "read_judgments read_scores write_scores",
    "karat.formats.support_table": "read_support",
    "karat.formats.verdict_table": "read_verdicts write_verdicts",
    "karat.formats.weights": "read_weights",
    "karat.measures": "measures",
    "karat.studies.run": "learn",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}
_HOMES |= {name: f"karat.studies.{one.module}" for name, one in OVERVIEW.items() if one.is_function}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'karat' has no attribute {name!r}")
    module = importlib.import_module(_HOMES[name])
    return module if name == "measures" else getattr(module, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])

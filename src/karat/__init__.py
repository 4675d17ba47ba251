"""karat: evaluate systems that understand language, and evaluate the evaluation."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from karat import measures as measures
    from karat.data.answers import Answers as Answers
    from karat.data.ballots import Ballots as Ballots
    from karat.data.decomposition import Decomposition as Decomposition
    from karat.data.nuggets import Matches as Matches
    from karat.data.nuggets import Nuggets as Nuggets
    from karat.data.pairs import Pairs as Pairs
    from karat.data.patterns import Patterns as Patterns
    from karat.data.questions import Questions as Questions
    from karat.data.ratings import Judges as Judges
    from karat.data.ratings import Ratings as Ratings
    from karat.data.responses import Responses as Responses
    from karat.data.scores import Scores as Scores
    from karat.data.tables import Table as Table
    from karat.data.verdicts import Verdicts as Verdicts
    from karat.engines.explaining.linting import lint as lint
    from karat.engines.model import Model as Model
    from karat.engines.model import load_model as load_model
    from karat.errors import DataError as DataError
    from karat.errors import KaratError as KaratError
    from karat.errors import UsageError as UsageError
    from karat.formats.ballots import read_ballots as read_ballots
    from karat.formats.decomposed import read_decomposition as read_decomposition
    from karat.formats.judge_table import read_judges as read_judges
    from karat.formats.justification_ratings import read_justifications as read_justifications
    from karat.formats.question_reading import read_answers as read_answers
    from karat.formats.question_reading import read_matches as read_matches
    from karat.formats.question_reading import read_nuggets as read_nuggets
    from karat.formats.question_reading import read_patterns as read_patterns
    from karat.formats.question_reading import read_questions as read_questions
    from karat.formats.question_reading import read_verdicts as read_verdicts
    from karat.formats.rag_metrics import read_rag_metrics as read_rag_metrics
    from karat.formats.rating_table import read_ratings as read_ratings
    from karat.formats.reading import read_pairs as read_pairs
    from karat.formats.reading import read_runs as read_runs
    from karat.formats.scores import read_scores as read_scores
    from karat.formats.weights import read_weights as read_weights
    from karat.formats.writing import write_answers as write_answers
    from karat.formats.writing import write_matches as write_matches
    from karat.formats.writing import write_nuggets as write_nuggets
    from karat.formats.writing import write_pairs as write_pairs
    from karat.formats.writing import write_questions as write_questions
    from karat.formats.writing import write_run as write_run
    from karat.formats.writing import write_scores as write_scores
    from karat.formats.writing import write_verdicts as write_verdicts
    from karat.studies.ablate.study import ablate as ablate
    from karat.studies.agree.study import agree as agree
    from karat.studies.check import check as check
    from karat.studies.compare.study import compare as compare
    from karat.studies.diagnose.study import diagnose as diagnose
    from karat.studies.items import items as items
    from karat.studies.judge.study import judge as judge
    from karat.studies.justify.study import justify as justify
    from karat.studies.keys.study import keys as keys
    from karat.studies.nuggets.study import nuggets as nuggets
    from karat.studies.qa.study import qa as qa
    from karat.studies.report.study import report as report
    from karat.studies.run.study import learn as learn
    from karat.studies.run.study import run as run
    from karat.studies.sample.study import sample as sample
    from karat.studies.score.study import evaluate as evaluate
    from karat.studies.sensitivity.study import sensitivity as sensitivity
    from karat.studies.size.study import size as size
    from karat.studies.swap.study import swap as swap

# A name is loaded when it is first used, so that `import karat` costs nothing.
_NAMES = {
    "karat.data.answers": "Answers",
    "karat.data.ballots": "Ballots",
    "karat.data.decomposition": "Decomposition",
    "karat.data.nuggets": "Matches Nuggets",
    "karat.data.pairs": "Pairs",
    "karat.data.patterns": "Patterns",
    "karat.data.questions": "Questions",
    "karat.data.ratings": "Judges Ratings",
    "karat.data.responses": "Responses",
    "karat.data.scores": "Scores",
    "karat.data.tables": "Table",
    "karat.data.verdicts": "Verdicts",
    "karat.engines.explaining.linting": "lint",
    "karat.engines.model": "Model load_model",
    "karat.errors": "DataError KaratError UsageError",
    "karat.formats.ballots": "read_ballots",
    "karat.formats.judge_table": "read_judges",
    "karat.formats.justification_ratings": "read_justifications",
    "karat.formats.decomposed": "read_decomposition",
    "karat.formats.question_reading": (
        "read_answers read_matches read_nuggets read_patterns read_questions read_verdicts"
    ),
    "karat.formats.rag_metrics": "read_rag_metrics",
    "karat.formats.rating_table": "read_ratings",
    "karat.formats.reading": "read_pairs read_runs",
    "karat.formats.scores": "read_scores",
    "karat.formats.weights": "read_weights",
    "karat.formats.writing": (
        "write_answers write_matches write_nuggets write_pairs write_questions write_run write_scores write_verdicts"
    ),
    "karat.measures": "measures",
    "karat.studies.ablate.study": "ablate",
    "karat.studies.agree.study": "agree",
    "karat.studies.check": "check",
    "karat.studies.compare.study": "compare",
    "karat.studies.diagnose.study": "diagnose",
    "karat.studies.items": "items",
    "karat.studies.judge.study": "judge",
    "karat.studies.justify.study": "justify",
    "karat.studies.keys.study": "keys",
    "karat.studies.nuggets.study": "nuggets",
    "karat.studies.qa.study": "qa",
    "karat.studies.report.study": "report",
    "karat.studies.run.study": "learn run",
    "karat.studies.sample.study": "sample",
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

"""karat: evaluate systems that understand language, and evaluate the evaluation. Written by `make docs`."""

import typing
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike

from karat import measures as measures
from karat.data.answers import Answers as Answers
from karat.data.ballots import Ballots as Ballots
from karat.data.decomposition import Decomposition as Decomposition
from karat.data.judgments import Judgments as Judgments
from karat.data.nuggets import Matches as Matches
from karat.data.nuggets import Nuggets as Nuggets
from karat.data.pairs import Pairs as Pairs
from karat.data.parts import BallotParts as BallotParts
from karat.data.parts import ScoreParts as ScoreParts
from karat.data.patterns import Patterns as Patterns
from karat.data.preferences import Preferences as Preferences
from karat.data.provenance import QuestionFiles as QuestionFiles
from karat.data.questions import Questions as Questions
from karat.data.ratings import Judges as Judges
from karat.data.ratings import Ratings as Ratings
from karat.data.responses import Responses as Responses
from karat.data.scores import RagMetrics as RagMetrics
from karat.data.scores import Scores as Scores
from karat.data.support import Support as Support
from karat.data.tables import Table as Table
from karat.data.verdicts import Verdicts as Verdicts
from karat.data.weights import Relevance as Relevance
from karat.data.weights import UnitWeights as UnitWeights
from karat.engines.explaining.linting import lint as lint
from karat.engines.model import Model as Model
from karat.engines.model import load_model as load_model
from karat.errors import DataError as DataError
from karat.errors import KaratError as KaratError
from karat.errors import UsageError as UsageError
from karat.formats.accepted import read_accepted as read_accepted
from karat.formats.answer_table import read_answers as read_answers
from karat.formats.answer_table import write_answers as write_answers
from karat.formats.judge_table import read_judges as read_judges
from karat.formats.memory import LabelArray as LabelArray
from karat.formats.memory import responses as responses
from karat.formats.nugget_table import read_matches as read_matches
from karat.formats.nugget_table import read_nuggets as read_nuggets
from karat.formats.nugget_table import write_matches as write_matches
from karat.formats.nugget_table import write_nuggets as write_nuggets
from karat.formats.pair_files import PairFiles as PairFiles
from karat.formats.pairs import write_pairs as write_pairs
from karat.formats.patterns import read_patterns as read_patterns
from karat.formats.question_table import read_questions as read_questions
from karat.formats.question_table import write_questions as write_questions
from karat.formats.rag_metrics import read_rag_metrics as read_rag_metrics
from karat.formats.rating_table import read_ratings as read_ratings
from karat.formats.runs import write_run as write_run
from karat.formats.scores import write_scores as write_scores
from karat.formats.support_table import read_support as read_support
from karat.formats.verdict_table import read_verdicts as read_verdicts
from karat.formats.verdict_table import write_verdicts as write_verdicts
from karat.formats.weights import read_weights as read_weights
from karat.studies.ablate import Ablation as Ablation
from karat.studies.adjudicate.study import Adjudicated as Adjudicated
from karat.studies.agree.result import Agreement as Agreement
from karat.studies.blind.study import Blinded as Blinded
from karat.studies.check import Check as Check
from karat.studies.compare.result import Comparison as Comparison
from karat.studies.diagnose.result import Diagnosis as Diagnosis
from karat.studies.items import ItemAnalysis as ItemAnalysis
from karat.studies.judge.result import Judgement as Judgement
from karat.studies.justify.result import Justified as Justified
from karat.studies.keys.result import KeyComparison as KeyComparison
from karat.studies.meta.result import MetaEvaluation as MetaEvaluation
from karat.studies.nuggets.result import NuggetScores as NuggetScores
from karat.studies.prefer.result import Preferred as Preferred
from karat.studies.qa.parameters import QaParameters as QaParameters
from karat.studies.qa.result import QuestionAnswering as QuestionAnswering
from karat.studies.report.result import Report as Report
from karat.studies.run import EngineRun as EngineRun
from karat.studies.sample import Sampled as Sampled
from karat.studies.score.result import Evaluation as Evaluation
from karat.studies.sensitivity.result import Sensitivity as Sensitivity
from karat.studies.sheet import Sheets as Sheets
from karat.studies.size.result import Size as Size
from karat.studies.support.result import SupportScores as SupportScores
from karat.studies.swap.result import Swap as Swap

__version__: str
__all__: list[str]

def ablate(
    engine: str,
    key: Pairs,
    *,
    train: Pairs | None = None,
    way: typing.Literal["auto", "2", "3"] = "auto",
    without: Sequence[str] = (),
    by: str | None = None,
    folds: int = 10,
    interval: float = 0.95,
    trees: str = "chunker",
    seed: int = 0,
) -> Ablation:
    """The worth of each part of an engine, which is trained and run again without it on the same pairs."""

def adjudicate(ballots: Ballots, *, pairs: Pairs | None = None, wanted: int | None = None) -> Adjudicated:
    """The key that people's labels give, with the decisions among the ballots, and what is still to be decided."""

def agree(
    ballots: Ballots | BallotParts,
    *,
    level: typing.Literal["nominal", "ordinal", "interval"] | None = None,
    pairs: int = 50,
    cluster: str | None = None,
    interval: float = 0.95,
    seed: int = 0,
) -> Agreement:
    """How far assessors agree beyond chance, by label and by pair of assessors, on all labels and folded."""

def blind(
    pairs: Pairs, *, attribute: Sequence[str] = (), renumber: bool = False, in_order: bool = False, seed: int = 0
) -> Blinded:
    """The pairs without their key, and whether ids, order, attributes or lengths depend on the labels."""

def check(
    key: str | PathLike[str],
    runs: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    files: QuestionFiles = ...,
    reader: str | None = None,
    run_reader: str | None = None,
    label: dict[str, str] = ...,
    column: dict[str, str] = ...,
    run_column: dict[str, str] = ...,
    run_columns: Sequence[str] = (),
    answer_pattern: str | None = None,
    missing: typing.Literal["refuse", "wrong"] = "refuse",
    unparsed: typing.Literal["refuse", "wrong", "unknown"] = "refuse",
    skip_bad_runs: bool = False,
    way: typing.Literal["auto", "2", "3", "both"] = "auto",
    ranked_by: typing.Literal["entailment", "response"] | None = None,
    confidence: typing.Literal["response", "entailment"] = "response",
    manual: Sequence[str] = (),
) -> Check:
    """Validate a test set of pairs, questions or nuggets, and runs on it; report every problem of every file."""

def compare(
    runs: Responses | Scores | ScoreParts | list[typing.Any] | LabelArray,
    y_pred: list[typing.Any] | LabelArray | Mapping[str, typing.Any] | None = None,
    *,
    label: Mapping[typing.Any, str] | None = None,
    missing: typing.Literal["refuse", "wrong"] | None = None,
    unparsed: typing.Literal["refuse", "wrong", "unknown"] | None = None,
    answer_pattern: str | None = None,
    way: typing.Literal["auto", "2", "3"] = "auto",
    measure: str = "accuracy",
    test: typing.Literal["auto", "exact", "randomisation", "bootstrap", "bca", "t", "wilcoxon", "sign"] = "auto",
    correction: typing.Literal["holm", "bh", "by", "maxt", "none"] = "holm",
    cluster: str | None = None,
    versus: str = "all",
    equivalence: float | None = None,
    fail_if_worse: float | None = None,
    strict: bool = False,
    interval: float = 0.95,
    replicates: int = 10000,
    seed: int = 0,
) -> Comparison:
    """Compare all pairs of runs, by their answers or by a score matrix, which need not fit into memory."""

def diagnose(
    runs: Responses | list[typing.Any] | LabelArray,
    y_pred: list[typing.Any] | LabelArray | Mapping[str, typing.Any] | None = None,
    *,
    label: Mapping[typing.Any, str] | None = None,
    missing: typing.Literal["refuse", "wrong"] | None = None,
    unparsed: typing.Literal["refuse", "wrong", "unknown"] | None = None,
    answer_pattern: str | None = None,
    decomposition: Decomposition | None = None,
    relevance: Relevance | None = None,
    way: typing.Literal["auto", "2", "3"] = "auto",
    by: str | None = None,
    separator: str | None = None,
    correction: typing.Literal["holm", "bh", "by", "none"] = "holm",
    small: int = 10,
    interval: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
) -> Diagnosis:
    """Diagnose runs by an attribute of the pairs, or by the phenomena of a decomposed test set."""

def items(
    runs: Responses | list[typing.Any] | LabelArray,
    y_pred: list[typing.Any] | LabelArray | Mapping[str, typing.Any] | None = None,
    *,
    label: Mapping[typing.Any, str] | None = None,
    missing: typing.Literal["refuse", "wrong"] | None = None,
    unparsed: typing.Literal["refuse", "wrong", "unknown"] | None = None,
    answer_pattern: str | None = None,
    way: typing.Literal["auto", "2", "3"] = "auto",
    by: Sequence[str] = (),
) -> ItemAnalysis:
    """Which pairs no run or every run got right, and how hard each kind of pair is."""

def judge(
    ballots: Ballots | BallotParts,
    *,
    runs: Responses | None = None,
    automatic: Sequence[str] = (),
    level: typing.Literal["nominal", "ordinal", "interval"] | None = None,
    epsilon: float = 0.2,
    fewest: int = 30,
    labelled: int = 0,
    half_width: float = 0.05,
    cluster: str | None = None,
    way: typing.Literal["auto", "2", "3"] = "auto",
    measure: str = "accuracy",
    interval: float = 0.95,
    seed: int = 0,
) -> Judgement:
    """Each automatic judge: its agreement, whether it may replace a person, its rates, and the ranking by its key."""

def justify(
    ratings: Ratings,
    *,
    runs: Responses | None = None,
    judges: Judges | None = None,
    not_asked: typing.Literal["by-scale", "zero", "missing"] = "by-scale",
    reason: str = "compelling",
    poor: int = 2,
    group: str | None = None,
    of: str | None = None,
    replicates: int = 10000,
    interval: float = 0.95,
    seed: int = 0,
) -> Justified:
    """Means, medians, distributions and ranks, agreement, differences, and right decisions with poor reasons."""

def keys(
    runs: Responses,
    ballots: Ballots,
    *,
    anchor: Pairs | None = None,
    way: typing.Literal["auto", "2", "3"] = "auto",
    measure: str = "accuracy",
    ties: typing.Literal["adjudicated", "unknown", "drop"] = "adjudicated",
    share: float = 0.5,
    draws: int = 1000,
    replicates: int = 1000,
    interval: float = 0.95,
    seed: int = 0,
) -> KeyComparison:
    """Every key that can be made from the ballots, and the ranking of the runs under it."""

def learn(
    engine: str,
    train: Pairs | None,
    pairs: Pairs | None = None,
    *,
    way: typing.Literal["auto", "2", "3"] = "auto",
    justify: bool = False,
    without: Sequence[str] = (),
    trees: str = "chunker",
    train_trees: str = "",
    seed: int = 0,
) -> Model:
    """A model trained on labelled pairs, for any number of runs."""

def meta(
    judgments: Judgments,
    *,
    reference: str | None = None,
    panel: bool = False,
    level: typing.Literal["nominal", "ordinal", "interval"] | None = None,
    top: int = 10,
    persistence: float = 0.9,
    labelled: int = 0,
    half_width: float = 0.05,
    replicates: int = 1000,
    interval: float = 0.95,
    seed: int = 0,
) -> MetaEvaluation:
    """Each judge compared with the reference: rankings, verdicts on pairs of runs, bias, and corrected scores."""

def nuggets(
    matches: Matches,
    *,
    ratings: Ratings | None = None,
    stored: Sequence[RagMetrics] = (),
    beta: float = 3.0,
    length: typing.Literal["characters", "words", "nfkc_words"] = "characters",
    allowance: float = 100.0,
    recall: typing.Literal["vital", "pyramid"] = "vital",
    missing: typing.Literal["missing", "zero"] = "missing",
    content: float = 0.75,
    by: Sequence[str] = (),
    interval: float = 0.95,
) -> NuggetScores:
    """Support of vital, weighted and all nuggets, strict and lenient, and the F that penalises length."""

def pair_files(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    reader: str | None = None,
    run_reader: str | None = None,
    label: dict[str, str] = ...,
    column: dict[str, str] = ...,
    run_column: dict[str, str] = ...,
    run_columns: Sequence[str] = (),
    answer_pattern: str | None = None,
    missing: typing.Literal["refuse", "wrong"] = "refuse",
    unparsed: typing.Literal["refuse", "wrong", "unknown"] = "refuse",
    skip_bad_runs: bool = False,
    way: typing.Literal["auto", "2", "3", "both"] = "auto",
    ranked_by: typing.Literal["entailment", "response"] | None = None,
    confidence: typing.Literal["response", "entailment"] = "response",
    manual: Sequence[str] = (),
) -> PairFiles:
    """Files of pairs for `run`, which answers them as they are read: `run(engine, pair_files("many.jsonl"), …)`."""

def prefer(
    preferences: Preferences,
    *,
    cluster: typing.Literal["auto", "unit", "assessor", "none"] = "auto",
    correction: typing.Literal["holm", "bh", "by", "none"] = "holm",
    prior: float = 0.0,
    fewest: int = 10,
    interval: float = 0.95,
) -> Preferred:
    """Rank runs by comparisons of two answers each, and test all pairs of runs."""

def qa(
    questions: Questions,
    runs: Answers,
    *,
    verdicts: Verdicts | None = None,
    matches: Matches | None = None,
    patterns: Patterns | None = None,
    answers: int = 1,
    accept: Sequence[typing.Literal["inexact", "unsupported"]] = (),
    unjudged: typing.Literal["refuse", "wrong", "patterns"] = "refuse",
    assessor: str | None = None,
    beta: float = 3.0,
    length: typing.Literal["characters", "words", "nfkc_words"] = "characters",
    allowance: float = 100.0,
    recall: typing.Literal["vital", "pyramid"] = "vital",
    missing: typing.Literal["missing", "zero"] = "missing",
    weights: tuple[float, float, float] = (0.5, 0.25, 0.25),
    no_list: typing.Literal["literal", "exact"] = "literal",
    no_other: typing.Literal["left-out", "reweighted"] = "left-out",
    ranked: bool = False,
    rank_by: typing.Literal[
        "auto",
        "series_score",
        "type_score",
        "factoid_accuracy",
        "reciprocal_rank",
        "token_f1",
        "confidence_weighted",
        "nil_precision",
        "nil_recall",
        "list_f",
        "nugget_f",
        "nugget_precision",
        "nugget_recall",
    ] = "auto",
    interval: float = 0.95,
) -> QuestionAnswering:
    """Score runs on questions: factoids and lists by verdicts, patterns or accepted answers, others by nuggets."""

def read_ballots(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    key: Pairs | None = None,
    *,
    level: typing.Literal["nominal", "ordinal", "interval"] | None = None,
    assessor: Sequence[str] = (),
    ballot_column: dict[str, str] = ...,
    order: Sequence[str] = (),
    label: dict[str, str] = ...,
    leading: Sequence[str] = (),
    same: Sequence[str] = (),
    exchangeable: bool = False,
    despite_memory: bool = False,
) -> Ballots:
    """Ballots from one file, or from several, or a folder of them, whose assessors judged the same units."""

def read_decomposition(
    originals: str | PathLike[str],
    mono: str | PathLike[str] | None = None,
    *,
    reader: str | None = None,
    run_reader: str | None = None,
    label: dict[str, str] = ...,
    column: dict[str, str] = ...,
    run_column: dict[str, str] = ...,
    run_columns: Sequence[str] = (),
    answer_pattern: str | None = None,
    missing: typing.Literal["refuse", "wrong"] = "refuse",
    unparsed: typing.Literal["refuse", "wrong", "unknown"] = "refuse",
    skip_bad_runs: bool = False,
    way: typing.Literal["auto", "2", "3", "both"] = "auto",
    ranked_by: typing.Literal["entailment", "response"] | None = None,
    confidence: typing.Literal["response", "entailment"] = "response",
    manual: Sequence[str] = (),
) -> Decomposition:
    """Originals and their monothematic pairs, in two files or in one."""

def read_judgments(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    transpose: bool = False,
    score: str | None = None,
    despite_memory: bool = False,
) -> Judgments:
    """Scores of the same runs by several judges: a file or folder per judge, or one table with a column `judge`."""

def read_justifications(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    criterion: Sequence[str] = (),
    not_applicable: Sequence[str] = (),
    unasked: typing.Literal["refuse", "drop"] = "refuse",
    rating_column: dict[str, str] = ...,
    exchangeable: bool = False,
) -> Ratings:
    """Ratings on declared criteria, from one file or several."""

def read_pairs(
    path: str | PathLike[str],
    *,
    reader: str | None = None,
    run_reader: str | None = None,
    label: dict[str, str] = ...,
    column: dict[str, str] = ...,
    run_column: dict[str, str] = ...,
    run_columns: Sequence[str] = (),
    answer_pattern: str | None = None,
    missing: typing.Literal["refuse", "wrong"] = "refuse",
    unparsed: typing.Literal["refuse", "wrong", "unknown"] = "refuse",
    skip_bad_runs: bool = False,
    way: typing.Literal["auto", "2", "3", "both"] = "auto",
    ranked_by: typing.Literal["entailment", "response"] | None = None,
    confidence: typing.Literal["response", "entailment"] = "response",
    manual: Sequence[str] = (),
) -> Pairs:
    """A test set from a file of any pair format."""

def read_preferences(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    preference_column: dict[str, str] = ...,
    verdict: dict[str, str] = ...,
) -> Preferences:
    """Preferences from one file, or from several, or a folder of them."""

def read_runs(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    key: Pairs,
    *,
    reader: str | None = None,
    run_reader: str | None = None,
    label: dict[str, str] = ...,
    column: dict[str, str] = ...,
    run_column: dict[str, str] = ...,
    run_columns: Sequence[str] = (),
    answer_pattern: str | None = None,
    missing: typing.Literal["refuse", "wrong"] = "refuse",
    unparsed: typing.Literal["refuse", "wrong", "unknown"] = "refuse",
    skip_bad_runs: bool = False,
    way: typing.Literal["auto", "2", "3", "both"] = "auto",
    ranked_by: typing.Literal["entailment", "response"] | None = None,
    confidence: typing.Literal["response", "entailment"] = "response",
    manual: Sequence[str] = (),
) -> Responses:
    """Runs from files or folders, checked against the key and aligned with it."""

def read_scores(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    measure: str = "",
    *,
    transpose: bool = False,
    score: str | None = None,
    despite_memory: bool = False,
) -> Scores:
    """Scores from files or folders: matrices, long tables, or logs of evaluation harnesses."""

def report(
    runs: Responses | Scores | list[typing.Any] | LabelArray | None = None,
    y_pred: list[typing.Any] | LabelArray | Mapping[str, typing.Any] | None = None,
    *,
    label: Mapping[typing.Any, str] | None = None,
    missing: typing.Literal["refuse", "wrong"] | None = None,
    unparsed: typing.Literal["refuse", "wrong", "unknown"] | None = None,
    answer_pattern: str | None = None,
    ballots: Ballots | None = None,
    judged: Ballots | None = None,
    decomposed: Decomposition | None = None,
    decomposed_runs: Responses | None = None,
    ratings: Ratings | None = None,
    questions: Questions | None = None,
    answers: Answers | None = None,
    verdicts: Verdicts | None = None,
    matches: Matches | None = None,
    patterns: Patterns | None = None,
    scoring: QaParameters = ...,
    generated: Matches | None = None,
    title: str = "",
    way: typing.Literal["auto", "2", "3", "both"] = "auto",
    by: Sequence[str] = (),
    cluster: str | None = None,
    automatic: Sequence[str] = (),
    without: Sequence[str] = (),
    seed: int = 0,
) -> Report:
    """Every study that the data allow, in the order of the questions that people ask."""

def run(
    engine: str | Model,
    pairs: Pairs | PairFiles,
    *,
    train: Pairs | None = None,
    output: str | PathLike[str] | None = None,
    model_output: str | PathLike[str] | None = None,
    on: str = "here",
    jobs: int | None = None,
    gpus_per_worker: float = 0,
    chunk: int | None = None,
    way: typing.Literal["auto", "2", "3"] = "auto",
    justify: bool = False,
    without: Sequence[str] = (),
    trees: str = "chunker",
    train_trees: str = "",
    seed: int = 0,
) -> EngineRun:
    """Answer every pair, with an engine trained on `train` if it learns, or with a trained model."""

def sample(
    runs: Responses | list[typing.Any] | LabelArray,
    y_pred: list[typing.Any] | LabelArray | Mapping[str, typing.Any] | None = None,
    *,
    label: Mapping[typing.Any, str] | None = None,
    missing: typing.Literal["refuse", "wrong"] | None = None,
    unparsed: typing.Literal["refuse", "wrong", "unknown"] | None = None,
    answer_pattern: str | None = None,
    pairs: int = 100,
    by: str | None = None,
    also: Sequence[str] = (),
    prefer: float = 4.0,
    judge: Sequence[str] = ("judge",),
    seed: int = 0,
) -> Sampled:
    """A sample balanced over settings and lengths that prefers pairs most runs got right and interesting ones."""

def score(
    runs: Responses | list[typing.Any] | LabelArray,
    y_pred: list[typing.Any] | LabelArray | Mapping[str, typing.Any] | None = None,
    *,
    label: Mapping[typing.Any, str] | None = None,
    missing: typing.Literal["refuse", "wrong"] | None = None,
    unparsed: typing.Literal["refuse", "wrong", "unknown"] | None = None,
    answer_pattern: str | None = None,
    unit_weights: UnitWeights | None = None,
    way: typing.Literal["auto", "2", "3", "both"] = "auto",
    measure: Sequence[str] = (),
    by: Sequence[str] = (),
    weights: typing.Literal["uniform", "linear", "reciprocal", "system"] = "uniform",
    cluster: str | None = None,
    interval: float = 0.95,
    ties: typing.Literal["expected", "file", "id"] = "expected",
    prior: Sequence[str] = (),
    confusion: bool = False,
    crossings: bool = False,
    seed: int = 0,
) -> Evaluation:
    """Measure every run, both ways, with baselines for comparison."""

def sensitivity(
    runs: Responses | Scores | list[typing.Any] | LabelArray | None = None,
    y_pred: list[typing.Any] | LabelArray | Mapping[str, typing.Any] | None = None,
    *,
    label: Mapping[typing.Any, str] | None = None,
    missing: typing.Literal["refuse", "wrong"] | None = None,
    unparsed: typing.Literal["refuse", "wrong", "unknown"] | None = None,
    answer_pattern: str | None = None,
    ballots: Ballots | None = None,
    questions: Questions | None = None,
    answers: Answers | None = None,
    verdicts: Verdicts | None = None,
    matches: Matches | None = None,
    patterns: Patterns | None = None,
    scoring: QaParameters = ...,
    way: typing.Literal["auto", "2", "3"] = "auto",
    measure: str = "accuracy",
    other: Sequence[str] = (),
    weight: Sequence[str] = (),
    prior: Sequence[str] = (),
) -> Sensitivity:
    """The ranking of runs, of a score matrix, or of answers to questions or on nuggets under every setting."""

def sheet(
    pairs: Pairs,
    *,
    assessor: Sequence[str] = (),
    overlap: int | None = None,
    choice: Sequence[str] = (),
    attribute: Sequence[str] = (),
    seed: int = 0,
) -> Sheets:
    """Units for each assessor: equally many, every two together equally often, in an order by the seed."""

def size(
    runs: Responses | Scores | list[typing.Any] | LabelArray | None = None,
    y_pred: list[typing.Any] | LabelArray | Mapping[str, typing.Any] | None = None,
    *,
    label: Mapping[typing.Any, str] | None = None,
    missing: typing.Literal["refuse", "wrong"] | None = None,
    unparsed: typing.Literal["refuse", "wrong", "unknown"] | None = None,
    answer_pattern: str | None = None,
    ballots: Ballots | None = None,
    candidates: Ballots | None = None,
    way: typing.Literal["auto", "2", "3", "both"] = "auto",
    measure: str = "accuracy",
    difference: Sequence[float] = (),
    discordance: Sequence[float] = (),
    power: float = 0.8,
    level: float = 0.05,
    noise: float = 0.0,
    pilot: Sequence[str] = (),
    mix: dict[str, float] = ...,
    rule: typing.Literal["majority", "unanimous", "unknown"] = "majority",
    units: int | None = None,
    replicates: int = 2000,
    seed: int = 0,
) -> Size:
    """Sizes and detectable differences from pilot runs or a score matrix, or without runs from assumed discordances."""

def support(
    judged: Support,
    *,
    assessor: Sequence[str] = (),
    worth: dict[str, float] = ...,
    unjudged: typing.Literal["refuse", "none"] = "refuse",
    interval: float = 0.95,
) -> SupportScores:
    """Weighted precision and recall of support, and their harmonic mean, for every run."""

def swap(
    runs: Responses | Scores | list[typing.Any] | LabelArray,
    y_pred: list[typing.Any] | LabelArray | Mapping[str, typing.Any] | None = None,
    *,
    label: Mapping[typing.Any, str] | None = None,
    missing: typing.Literal["refuse", "wrong"] | None = None,
    unparsed: typing.Literal["refuse", "wrong", "unknown"] | None = None,
    answer_pattern: str | None = None,
    way: typing.Literal["auto", "2", "3"] = "auto",
    measure: str = "accuracy",
    trials: int = 50,
    smallest: int = 5,
    largest: int | None = None,
    step: int | None = None,
    bin_width: float = 0.01,
    ties: typing.Literal["strict", "half", "ignore", "sakai"] = "strict",
    error: float = 0.05,
    least: int = 10,
    team: str | None = None,
    replicates: int = 200,
    interval: float = 0.95,
    seed: int = 0,
) -> Swap:
    """How often a fresh test set reverses two runs, with the published procedure for comparison."""

"""The formats of every kind of file, and how the format of a file is found.

A reader is a function of a document, the options for such files, and the problems; it returns columns, or None if the
file cannot be read at all. Modules are imported when a file of their kind is read. Test sets are read and written in
`pairs.py`, runs in `runs.py`, and everything else where its table is declared.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from karat.align.columns import Columns
from karat.errors import Problems, UsageError
from karat.files import write_out, write_whole
from karat.formats.documents import Document, FilePath, read_document
from karat.formats.sniffing import Fit
from karat.registry import F, Registered, Registry

N = TypeVar("N")


class Formats(Registry):
    """The formats of one kind of file, with words for problems about such files."""

    def __init__(
        self,
        kind: str,
        noun: str,
        homes: dict[str, str],
        *,
        option: str | None = None,
        columns: str | None = None,
        header: str | None = None,
        in_order: bool = False,
        proof: bool = True,
    ) -> None:
        """`noun` says what such a file contains, and `homes` names the module of each format.

        `option` is the option for the format and `columns` the one for the columns of a table, if there are such;
        `header` is the header of a table. If `in_order`, a file is read in the first format that fits, and its reader
        reports what is wrong. Without `proof`, a file may look like these and contain something else.
        """
        homes = {name: f"karat.formats.{module}" for name, module in homes.items()}
        super().__init__(f"{kind} format", "sniff", "write", "what", homes=homes)
        self.holds = kind
        self.noun = noun
        self.in_order = in_order
        self.proof = proof
        named = f"name the format: {option} NAME" if option else "check that the right file was given"
        self.fix = named
        self.fix_unknown = f"{named}, or a table's columns: {columns}" if columns else named
        if header:
            self.fix_unknown = f"{named}; a table begins with the header {header.replace(' ', ', ')}"

    def register(self, name: str, **facts: Any) -> Callable[[F], F]:
        """A decorator that registers a reader; a format is only read unless `write` is declared."""
        return super().register(name, **{"write": None} | facts)

    def fits(self, document: Document) -> dict[Registered, Fit]:
        """The formats that a document may be of, with their certainty."""
        fits = ((entry, entry.facts["sniff"](document.head)) for entry in self)
        return {entry: fit for entry, fit in fits if fit is not Fit.NO}

    def signed(self, document: Document) -> bool:
        """Whether only one program writes such files."""
        return Fit.SIGNED in self.fits(document).values()

    def first(self, document: Document) -> Registered:
        """The first format that a document may be of; the last of a kind in order takes any document."""
        return next(iter(self.fits(document)))


FILE_FORMATS: list[Formats] = []
"""One registry per kind of file."""


def _kind(*of: Any, **more: Any) -> Formats:
    FILE_FORMATS.append(Formats(*of, **more))
    return FILE_FORMATS[-1]


NLI = dict.fromkeys(("snli", "hans", "anli", "anli-tags", "sick", "glue", "glue-diagnostic"), "nli")
LOGS = dict.fromkeys(("lm-eval", "inspect", "openai-evals", "promptfoo", "helm"), "logs")
"""The logs of evaluation harnesses, each read as a test set, as runs and as scores."""
PAIRS = {"chaosnli": "chaosnli", "fracas": "fracas", **NLI, "rte": "rte", **LOGS}
PAIRS |= {"labels": "bare_labels", "table": "pair_table"}
RUNS = dict.fromkeys(("excitement", "plain", "langpro"), "plain")
RUNS |= LOGS | {"label-studio": "logs", "batch-output": "logs", "labels": "bare_labels", "table": "run_table"}
pair_formats = _kind("pair", "a test set", PAIRS, option="--reader", columns="--column text=NAME")
run_formats = _kind("run", "a run", RUNS, option="--run-reader", columns="--run-column label=NAME")
BALLOTS = {"key": "ballots", "label-studio": "logs", "qrels": "qrels", "nuggets": "nugget_ballots", "rows": "ballots"}
ballot_formats = _kind("ballot", "ballots", {"counts": "ballot_counts", **BALLOTS}, in_order=True)
SCORES = dict.fromkeys(("qrels", "rag", "lines"), "score_lines")
score_formats = _kind("score", "scores", {**LOGS, **SCORES, "table": "score_table"}, in_order=True)
WEIGHTS = dict.fromkeys(("table", "lines"), "weights")
weight_formats = _kind("weight", "weights of pairs", WEIGHTS, in_order=True)
decomposition_formats = _kind("decomposition", "pairs and their parts", {"pairs": "decomposed"}, in_order=True)
relevance_formats = _kind("relevance", "weights of phenomena", WEIGHTS, in_order=True)
RATED = {"table": "justification_ratings"}
justification_formats = _kind("justification", "ratings of justifications", RATED, in_order=True)
judge_formats = _kind("judge", "judges", {"table": "judge_table"}, in_order=True)
QUESTIONS = {"table": "question_table", "trec-series": "question_series", "trec-topics": "topics"}
HEADER = "id series target kind type question"
question_formats = _kind("question", "questions", QUESTIONS, option="--question-reader", header=HEADER)
target_formats = _kind("target type", "types of targets", {"trec": "target_types"}, in_order=True)
ANSWERS = {"table": "answer_table", "rag": "rag_runs"}
ANSWERS |= dict.fromkeys(("trec", "trec-ranked", "list-judged", "other-judged"), "trec_answers")
answer_formats = _kind("answer", "answers to the questions", ANSWERS, header="run qid rank doc answer")
VERDICTS = {"list-answers": "list_answers", "table": "verdict_table"}
VERDICTS |= dict.fromkeys(("trec", "list-judged"), "trec_verdicts")
verdict_formats = _kind("verdict", "judged answers", VERDICTS, header="qid doc answer verdict group")
# A number and a word, which may be a pattern, prove nothing.
pattern_formats = _kind("pattern", "answer patterns", {"patterns": "patterns"}, proof=False)
accepted_formats = _kind("accepted answer", "accepted answers", {"table": "accepted"}, header="qid answer")
NUGGETS = {"table": "nugget_table", "nuggetizer": "nuggetizer", "bank": "nugget_banks", "trec": "trec_nuggets"}
nugget_formats = _kind("nugget", "nuggets", NUGGETS, header="qid nugget assessor importance text")
MATCHES = {"table": "nugget_table", "nuggetizer": "nuggetizer", "other-judged": "trec_matches"}
match_formats = _kind("match", "nuggets matched with answers", MATCHES, header="run qid nugget assessor degree")
SUPPORT = "run qid sentence doc support assessor"
support_formats = _kind("support", "judged citations", {"table": "support_table"}, header=SUPPORT)
rating_formats = _kind("rating", "ratings", {"table": "rating_table"}, in_order=True)
preference_formats = _kind("preference", "preferences", {"table": "preference_table"}, in_order=True)
metric_formats = _kind("stored score", "stored scores", {"rag": "rag_metrics"}, in_order=True)


def find_format(formats: Formats, document: Document, named: str | None, problems: Problems) -> Registered | None:
    """The named format, the only certain one, or the only possible one; otherwise a problem is reported.

    Formats in order take any file between them, so the first that fits is found.
    """
    if named is not None:
        return formats[named]
    if formats.in_order:
        return formats.first(document)
    if not document.data or document.data.isspace():
        problems.add("empty-file", "an empty file", file=document.name, what=formats.noun)
        return None
    fits = formats.fits(document)
    for wanted in (Fit.SIGNED, Fit.CERTAIN, Fit.POSSIBLE):
        candidates = [entry for entry, fit in fits.items() if fit is wanted]
        if len(candidates) > 1 or (candidates and wanted is not Fit.POSSIBLE and formats.proof):
            problems.recognise(document.name)
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            found = f"what could be {' or '.join(entry.name for entry in candidates)}"
            problems.add("format", found, file=document.name, what="a file of one format", fix=formats.fix)
            return None
    what = f"one of the {formats.kind}s {', '.join(entry.name for entry in formats)}"
    found = "a beginning that none of them has"
    problems.add("format", found, file=document.name, what=what, fix=formats.fix_unknown)
    return None


def read_columns(
    formats: Formats, document: Document, problems: Problems, named: str | None = None, reading: Any = None
) -> Columns | None:
    """The columns of a document in its format; None if the format is not found or the file cannot be read."""
    entry = find_format(formats, document, named, problems)
    return None if entry is None else entry.function(document, reading, problems)


def columns_of(
    formats: Formats, documents: Iterable[Document], problems: Problems, reading: Any = None
) -> Iterator[Columns]:
    """The columns of each document that can be read."""
    read = (read_columns(formats, document, problems, reading=reading) for document in documents)
    return (one for one in read if one is not None)


def read_one(formats: Formats, path: FilePath, make: Callable[[Columns, Problems], N | None]) -> N:
    """The object that `make` returns for the columns of one file; all errors are raised together."""
    problems = Problems()
    document = read_document(path, problems)
    columns = None if document is None else read_columns(formats, document, problems)
    return without_errors(None if columns is None else make(columns, problems), problems)


def without_errors(noun: N | None, problems: Problems) -> N:
    """The object that was read, with the warnings; all errors are raised together."""
    problems.raise_errors()
    assert noun is not None
    return replace(noun, warnings=problems.warnings)  # type: ignore[type-var]


def write_file(entry: Registered, path: FilePath, *subject: object) -> None:
    """Write the data in a format, with the type of table that the suffix names if the format has several."""
    write, suffix = entry.facts["write"], Path(path).suffix
    if write is None:
        raise UsageError(f"{entry.kind} {entry.name} is only read, not written")
    carried = {"suffix": suffix} if suffix and "suffix" in inspect.signature(write).parameters else {}
    data = bytes(write(*subject, **carried))
    if str(path) == "-":
        write_out(data)
    else:
        write_whole(path, data)

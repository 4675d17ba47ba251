"""A submitted file, checked and scored: the same checks as `karat check`, and the same scores as `karat score`."""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np

from karat.arrays import Bools
from karat.campaign.beside import read_beside
from karat.campaign.definition import MOST_BYTES as MOST_BYTES
from karat.campaign.definition import MOST_UNPACKED, Definition, Read, Task
from karat.campaign.events import Checked, Scores, Sent, drawing
from karat.campaign.judged import Judgments, read_judgments, scores_of
from karat.campaign.wrapped import report_wrapped
from karat.data.pairs import Pairs
from karat.data.provenance import Reading, Source
from karat.data.questions import TYPES, Questions, QuestionType
from karat.data.responses import Responses
from karat.errors import DataError, NotApplicable, Problem, Problems
from karat.formats.answer_table import gather_answers
from karat.formats.documents import Document, document_of
from karat.formats.pairs import parse_pairs
from karat.formats.question_table import parse_questions
from karat.formats.registry import pair_formats, question_formats, read_columns
from karat.formats.runs import gather_runs, parse_runs
from karat.labels import THREE, TWO, WAYS, fold
from karat.studies.blind.leaks import Leak, leaks_of
from karat.studies.score.study import scorers
from karat.studies.scorer import Scorer

WAY: dict[int, Literal["2", "3"]] = {2: "2", 3: "3"}
MOST_LINES = {"questions": 100, "nuggets": 100, "ratings": 100}
"""The lines of a run for each unit of its test set, 10 unless said here: a list question has many answers."""
FREE_LINES = 1000
MOST_CELLS = 200
"""The commas and tabs of a run for each unit: a packed file of a few kilobytes can have a hundred thousand columns."""
FREE_CELLS = 50_000
KEPT_MEASURES = ("accuracy", "kappa", "information", "average_precision")
"""The measures stored with a run; everything else is computed when a table is shown."""

WITHOUT_LABELS = {"ids": "ids", "order": "an order", "attribute": "attributes"}
TELLING = ("equals-key", "gold-differs")
"""Problems that tell a team how many labels it has guessed right."""


class TestSet(NamedTuple):
    """The test set of a task, read."""

    task: Task
    units: Any
    """Pairs or questions, with the whole key."""
    scored: Any
    """The same with the key of the official scores: without the units of the live board, which teams learn about."""
    live: Pairs | None
    """The same with the key of the live board; None if there is none."""
    blind: bytes
    """What teams get."""
    blind_name: str
    warnings: tuple[Problem, ...]
    judged: Judgments = Judgments()
    """Of the answers to questions, once people have judged them."""


def read_files(definition: Definition, read: Read, file: str) -> dict[str, bytes]:
    """The contents of every file that a definition names, each valid for its use; all problems at once."""
    problems, contents = Problems(), {}
    for name, use in definition.files().items():
        try:
            contents[name] = read(name)
        except (OSError, ValueError) as error:
            found = f"{use}: {name!r}: {getattr(error, 'strerror', None) or error}"
            problems.add("campaign-file", found, file=file, what="a file beside the campaign file")
            continue
        if use in ("agreement", "guidelines"):
            document = document_of(name, contents[name], problems)
            if document is not None and not (document.text(problems) or "").strip():
                problems.add("campaign-file", f"{use}: {name!r} has no text", file=file, what="a text")
        if use == "examples":
            pairs, planted = read_examples(name, contents[name], problems), definition.judging.planted
            if pairs is not None and planted >= len(pairs.ids):
                found = f"judging.planted: {planted} of {len(pairs.ids)} examples"
                what = "fewer than there are, since assessors qualify by the others"
                problems.add("campaign-value", found, file=file, what=what)
            if (
                pairs is not None
                and pairs.way is TWO
                and any(t.kind == "entailment" and t.way == 3 for t in definition.tasks)
            ):
                found, what = f"judging.examples: two labels in {name!r}", "three, since a task asks for three"
                problems.add("campaign-value", found, file=file, what=what)
    everything, tests = [*problems], list[TestSet]()
    for task in definition.tasks:
        if task.test in contents:
            try:
                tests.append(read_test(task, contents[task.test]))
                everything += [*_of_other_types(tests[-1]), *_beside(tests[-1], contents)]
            except DataError as error:
                everything += error.problems
    _check_shares(tests, file, shares := Problems())
    everything += shares
    if everything:
        raise DataError(everything)
    return contents


def _of_other_types(test: TestSet) -> Iterable[Problem]:
    """Questions outside of series with one right answer, in a task whose responses are judged by nuggets."""
    if test.task.kind != "nuggets":
        return
    problems = Problems()
    for one in test.units.questions:
        if one.type != "OTHER" and one.series is None:
            found = f"{one.type.lower()} question {one.id!r}, in a task of the kind nuggets"
            what = "the type OTHER, or no column of types"
            problems.add("campaign-file", found, file=test.task.test, what=what)
    yield from problems


def _beside(test: TestSet, contents: Mapping[str, bytes]) -> list[Problem]:
    """What is wrong with the files beside a test set."""
    problems = Problems()
    for use, name in test.task.beside().items():
        if name in contents:
            read_beside(use, name, contents[name], test.units, problems)
    return [one for one in problems if one.severity == "error"]


def read_examples(name: str, raw: bytes, problems: Problems) -> Pairs | None:
    """Pairs with known labels, by which assessors qualify."""
    document = document_of(name, raw, problems, MOST_UNPACKED)
    pairs = None if document is None else parse_pairs(document, Reading(), problems)
    if pairs is not None and (pairs.labels < 0).any():
        found, what = f"examples: {name!r}: pairs without a label", "a label for every example"
        problems.add("campaign-file", found, file=name, what=what)
    if pairs is not None and not pairs.has_texts:
        found, what = f"examples: {name!r}: pairs without texts", "a text and a hypothesis for every example"
        problems.add("campaign-file", found, file=name, what=what)
    return pairs


def _check_shares(tests: list[TestSet], file: str, problems: Problems) -> None:
    """Report different shares of tasks with common texts: what one live board shows would count in the other task."""
    for one, other in combinations([test for test in tests if isinstance(test.units, Pairs)], 2):
        share, shared = one.task.public_share, other.task.public_share
        if share != shared and not set(_texts(one.units)).isdisjoint(_texts(other.units)):
            found = f"tasks: public_share {share:g} in {one.task.name!r} and {shared:g} in {other.task.name!r}"
            problems.add("campaign-value", found, file=file, what="the same share for tasks with the same texts")


def read_test(task: Task, raw: bytes, seed: str = "", judgments: Mapping[str, bytes] = {}) -> TestSet:
    """The test set of a task from its file; a `DataError` if it has errors. The seed draws the live board's units.

    With the files of judgments, if answers have been judged.
    """
    problems = Problems()
    document = document_of(task.test, raw, problems, MOST_UNPACKED * 4)
    made = None if document is None else _READERS.get(task.kind, _pairs)(task, document, problems)
    problems.raise_errors()
    assert made is not None
    if judgments:
        made = made._replace(judged=read_judgments(made.units, judgments, {"verdicts": f"{task.name} judgments"}))
    return _split(made._replace(warnings=problems.warnings), seed)


def _split(test: TestSet, seed: str) -> TestSet:
    """The test set with the keys of the official scores and of the live board."""
    share, pairs = test.task.public_share, test.units
    if not share or not isinstance(pairs, Pairs):
        return test
    public = _drawn(pairs, share, drawing(seed))
    if public.all():
        return test._replace(live=pairs)
    shown, hidden = (_part(pairs, kept, part) for kept, part in ((public, "live"), (~public, "official")))
    return test._replace(live=shown if (shown.labels >= 0).any() else None, scored=hidden if public.any() else pairs)


def _drawn(pairs: Pairs, share: float, seed: str) -> Bools:
    """About this share of the pairs, drawn by their texts: to know one pair would help with another of the same text.

    A text is drawn or not whatever else is in the file, so that two tasks with the same share draw the same.
    """
    drawn = {
        text: int.from_bytes(hmac.new(seed.encode(), text.encode(), hashlib.sha256).digest()) < share * 2**256
        for text in set(_texts(pairs))
    }
    return np.array([drawn[text] for text in _texts(pairs)], dtype=bool)


def _texts(pairs: Pairs) -> tuple[str, ...]:
    return pairs.texts if pairs.has_texts else pairs.ids


def _part(pairs: Pairs, kept: Bools, part: str) -> Pairs:
    """The pairs with the labels of one part, as if read from a file with only these."""
    made = replace(pairs, labels=np.where(kept, pairs.labels, -1).astype(np.int8))
    if not pairs.has_texts:
        return made
    return replace(made, source=Source.of_bytes(f"key-{part}.xml", as_xml(made)))


def as_xml(pairs: Pairs) -> bytes:
    """Pairs as a file, with as much of a key as they have."""
    return bytes(pair_formats["rte"].facts["write"](pairs))


def _pairs(task: Task, document: Document, problems: Problems) -> TestSet | None:
    pairs = parse_pairs(document, Reading(way=WAY[task.way]), problems)
    if pairs is None:
        return None
    if pairs.way is TWO and task.way == 3:
        problems.add("two-way-key", "a key with two labels", file=document.name)
    if pairs.blind:
        problems.add("no-key", "no pair with a label", file=document.name)
    else:
        _warn_of_leaks(pairs, task.attributes, problems)
    return TestSet(task, pairs, pairs, None, as_xml(pairs.blinded(task.attributes)), f"{task.name}.xml", ())


def _warn_of_leaks(pairs: Pairs, attributes: Sequence[str], problems: Problems) -> None:
    """Warn of ids, an order or attributes associated with the labels, as `karat blind` finds them."""
    known = [name for name in attributes if name in pairs.attributes]
    fixes: dict[str, str] = {
        "ids": "renumber the pairs before you publish them",
        "order": "shuffle the pairs before you publish them",
        "attribute": "leave it out of `attributes`",
    }
    worst: dict[str, Leak] = {}
    for leak in leaks_of(pairs, known, lengths=False, neighbours=False):
        place = leak.what if leak.where == "attribute" else leak.where
        if leak.leaks and (place not in worst or leak.guessed > worst[place].guessed):
            worst[place] = leak
    for leak in worst.values():
        found = f"{leak.what}, from which {leak.guessed:.0%} of the labels can be guessed instead of {leak.common:.0%}"
        what = f"{WITHOUT_LABELS[leak.where]} not associated with the labels"
        problems.add("gives-key-away", found, file=pairs.source.name, what=what, fix=fixes[leak.where])


def _questions(task: Task, document: Document, problems: Problems) -> TestSet | None:
    questions = _unwritten(task, document, problems)
    untyped: QuestionType = "FACTOID" if task.kind == "questions" else "OTHER"
    if questions is None and (questions := parse_questions(document, None, problems, untyped)) is None:
        return None
    # Written anew, so that columns and comments that are no part of a question stay behind.
    written = bytes(question_formats["table"].facts["write"](questions))
    return TestSet(task, questions, questions, None, written, f"{task.name}.tsv", ())


def _unwritten(task: Task, document: Document, problems: Problems) -> Questions | None:
    """No questions, if the file is a table with a heading alone: assessors will write them. Otherwise None."""
    from karat.campaign.judging.kinds import kinds_of  # here: these read test sets

    if "development" not in kinds_of(task) or len(document.data.strip().splitlines()) != 1:
        return None
    tried = Problems()
    columns = read_columns(question_formats, document, tried)
    if columns is None or len(columns) or any(one.severity == "error" for one in tried):
        return None
    problems.add("no-questions", "a table with a heading alone", file=document.name)
    return Questions((), (), columns.source)


_READERS = {"questions": _questions, "nuggets": _questions, "ratings": _questions}


def check_run(
    test: TestSet, name: str, raw: bytes, *, ranked: bool = False, justifications: bool = False, id: str = ""
) -> Checked:
    """Check a run whole and score it; everything wrong is in the result.

    Judgments know a run by its id, which a new one does not have.
    """
    problems = Problems()
    if len(raw) > MOST_BYTES:
        problems.add("too-large", f"{len(raw):,} bytes", file=name, limit=f"{MOST_BYTES >> 20} MiB")
        return Checked(problems=tuple(problems))
    document = document_of(name, raw, problems, MOST_UNPACKED)
    if document is not None and (document.head.is_parquet or document.head.is_zip):
        # A few kilobytes of it can mean billions of rows, and a server need not be able to read it.
        problems.recognise(name)
        problems.add("not-text", f"a {'Parquet' if document.head.is_parquet else 'zip'} file", file=name)
        document = None
    if document is None or _far_too_long(test, document, problems):
        return Checked(problems=tuple(problems))
    if isinstance(test.units, Pairs):
        return _check_labels(test, document, ranked, justifications, problems)
    if isinstance(test.units, Questions):
        parts = gather_answers([document], test.units, 1, problems)
        if (count := sum(len(part.runs) for part in parts)) > 1:
            problems.add("several-runs", f"{count} runs", file=name)
        factoids = test.units.types == TYPES.index("FACTOID")
        if any((part.counts[:, factoids] == 0).any() for part in parts):  # a file of one type of question
            problems.add("no-answer", "nothing to the factoid questions", file=name)
        failed = not parts or any(problem.severity == "error" for problem in problems)
        one = None if failed else replace(parts[0], runs=(id,))
        scores = {} if one is None else scores_of(test.task.kind, test.units, one, test.judged)
        return Checked(problems=tuple(problems), scores=scores)
    return Checked(problems=tuple(problems))


def rescored(test: TestSet, id: str, sent: Sent, raw: bytes) -> Scores:
    """The scores of an accepted run, computed again."""
    return check_run(test, sent.file, raw, ranked=sent.ranked, justifications=sent.justifications, id=id).scores


def _far_too_long(test: TestSet, document: Document, problems: Problems) -> bool:
    """Whether a file is no run of this test set by its length alone, which is found before it is read."""
    most = MOST_LINES.get(test.task.kind, 10) * len(test.units) + FREE_LINES
    lines = max(document.data.count(b"\n"), document.data.count(b"\r"))
    cells, most_cells = (
        document.data.count(b",") + document.data.count(b"\t"),
        MOST_CELLS * len(test.units) + FREE_CELLS,
    )
    of_units = f"for {len(test.units):,} units"
    if lines > most:
        problems.recognise(document.name)
        problems.add("too-many-lines", f"{lines:,} lines", file=document.name, limit=f"{most:,} {of_units}")
    elif cells > most_cells:
        limit = f"{most_cells:,} commas and tabs {of_units}"
        problems.recognise(document.name)
        problems.add("too-large", f"{cells:,} commas and tabs", file=document.name, limit=limit)
    return lines > most or cells > most_cells


def _check_labels(test: TestSet, document: Document, ranked: bool, justifications: bool, problems: Problems) -> Checked:
    task, key = test.task, test.units
    responses = gather_runs([document], _all_asked(key), Reading(way=WAY[task.way]), problems)
    if len(responses) > 1:
        problems.add("several-runs", f"the runs {', '.join(responses.names)}", file=document.name)
    if len(responses) != 1:
        return Checked(problems=tuple(problems))
    [run] = responses.runs
    if task.way == 3 and run.info.way is TWO:
        what = "ENTAILMENT, UNKNOWN or CONTRADICTION, since the task is three-way"
        problems.add("other-way", "ENTAILMENT and NO ENTAILMENT", file=document.name, what=what)
    if ranked and run.info.ranked_by is None:
        problems.add("not-ranked", "a run said to be ranked, without a ranking", file=document.name)
    given = run.justifications is not None and any(run.justifications)
    if (justifications or task.justifications == "required") and not (given and all(run.justifications or ())):
        problems.add("no-justifications", "pairs without a justification", file=document.name)
    elif given and task.justifications == "none":
        problems.add("stray-justifications", "justifications", file=document.name)
    report_wrapped(document, problems)
    found = tuple(problem for problem in problems if problem.code not in TELLING)
    failed = any(problem.severity == "error" for problem in found)
    return Checked(
        problems=found,
        scores={} if failed or key.blind else _scores(replace(responses, key=test.scored)),
        answers=hashlib.sha256(fold(run.codes, TWO).tobytes()).hexdigest(),
    )


def _all_asked(key: Pairs) -> Pairs:
    """The key as problems may see it: nothing that is said of a run depends on which pairs have a label."""
    return key if key.blind else replace(key, labels=np.zeros_like(key.labels))


def _scores(responses: Responses) -> dict[str, dict[str, float | None]]:
    """The stored measures by way, as `karat score` gives them; null where a measure is undefined.

    Without the intervals, which take longer than all the rest, and are computed when a table is shown.
    """
    return {
        way.name: {
            str(one.measure): _value(one) for one in scorers(responses, way, KEPT_MEASURES, (), None, "expected")
        }
        for way in WAYS.values()
        if (way is TWO or responses.key.way is THREE) and responses.allows(way)[0]
    }


def _value(scorer: Scorer) -> float | None:
    try:
        return _plain(float(scorer.values()[0]))
    except NotApplicable:
        return None


def _plain(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def together(test: TestSet, files: Mapping[str, tuple[str, bytes]], manual: Collection[str] = ()) -> Responses:
    """Accepted runs of one task, by the key of the official scores: by the name of each run, its file and content."""
    problems, runs = Problems(), []
    reading, asked = Reading(way=WAY[test.task.way]), _all_asked(test.units)
    for name, (file, raw) in files.items():
        document = document_of(file, raw, problems, MOST_UNPACKED)
        parsed = [] if document is None else parse_runs(document, asked, reading, problems)
        problems.raise_errors()
        [run] = parsed
        runs.append(replace(run, info=replace(run.info, name=name, manual=name in manual)))
    return Responses.of(test.scored, runs, reading)

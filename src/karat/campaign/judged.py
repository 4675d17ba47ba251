"""Answers to questions that people have judged: what they said is to a run of answers what a key is to labels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from karat.align.ratings import make_ratings
from karat.arrays import Floats
from karat.campaign.definition import MOST_UNPACKED, Kind
from karat.campaign.events import Scores
from karat.campaign.state import Campaign
from karat.data.answers import Answers, merge_answers
from karat.data.criteria import QUALITY
from karat.data.nuggets import Matches
from karat.data.questions import Questions
from karat.data.ratings import Ratings
from karat.data.scores import Scores as ScoreMatrix
from karat.data.verdicts import Verdicts
from karat.errors import DataError, Problems, UsageError
from karat.formats.answer_table import gather_answers
from karat.formats.documents import Document, document_of
from karat.formats.nugget_table import gather_matches, parse_nuggets
from karat.formats.registry import rating_formats, read_columns
from karat.formats.rows import read_rows
from karat.formats.verdict_table import gather_verdicts
from karat.formats.writing import write_rows
from karat.studies.nuggets.study import NuggetParameters, nuggets, weighted_rating
from karat.studies.qa.study import qa
from karat.studies.unit_means import mean_of_defined, plain_mean

COLUMNS = {
    "nuggets": ("qid", "nugget", "assessor", "importance", "text", "weight"),
    "matches": ("run", "qid", "nugget", "assessor", "degree"),
    "quality": ("run", "qid", "assessor", *(one.name for one in QUALITY)),
    "citations": ("run", "qid", "sentence", "doc", "support", "assessor"),
    "preferences": ("qid", "run_a", "run_b", "assessor", "preference", "shown"),
}
"""What is kept of judgments that name runs or assessors."""
ABOUT = ("run", "run_a", "run_b")
"""The columns by which a row is about runs, …"""
NAMING = (*ABOUT, "preference", "shown")
"""… and all that can have their names, "shown" two of them."""


class Judgments(NamedTuple):
    """What people said about the answers of all runs, as far as they have; runs are named by their ids."""

    verdicts: Verdicts | None = None
    matches: Matches | None = None
    """The nuggets in each response, with the lists of nuggets."""
    quality: Ratings | None = None
    """Content and organisation."""

    def of_runs(self, names: Mapping[str, str]) -> Judgments:
        """What is about some runs, by their ids, each under another name."""
        matches, quality = self.matches, self.quality
        if matches is not None:
            rows = [row for row, run in enumerate(matches.runs) if run in names]
            matches = replace(
                matches,
                runs=tuple(names[matches.runs[row]] for row in rows),
                degree=matches.degree[rows],
                importance=matches.importance[rows],
                answered=matches.answered[rows],
                contradicted=None if matches.contradicted is None else matches.contradicted[rows],
                junk=tuple(replace(one, run=names[one.run]) for one in matches.junk if one.run in names),
            )
        if quality is not None:
            at = {run: place for place, run in enumerate(quality.runs) if run in names}
            kept = np.isin(quality.run, list(at.values()))
            new = {place: row for row, place in enumerate(at.values())}
            quality = replace(
                quality,
                runs=tuple(names[run] for run in at),
                run=np.array([new[place] for place in quality.run[kept].tolist()], dtype=np.int32),
                unit=quality.unit[kept],
                assessor=quality.assessor[kept],
                values=quality.values[kept],
                skipped=quality.skipped[kept],
                places=tuple(place for place, held in zip(quality.places, kept.tolist(), strict=True) if held),
            )
        return self._replace(matches=matches, quality=quality)


def read_judgments(questions: Questions, files: Mapping[str, bytes], titles: Mapping[str, str] = {}) -> Judgments:
    """Judgments from their files; a `DataError` if they have errors, which calls the files by these titles."""
    problems, found = Problems(), dict[str, Document]()
    for name, raw in files.items():
        if (document := document_of(titles.get(name, name), raw, problems, MOST_UNPACKED)) is not None:
            found[name] = document
    verdicts = gather_verdicts([found["verdicts"]], questions, problems) if "verdicts" in found else None
    if verdicts is not None and (verdicts.repeated or verdicts.uncounted):
        # Marks hold for runs by the names in the file, and runs of a campaign have ids.
        raise UsageError("judged lists of single runs: give a table of judgments with groups of equal answers")
    listed = parse_nuggets(found["nuggets"], problems) if "nuggets" in found else None
    held = None
    if listed is not None and "matches" in found:
        held = gather_matches([found["matches"]], listed, problems)
    quality = None
    if "quality" in found and (columns := read_columns(rating_formats, found["quality"], problems)) is not None:
        rated = make_ratings(columns, problems)
        quality = None if rated is None else replace(rated, scales=QUALITY, sources=(found["quality"].source,))
    problems.raise_errors()
    return Judgments(verdicts, held, quality)


def plainly(name: str, raw: bytes, runs: Mapping[str, str], assessors: Mapping[str, str] | None = None) -> bytes:
    """Judgments with other names of runs and assessors, without those of other runs, and without remarks."""
    if name not in COLUMNS:
        return raw
    problems = Problems()
    document = document_of(f"{name}.tsv", raw, problems, MOST_UNPACKED)
    rows = None if document is None else read_rows(document, problems)
    problems.raise_errors()
    assert rows is not None
    about = [rows[column] for column in ABOUT if column in rows.values]
    kept = [place for place in range(len(rows)) if all(of[place] in runs for of in about)]
    renamed = dict.fromkeys(NAMING, runs) | {"assessor": {} if assessors is None else assessors}

    def said(column: str, place: int) -> str:
        known = renamed.get(column, {})
        words = rows[column][place].split(" ") if column == "shown" else [rows[column][place]]
        return " ".join(known.get(word, word) for word in words)

    columns = [column for column in COLUMNS[name] if column in rows.values]
    made = [{column: said(column, place) for column in columns} for place in kept]
    # In the order of the new names: that of the old ones would tell which run is whose.
    for row in made if "run_a" in columns else ():
        row["run_a"], row["run_b"] = sorted((row["run_a"], row["run_b"]))
    made.sort(key=lambda row: [row[column] for column in ABOUT if column in columns])
    return write_rows({column: [row[column] for row in made] for column in columns}, ".tsv")


def unnamed(state: Campaign) -> dict[str, str]:
    """What assessors are called where people are not named: by the order in which they joined, the same everywhere."""
    people = (who for who, one in state.members.items() if one.role == "assessor")
    return {who: f"assessor-{number}" for number, who in enumerate(people, 1)}


def answers_of(questions: Questions, files: Mapping[str, tuple[str, bytes]]) -> Answers:
    """The answers of accepted runs together: by the name of each run, the name of its file and its content."""
    problems, parts = Problems(), []
    for name, (file, raw) in files.items():
        document = document_of(file, raw, problems, MOST_UNPACKED)
        found = gather_answers([] if document is None else [document], questions, 1, problems)
        parts += [replace(part, runs=(name,)) for part in found]
    problems.raise_errors()
    return merge_answers(parts)


def grades(answers: Answers, quality: Ratings, criterion: str | None = None) -> ScoreMatrix:
    """The grade of each answer, the mean over assessors, on the questions on which every run has one.

    Content counts three times as much as organisation, as in `karat nuggets`, unless one of them is asked for. A run
    that says nothing where others were graded has 0 there.
    """
    cube = quality.cube(
        quality.criterion(criterion) if criterion else weighted_rating(quality, NuggetParameters().content)
    )
    values = np.zeros((len(answers.runs), len(quality.units)))
    for row, run in enumerate(answers.runs):
        said = answers.counts[row, [answers.units.index(unit) for unit in quality.units]] > 0
        given: Floats = np.full(len(quality.units), np.nan)
        if run in quality.runs:
            given = mean_of_defined(cube[:, :, quality.runs.index(run)])
        values[row] = np.where(said, given, 0.0)
    matrix = ScoreMatrix(answers.runs, quality.units, values, measure=criterion or "content_and_organisation")
    return matrix.of_units(np.asarray(~np.isnan(values).any(axis=0)))


def scores_of(kind: Kind, questions: Questions, answers: Answers, judged: Judgments) -> Scores:
    """The stored measures of one run; empty while any of its answers is not judged."""
    try:
        values = _SCORERS[kind](questions, answers, judged.of_runs({answers.runs[0]: answers.runs[0]}))
    except DataError:
        return {}
    return {kind: {name: float(one) if math.isfinite(one) else None for name, one in values.items()}} if values else {}


def _of_series(questions: Questions, answers: Answers, judged: Judgments) -> dict[str, float]:
    if judged.verdicts is None and judged.matches is None:
        return {}
    (run,) = qa(questions, answers, verdicts=judged.verdicts, matches=judged.matches).runs
    values = {
        "factoid_accuracy": run.factoid.accuracy,
        "list_f": run.list.score.value,
        "series": run.by_series.value,
    }
    return values if judged.matches is None else values | {"nugget_f": run.other.score.value}


def _of_nuggets(questions: Questions, answers: Answers, judged: Judgments) -> dict[str, float]:
    del questions
    if judged.matches is None or not judged.matches.runs:
        return {}
    (run,) = nuggets(judged.matches.with_texts(answers)).runs
    return {"nugget_f": run.f, "vital": run.vital, "weighted": run.weighted, "all": run.all}


def _of_grades(questions: Questions, answers: Answers, judged: Judgments) -> dict[str, float]:
    del questions
    if judged.quality is None or not judged.quality.runs:
        return {}
    names = (None, *(one.name for one in QUALITY))
    matrices = [grades(answers, judged.quality, name) for name in names]
    return {one.measure: float(plain_mean(one.values)[0]) for one in matrices}


_SCORERS = {"questions": _of_series, "nuggets": _of_nuggets, "ratings": _of_grades}

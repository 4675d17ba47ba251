"""Scores from files of any format, one or several: joined by their units, by one judge or by each of several."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec

from karat.align.columns import Columns
from karat.align.scores import align_judges, align_scores, measure_of
from karat.data.judgments import Judgments
from karat.data.parameters import checked, takes
from karat.data.parts import ScoreParts
from karat.data.provenance import ScoreReading
from karat.data.scores import Scores
from karat.errors import Problems
from karat.formats.documents import FilePath, FilePaths, listed, read_documents
from karat.formats.registry import columns_of, score_formats, without_errors, write_file
from karat.formats.score_parts import read_score_parts
from karat.places import check_place


@takes(ScoreReading)
def read_scores(paths: FilePaths, reading: ScoreReading, measure: str = "") -> Scores:
    """Scores from files or folders: matrices, long tables, or logs of evaluation harnesses.

    A matrix has one row per run, named in the first column, and one column per unit; empty cells are not scored, and
    neither are the units that only other files have. The measure is what the mean over units is called: by default
    the score's name in the file, else accuracy if every score is 0 or 1, as of answers that are right or wrong, else
    mean score. A large Parquet file with one row per unit is read in parts and held in less memory than others are.
    """
    found = _read(paths, reading, measure)
    if isinstance(found, Scores):
        return found
    scores = found.whole("a study of scores")
    return replace(scores, measure=measure or measure_of(scores), warnings=(*found.warnings, *scores.warnings))


@takes(ScoreReading)
def read_scores_in_parts(paths: FilePaths, reading: ScoreReading, on: str = "here") -> Scores | ScoreParts:
    """Scores for studies that add up: those of a large Parquet file with one row per unit come in parts."""
    check_place(on)
    found = _read(paths, reading, "")
    return replace(found, on=on) if isinstance(found, ScoreParts) else found


def _read(paths: FilePaths, reading: ScoreReading, measure: str) -> Scores | ScoreParts:
    large = read_score_parts(paths, **msgspec.structs.asdict(reading))
    if large is not None:
        return large
    problems = Problems()
    return without_errors(align_scores(_columns(paths, reading, problems), reading, measure, problems), problems)


def _columns(paths: FilePaths, reading: ScoreReading, problems: Problems) -> Iterator[Columns]:
    return columns_of(score_formats, read_documents(paths, problems, scored=True), problems, reading)


@takes(ScoreReading)
def read_judgments(paths: FilePaths, reading: ScoreReading) -> Judgments:
    """Scores of the same runs by several judges: a file or folder per judge, or one table with a column `judge`.

    A file or folder that does not name its judge is called by its own name. The first judge is the reference.
    """
    problems = Problems()
    files = ((Path(path).stem, _columns([path], reading, problems)) for path in listed(paths))
    found = align_judges(files, reading, problems)
    problems.raise_errors()
    return without_errors(Judgments.of(found), problems)


@checked
def write_scores(scores: Scores, path: FilePath) -> None:
    """Write scores: one row per run and unit, with the name of the score, and the cluster of the unit if it has one."""
    write_file(score_formats["table"], path, scores)

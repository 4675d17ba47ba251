"""Preferences as rows: CSV, TSV, JSON lines or Parquet, one comparison of two runs each.

Two columns name the runs on the left and on the right, and one has the verdict: left, right, tie or both bad, A, B or
C, model_a or model_b, or the name of the better run. The unit (a question) and the assessor are optional. Files of
chatbot arenas, and those that the campaign server writes, are read as they are.
"""

from __future__ import annotations

from karat.align.columns import Columns, cell_text, find_column, lacking
from karat.align.preferences import align_preferences
from karat.data.parameters import takes
from karat.data.preferences import Preferences
from karat.data.provenance import PREFERENCE_ROLES, PreferenceReading
from karat.errors import Problems
from karat.formats.documents import Document, FilePaths, read_documents
from karat.formats.registry import preference_formats, read_columns, without_errors
from karat.formats.rows import read_rows
from karat.formats.sniffing import anything
from karat.formats.wrapped import unwrapped

OPTION = "--preference-column"
NEEDED = ("left", "right", "verdict")
NAMES = {
    "left": ("left", "model_a", "run_a", "system_a", "left_run", "left_system", "left_model"),
    "right": ("right", "model_b", "run_b", "system_b", "right_run", "right_system", "right_model"),
    "verdict": ("winner", "preference", "verdict", "preferred", "vote", "judgment", "judgement"),
    "unit": ("unit", "qid", "question_id", "question", "topic", "topic_id", "prompt_id", "prompt", "id"),
    "assessor": ("assessor", "judge", "annotator", "rater", "judge_id", "worker", "user"),
    "shown": ("shown",),
}
"""The usual names of the columns."""


@takes(PreferenceReading)
def read_preferences(paths: FilePaths, reading: PreferenceReading) -> Preferences:
    """Preferences from one file, or from several, or a folder of them.

    Of several files, one without a column of assessors is that of one assessor, who is called like the file.
    """
    problems = Problems()
    read = [read_columns(preference_formats, one, problems, reading=reading) for one in read_documents(paths, problems)]
    parts = [one for one in read if one is not None]
    made = align_preferences(parts, reading, problems) if parts and len(parts) == len(read) else None
    return without_errors(made, problems)


@preference_formats.register(
    "table", sniff=anything, what="one row per comparison: the run on the left, the one on the right, the verdict"
)
def read(document: Document, reading: PreferenceReading, problems: Problems) -> Columns | None:
    """Find the columns; texts are stripped."""
    rows = read_rows(document, problems)
    if rows is None or problems.failed(document.name):
        return None
    rows = unwrapped(rows)
    values: dict[str, list[str]] = {}
    for role in PREFERENCE_ROLES:
        names, given = NAMES[role], reading.preference_column
        option = OPTION if role in given else None
        name = find_column(rows, role, names, problems, option, given)
        if role in NEEDED and len(found := [one for one in names if one in rows.values]) > 1 and role not in given:
            has, what = f"columns {' and '.join(found)}", f"one column that is the {role} one"
            problems.add("no-column", has, file=rows.file, line=1, what=what, role=f"{role}=", option=OPTION)
        if name is not None:
            values[role] = _texts(rows.values[name])
        elif role in NEEDED and role not in given:
            has, what = lacking(rows, names)
            problems.add("no-column", has, file=rows.file, line=1, what=what, role=f"{role}=", option=OPTION)
    if problems.failed(document.name):
        return None
    return Columns(rows.source, values, rows.lines)


def _texts(cells: list[object]) -> list[str]:
    """Cells as texts; a million cells have few different values, each of which is made a text once."""
    try:
        texts = {cell: cell_text(cell) for cell in dict.fromkeys(cells) if type(cell) is str}
        return [texts[cell] if type(cell) is str else cell_text(cell) for cell in cells]
    except TypeError:  # a list or an object, which has no hash
        return [cell_text(cell) for cell in cells]

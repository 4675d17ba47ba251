"""A table of judges: one row per judge, with attributes and a closing comment."""

from __future__ import annotations

from karat.align.ratings import make_judges
from karat.data.parameters import checked
from karat.data.ratings import Judges
from karat.formats.documents import FilePath
from karat.formats.rating_table import RATING_COLUMNS
from karat.formats.registry import judge_formats, read_one
from karat.formats.rows import declare_table
from karat.formats.sniffing import anything


@checked
def read_judges(path: FilePath) -> Judges:
    """Judges by name; an empty cell is a missing value."""
    return read_one(judge_formats, path, make_judges)


declare_table(
    judge_formats,
    {"assessor": RATING_COLUMNS["assessor"]},
    what="one row per judge, with attributes and a summary",
    sniff=anything,
    rest=True,
)

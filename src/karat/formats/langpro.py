"""LangPro runs: banner lines (`=== …`, `%%% …`) before `id TAB label`."""

from __future__ import annotations

from karat.align.columns import Columns
from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.formats.plain import rows_of_lines
from karat.formats.registry import Fit, run_formats

BANNERS = ("===", "%%%")


def sniff(head: Head) -> Fit:
    """Certain of a banner."""
    return Fit.CERTAIN if head.first_line.startswith(BANNERS) else Fit.NO


@run_formats.register("langpro", sniff=sniff, write=None, what="plain lines after banner lines")
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read plain lines wherever no banner stands."""
    lines = document.lines(problems)
    if lines is None:
        return None
    numbers = [number for number, line in enumerate(lines) if not line.startswith(BANNERS)]
    return rows_of_lines(document, lines, numbers, {}, problems)

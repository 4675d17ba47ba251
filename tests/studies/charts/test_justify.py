"""Ratings drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from karat.data.charts import Bars, Lines
from karat.formats.justification_ratings import read_justifications
from karat.studies.justify.study import justify
from tests.studies.charts.reading import of, values

Write = Callable[[str, str], Path]

RATINGS = "run\tunit\tjudge\tunderstandable\tcompelling\n"


def rated(write: Write, rows: Sequence[tuple[str, str, str, str, str]]) -> dict[str, Any]:
    """The charts of some ratings."""
    text = RATINGS + "".join("\t".join(row) + "\n" for row in rows)
    return of(justify(read_justifications(write("ratings.tsv", text)), replicates=100))


def test_ratings_and_ranks_by_hand(write: Write) -> None:
    """Shares of the numbers given, 0 where a criterion was not asked; mean ranks with 1 on top."""
    rows = [("a", "1", "ann", "5", "4"), ("b", "1", "ann", "2", ""), ("a", "2", "ann", "3", "1")]
    rows += [("b", "2", "ann", "3", "5"), ("a", "1", "ben", "1", ""), ("b", "1", "ben", "4", "4")]
    rows += [("a", "2", "ben", "4", "2"), ("b", "2", "ben", "4", "2")]
    drawn = rated(write, rows)
    shares = drawn["ratings-compelling"]
    assert isinstance(shares, Bars)
    assert shares.labels == tuple("012345")
    # The mean of b is higher, so its panel comes first, as in the table.
    assert shares.series == (("b", [0.25, 0, 0.25, 0, 0.25, 0.25]), ("a", [0.25, 0.25, 0.25, 0, 0.25, 0]))
    assert shares.axes == ("compelling (0: not asked)", "share")
    assert drawn["ratings-understandable"].labels == tuple("12345")
    ranks = drawn["mean-ranks-understandable"]
    assert isinstance(ranks, Lines)
    # ann: pair 1 a before b, pair 2 tied at 1.5; ben: pair 1 b before a, pair 2 tied.
    assert [(one.name, one.y, one.look) for one in ranks.lines] == [
        ("a", [1.25, 1.75], "both"),
        ("b", [1.75, 1.25], "both"),
    ]
    assert (ranks.low, ranks.high, ranks.labels) == (2, 1, ("ann", "ben"))
    assert (ranks.note, shares.note) == ("", "")


def test_one_judge_has_no_lines(write: Write) -> None:
    """Ratings of one judge are drawn as histograms, and ranks from judge to judge are not."""
    drawn = rated(write, [("a", "1", "ann", "5", "4"), ("b", "1", "ann", "2", "")])
    assert list(drawn) == ["ratings-understandable", "ratings-compelling"]


def test_a_run_without_ratings_has_no_bars(write: Write) -> None:
    """Where every pair of a run was skipped its shares are undefined, not 0."""
    rows = [("a", "1", "ann", "5", "4"), ("b", "1", "ann", "4", "4"), ("none", "2", "ann", "skip", "")]
    rows += [("a", "1", "ben", "5", "3"), ("b", "1", "ben", "4", "4"), ("none", "2", "ben", "skip", "")]
    drawn = rated(write, rows)
    shares = values(drawn["ratings-compelling"])
    assert all(math.isnan(share) for share in shares["none"])
    assert sum(shares["a"]) == 1
    assert list(shares) == ["b", "a", "none"]

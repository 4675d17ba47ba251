"""What the page of one result folds: the table that its leaderboard shows already, and findings after the sixth."""

from __future__ import annotations

import re

import pytest
from tools.examples import result_of

from karat.render.escaped import prose
from karat.render.html import FINDINGS_ALONE

FOLD = re.compile(r'<details class="([^"]*)"><summary>(.*?)</summary>(.*?)</details>', re.S)


DECOMPOSED = "decomposed.xml decomposed-runs"


def page(study: str, arguments: str | None = None) -> tuple[str, dict[str, tuple[str, str]]]:
    """What is open, and by its summary the kind of each fold and what is in it."""
    whole = result_of(study, arguments).render("html").split("<main", 1)[1]
    return FOLD.sub("", whole), {summary: (kind, inside) for kind, summary, inside in FOLD.findall(whole)}


@pytest.mark.parametrize("study", ["compare", "prefer"])
def test_a_table_that_the_leaderboard_shows(study: str) -> None:
    """It is folded, with the others open: there is no second list of the same runs before the figures."""
    first, *others = (sheet.title for sheet in result_of(study).sheets())
    shown, folds = page(study)
    kind, inside = folds[f"As a table: {first}"]
    assert kind == "more"
    assert f"<caption>{first}</caption>" in inside
    assert f"<caption>{first}</caption>" not in shown
    assert all(f"<caption>{title}</caption>" in shown for title in others)
    assert 'class="board' in shown


def test_a_table_without_a_leaderboard_is_open() -> None:
    """Nothing else on the page shows what it does."""
    result = result_of("size")
    assert result.board() is None
    shown, folds = page("size")
    assert f"<caption>{result.sheets()[0].title}</caption>" in shown
    assert not [summary for summary in folds if summary.startswith("As a table")]


def test_findings_after_the_sixth() -> None:
    """They are folded, in their order, and on paper they are not lost."""
    said = [f">{prose(one)}</li>" for one in result_of("diagnose", DECOMPOSED).findings()]
    assert len(said) > FINDINGS_ALONE + 2
    shown, folds = page("diagnose", DECOMPOSED)
    kind, inside = folds[f"{len(said) - FINDINGS_ALONE} more findings"]
    assert kind == "more told"
    assert [one in shown for one in said] == [place < FINDINGS_ALONE for place in range(len(said))]
    places = [inside.index(one) for one in said[FINDINGS_ALONE:]]
    assert places == sorted(places)


def test_a_few_findings_are_all_open() -> None:
    """Two more than six are not worth a click."""
    said = result_of("compare").findings()
    assert 0 < len(said) <= FINDINGS_ALONE + 2
    shown, folds = page("compare")
    assert all(f">{prose(one)}</li>" in shown for one in said)
    assert not [summary for summary in folds if "more finding" in summary]

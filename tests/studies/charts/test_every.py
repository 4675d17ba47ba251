"""Every figure: captions that can be read, and names that are only names."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
from tools.gallery import by_study

import karat
from karat.data.ballots import Scale
from karat.data.charts import Dots
from karat.examples import BALLOTS, JUDGED
from karat.formats.ballots import read_ballots
from karat.studies.agree.study import agree
from karat.studies.base import StudyResult
from karat.studies.compare.study import compare
from karat.studies.judge.study import judge
from karat.studies.keys.study import keys
from karat.studies.sensitivity.study import sensitivity
from tests.studies.charts.reading import HOSTILE, many_assessors, matrix


def test_captions() -> None:
    """The first line of every caption is one sentence that a narrow page holds, and a blank line follows it.

    Nor do they speak of options, which only a terminal has, or of colours that are others by night.
    """
    for entry in [entry for entries in by_study().values() for entry in entries]:
        assert not re.search(r"--\w|\b(dark|pale|black|white)\b", entry.function.__doc__ or ""), entry.name
        lines = (entry.function.__doc__ or "").splitlines()
        assert len(lines[0]) <= 110, entry.name
        assert lines[0].endswith((".", ":")), entry.name
        assert not "".join(lines[1:2]).strip(), entry.name


@pytest.mark.parametrize("form", ["text", "html", "json"])
def test_hostile_names(form: str, key: karat.Pairs, runs: karat.Responses) -> None:
    """Names that are markup, control characters, very long, not Latin or words of the figures' own are only names."""
    scores = matrix(9, 60, names=HOSTILE)
    named = karat.Responses.of(
        key,
        [
            replace(run, info=replace(run.info, name=name))
            for name, run in zip([*HOSTILE, "h", "i", "j"], runs.runs, strict=True)
        ],
    )
    said = read_ballots(BALLOTS, key)
    crowd = many_assessors(len(HOSTILE))
    results: list[StudyResult] = [
        compare(scores),
        compare(scores, versus=HOSTILE[0]),
        keys(named, said, draws=20, replicates=10),
        sensitivity(named),
        agree(replace(crowd, assessors=HOSTILE)),
        agree(replace(crowd, scale=Scale((HOSTILE[0], HOSTILE[2], HOSTILE[3])))),
        judge(read_ballots(JUDGED, key), automatic=["auto"], runs=named),
    ]
    for result in results:
        made = result.render(form)
        if form == "html":
            drawn = re.findall("<svg.*?</svg>", made, re.DOTALL)
            assert len([one for one in drawn if " narrow" not in one[:900]]) == len(result.charts())
            for element in drawn:
                ElementTree.fromstring(element)  # which has neither bare markup nor characters that XML forbids
        assert len({chart.name for chart in result.charts()}) == len(result.charts())


def test_names_of_figures_do_not_hide_series() -> None:
    """A run called `low` or `official` is a label, never one of the series that a figure is made of."""
    (chart,) = compare(matrix(9, 60, names=HOSTILE)).charts()
    assert isinstance(chart, Dots)
    assert all(len(numbers) == len(chart.labels) == 9 for _, numbers in chart.series)

"""Agree: agreement of assessors by every coefficient, with intervals (`karat agree`)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from karat.data.ballots import Ballots, Level, Scale
from karat.data.coincidences import MOST_TABLED
from karat.data.parameters import IntervalOption, SeedOption
from karat.errors import UsageError
from karat.labels import THREE, TWO
from karat.studies.agree.coefficients import Agreeing, all_coefficients, label_agreement, label_confusions, more_ballots
from karat.studies.agree.findings import FIGURES, FINDINGS
from karat.studies.agree.pairs import assessor_pairs
from karat.studies.agree.result import Agreement, AgreementView
from karat.studies.base import study

MOST_PAIRS = 10_000
"""The most pairs of assessors that can be reported."""
MOST_VALUES_LISTED = 1000
"""The most values listed in the result; a list of distinct numbers is of no use."""


class AgreeParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `agree`."""

    level: Annotated[
        Level | None, Meta(description="level of measurement of the labels; by default as in the ballots")
    ] = None
    pairs: Annotated[
        int, Meta(description="pairs of assessors to report, those with most units in common", ge=0, le=MOST_PAIRS)
    ] = 50
    interval: IntervalOption = 0.95
    seed: SeedOption = 0


@study("agree", AgreeParameters, findings=FINDINGS, figures=FIGURES)
def agree(ballots: Ballots, asked: AgreeParameters) -> Agreement:
    """How far assessors agree beyond chance, by label and by pair of assessors, on all labels and folded."""
    if not len(ballots):
        raise UsageError("there are no ballots")
    ballots = replace(ballots, scale=ballots.scale.at(asked.level))
    level = ballots.scale.level
    given = np.bincount(ballots.unit, minlength=len(ballots.units))
    whole = _view(ballots, asked)
    folded: dict[str, AgreementView | None] = {TWO.name: None}
    if ballots.scale.values == THREE.labels:
        codes = np.array(TWO.from_three, dtype=np.int32)[ballots.code]
        two_way = replace(ballots, scale=Scale(TWO.labels, level), code=codes)
        folded[TWO.name] = _view(two_way, asked)
    return Agreement(
        level=level,
        assessors=list(ballots.assessors),
        units=len(ballots.units),
        paired=int((given >= 2).sum()),
        ballots=len(ballots),
        exchangeable=ballots.exchangeable,
        **vars(whole),
        folded=folded,
        more_ballots=more_ballots(ballots),
    )


def _view(ballots: Ballots, asked: AgreeParameters) -> AgreementView:
    pairs, pairwise = assessor_pairs(ballots, asked.pairs, asked.interval)
    agreeing, tabled = Agreeing(ballots), len(ballots.scale.values) <= MOST_TABLED
    coefficient = partial(agreeing.coefficient, interval=asked.interval, seed=asked.seed)
    return AgreementView(
        labels=list(ballots.scale.values[:MOST_VALUES_LISTED]),
        coefficients=all_coefficients(coefficient, agreeing.paired),
        pairs=pairs,
        pairwise=pairwise,
        per_label=label_agreement(ballots, asked.interval) if tabled else None,
        confusions=label_confusions(ballots) if tabled else None,
    )

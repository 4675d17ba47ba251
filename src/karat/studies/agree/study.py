"""Agree: agreement of assessors by every coefficient, with intervals (`karat agree`)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import compress
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import Ints
from karat.data.ballots import Ballots, Level, Scale
from karat.data.coincidences import MOST_TABLED
from karat.data.parameters import IntervalOption, SeedOption, UnitClusterOption
from karat.data.parts import BallotParts, BallotSums
from karat.data.scores import clusters_in, shared_clusters
from karat.data.tables import Table
from karat.errors import UsageError
from karat.labels import THREE, TWO
from karat.studies.agree.coefficients import Agreeing, all_coefficients, label_agreement, label_confusions, more_ballots
from karat.studies.agree.findings import FIGURES, FINDINGS
from karat.studies.agree.pairs import Pairs, added_up, agreements, cells_of, most_common, tables_of
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
    cluster: UnitClusterOption = None
    interval: IntervalOption = 0.95
    seed: SeedOption = 0


@study("agree", AgreeParameters, findings=FINDINGS, figures=FIGURES)
def agree(ballots: Ballots | BallotParts, asked: AgreeParameters) -> Agreement:
    """How far assessors agree beyond chance, by label and by pair of assessors, on all labels and folded.

    Ballots in parts are added up: the patterns of units, the common units of assessors, and then the tables of pairs.
    """
    if not len(ballots):
        raise UsageError("there are no ballots")
    ballots = replace(ballots, scale=ballots.scale.at(asked.level))
    if isinstance(ballots, BallotParts) and asked.cluster is not None:
        raise UsageError(
            f"--cluster names an attribute of units, and {len(ballots):,} ballots are read in parts, without any; take "
            "fewer units, or leave --cluster out"
        )
    if isinstance(ballots, BallotParts) and len(ballots.scale.values) > MOST_TABLED:
        ballots = replace(ballots.whole(f"agreement on {len(ballots.scale.values):,} values"), scale=ballots.scale)
    names = None if asked.cluster is None or isinstance(ballots, BallotParts) else ballots.clusters(asked.cluster)
    cluster = shared_clusters(names)
    held, common = added_up(ballots)
    found = most_common(common, asked.pairs)
    tables = None if found is None else tables_of(ballots, found[1])
    of_two = None
    if found is not None and len(ballots.assessors) == 2 and isinstance(held, BallotSums):
        of_two = tables_of(ballots, (np.array([0]), np.array([1])))[0]
    whole = _view(ballots, held, found, tables, of_two, asked, cluster)
    agreeing = Agreeing(held, cluster)
    more = more_ballots(agreeing)
    folded: dict[str, AgreementView | None] = {TWO.name: None}
    if ballots.scale.values == THREE.labels:
        places, scale = np.array(TWO.from_three, dtype=np.int32), Scale(TWO.labels, ballots.scale.level)
        two_way: Ballots | BallotParts = replace(ballots, scale=scale)
        if isinstance(held, BallotSums):
            held = held.fold(places, scale)
        else:
            two_way = held = replace(held, scale=scale, code=places[held.code])
        tables, of_two = (None if one is None else one.fold(TWO) for one in (tables, of_two))
        folded[TWO.name] = _view(two_way, held, found, tables, of_two, asked, cluster)
    return Agreement(
        level=ballots.scale.level,
        assessors=list(ballots.assessors),
        units=ballots.units if isinstance(ballots, BallotParts) else len(ballots.units),
        paired=agreeing.paired,
        ballots=len(ballots),
        clusters=clusters_in(None if names is None else list(compress(names, agreeing.given >= 2))),
        exchangeable=ballots.exchangeable,
        **vars(whole),
        folded=folded,
        more_ballots=more,
    )


def _view(
    ballots: Ballots | BallotParts,
    held: Ballots | BallotSums,
    found: tuple[int, Pairs] | None,
    tables: Table | None,
    of_two: Table | None,
    asked: AgreeParameters,
    cluster: Ints | None,
) -> AgreementView:
    pairwise = None
    if found is not None and tables is not None:
        pairwise = agreements(ballots, found[1], tables, asked.interval, cells_of(ballots, found[1], cluster))
    agreeing, tabled = Agreeing(held, cluster, of_two), len(ballots.scale.values) <= MOST_TABLED
    coefficient = partial(agreeing.coefficient, interval=asked.interval, seed=asked.seed)
    return AgreementView(
        labels=list(ballots.scale.values[:MOST_VALUES_LISTED]),
        coefficients=all_coefficients(coefficient, agreeing.paired),
        pairs=0 if found is None else found[0],
        pairwise=pairwise,
        per_label=label_agreement(agreeing, asked.interval) if tabled else None,
        confusions=label_confusions(agreeing) if tabled else None,
    )

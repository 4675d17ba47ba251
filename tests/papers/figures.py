"""Reads the figures of the papers and works each out; the tests and docs/papers.md both come from here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from tools.papers import papers

from karat.data.ballots import Level, Scale
from karat.data.coincidences import table_ballots
from karat.data.orders import Order, Ranking
from karat.data.tables import Table
from karat.labels import THREE, TWO, WAYS
from karat.measures import accuracy, measures
from karat.measures.contingency import decided_precision_recall
from karat.statistics.intervals import standard_error
from karat.statistics.power import connor_units, mcnemar_power, smallest_found
from karat.statistics.rank_correlation import discordant, largest_move, tau, tau_ap
from karat.studies.agree.result import Agreement
from karat.studies.agree.study import agree
from karat.studies.score.caveats import degradations
from karat.studies.score.study import trivial_names, trivial_tables
from tests.papers.biased import biased_figure
from tests.papers.decompositions import decomposition_figure
from tests.papers.justified import justified_figure
from tests.papers.questions import question_figure
from tests.papers.swaps import swap_figure
from tests.papers.tabled import statistic_of

HERE = Path(__file__).parent
RANKS = {"tau": tau, "tau_ap": tau_ap, "discordant": discordant, "largest_move": largest_move}


def figures() -> Iterator[Any]:
    """Every figure with a name for the test report."""
    for paper in papers():
        for figure in paper["figure"]:
            yield paper["paper"].split(",")[0] + ": " + figure["what"], figure


def work_out(figure: dict[str, Any]) -> float:
    """The figure as karat has it."""
    if "rankings" in figure or "rated" in figure:
        return _rank(figure)
    if "justified" in figure:
        return justified_figure(**figure["justified"])
    if "asked" in figure:
        return question_figure(**figure["asked"])
    if "biased" in figure:
        return biased_figure(**figure["biased"])
    if "decomposed" in figure:
        return decomposition_figure(**figure["decomposed"])
    if "power" in figure:
        return _power(**figure["power"])
    if "swap" in figure:
        return swap_figure(**figure["swap"])
    if "scores" in figure:
        scores = np.array(figure["scores"])
        return float(scores.mean() if figure["statistic"] == "mean" else (scores < accuracy(_table(figure))).sum())
    if "ranking" in figure:
        return float(measures.parse(figure["measure"])(_order(figure)))
    if "coefficient" in figure or "pair" in figure:
        return _agreement(figure)
    table = _table(figure)
    if "count" in figure:
        return float(_count(figure["count"], table))
    if "decided" in figure:
        reading = "decided" if "decided pairs" in figure["decided"] else "all"
        return float(decided_precision_recall(table, reading)["recall" in figure["decided"]])
    if "statistic" in figure:
        return statistic_of(table, figure["statistic"], figure.get("part", "value"))
    measure = measures.parse(figure["measure"])
    if measure.facts["of"] is Order:
        # A system that does not rank: one group of ties.
        return float(measure(Order("entailment", table.total[None], table.key[:1])))
    return float(standard_error(measure, table) if figure.get("part") == "error" else measure(table))


def _rank(figure: dict[str, Any]) -> float:
    """How alike two rankings are, given as names best first, or as scores."""
    if "rated" in figure:
        reference, estimate = (np.array(side) for side in figure["rated"])
    else:
        names = sorted(figure["rankings"][0])
        reference, estimate = (np.array([-float(one.index(name)) for name in names]) for one in figure["rankings"])
    return float(RANKS[figure["statistic"]](reference, estimate))


def _power(
    of: str, discordance: float, difference: float = 0.0, units: int = 0, pairs: int = 1, mid: bool = False
) -> float:
    """Size and power for two accuracies at 5 % and a power of 80 %."""
    level = 0.05 / pairs
    match of:
        case "units":
            return float(connor_units(discordance, difference, level=level))
        case "difference":
            return smallest_found(
                lambda apart: bool(connor_units(discordance, apart, level=level) <= units), discordance
            )
    return mcnemar_power(units, discordance, difference, mid=mid)


def _agreement(figure: dict[str, Any]) -> float:
    """A number of the agreement of two assessors, by way of their ballots."""
    result = agreement_of(json.dumps(figure["table"]), figure.get("level", "nominal"))
    view = result.folded[figure["fold"]] if "fold" in figure else result
    assert view is not None
    if "coefficient" in figure:
        return float(getattr(view.coefficients[figure["coefficient"]], figure.get("part", "value")))
    found: Any = view.pairwise[0]
    *steps, last = figure["pair"].split(".")
    for part in steps:
        found = getattr(found, part)
    if last == "log10_p":
        return float(np.log10(found.p))
    return float(getattr(found, last))


@cache
def agreement_of(table: str, level: Level) -> Agreement:
    """The agreement in a table, once for all of its figures."""
    counts = json.loads(table)
    labels = (THREE if len(counts) == 3 else TWO).labels
    return agree(table_ballots(counts, Scale(labels, level)))


def _table(figure: dict[str, Any]) -> Table:
    if "table" in figure:
        table = Table(figure["table"])
        if "merge" in figure:
            table = table.merge(*(THREE.code(label) for label in figure["merge"]))
        return table.fold(WAYS[figure["fold"]]) if "fold" in figure else table
    way = WAYS[figure.get("fold", "3")]
    names, tables = (
        trivial_names(THREE),
        trivial_tables(THREE, way, Table(np.diag(figure["key"]).astype(float)).fold(way).key),
    )
    return tables[names.index(figure["system"])]


def _order(figure: dict[str, Any]) -> Order:
    key, response = figure["ranking"]["key"], figure["ranking"]["response"]
    by_response = measures.parse(figure["measure"]).facts["ranked_by"] == "response"
    gains = [a == b if by_response else a == "⊢" for a, b in zip(key, response, strict=True)]
    ranks = -np.arange(len(gains), dtype=float)
    return Ranking.of("response" if by_response else "entailment", ranks, np.array(gains, dtype=float)).count()


def _count(what: str, table: Table) -> float:
    counts = table.counts
    match what:
        case "total":
            return float(table.total)
        case "disagreements":
            return float(table.total - table.diagonal.sum())
        case "disagreement_share":
            return float(1 - accuracy(table))
        case "degradations":
            return len(degradations(table[None], THREE)[0])
        case "no_is_smallest":
            return float(counts[2, 2] == min(counts[2].min(), counts[:, 2].min()))
    raise KeyError(what)

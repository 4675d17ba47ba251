"""What a reader should take away about a comparison: sentences and figures."""

from __future__ import annotations

from collections.abc import Iterable

from karat.arrays import NAN
from karat.data.charts import Chart, Dots, Figures, Interval, Series
from karat.data.result import Finding, Findings, all_marked, headline, marked
from karat.labels import IN_WORDS
from karat.studies.base import needs
from karat.studies.compare.gate import gated
from karat.studies.compare.result import Comparison
from karat.studies.shared_texts import too_narrow
from karat.studies.tested_pairs import VERDICTS, highest, ranked_dots, said_of_two
from karat.studies.wording import (
    FEW_CLUSTERS,
    MOST_ROWS,
    begun,
    captioned,
    counted,
    in_points,
    noted,
    of_all,
    p_is,
    part_of,
    said,
    several,
)


def check(result: Comparison) -> Iterable[Finding]:
    """Whether the check against a baseline fails, if there is one."""
    if result.gate is not None:
        yield from gated(result)


def without_constant(result: Comparison) -> str:
    """How many pairs differ significantly apart from those with a constant answer; empty if that is all of them."""
    others = [pair for pair in result.tested if not {pair.a, pair.b} & set(result.constant)]
    found = sum(bool(pair.different) for pair in others)
    return f"{f'{found:,}' if found else 'none'} of {len(others):,}" if others != result.tested and others else ""


def significant(result: Comparison) -> Iterable[Finding]:
    """How many pairs differ significantly, and how many were not tested."""
    found, tested, untested = len(result.significant), len(result.tested), len(result.pairs) - len(result.tested)
    pairs, whom = ("pairs of runs", "") if result.versus == "all" else ("runs", f" from {marked(result.versus)}")
    one = [result.versus] * (result.versus != "all")
    if tested:
        how = f"{result.test_name}, {result.correction_name}, level {1 - result.interval_level:.2g}"
        if len(result.pairs) == 1:
            (pair,) = result.pairs
            yield headline(f"{said_of_two(pair)} ({result.test_name}, {p_is(pair.p)}).", [pair.a, pair.b])
        else:
            differ = "differs" if found == 1 else "differ"
            sides = _sides(result) if whom and found else ""
            who = [*one, *(pair.a for pair in result.significant)] if sides else one
            rest = ""
            if found and not whom and (apart := without_constant(result)):
                runs = (
                    "the run that gives"
                    if len(result.constant) == 1
                    else f"the {len(result.constant):,} runs that give"
                )
                rest = f"; {apart} without {runs} the same answer to every pair"
            counts = f"{part_of(found, tested, pairs.replace('s', '', 1), pairs)} {differ} significantly{whom}"
            yield headline(f"{begun(counts)} ({how}){sides}{rest}.", who)
    if untested:
        more = f"{untested:,} more {pairs.replace('s', '', 1) if untested == 1 else pairs}"
        which = f"{more} {'was' if untested == 1 else 'were'} not" if tested else f"No {pairs} were"
        against = "" if result.versus == "all" else f" against {marked(result.versus)}"
        why = "because a score is undefined, or fewer than two units were scored for both runs"
        yield headline(f"{which} tested{against}, {why}.", one)


def _sides(result: Comparison) -> str:
    """Which runs are better and which worse than the one that all are compared with."""
    apart = {
        "better": [pair.a for pair in result.significant if pair.difference > 0],
        "worse": [pair.a for pair in result.significant if pair.difference < 0],
    }
    told = [
        f"{several(all_marked(runs))} {'is' if len(runs) == 1 else 'are'} {side}"
        for side, runs in apart.items()
        if runs
    ]
    return ": " + ", and ".join(told) if told else ""


def best(result: Comparison) -> Iterable[Finding]:
    """Which run scored highest, and from which others it differs significantly."""
    board = result.board()
    if board is not None and len(result.runs) > 2:
        value = board.first.value
        way = f"{IN_WORDS[result.way]} " if result.way else ""
        shown = board.said(value) if board.percent else said(result.measure, value)
        found = highest(board, f"{way}{result.measure_name}".replace("_", " "), shown)
        yield Finding(found, found.runs, leads=True)


def resolution(result: Comparison) -> Iterable[Finding]:
    """The smallest difference that was significant, and the largest that was not."""
    enough = [abs(pair.difference) for pair in result.significant]
    short = [abs(pair.difference) for pair in result.tested if not pair.different]
    if enough and short:
        board = result.board()
        least, most = (
            in_points(result.measure, one) if board is None or board.percent else board.text(one)
            for one in (min(enough), max(short))
        )
        found = f"The smallest significant difference is {least}, and the largest non-significant one is {most}"
        crossed = ": significance also depends on how much a difference varies from unit to unit"
        yield Finding(f"{found}{crossed if min(enough) < max(short) else ''}.")


def selection(result: Comparison) -> Iterable[Finding]:
    """The best run was chosen by the same scores with which it is tested."""
    if result.signature.parameters.get("versus") == "best":
        runs = len(result.runs)
        yield Finding(
            f"{marked(result.versus)} was chosen because it scored highest on these units, so its observed lead is "
            "likely to be too large; since any run could have been chosen, p-values are corrected for all "
            f"{counted(runs * (runs - 1) // 2, 'pair')}.",
            [result.versus],
        )


def coarse(result: Comparison) -> Iterable[Finding]:
    """Too few replicates for the number of pairs."""
    if result.replicates and result.correction in ("holm", "by"):  # maxt needs no p below its own
        smallest = len(result.tested) / (result.replicates + 1)
        if smallest > 1 - result.interval_level:
            yield Finding(
                f"With {result.replicates:,} replicates no p-value is below {1 / (result.replicates + 1):.1g}, which "
                f"is too coarse for {len(result.tested):,} pairs with {result.correction_name}. Increase "
                "--replicates, or use --correction maxt."
            )


def unsettled(result: Comparison) -> Iterable[Finding]:
    """Verdicts that could differ with another seed."""
    alpha = 1 - result.interval_level
    near = [pair for pair in result.pairs if abs(pair.p_corrected - alpha) < 2 * pair.mc_error_corrected]
    if near:
        largest = max(pair.mc_error_corrected for pair in near)
        yield Finding(
            f"{len(near):,} of {len(result.tested):,} verdicts could change with another seed: the corrected p-value "
            f"is within two Monte Carlo standard errors (of up to {largest:.2g}) of {alpha:.2g}. Increase --replicates."
        )


def few_flips(result: Comparison) -> Iterable[Finding]:
    """With few units or clusters there are few sign flips, so p cannot be small."""
    if result.test not in ("exact", "randomisation"):
        return
    number, what = (result.units, "unit") if result.clusters is None else (result.clusters, "cluster")
    shared = [min(pair.units, number) for pair in result.tested]
    coarse = [few for few in shared if len(shared) * 2.0 ** (1 - few) > 1 - result.interval_level]
    if result.clusters is not None and number < FEW_CLUSTERS:
        coarse = shared
    if not coarse:
        return
    smallest = 2.0 ** (1 - max(coarse))
    so = ", so no difference can be significant" if smallest > 1 - result.interval_level else ""
    if min(coarse) == number:
        yield Finding(
            f"With {counted(number, what)} no p-value is below {smallest:.1g}, however large the difference{so}."
        )
    else:
        pairs = counted(len(coarse), "pair of runs shares", "pairs of runs share")
        which = f"{max(coarse)} or fewer" if min(coarse) < max(coarse) else f"{max(coarse)}"
        yield Finding(
            f"{pairs} {which} {what if which == '1' else what + 's'}, and with so few no p-value is below "
            f"{smallest:.1g}, however large the difference{so}."
        )


def exact_and_interval(result: Comparison) -> Iterable[Finding]:
    """Intervals that exclude 0 although p is above the level, which looks like a contradiction but is not."""
    alpha = 1 - result.interval_level
    apart = [pair for pair in result.tested if pair.p > alpha and (pair.interval[0] > 0 or pair.interval[1] < 0)]
    if apart and result.test in ("exact", "randomisation"):
        pairs = counted(len(apart), "pair of runs has", "pairs of runs have")
        yield Finding(
            f"{pairs} an interval that excludes 0 but an uncorrected p-value above {alpha:.2g}. The test is "
            "conservative if the runs differ on few units, and the interval is not obtained by inverting it: rely on "
            "the test."
        )


def few_resampled(result: Comparison) -> Iterable[Finding]:
    """The bootstrap underestimates the variance with few units or clusters."""
    number, what = (result.units, "units") if result.clusters is None else (result.clusters, "clusters")
    if number < FEW_CLUSTERS and "bootstrap" in result.intervals:  # which includes every bootstrap test
        effect = "p-values are too small and intervals" if result.test in ("bootstrap", "bca") else "intervals are"
        yield Finding(
            f"{number:,} {what} are few for the bootstrap: {effect} too short. For means, use the exact test or the t "
            "test; for other measures, the p-values of the randomisation test remain valid."
        )


def dropped(result: Comparison) -> Iterable[Finding]:
    """Pairs that were compared on fewer than all units."""
    short = [pair.dropped for pair in result.tested if pair.dropped]
    if short:
        yield Finding(
            f"{len(short):,} of {len(result.tested):,} pairs of runs {'was' if len(short) == 1 else 'were'} compared "
            f"on fewer than all {result.units:,} units: up to {max(short):,} {'was' if max(short) == 1 else 'were'} "
            "dropped, because one of the two runs was not scored on them."
        )


def equivalent(result: Comparison) -> Iterable[Finding]:
    """Pairs shown to be equivalent, which is more than not significantly different; and how many were not tested."""
    asked = [pair.equivalent for pair in result.pairs if pair.equivalent is not None]
    untested, level = len(result.pairs) - len(asked), f" (level {1 - result.interval_level:.2g})"
    if asked:
        found = f"{sum(asked):,} of {len(asked):,} pairs of runs {'is' if sum(asked) == 1 else 'are'} equivalent"
        yield Finding(f"{found}: they differ by significantly less than {result.equivalence:g}{level}.")
    if result.equivalence is not None and untested:
        pairs = counted(untested, "pair of runs was", "pairs of runs were")
        yield Finding(f"{pairs} not tested for equivalence (a difference of less than {result.equivalence:g}).")


NO_GROUPS = captioned(
    "Each run's value and its interval.",
    "All runs differ significantly, by the paired test and after correction, or were not tested against each other. "
    "Each interval is about one run, whereas the test is paired: two runs with overlapping intervals may still differ "
    "significantly.",
)
"""The caption if no runs are on one line."""


def groups(result: Comparison) -> Iterable[Chart]:
    """Each run's value and its interval; runs with knots on the same line are not significantly different.

    A run belongs to a line only if it has a knot on it; where it has none, the line is dotted. Two runs with no line in
    common differ significantly, by the paired test and after correction, or were not tested against each other. Each
    interval is about one run, whereas the test is paired: two runs with overlapping intervals may still differ
    significantly.
    """
    if result.versus == "all" and any(row.value == row.value for row in result.runs[:MOST_ROWS]):
        yield ranked_dots(result, result.measure_name, result.in_percent, NO_GROUPS)


@needs("one run that all are compared with (--versus)")
def differences(result: Comparison) -> Iterable[Chart]:
    """The difference of each run from the run that all are compared with, and its interval.

    Right of 0 is better. The marker shows the verdict, which is corrected for the number of pairs; the intervals are
    not corrected, so one may exclude 0 although the difference is not significant.
    """
    pairs = result.pairs[:MOST_ROWS]
    known = [value for pair in pairs for value in (pair.difference, *pair.interval) if value == value]
    if result.versus == "all" or not known:
        return
    yield Dots(
        title=f"{begun(result.measure_name)} minus that of {result.versus}, with {result.percent} CI",
        note=noted(f"compared with {result.versus}", f"{result.percent} CIs", of_all(pairs, len(result.pairs))),
        labels=tuple(pair.a for pair in pairs),
        series=tuple(
            Series(verdict, [pair.difference if pair.different is different else NAN for pair in pairs])
            for different, verdict in VERDICTS.items()
            if any(pair.different is different for pair in pairs)
        ),
        intervals=tuple(Interval(*pair.interval) for pair in pairs),
        axis=f"difference in {result.measure_name}",
        unit=result.in_points,
        low=None,
        high=None,
        rule=0.0,
    )


def dependent(result: Comparison) -> Iterable[Finding]:
    """Pairs that share a text, where that makes the intervals of accuracy too narrow."""
    if result.shared_texts:
        yield from too_narrow(result.shared_texts, result.units)


FINDINGS: Findings = (
    check, significant, best, resolution, selection, coarse, unsettled, few_flips, exact_and_interval, few_resampled,
    dropped, equivalent, dependent,
)  # fmt: skip
FIGURES: Figures = (groups, differences)

"""What a reader should take away about another judgment of the same runs: sentences and figures."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.charts import Chart, Dots, Figures, Interval, Series
from karat.data.fields import written
from karat.data.result import Estimate, Finding, Findings, all_marked, headline, marked
from karat.studies.base import needs
from karat.studies.leniency import bias_dots, favoured, leniency
from karat.studies.meta.parts import Rejudged
from karat.studies.meta.result import MetaEvaluation
from karat.studies.rankings import ScoredRanking, rank_grid
from karat.studies.wording import ALPHA, MOST_NAMED, MOST_ROWS, counted, noted, of_all, p_is, roughly, some_of


def verdict(result: MetaEvaluation) -> Iterable[Finding]:
    """Whether the judge may rank these runs: not if it reverses pairs or favours runs, perhaps if it confirms all."""
    for one in result.judges:
        found = one.pairs
        separated = found.same + found.reversed + found.missed
        biased = favoured(one.runs, 1) + favoured(one.runs, -1)
        by = f"by {result.whose}"
        if found.reversed:
            yield headline(
                f"{one.judge} should not rank these runs: it reverses {found.reversed:,} of {separated:,} differences "
                f"that are significant {by}."
            )
        elif biased:
            text = (
                f"{one.judge} confirms all {separated:,} differences that are significant {by}, but is more lenient "
                "with some of these runs than with others: what else it finds may be its bias."
                if separated > 1 and not found.missed
                else f"{one.judge} should not rank these runs alone: compared with {result.whose}, it is more lenient "
                "with some of them than with others."
            )
            yield headline(text, [row.run for row in biased])
        elif not separated:
            yield headline(
                f"Whether {one.judge} may rank these runs is open: no two of them differ significantly {by}."
            )
        elif found.missed:
            yield headline(
                f"Whether {one.judge} may rank these runs is open: it is not found to favour any, but it confirms only "
                f"{found.same:,} of {separated:,} differences that are significant {by}."
            )
        else:
            yield headline(
                f"Nothing here speaks against ranking these runs by {one.judge}: it confirms "
                f"{'the one difference that is' if separated == 1 else f'all {separated:,} differences that are'} "
                f"significant {by}, and is not found to favour any run."
            )


def left_out(result: MetaEvaluation) -> Iterable[Finding]:
    """Runs that cannot be compared, perhaps because judges spell their names differently."""
    runs = result.left_out
    if runs:
        named = some_of([f"{marked(one.name)} ({one.reason})" for one in runs], MOST_NAMED)
        yield headline(
            f"{counted(len(runs), 'run is', 'runs are')} left out: {named}. The same run needs "
            "the same name in every file.",
            [one.name for one in runs],
        )


def rankings(result: MetaEvaluation) -> Iterable[Finding]:
    """How alike the rankings are, and whether the leader is the same."""
    for one in result.judges:
        highest = min(row.judges_rank for row in one.runs)
        best = [run.run for run in one.runs if run.judges_rank == highest]
        first = [run.run for run in one.runs if run.rank == one.runs[0].rank]
        runs, are = ("runs", "are") if len(first) > 1 else ("run", "is")
        same = f"the same {runs} {are} first"
        if set(best) != set(first):
            named, instead = (some_of(all_marked(names), MOST_NAMED) for names in (best, first))
            same = f"{named} {'are' if len(best) > 1 else 'is'} first instead of {instead}"
        interval = f" ({_ends(one.ranks.tau, result)})" if one.ranks.tau.low == one.ranks.tau.low else ""
        yield headline(
            f"The ranking of {counted(len(one.runs), 'run')} by {one.judge} has a tau of "
            f"{written(one.ranks.tau.value, 3)}{interval} with the ranking by {result.whose}; {same}."
        )


def pairs(result: MetaEvaluation) -> Iterable[Finding]:
    """What becomes of the pairs of runs that the reference separates."""
    for one in result.judges:
        found = one.pairs
        separated = found.same + found.reversed + found.missed
        if not separated:
            yield headline(
                f"By {result.whose}, no two runs differ significantly on {counted(one.units, result.unit)}, so nothing "
                f"can be said of how {one.judge} judges clear differences."
            )
            continue
        reverses = (
            f"{one.judge} reverses {found.reversed:,} of them significantly"
            if found.reversed
            else (f"{one.judge} reverses none of them significantly")
        )
        yield headline(
            f"Of {counted(found.pairs, 'pair')} of runs, {separated:,} differ significantly by {result.whose}; "
            f"{reverses}, agrees on {found.same:,} and finds no significant difference in {found.missed:,}."
        )


def bias(result: MetaEvaluation) -> Iterable[Finding]:
    """Which runs the judge favours, by simultaneous intervals over all runs and judges."""
    for one in result.judges:
        found = list(leniency(one.judge, one.runs))
        yield from found
        if not found and one.runs[0].relative.low == one.runs[0].relative.low:
            ends = [row.relative for row in one.runs]
            # A bias as far from 0 as an end of the interval from its middle is found half of the time.
            widest = max(max(end.high - end.value, end.value - end.low) for end in ends)
            yield Finding(
                f"No bias of {one.judge} for or against single runs is significant; biases of up to about "
                f"{written(widest, 3)} may well have been missed."
            )


def corrected(result: MetaEvaluation) -> Iterable[Finding]:
    """What the judge adds to the reference's scores, and how many more of these it would take."""
    for one in result.judges:
        if one.powered is not None:
            varying = [row for row in one.powered.runs if row.powered.low == row.powered.low]
            halves = [
                sum((getattr(row, kind).high - getattr(row, kind).low) / 2 for row in varying) / max(len(varying), 1)
                for kind in ("reference", "powered")
            ]
        if one.powered is not None and varying:
            together, before = (written(half, 3) for half in reversed(halves))
            gain = (
                f"scores have an interval of ±{together} on average, instead of ±{before} by {result.whose} alone."
                if together != before
                else f"intervals of scores are as wide as by {result.whose} alone, ±{before} on average."
            )
            yield Finding(f"With {one.judge} on {counted(one.powered.alone, 'further ' + result.unit)}, {gain}")
        settle = next((row for row in one.needed if row.what.startswith("a significant")), None)
        if settle is not None and settle.alone == settle.alone and settle.alone > one.units:
            first, second = marked(one.runs[0].run), marked(one.runs[1].run)
            with_judge = (
                f" ({roughly(settle.with_judge)} with {one.judge})" if settle.with_judge == settle.with_judge else ""
            )
            yield Finding(
                f"If {first} is really {written(settle.half_width, 3)} better than {second}, a test of these two alone "
                f"would find it, with a power of 80%, from scores of both by {result.whose} on about "
                f"{roughly(settle.alone)} {result.unit}s{with_judge}."
            )


def sampled(result: MetaEvaluation) -> Iterable[Finding]:
    """Units of the reference that cannot well be a random sample, by what the judge says of them and of the others."""
    for one in result.judges:
        found = None if one.powered is None else one.powered.sampled
        if found is not None and found.p * len(result.judges) <= ALPHA:
            more = "higher" if found.common > found.others else "lower"
            means = f"{written(found.common, 3)} and {written(found.others, 3)} on average, {p_is(found.p)}"
            yield Finding(
                f"{one.judge} gives {more} scores on the units that both scored than on its others ({means}): they do "
                "not look like a random sample, and unless they are one, corrected scores mislead."
            )


def panel(result: MetaEvaluation) -> Iterable[Finding]:
    """What a panel cannot show."""
    if result.reference is None:
        yield Finding("The judges are compared with each other: an error that all of them make cannot be seen.")


def meta_ranks(result: MetaEvaluation) -> Iterable[Chart]:
    """The rank of each run by the reference and by each judge, on the units that both scored.

    A row of equal numbers keeps its rank. A rank is outlined if it is not the one by the reference on the same units.
    Tied runs share a rank.
    """
    first = result.judges[0]
    official = {row.run: row.reference for row in first.runs}
    grids = [ScoredRanking(result.reference or "others", official, official)]
    for one in result.judges:
        scores, before = ({row.run: getattr(row, kind) for row in one.runs} for kind in ("judge", "reference"))
        grids.append(ScoredRanking(one.judge, scores, before))
    if result.reference is not None:
        by_reference = f"in the ranking by {result.whose}"
        yield rank_grid("Ranks by each judge", grids, ("judge", "run"), by_reference)


def meta_bias(result: MetaEvaluation) -> Iterable[Chart]:
    """The judge's score of each run minus the reference's, with simultaneous intervals for all runs.

    Right of 0 the judge is lenient with the run, left of 0 severe. A judge that is equally severe with all runs does
    not change the ranking; differences between runs do.
    """
    for one in result.judges:
        axis = f"score by the judge minus score by {result.whose}"
        yield from bias_dots(one.judge, one.runs, axis, name=_name(one, result))


@needs("a judge that scored more units than the reference, or --labelled")
def meta_scores(result: MetaEvaluation) -> Iterable[Chart]:
    """The score of each run on all units: by the judge alone, and corrected by the reference, with its interval.

    The corrected score (PPI++) adjusts the judge's by the units that the reference scored too. Where the judge's own
    score lies outside the interval, ranking by the judge alone would mislead.
    """
    for one in result.judges:
        if one.powered is not None:
            drawn = one.powered.runs[:MOST_ROWS]
            yield Dots(
                name=_name(one, result),
                title=f"Scores on all units, {one.judge}",
                note=noted(f"judge: {one.judge}", of_all(drawn, len(one.powered.runs))),
                labels=tuple(row.run for row in drawn),
                series=(
                    Series("corrected", [row.powered.value for row in drawn]),
                    Series("judge alone", [row.naive for row in drawn]),
                ),
                intervals=tuple(Interval(row.powered.low, row.powered.high) for row in drawn),
                axis="mean score",
                low=None,
                high=None,
            )


def _ends(one: Estimate, result: MetaEvaluation) -> str:
    return f"{result.percent} CI {written(one.low, 3)} to {written(one.high, 3)}"


def _name(one: Rejudged, result: MetaEvaluation) -> str:
    return one.judge if len(result.judges) > 1 else ""


FINDINGS: Findings = (verdict, panel, left_out, rankings, pairs, bias, corrected, sampled)
FIGURES: Figures = (meta_ranks, meta_bias, meta_scores)

"""What a reader should take away about other keys: sentences and figures."""

from __future__ import annotations

from collections.abc import Iterable

from karat.arrays import EXACT_TOLERANCE
from karat.data.charts import Chart, Dots, Figures, Interval, Series
from karat.data.fields import readable, written
from karat.data.result import Finding, Findings, headline, marked
from karat.studies.keys.result import KeyComparison, RandomRun, ScoredKey
from karat.studies.rankings import ScoredRanking, best, places, rank_grid, tau_dots
from karat.studies.wording import begun, counted, in_points, leaders, listed, noted, of_all, per_cent

RANDOM_KEYS_NOTE = "intervals: under random assessors' labels"


def rankings(result: KeyComparison) -> Iterable[Finding]:
    """Which key changes the ranking most, and which keys do not change it."""
    others = [one for one in result.keys[1:] if one.tau == one.tau]
    if not others:
        return
    same = [one.name + _units(one, result) for one in others if not one.swaps]
    if same:
        yield Finding(f"No two runs swap ranks under the {'key' if len(same) == 1 else 'keys'} {listed(same)}.")
    swapped = [one for one in others if one.swaps]  # ties alone lower tau too
    least = min((one.tau_b for one in swapped), default=float("nan"))
    most = [one for one in swapped if one.tau_b <= least + EXACT_TOLERANCE]
    if len(most) > 1:
        named = listed([one.name + _units(one, result) for one in most])
        yield Finding(f"The ranking changes most under {named} (tau-b = {written(least, 3)}).")
    elif most and most[0].changed_run is not None:
        worst, run = most[0], most[0].changed_run
        change = worst.scores[run] - worst.official[run]
        swap = "swaps" if len(worst.swaps) == 1 else "swap"
        pairs = f"{counted(len(worst.swaps), 'pair')} of runs {swap} ranks (tau-b = {written(worst.tau_b, 3)})"
        largest = f"there, the score that changes most is {marked(run)}'s ({_signed(result.measure, change)})"
        under = f"{worst.name}{_units(worst, result)}"
        yield Finding(f"The ranking changes most under {under}: {pairs}; {largest}.", [run])


def _signed(measure: str, change: float) -> str:
    return f"{'−' if change < 0 else '+'}{in_points(measure, abs(change))}"


def _units(one: ScoredKey, result: KeyComparison) -> str:
    """How many units a key labels, if not all."""
    return f" (on {one.units:,} of {counted(result.units, 'unit')})" if one.units < result.units else ""


def leader(result: KeyComparison) -> Iterable[Finding]:
    """How often the best run is first under random keys, and under which other keys it is not."""
    known = [row for row in result.random.runs if row.official == row.official]
    if not (known and result.ranked and result.disputed):
        return
    first = leaders({row.run: row.official for row in known})
    best = [row for row in known if row.run in first]
    few = result.random.units < result.units
    where = f" on the {counted(result.random.units, 'unit')} with ballots" if few else ""
    keys = f"{result.random.draws:,} keys that take a random assessor's label for each unit (ties count as first)"
    if len(best) > 1:
        shares = ", ".join(f"{marked(row.run)} {_about(row.first, result)}" for row in best)
        tied = f"{counted(len(best), 'run')} tie for first{where}; each ranks first under this share"
        yield headline(f"{tied} of {keys}: {shares}.", [row.run for row in best])
        return
    run = best[0].run
    # A key on fewer units counts only if the same run is officially first on those units.
    others = [
        one.name + _units(one, result)
        for one in result.keys[1:]
        if run in leaders(one.official) and one.scores[run] == one.scores[run] and run not in leaders(one.scores)
    ]
    often = "all" if best[0].first == 1 else f"{_about(best[0].first, result)} of"
    text = f"{marked(run)}{f', officially first{where},' if few else ''} ranks first under {often} {keys}."
    yield headline(text + (f" It does not rank first under {', '.join(others)}." if others else ""), [run])


def _about(share: float, result: KeyComparison) -> str:
    """A share of random keys, with its 95% Monte Carlo error unless it is 0 or 1."""
    error = 1.96 * (share * (1 - share) / result.random.draws) ** 0.5
    return f"about {per_cent(share)} (± {100 * error:.1f})" if error else f"{per_cent(share)}"


def prevalence(result: KeyComparison) -> Iterable[Finding]:
    """A rule that makes a label more frequent rewards the runs that answer it."""
    if result.way != "3" or not result.ranked:
        return  # no run answers UNKNOWN, or there is no ranking
    for one in result.keys[1:]:
        for label, count in one.labels.items():
            before, now = (number / max(one.units, 1) for number in (one.official_labels[label], count))
            if one.name == "disagreement-unknown" and now - before > 0.02:
                yield Finding(
                    f"{one.name} raises the share of {label} from {per_cent(before)} to {per_cent(now)}, which rewards "
                    "runs that often give this answer."
                )


def adjudication(result: KeyComparison) -> Iterable[Finding]:
    """The reasons for disputes that the adjudicator gave."""
    found = result.adjudication
    if found.settled:
        kinds = [f"{one.kind} {one.units:,}" for one in found.groups if one.reason == "difference" and one.kind]
        yield Finding(
            f"{found.settled} of {counted(found.disputed, 'disputed unit')} {'was' if found.settled == 1 else 'were'} "
            "adjudicated with a reason: "
            f"{counted(found.of('error'), 'error')}, {counted(found.of('difference'), 'legitimate difference')}"
            + (f" ({', '.join(kinds)})." if kinds else ".")
        )


def key_scores(result: KeyComparison) -> Iterable[Chart]:
    """Each run's score under the official key, and its distribution if a random assessor labels every unit.

    Each unit takes the label of one of its assessors, drawn at random many times: the bar covers as large a central
    share of the scores as in the table. An official score outside its bar is unusual under the assessors' labels.
    """
    rows = _best(result)
    if result.disputed and any(row.drawn_mean == row.drawn_mean for row in rows):
        yield Dots(
            title=f"{begun(readable(result.measure))} under the official key and under random assessors' labels",
            note=noted(RANDOM_KEYS_NOTE, of_all(rows, len(result.random.runs))),
            labels=tuple(row.run for row in rows),
            series=(
                Series("mean of the draws", [row.drawn_mean for row in rows]),
                Series("official", [row.official for row in rows]),
            ),
            intervals=tuple(Interval(row.low, row.high) for row in rows),
            axis=readable(result.measure),
            unit=result.in_percent,
            low=result.range[0],
            high=result.range[1],
        )


def random_ranks(result: KeyComparison) -> Iterable[Chart]:
    """Each run's rank under the official key, and its distribution if a random assessor labels every unit.

    The bar covers as large a central share of the ranks as in the table; 1 is the best. Runs whose bars overlap may
    swap ranks depending on the assessor.
    """
    rows = _best(result)
    if not (result.ranked and result.disputed and any(row.rank == row.rank for row in rows)):
        return
    official = places({row.run: row.official for row in result.random.runs})
    yield Dots(
        title=f"Ranks by {readable(result.measure)} under random assessors' labels",
        note=noted(RANDOM_KEYS_NOTE, of_all(rows, len(result.random.runs))),
        labels=tuple(row.run for row in rows),
        series=(
            Series("mean of the draws", [row.rank for row in rows]),
            Series("official", [official[row.run] for row in rows]),
        ),
        intervals=tuple(Interval(row.rank_low, row.rank_high) for row in rows),
        axis=f"rank by {readable(result.measure)}",
        low=1.0,
        high=None,
    )


def key_ranks(result: KeyComparison) -> Iterable[Chart]:
    """Each run's rank under every key made from the ballots, starting with the official one; one row per run.

    A row of equal numbers keeps its rank. A rank is outlined if it is not the official one on the same units: the key
    changes it. Tied runs share a rank. A key that labels fewer units may change ranks for that reason alone.
    """
    if result.ranked and len(result.keys) > 1:
        rankings = [ScoredRanking(key.name, key.scores, key.official) for key in result.keys]
        yield rank_grid(f"Ranks by {readable(result.measure)} under each key", rankings, ("key", "run"))


def key_tau(result: KeyComparison) -> Iterable[Chart]:
    """How similar the ranking under each key is to the official one: 1 is identical, 0 unrelated.

    tau-b counts all pairs of runs that swap ranks equally; tau-AP-b gives more weight to the top of the ranking. Both
    allow for ties.
    """
    if result.ranked:
        yield from tau_dots([(key.name, key) for key in result.keys])


def _best(result: KeyComparison) -> list[RandomRun]:
    """The runs to draw, best first by the official key."""
    rows = {row.run: row for row in result.random.runs}
    return [rows[run] for run in best({row.run: row.official for row in rows.values()})]


FINDINGS: Findings = (rankings, leader, prevalence, adjudication)
FIGURES: Figures = (key_scores, random_ranks, key_ranks, key_tau)

"""What a reader should take away about the size of a test set: sentences and figures."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.charts import Chart, Figures, Line, Lines
from karat.data.fields import decimals
from karat.data.result import Finding, Findings, headline, marked
from karat.labels import IN_WORDS
from karat.statistics.intervals import quantile
from karat.studies.counted_runs import not_counted
from karat.studies.size.result import Detectable, Size
from karat.studies.wording import begun, captioned, counted, counted_units, in_points, listed, per_cent

ALIKE = "two runs that disagree as much as the median pair"
"""The pair of runs that numbers of units are for, …"""
THESE = "two runs that disagree as much as these"
"""… and if there is no other pair."""


def _pair(result: Size) -> str:
    return ALIKE if result.pairs > 1 else THESE


def _apart(result: Size, difference: float, digits: int = 1) -> str:
    return in_points(result.measures[0], difference, digits)


def _digits(hand: Detectable) -> int:
    """As many as the interval of such a difference allows."""
    half = quantile(0.95) * (hand.discordance.median / hand.units) ** 0.5
    return decimals([(-half, half)], "%") or 1


def _power(result: Size) -> str:
    return f"{100 * result.power:.4g}%"


def at_hand(result: Size) -> Iterable[Finding]:
    """The smallest difference that the present test set detects."""
    for row in result.detectables:
        way = f"{begun(IN_WORDS[row.way])}: " if row.way else ""
        units = counted_units(row.units, result.unit, result.members)
        if row.difference == row.difference:
            many = f"with a correction for all {result.pairs:,} pairs of runs"
            if row.corrected == row.corrected:
                family = f", and by {_apart(result, row.corrected, _digits(row))} {many}"
            else:
                family = f"; {many}, no difference is found so often"
            begins, least = f"{way}with" if way else "With", _apart(result, row.difference, _digits(row))
            yield headline(
                f"{begins} {units}, {_pair(result)} have to differ by {least} for one planned "
                f"comparison to find a difference with {_power(result)} power{family * (result.pairs > 1)}."
            )
        else:
            many = f"{way}{units} {'is' if row.units == 1 else 'are'} too few to find any difference with "
            many += f"{_power(result)} power"
            yield headline(f"{many} between {_pair(result)}.")


def short_of(result: Size) -> Iterable[Finding]:
    """The largest difference asked for that needs more units than there are."""
    for row in result.detectables:
        wanted = [one for one in result.sizes if one.way == row.way and one.units and one.units > row.units]
        if wanted:
            most = max(wanted, key=lambda one: one.difference)
            assert most.units is not None
            way = f"{begun(IN_WORDS[row.way])}: finding" if row.way else "Finding"
            yield headline(
                f"{way} a true difference of {_apart(result, most.difference)} with {_power(result)} power between "
                f"{_pair(result)} takes {result.in_units(most.units)}, {most.units / row.units:.1f} times as many as "
                "there are."
            )


def planned(result: Size) -> Iterable[Finding]:
    """Without runs: the units for each difference, and how much they depend on the assumed discordance."""
    rows = [] if result.runs else result.sizes
    for difference in dict.fromkeys(row.difference for row in rows):
        mine = sorted((row for row in rows if row.difference == difference), key=lambda row: row.discordance)
        least, most = mine[0], mine[-1]
        what = f"Finding a true difference of {_apart(result, difference)} between two runs with {_power(result)} power"
        apart = f"the two runs differ in being right on {_share(least.discordance)} of the units"
        takes = f"takes {least.units:,} units if {apart}"
        more = f", and {most.units:,} if on {_share(most.discordance)}" if len(mine) > 1 else ""
        yield headline(f"{what} {takes}{more}.")


def _share(discordance: float) -> str:
    return f"{100 * discordance:.3g}%"


def noise(result: Size) -> Iterable[Finding]:
    """The cost of errors in the key."""
    rows = [row for row in result.sizes if row.noise and row.noise.units and row.units]
    if rows:
        row = max(rows, key=lambda row: row.difference)
        assert row.noise is not None
        noise = row.noise
        true = _apart(result, row.difference)
        # What was not asked for was estimated from ballots.
        source = "" if result.signature.parameters.get("noise") else ", as many as single ballots differ from it,"
        wrong = f"If {per_cent(result.noise)} of the key's labels are wrong{source} a difference of {true} looks like"
        seen, most, runs = _apart(result, noise.difference), "", list[str]()
        if noise.favours is not None and _apart(result, noise.favoured) != seen:
            better, other = marked(noise.better), marked(noise.favours)
            seen += f" if {better} is the better run, and {_apart(result, noise.favoured)} if {other} is"
            most, runs = "up to ", [noise.better, noise.favours]
        yield Finding(f"{wrong} {seen}: finding it takes {most}{noise.units:,} units instead of {row.units:,}.", runs)


def turned(result: Size) -> Iterable[Finding]:
    """Differences that errors in the key hide or reverse."""
    lost = [row for row in result.sizes if row.noise and row.noise.units is None]
    if lost:
        most = max(lost, key=lambda row: row.difference)
        assert most.noise is not None
        favours = most.noise.favours
        if favours:
            why = f"favour {marked(favours)} by {_apart(result, most.noise.bias)}, which only a better key can remedy"
        else:
            why = "leave nothing of it"
        found = f"No number of units is enough to find a difference of {_apart(result, most.difference)}"
        yield Finding(f"{found}: the errors in the key {why}.", [favours] if favours else [])


def rule(result: Size) -> Iterable[Finding]:
    """The cost of labelling disagreements UNKNOWN."""
    if result.sample:
        cost = result.sample.rules[-1]
        lost = [f"{count:.1f} {label}" for label, count in cost.lost.items() if count]
        candidates = f"{listed(lost)} candidates" if lost else "no candidate"
        left = f"at most {counted(cost.largest, 'unit')} of this mix"
        yield Finding(f"Labelling disagreements UNKNOWN would lose {candidates}, and leave {left}.")


DETECTED = "The smallest difference that is detected with the desired power, by the number of units, on a log scale."


def planning(result: Size) -> Iterable[Chart]:
    """The smallest difference that is detected with the desired power, by the number of units, on a log scale.

    It is for two runs that disagree as much as the median pair. The vertical line is the present number of units, and
    the mark on it what they detect, with the correction for all pairs if there are several. The horizontal line is the
    observed lead of the best run, which is itself uncertain: where a curve crosses it, that many units would confirm a
    true difference of this size between two such runs. The two leading runs may disagree more or less than the median
    pair, and so need more or fewer units.
    """
    if not result.runs:
        yield _assumed(result)
        return
    for hand, curve in zip(result.detectables, result.curves, strict=True):
        if not curve.points:
            continue
        at = [one.difference for one in curve.points]
        lines = [_line([one.units for one in curve.points], at, "two runs alone")]
        if result.pairs > 1:
            lines.append(_line([one.corrected for one in curve.points], at, f"among all {result.pairs:,} pairs"))
        if result.noise:
            lines.append(_line([one.noisy for one in curve.points], at, "two runs, noisy key"))
        least = hand.corrected if result.pairs > 1 else hand.difference
        if least == least:
            now = f"{_apart(result, least, _digits(hand))} now"
            lines.append(Line([float(hand.units)], [least], now, "marks"))
        several = len(result.detectables) > 1
        yield Lines(
            name=f"{hand.way}-way" if several else "",
            way=hand.way or "" if several else "",
            title=f"Smallest difference found with {_power(result)} power"
            + (f", {IN_WORDS[hand.way]}" if hand.way else ""),
            lines=tuple(lines),
            axes=(f"{result.unit}s (log scale)", "smallest detectable difference"),
            unit=result.in_points,
            high=None,
            log=True,
            at=float(hand.units),
            at_name=f"you are here: {hand.units:,} {result.unit}{'s' * (hand.units > 1)}",
            rule=hand.lead or None,
            caption=_caption(result, hand.lead),
            rule_name=f"observed lead {_apart(result, hand.lead, _digits(hand))}" if hand.lead else "",
        )


def _assumed(result: Size) -> Chart:
    """The differences found between two runs that are only planned, one curve per assumed discordance."""
    drawn = sorted(result.curves, key=lambda curve: curve.discordance)
    return Lines(
        title=f"Smallest difference found with {_power(result)} power",
        lines=tuple(
            _line([one.units for one in curve.points], [one.difference for one in curve.points],
                  f"{_share(curve.discordance)} discordant")
            for curve in drawn
        ),
        axes=(f"{result.unit}s (log scale)", "smallest detectable difference"),
        unit=result.in_points,
        high=None,
        log=True,
        caption=captioned(
            DETECTED,
            "There are no runs, so each curve is for an assumed discordance: the share of units that only one of the "
            "two runs gets right.",
        ),
    )  # fmt: skip


def _caption(result: Size, lead: float) -> str:
    """How to read the figure of these runs, which may tie."""
    several = result.pairs > 1
    if lead:
        read = (
            "The horizontal line is the observed lead of the best run, which is itself uncertain: where a curve "
            "crosses it, that many units would confirm a true difference of this size between two such runs."
        )
    else:
        read = "The best runs have the same score, so no lead is drawn."
    return captioned(
        DETECTED,
        f"It is for {_pair(result)}. The vertical line is the present number of units, and the mark on it what they "
        f"detect{', with the correction for all pairs' * several}.",
        read,
        "The two leading runs may disagree more or less than the median pair, and so need more or fewer units."
        * (several and bool(lead)),
    )


def _line(units: list[int | None], differences: list[float], name: str) -> Line:
    """Differences by the units they need, without those that no number of units finds."""
    known = [(float(n), one) for n, one in zip(units, differences, strict=True) if n is not None]
    return Line([n for n, _ in known], [one for _, one in known], name)


def apart(result: Size) -> Iterable[Finding]:
    """Runs that are left out when the median pair is looked for."""
    yield from not_counted(result, "in the median pair")


FINDINGS: Findings = (at_hand, short_of, planned, noise, turned, rule, apart)
FIGURES: Figures = (planning,)

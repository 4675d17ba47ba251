"""What a reader should take away about ratings: sentences and figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import ceil, nan

from karat.arrays import DISPLAY_TOLERANCE
from karat.data.charts import Bars, Chart, Figures, Line, Lines, Series
from karat.data.criteria import Criterion
from karat.data.fields import written
from karat.data.result import HEADLINE, Finding, Findings, headline, marked
from karat.studies.base import needs
from karat.studies.justify.parameters import SIGNIFICANCE_LEVEL
from karat.studies.justify.result import Justified
from karat.studies.wording import begun, captioned, counted, leaders, listed, p_is, part_of, signed, some_of

ALIKE = 0.6
"""The least tau-b at which two criteria are reported as rated alike."""
RUNS_NAMED = 6
"""The most runs named in the ranking by a criterion."""
GROUP_DIFFERENCES = 3
"""The most differences between groups of judges that are reported; the table has all."""


def exchangeable(result: Justified) -> Iterable[Finding]:
    """What cannot be computed without the names of the raters."""
    if result.exchangeable:
        yield Finding(
            "The ratings do not say who gave them: only alpha is reported, and nothing that requires identified judges."
        )


def best(result: Justified) -> Iterable[Finding]:
    """The ranking of the runs by each criterion, and whether the criteria agree."""
    if len(result.runs) < 2:
        run = result.runs[0]
        means = [f"{name} {scores.mean.value:.2f}" for name, scores in run.criteria.items() if scores.rated]
        if means:
            yield headline(f"Mean ratings of {marked(run.run)}: {', '.join(means)}.", [run.run])
        return
    for name in result.runs[0].criteria:
        ranked = [run for run in result.ranked(name) if run.criteria[name].rated]
        if len(ranked) > 1:
            named = ranked[:RUNS_NAMED]
            in_words = ", ".join(f"{marked(run.run)} {run.criteria[name].mean.value:.2f}" for run in named)
            more = ", …" if len(ranked) > RUNS_NAMED else ""
            yield headline(f"Ranking by mean {name}: {in_words}{more}.", [run.run for run in named])
    for name in result.runs[0].criteria:
        values = [run.criteria[name].mean.value for run in result.runs]
        if max(values) - min(values) < DISPLAY_TOLERANCE:
            yield headline(f"All runs have the same mean {name}, so it does not rank them.")
    if result.tau == result.tau:
        one, other = list(result.runs[0].criteria)[:2]
        yield headline(f"The rankings by {one} and by {other} have a tau of {written(result.tau, 3)}.")


def differences(result: Justified) -> Iterable[Finding]:
    """How many pairs of runs differ significantly on each criterion, by the test over text pairs."""
    tests = sum(one.p == one.p for one in result.differences)
    several: dict[str, list[str]] = {}
    for name in dict.fromkeys(one.criterion for one in result.differences):
        tested = [one for one in result.differences if one.criterion == name and one.p == one.p]
        sure = [one for one in tested if one.p_corrected <= SIGNIFICANCE_LEVEL]
        if len(tested) == 1:
            (one,), verb = tested, "differ" if sure else "do not differ"
            p = p_is(one.p) if tests == 1 else f"corrected {p_is(one.p_corrected)}"
            weight = HEADLINE if tests == 1 else 1
            text = f"{marked(one.a)} and {marked(one.b)} {verb} significantly in {name} ({p})."
            yield Finding(text, [one.a, one.b], weight)
        elif tested:
            verb = "differs" if len(sure) == 1 else "differ"
            pairs = begun(part_of(len(sure), len(tested), "pair of runs", "pairs of runs"))
            how = f"5% level, Holm correction over {tests} comparisons"
            several.setdefault(f"{pairs} {verb} significantly in {{}} ({how}).", []).append(name)
    for text, names in several.items():
        yield Finding(text.replace("{}", listed(names)))


def agreement(result: Justified) -> Iterable[Finding]:
    """How well judges agree, and on which two runs they are most divided."""
    for one in result.agreement:
        policy = result.not_asked.get(one.criterion)
        value = one.alpha[policy or "missing"].value
        if value == value:
            treated = {
                "zero": " (if it was not asked, it counts as 0)",
                "missing": " (if it was not asked, it is missing)",
            }
            how = treated[policy] if policy else ""
            yield Finding(f"The judges' agreement on {one.criterion}, by ordinal alpha, is {written(value, 3)}{how}.")
        found = one.concordance
        if found is not None and found.w == found.w:
            crossing, runs = _crossing(result, one.criterion)
            where = (
                f"; they are most divided over {crossing}" if crossing else "; no two judges rank two runs differently"
            )
            where = where if len(result.runs) > 1 else ""
            yield Finding(
                f"Their rankings of the runs by {one.criterion} have a Kendall's W of {found.w:.3f}{where}.", runs
            )


def _crossing(result: Justified, criterion: str) -> tuple[str, Sequence[str]]:
    """The two runs on whose order judges are most evenly divided, in words and by name."""
    ranks = [judge.criteria[criterion].mean_ranks for judge in result.judges]
    most, words, runs = 0, "", tuple[str, ...]()
    for a, b in combinations([run.run for run in result.runs], 2):
        ahead, behind = (sum(sign * (rank[a] - rank[b]) < -DISPLAY_TOLERANCE for rank in ranks) for sign in (1, -1))
        if min(ahead, behind) > most:
            one, other = marked(a), marked(b)
            words = f"{one} and {other} ({ahead} prefer{'s' * (ahead == 1)} {one}, {behind} {other})"
            most, runs = min(ahead, behind), (a, b)
    return words, runs


def scales(result: Justified) -> Iterable[Finding]:
    """Criteria whose ratings are highly correlated."""
    for one in result.correlation:
        if one.not_asked == "missing" and one.tau_b >= ALIKE:
            alike = f"tau-b = {one.tau_b:.2f} over {one.rated:,} ratings of both"
            yield Finding(f"Ratings of {one.a} and {one.b} are highly correlated ({alike}).")


def wrong_reasons(result: Justified) -> Iterable[Finding]:
    """Right decisions with poor reasons."""
    rated = [(run.run, run.wrong_reason) for run in result.runs if run.wrong_reason and run.wrong_reason.of]
    if rated:
        count, of = sum(one.count for _, one in rated), sum(one.of for _, one in rated)
        yield Finding(
            f"{count:,} of {of:,} ratings of right decisions ({count / of:.0%}) find them right for the wrong reason."
        )
        most = leaders({run: one.share.value for run, one in rated})
        if len(rated) > 1:
            named = [
                f"{marked(run)} ({one.count:,} of {one.of:,}, {one.count / one.of:.0%})"
                for run, one in rated
                if run in most
            ]
            yield Finding(f"The share is highest for {listed(named)}.", most)


def groups(result: Justified) -> Iterable[Finding]:
    """Groups of judges who rate a run significantly higher or lower than the other judges."""
    tested = [one for one in result.groups.differences if one.p == one.p] if result.groups else []
    if result.groups is None or not tested:
        return
    ranked = sorted(tested, key=lambda one: (one.p_corrected, -abs(one.difference)))
    for one in [one for one in ranked if one.p_corrected <= SIGNIFICANCE_LEVEL][:GROUP_DIFFERENCES]:
        higher = "higher" if one.difference > 0 else "lower"
        yield Finding(
            f"Judges with {result.groups.attribute} {one.value} rate {marked(one.run)} significantly {higher} than "
            f"the other judges: {one.criterion} {signed(one.difference)} (corrected {p_is(one.p_corrected)}).",
            [one.run],
        )
    if (one := ranked[0]).p_corrected > SIGNIFICANCE_LEVEL:
        yield Finding(
            f"Groups of judges by {result.groups.attribute} do not differ significantly; the difference with the "
            f"smallest p is that of {one.value} on {marked(one.run)}: {one.criterion} {signed(one.difference)} "
            f"(corrected {p_is(one.p_corrected)}).",
            [one.run],
        )


def skipped(result: Justified) -> Iterable[Finding]:
    """Pairs that judges skipped because they disagree with the key."""
    who = [judge for judge in result.judges if judge.skipped]
    if who:
        names = some_of([f"{judge.judge} ({judge.skipped})" for judge in who])
        skipped_some = f"{counted(len(who), 'judge')} skipped some of the {counted(len(result.pairs), 'pair')}"
        yield Finding(f"{skipped_some} because they disagree with the key: {names}.")


@needs("two judges or more, each by name")
def mean_ranks(result: Justified) -> Iterable[Chart]:
    """The mean rank of each run over pairs by each judge, one line per run; 1 is best.

    If judges agree, the lines are level and do not cross. Where two lines cross, judges disagree about which of the two
    runs gives better reasons. Runs that are tied on a pair share the mean of their ranks.
    """
    judges = result.judges
    for name in judges[0].criteria if len(judges) > 1 else ():
        runs = list(judges[0].criteria[name].mean_ranks)
        ranks = {run: [judge.criteria[name].mean_ranks[run] for judge in judges] for run in runs}
        last = max(len(runs), 2, *(ceil(rank) for line in ranks.values() for rank in line if rank == rank))
        yield Lines(
            name=name,
            title=f"Mean rank by judge: {name}",
            lines=tuple(Line(range(len(judges)), ranks[run.run], run.run, "both") for run in result.ranked(name)),
            labels=tuple(judge.judge for judge in judges),
            axes=("judge", "mean rank (1 is best)"),
            low=float(last),
            high=1.0,
        )


NO_BAR_AT_0 = captioned(
    "The distribution of the ratings of each run, as shares: one panel per run, on one scale.",
    "Means hide this: a run with many 1s and many 5s may have the same mean as a run with 3s only.",
)


def ratings(result: Justified) -> Iterable[Chart]:
    """The distribution of the ratings of each run, as shares: one panel per run, on one scale.

    Means hide this: a run with many 1s and many 5s may have the same mean as a run with 3s only. A bar at 0 counts
    ratings that were not asked for because the justification could not be understood.
    """
    for scale in map(Criterion.parse, result.criteria):
        shares = []
        for run in result.ranked(scale.name):
            counts = list(run.criteria[scale.name].distribution.values())
            shares.append(Series(run.run, [count / sum(counts) if any(counts) else nan for count in counts]))
        yield Bars(
            name=scale.name,
            title=f"Ratings given: {scale.name}",
            labels=tuple(result.numbers_of(scale.name)),
            series=tuple(shares),
            unit="%",
            axes=(scale.name + " (0: not asked)" * result.has_zero(scale), "share"),
            caption="" if result.has_zero(scale) else NO_BAR_AT_0,
        )


FINDINGS: Findings = (exchangeable, best, differences, agreement, scales, wrong_reasons, groups, skipped)
FIGURES: Figures = (mean_ranks, ratings)

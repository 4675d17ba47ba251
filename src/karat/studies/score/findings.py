"""What a reader should take away about an evaluation, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from karat.arrays import DISPLAY_TOLERANCE
from karat.data.result import HEADLINE, Finding, Findings, all_marked, headline, marked
from karat.labels import IN_WORDS, WAYS
from karat.studies.score.result import Evaluation
from karat.studies.score.rows import RunScores
from karat.studies.shared_texts import too_narrow
from karat.studies.wording import counted, few_clusters, listed, p_is, per_cent, said, several, some_of

MOST_NAMED = 8
"""The most runs named in a sentence; further ones are counted."""
CONFIDENCE_TESTS = 2
"""Tests of confidences per run: of all confidences, and of the worst tenth."""


def _of_first(runs: Sequence[str], text: str, weight: int = HEADLINE, flag: str = "") -> Finding:
    """A sentence about the first of some runs, followed by the others to which it applies."""
    _, *others = dict.fromkeys(runs)
    if others:
        named = several(all_marked(others), MOST_NAMED)
        count = f"{len(others):,} other runs: " if len(others) > MOST_NAMED else ""
        text += f" The same holds, with other numbers, for {count}{named}."
    return Finding(text, runs, weight, flag)


def below_trivial(evaluation: Evaluation) -> Iterable[Finding]:
    """Runs that are less accurate than the best baseline."""
    if evaluation.own_weights:
        return  # the baselines have no weights of their own
    for way in evaluation.shown:
        trivial = [(value, row.run) for row in evaluation.baselines if (value := row.value(way, "accuracy"))]
        scored = [row for row in evaluation.runs if row.values[way]]
        if trivial and scored:
            # Among equals the first, which is a constant answer.
            best, name = max(trivial, key=lambda system: round(system[0], 9))
            below = [row.name for row in scored if (row.value(way, "accuracy") or 0) < best - DISPLAY_TOLERANCE]
            if below:
                of_runs = f"{len(below):,} of {counted(len(scored), 'run')}"
                if len(below) == len(scored) > 1:
                    of_runs = f"All {len(below):,} runs"
                beaten = f"{of_runs} score{'s' * (len(below) == 1)} below the best baseline"
                which = some_of(all_marked(below), MOST_NAMED)
                yield headline(
                    f"{beaten}, {name} ({per_cent(best)}, {IN_WORDS[way]}): {which}.", below, "below baseline", way
                )


def constant(evaluation: Evaluation) -> Iterable[Finding]:
    """Runs that give the same answer to every pair, as a baseline does; some only in one way of scoring."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in evaluation.runs:
        labels = {way: label for way in evaluation.shown if (label := _only_label(row, way))}
        ways = [way for way in evaluation.shown if row.table[way]]
        for label in dict.fromkeys(list(labels.values())[-1:]):
            found.setdefault((label, "" if len(labels) == len(ways) else next(iter(labels))), []).append(row.name)
    for (label, way), names in found.items():
        only = f", {IN_WORDS[way]}" if way else ""
        which = f": {some_of(all_marked(names), MOST_NAMED)}" if len(names) > 1 else ""
        says = f"{len(names):,} runs answer" if which else f"{marked(names[0])} answers"
        text = f"{says} {label} to every pair{only}{which}."
        yield headline(text, names, "constant answer", way)


def _only_label(row: RunScores, way: str) -> str:
    """The label that a run gives to every pair; empty if it gives several."""
    given = [sum(column) for column in zip(*(row.table[way] or []), strict=True)]
    return WAYS[way].labels[given.index(max(given))] if sum(count > 0 for count in given) == 1 else ""


def identical(evaluation: Evaluation) -> Iterable[Finding]:
    """Runs that give the same answers as another, most of which were submitted twice by mistake."""
    # Of runs with one answer to every pair, `constant` says enough.
    various = {
        row.run for row in evaluation.runs for way, table in row.table.items() if table and not _only_label(row, way)
    }
    groups = [names for names in evaluation.identical if names[0] in various]
    runs = [name for names in groups for name in names]
    if len(groups) == 1:
        yield headline(f"{listed(all_marked(runs))} give identical answers.", runs, "identical")
    elif groups:
        named = "; ".join(listed(all_marked(group)) for group in groups)
        yield headline(f"{len(groups):,} groups of runs give identical answers: {named}.", runs, "identical")


def self_contradictory(evaluation: Evaluation) -> Iterable[Finding]:
    """Runs whose labels contradict their ranking, the worst first."""
    found = [(row.name, row.sound) for row in evaluation.runs if row.sound and not row.sound.sound]
    found.sort(key=lambda one: -one[1].disagreements)
    for name, sound in found[:1]:
        first = f"the first {counted(sound.cutoff, 'pair')}" if sound.cutoff else "no pair"
        yield _of_first(
            [run for run, _ in found],
            f"{marked(name)}'s labels contradict its ranking: no cut-off of the ranking gives these labels. With "
            f"ENTAILMENT for {first}, the best cut-off, {counted(sound.disagreements, 'label')} would differ.",
            flag="labels ≠ ranking",
        )


def relabelled(evaluation: Evaluation) -> Iterable[Finding]:
    """Runs that would be right significantly more often if their labels meant others, the greatest gain first."""
    found = [(row.name, one) for row in evaluation.runs for one in row.relabellings]
    found.sort(key=lambda one: -_rise(one[1].accuracy))
    for name, one in found[:1]:
        before, after = map(per_cent, one.accuracy)
        moved = [f"its {answer} meant {meant}" for answer, meant in one.meanings.items() if answer != meant]
        yield _of_first(
            [run for run, _ in found],
            f"{marked(name)} would be right on {after} of the pairs instead of {before} if {listed(moved)} "
            f"({IN_WORDS[one.way]}, significantly more, corrected for all runs and assignments of labels). Are its "
            "labels swapped?",
            flag="labels swapped?",
        )


def degradation(evaluation: Evaluation) -> Iterable[Finding]:
    """Runs whose score would rise if two of their labels were merged, which loses information significantly."""
    merges = [(row.name, merge) for row in evaluation.runs for merge in row.degradations if merge.lost[0] > 0]
    if not merges:
        return
    name, merge = max(merges, key=lambda one: max(_rise(one[1].accuracy), _rise(one[1].kappa)))
    measure = "accuracy" if _rise(merge.accuracy) > DISPLAY_TOLERANCE else "kappa"
    before, after = getattr(merge, measure)
    yield _of_first(
        [name, *(run for run, _ in merges)],
        f"Merging {merge.source} into {merge.target} would raise {marked(name)}'s {IN_WORDS[merge.way]} {measure} on "
        f"these pairs from {said(measure, before)} to {said(measure, after)}, although it would lose "
        f"{-_rise(merge.information):.3g} bits of information (at least {merge.lost[0]:.3g}, corrected for all runs "
        f"and merges): {measure} would reward the run for saying less.",
    )


def _rise(change: tuple[float, float]) -> float:
    """The change from before to after; −1 if it is undefined, so that it never counts."""
    rise = change[1] - change[0]
    return rise if rise == rise else -1.0


def _confidence_tests(evaluation: Evaluation) -> tuple[int, float]:
    """The number of tests of confidences, and the level of each of them after Bonferroni's correction."""
    tests = CONFIDENCE_TESTS * len(evaluation.confident())
    return tests, 1 - (1 - evaluation.interval_level) / max(tests, 1)


def _corrected(p: float, tests: int) -> str:
    """A p-value after Bonferroni's correction."""
    return f"corrected {p_is(min(1.0, tests * p))}"


def overconfident(evaluation: Evaluation) -> Iterable[Finding]:
    """Runs that are significantly overconfident or underconfident, corrected for all runs."""
    tests, level = _confidence_tests(evaluation)
    stated = [(name, one) for name, one in evaluation.confident() if not one.below_a_guess]
    for claims, word in ((1, "overconfident"), (-1, "underconfident")):
        found = [(name, one) for name, one in stated if one.claims(level) == claims]
        found.sort(key=lambda one: -abs(one[1].confidence - one[1].accuracy))
        for name, one in found[:1]:
            yield _of_first(
                [run for run, _ in found],
                f"{marked(name)} is significantly {word}: its mean confidence is {per_cent(one.confidence)}, but "
                f"{per_cent(one.accuracy)} of its answers are right ({IN_WORDS[one.way]}, {_corrected(one.p, tests)}).",
                flag=word,
            )


def not_probabilities(evaluation: Evaluation) -> Iterable[Finding]:
    """Runs whose confidences cannot be probabilities of their own answers: another answer would be likelier."""
    found = [(name, one) for name, one in evaluation.confident() if one.below_a_guess]
    found.sort(key=lambda one: one[1].confidence)
    for name, one in found[:1]:
        yield _of_first(
            [run for run, _ in found],
            f"{marked(name)} states a mean confidence of {per_cent(one.confidence)}, below the {one.guess:.0%} of a "
            f"guess ({IN_WORDS[one.way]}), so its confidences are unlikely to be probabilities that its answers are "
            "right.",
            weight=1,
        )


def miscalibrated(evaluation: Evaluation) -> Iterable[Finding]:
    """Runs that are significantly miscalibrated in some tenth of their confidences, though not overall."""
    tests, level = _confidence_tests(evaluation)
    stated = [(name, one) for name, one in evaluation.confident() if not one.below_a_guess]
    found = [(name, *one.worst()) for name, one in stated if not one.claims(level)]
    found = sorted((one for one in found if one[2] <= 1 - level), key=lambda one: one[2])
    for name, tenth, p in found[:1]:
        yield _of_first(
            [run for run, *_ in found],
            f"{marked(name)} is not significantly over- or underconfident overall, but it is miscalibrated where its "
            f"confidence is between {tenth.low:.0%} and {tenth.high:.0%}: its mean confidence there is "
            f"{per_cent(tenth.confidence)}, but {per_cent(tenth.accuracy)} of {counted(tenth.pairs, 'answer')} are "
            f"right ({_corrected(p, tests)}).",
            weight=1,
        )


def dependent(evaluation: Evaluation) -> Iterable[Finding]:
    """Pairs that share a text, where that makes the intervals too narrow; or few clusters."""
    if evaluation.shared_texts:
        yield from too_narrow(evaluation.shared_texts, evaluation.key.units)
    yield from few_clusters(evaluation.clusters)


FINDINGS: Findings = (
    below_trivial, constant, identical, self_contradictory, relabelled, degradation, overconfident, not_probabilities,
    miscalibrated, dependent,
)  # fmt: skip

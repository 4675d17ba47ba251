"""What a reader should take away about support by citations: sentences and a figure."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.charts import Chart, Dots, Figures, Interval, Series
from karat.data.result import Finding, Findings, all_marked, marked
from karat.errors import counted
from karat.studies.support.result import SupportScores
from karat.studies.unit_means import highest_mean
from karat.studies.wording import leaders, listed, some_of


def best(result: SupportScores) -> Iterable[Finding]:
    """Which runs have the highest F1, and the highest precision if that is not the same."""
    runs = {run.run: run for run in result.runs}
    if len(runs) < 2:
        return
    first = leaders({name: run.f1.value for name, run in runs.items()})
    yield highest_mean(first, f"F1 of support ({runs[first[0]].f1.value:.3f})")
    precise = leaders({name: run.precision.value for name, run in runs.items()})
    if precise and not set(precise) & set(first):
        highest = f"the highest precision ({runs[precise[0]].precision.value:.3f})"
        have = "have" if len(precise) > 1 else "has"
        yield Finding(f"{listed(all_marked(precise))} {have} {highest}.", precise)


def contradicted(result: SupportScores) -> Iterable[Finding]:
    """How often a document says the contrary of the sentence that cites it."""
    found = sorted((run for run in result.runs if run.contradicted > 0), key=lambda run: -run.contradicted)
    if found:
        shares = some_of([f"{marked(run.run)} {run.contradicted:.1%}" for run in found], 5)
        worth = f"{result.worth['contradicted']:g}".replace("-", "−")
        yield Finding(
            "Assessors judged that documents contradict some of the sentences that cite them "
            f"({shares} of cited sentences); such a sentence is worth {worth}.",
            [run.run for run in found],
        )


def unjudged(result: SupportScores) -> Iterable[Finding]:
    """Citations without a verdict, and topics without any."""
    if count := sum(run.unjudged for run in result.runs):
        runs = [run.run for run in result.runs if run.unjudged]
        count_as = "counts" if count == 1 else "count"
        yield Finding(f"{counted(count, 'cited sentence')} without a verdict {count_as} as no support.", runs)
    if out := result.left_out:
        are = "is left out: nothing of it was judged" if len(out) == 1 else "are left out: nothing of them was judged"
        yield Finding(f"{counted(len(out), 'topic')} that runs answer {are} ({some_of(out, 5)}).")


def support_scores(result: SupportScores) -> Iterable[Chart]:
    """The F1 of support of each run with its interval over topics, together with precision and recall.

    A run whose recall is much lower than its precision leaves many sentences without a citation, or topics without an
    answer; a run that cites a document in every sentence, and answers every topic, has the same precision and recall.
    """
    runs = sorted(result.runs, key=lambda run: -run.f1.value)
    yield Dots(
        title="Support by cited documents, best first",
        labels=tuple(run.run for run in runs),
        series=(
            Series("F1", [run.f1.value for run in runs]),
            Series("precision", [run.precision.value for run in runs]),
            Series("recall", [run.recall.value for run in runs]),
        ),
        intervals=tuple(Interval(run.f1.low, run.f1.high) for run in runs),
        axis="score",
    )


FINDINGS: Findings = (best, contradicted, unjudged)
FIGURES: Figures = (support_scores,)

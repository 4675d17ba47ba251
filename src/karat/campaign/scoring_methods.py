"""How runs were scored and compared, for the methods of a paper: a paragraph for each kind of task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from math import comb
from typing import TYPE_CHECKING

from karat.campaign.events import SCORED
from karat.campaign.state import Campaign
from karat.data.fields import readable
from karat.measures import measures, question_measures
from karat.measures.facts import INTERVALS
from karat.studies.qa.result import UNITS
from karat.studies.wording import TEST_NAMES, counted, listed

if TYPE_CHECKING:
    from karat.studies.compare.result import Comparison
    from karat.studies.nuggets.result import NuggetScores
    from karat.studies.qa.result import QuestionAnswering
    from karat.studies.report.result import Report


def were(count: int) -> str:
    """The verb that goes with a number."""
    return "was" if count == 1 else "were"


def scoring(state: Campaign, reports: Mapping[str, Report]) -> Iterator[Iterator[str]]:
    """Measures, intervals and tests, a paragraph for each kind of task that has scores; then what holds for all."""
    if not reports:
        yield iter(["No run has been scored yet."])
        return
    for analysis, section in ((_labels, "score"), (_answers, "qa"), (_nuggets, "nuggets"), (_grades, "justify")):
        made = {task: report for task, report in reports.items() if report.of(section) is not None}
        if made:
            yield _of_tasks(made, analysis)
    sections = ("compare", "qa-compare", "nuggets-compare")
    compared = [one for one in reports.values() if any(one.of(section) for section in sections)]
    if closing := [*_across(len(compared)), *_marked(state)]:
        yield iter(closing)


def _of_tasks(reports: Mapping[str, Report], analysis: Callable[[Report], Iterator[str]]) -> Iterator[str]:
    """What holds for all tasks of a kind, then what holds for each."""
    version = next(iter(reports.values())).signature.version
    yield f"The runs of {listed(list(reports))} were scored with karat {version}."
    analysed = {task: list(analysis(report)) for task, report in reports.items()}
    shared = [one for one in next(iter(analysed.values())) if all(one in each for each in analysed.values())]
    yield from shared
    for task, sentences in analysed.items():
        if own := [one for one in sentences if one not in shared]:
            yield f"In {task}: {own[0][0].lower()}{own[0][1:]}"
            yield from own[1:]


def _across(compared: int) -> Iterator[str]:
    if compared > 1:
        yield "Multiple tests are corrected within each task, and not across tasks."


def _marked(state: Campaign) -> Iterator[str]:
    marked = Counter(run.received.team for run in state.active() if run.received.team in state.definition.baselines)
    if marked:
        runs, teams = counted(sum(marked.values()), "run"), counted(len(marked), "team")
        yield f"{runs} of {teams} {were(sum(marked.values()))} marked as baselines."


def _labels(report: Report) -> Iterator[str]:
    """How labels were scored and compared."""
    evaluation = report.of("score")
    sources = {method.name: method.source for method in report.methods}
    shown = [readable(one) + (f" [{sources[one]}]" if sources.get(one) else "") for one in evaluation.headline]
    yield f"The measures are {listed(shown)}."
    yield "Answers are cross-tabulated with the key; two-way scores merge UNKNOWN and CONTRADICTION."
    yield _intervals(evaluation.headline, evaluation.signature.parameters["interval"])
    baselines = listed([one.run for one in evaluation.baselines])
    yield f"Baselines that do not read the input, scored on their expected counts: {baselines}."
    yield from _comparison(report.of("compare"), "unit")
    yield from _other_way(report)


def _intervals(headline: list[str], level: float) -> str:
    """Which measures have which intervals, each with its source."""
    methods: dict[str, list[str]] = {}
    for spelling in headline:
        kind = measures.parse(spelling).entry.facts["interval"]
        how = INTERVALS[kind].words + f" [{INTERVALS[kind].source}]" * bool(INTERVALS[kind].source)
        methods.setdefault(how, []).append(readable(spelling))
    return f"{level:.0%} intervals: " + "; ".join(f"of {listed(of)} by {how}" for how, of in methods.items()) + "."


def _other_way(report: Report) -> Iterator[str]:
    """The comparison in the other way of scoring, which the results show too."""
    compared = report.of("compare")
    for board in (view.board for view in report.opening.views if view.board.test):
        if compared is not None and board.way not in (None, compared.way):
            pairs, ways = comb(len(board.entries), 2), [SCORED[compared.way], SCORED[board.way or ""]]
            yield (
                f"The runs were also compared {ways[1]}: {counted(pairs, 'pair')} of runs in {board.heading} on "
                f"{counted(board.units, 'unit')} ({board.test}). The {listed(ways)} comparisons are two families of "
                "tests, each corrected by itself."
            )


def _answers(report: Report) -> Iterator[str]:
    """How answers to questions were scored and compared."""
    found: QuestionAnswering = report.of("qa")
    units = found.asked.units
    scored = [kind for kind in UNITS if units[kind].scored]
    shown = [f"{readable(UNITS[kind])} [{_source(kind)}] on {_units(kind, units[kind].scored)}" for kind in scored]
    if shown:
        yield f"The measures are {listed(shown)}."
    if left := [_units(kind, of.asked - of.scored) for kind, of in units.items() if of.asked > of.scored]:
        reasons = dict.fromkeys(one.unscored for one in found.questions if one.unscored)
        yield f"Not scored: {listed(left)} ({'; '.join(filter(None, reasons))})."
    yield "An answer is right if it was judged correct; inexact and unsupported ones count as wrong."
    if found.asked.unanswerable:
        yield f"NIL is the right answer to {_units('factoid', found.asked.unanswerable)} without a known answer."
    if "series" in scored:
        weights = [f"{weight:g}" for weight in found.signature.parameters["weights"]]
        yield f"The score of a series weights its factoid, list and other questions by {listed(weights)}."
    level = found.signature.parameters["interval"]
    yield (
        f"{level:.0%} intervals: Student's, over series, or over questions that are in none; Wilson's for right and "
        "wrong answers to such questions."
    )
    yield from _comparison(report.of("qa-compare"), "question")


def _nuggets(report: Report) -> Iterator[str]:
    """How responses were scored by nuggets and compared."""
    found: NuggetScores = report.of("nuggets")
    asked, over = found.signature.parameters, counted(found.runs[0].topics, "question")
    yield (
        f"The support of vital, weighted and all nuggets [{question_measures['vital_support'].facts['source']}], and F "
        f"with beta {asked['beta']:g} and an allowance of {asked['allowance']:g} characters for each nugget "
        f"[{question_measures['nugget_f'].facts['source']}], are means over {over}."
    )
    if found.unscored:
        yield f"Not scored: {counted(len(found.unscored), 'question')}."
    yield from _comparison(report.of("nuggets-compare"), "question")


def _grades(report: Report) -> Iterator[str]:
    """How responses were scored by grades and compared."""
    yield "Content counts three times as much as organisation; the grade of a response is the mean over its assessors."
    yield "A run that says nothing where others were graded has the grade 0 there."
    yield from _comparison(report.of("compare"), "question")


def _source(kind: str) -> str:
    return str(question_measures[UNITS[kind]].facts["source"])


def _units(kind: str, count: int) -> str:
    """A number of series, or of questions of a type."""
    return counted(count, "series", "series") if kind == "series" else counted(count, f"{kind} question")


def _comparison(compared: Comparison | None, unit: str) -> Iterator[str]:
    """The test of the differences between runs, and what is corrected for."""
    if compared is None:
        yield "Runs were not tested against each other: a comparison needs at least two."
        return
    way = f" ({SCORED[compared.way]})" if compared.way else ""
    units = counted(compared.units, "series", "series") if compared.measure == "series_score" else ""
    units = units or counted(compared.units, unit)
    if compared.clusters is not None:
        units += f" in {counted(compared.clusters, 'series', 'series')}, which are the clusters,"
    yield (
        f"{counted(len(compared.pairs), 'pair')} of runs {were(len(compared.pairs))} compared in "
        f"{compared.measure_name}{way} on {units} by a {TEST_NAMES[compared.test]} at the level "
        f"{1 - compared.interval_level:.2g} ({compared.why}); it tests {compared.tests_what}."
    )
    yield "No other measure was tested."
    yield f"Multiple tests: {compared.correction_name}, which controls {compared.controls}."
    yield f"Intervals of differences: {compared.intervals}."

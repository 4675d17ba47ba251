"""The first screen of a report: facts, the verdict, what the test set can resolve, grades, and the leaderboard."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from karat.arrays import DISPLAY_TOLERANCE
from karat.data.composite import Baseline, Board, Entry, Graded, Opening, View
from karat.data.responses import Responses
from karat.data.result import Finding, Findings
from karat.errors import NotApplicable, UsageError
from karat.labels import IN_WORDS, THREE, TWO, Way
from karat.studies.base import StudyResult
from karat.studies.compare.result import Comparison
from karat.studies.compare.study import compare
from karat.studies.judge.result import Judgement
from karat.studies.judge.study import judge
from karat.studies.nuggets.result import leaders_by_score
from karat.studies.report import grades
from karat.studies.report.evidence import GENERATED, LEADING, MOST_TESTED, PAIRS, QUESTIONS, Evidence
from karat.studies.report.resolution import resolution
from karat.studies.report.result import Report
from karat.studies.score.result import Evaluation
from karat.studies.sensitivity.result import Sensitivity
from karat.studies.sensitivity.study import sensitivity
from karat.studies.shared_texts import sharing_texts, too_narrow
from karat.studies.size.result import Size
from karat.studies.size.study import size
from karat.studies.tested_pairs import verdict
from karat.studies.wording import MOST_NAMED, counted, listed

R = TypeVar("R", bound=StudyResult)
Made = Mapping[str, Any]
"""The results of the sections, by name."""


@dataclass(frozen=True)
class ComparedWay:
    """Runs compared in one way, and what was made of the ranking in that way."""

    comparison: Comparison
    size: Size | None
    sensitivity: Sensitivity | None
    judgement: Judgement | None
    section: str = "compare"
    about: str = PAIRS

    @property
    def way(self) -> str:
        """The way; empty for scores."""
        return self.comparison.way or ""


def opening(evidence: Evidence, made: Made) -> Opening:
    """The first screen; without runs it has only facts and grades."""
    ways = list(_compared_ways(evidence, made))
    views = [
        replace(view, board=view.board.flagged(_flags(made.values(), view.board.way)))
        for view in _views(evidence, made, ways)
    ]
    return Opening(
        facts=tuple(_facts(evidence, made, views)),
        views=tuple(views),
        grades=tuple(_grades(evidence, made, ways)),
        attention=tuple(_attention(made, views)),
    )


def _views(evidence: Evidence, made: Made, ways: Sequence[ComparedWay]) -> Iterator[View]:
    """The runs as they are compared in the report; if they can also be scored the other way, that way too."""
    if ways:
        for one in ways:
            yield from _view(evidence, made, one)
    elif "score" in made:
        yield from _untested(evidence, made["score"])


def _compared_ways(evidence: Evidence, made: Made) -> Iterator[ComparedWay]:
    """The runs compared as in the report and, if they can be scored so too, in the other way.

    Without pairs and scores, the runs that answer questions, or else in their own words.
    """
    if "compare" not in made:
        if "score" not in made:
            yield from itertools.islice(_answering(evidence, made), 1)
        return
    compared, runs = made["compare"], evidence.responses
    by_clusters = evidence.asked.cluster is not None  # `size` knows only the clusters of a score matrix
    yield ComparedWay(compared, None if by_clusters else made.get("size"), made.get("sensitivity"), made.get("judge"))
    way = {"2": THREE, "3": TWO}.get(compared.way or "")
    if runs is None or way is None or evidence.asked.way in ("2", "3") or runs.allows(way).sum() < 2:
        return
    scored = runs.of_runs(runs.allows(way).nonzero()[0].tolist())
    right = scored.right(way)
    tested, leading = (
        scored if len(scored) <= most else scored.of_runs(right.leading(most)) for most in (MOST_TESTED, LEADING)
    )
    again = _if_possible(compare, tested, evidence, way)
    if again is not None:
        sized = None if by_clusters else _if_possible(size, tested, evidence, way)
        varied = judged = None
        if "sensitivity" in made:
            varied = _if_possible(sensitivity, leading, evidence, way, ballots=evidence.noise)
        if "judge" in made:
            judged = _if_possible(judge, leading, evidence, way, ballots=evidence.with_judges)
        yield ComparedWay(again, sized, varied, judged)


def _answering(evidence: Evidence, made: Made) -> Iterator[ComparedWay]:
    """The runs on questions and the generated answers, compared, and what their units can resolve."""
    scored = (
        ("qa-compare", QUESTIONS, evidence.question_scores),
        ("nuggets-compare", GENERATED, evidence.nugget_scores),
    )
    for name, about, scores in scored:
        if name in made and scores is not None:
            try:
                sized = size(runs=scores, **evidence.options("size", of_labels=False))
            except (UsageError, NotApplicable):
                sized = None
            yield ComparedWay(made[name], sized, None, None, name, about)


def _if_possible(study: Callable[..., R], runs: Responses, evidence: Evidence, way: Way, **more: Any) -> R | None:
    """A study of the runs in a way that is not the report's; None if the data do not allow it."""
    try:
        return study(runs=runs, **evidence.options(study.__name__) | {"way": way.name} | more)
    except (UsageError, NotApplicable):
        return None


def _view(evidence: Evidence, made: Made, one: ComparedWay) -> Iterator[View]:
    """One view of the runs, some of which may not be compared; none if no run was tested."""
    compared = one.comparison
    board = compared.board()
    if board is None:
        return
    board = replace(board, left_out=evidence.number_of_runs(one.about) - len(board.entries))
    if "score" in made and compared.way is not None:
        board = replace(board, unit="pair", baseline=_baseline(made["score"], compared.way, compared.measure))
    elif one.about == GENERATED:
        board = replace(board, unit="topic")
    elif one.about == QUESTIONS:
        board = replace(board, unit="series" if compared.measure == "series_score" else "question")
    resolved = Finding(" ".join(resolution(evidence, compared, one.size, board)), board.named)
    yield View(verdict(board), resolved, board)


def _untested(evidence: Evidence, scored: Evaluation) -> Iterator[View]:
    """Runs that are not compared with each other: one alone, or several if the comparison is left out."""
    for way in sorted(scored.shown, key=lambda name: name != evidence.way.name):
        rows = [row for row in scored.systems(way)[: len(scored.runs)] if row.values[way]]
        values = [(row, row.value(way, "accuracy") or 0.0) for row in rows]
        best = max((value for _, value in values), default=0.0)
        entries = [
            Entry(row.run, (1, len(rows)), value, (row.intervals[way] or {})["accuracy"], value - best, None)
            for row, value in values
        ]
        leaders = tuple(one.run for one in entries if one.value >= entries[0].value - DISPLAY_TOLERANCE)
        units, baseline = scored.key.units, _baseline(scored, way, "accuracy")
        if entries:
            board = Board("accuracy", way, units, "pair", 0.95, "", leaders, tuple(entries), baseline, percent=True)
            yield View(verdict(board), Finding(""), board)


def _baseline(scored: Evaluation, way: str, measure: str) -> Baseline | None:
    """The best baseline; among equals the first, which is a constant answer."""
    found = [(row.run, row.value(way, measure)) for row in scored.baselines]
    known = [(run, value) for run, value in found if value is not None and value == value]
    if not known or scored.own_weights:
        return None
    return Baseline(*max(known, key=lambda one: round(one[1], 9)))


def _flags(results: Iterable[StudyResult], way: str | None) -> dict[str, tuple[str, ...]]:
    """The flags that findings give to runs, without those that hold in the other way only."""
    flags: dict[str, list[str]] = {}
    for result in results:
        for finding in result.findings():
            for run in finding.runs if finding.flag and finding.way in ("", way) else ():
                flags.setdefault(run, []).append(finding.flag)
    return {run: tuple(dict.fromkeys(several)) for run, several in flags.items()}


def _facts(evidence: Evidence, made: Made, views: Sequence[View]) -> Iterator[str]:
    """What was evaluated, on what, and by which measure."""
    scored = made.get("score")
    if scored is not None:
        labels = {label.lower().replace("_", " "): count for label, count in scored.key.labels.items() if count}
        mix = " · ".join(f"{count:,} {label}" for label, count in labels.items())
        sharing, texts = sharing_texts(evidence.key) if evidence.key is not None else (0, 0)
        on = f" on {counted(texts, 'text')}" if sharing else ""
        left = scored.key.units - sum(labels.values())
        blind = f" · {left:,} without a label" if left else ""
        yield f"{counted(scored.key.units, 'pair')}{on} ({mix}{blind})"
    elif views:
        yield counted(views[0].board.units, views[0].board.unit, views[0].board.plural)
    if views:
        board = views[0].board
        runs = len(board.entries) + board.left_out
        compared = f" ({len(board.entries):,} of them compared)" if board.left_out else ""
        bad = sum(one.code == "bad-run" for one in evidence.responses.warnings) if evidence.responses else 0
        skipped = f", and {bad:,} with errors that {'is' if bad == 1 else 'are'} left out" if bad else ""
        yield f"{counted(runs, 'run')}{compared}{skipped}"
        way = f"{IN_WORDS[board.way]} " if board.way else ""
        yield f"ranked by {way}{board.heading}{_why(evidence, board)}"
    elif (people := evidence.people) is not None and "agree" in made:
        cast = counted(len(people), "ballot")
        most = len(people.assessors)
        yield f"{cast}, up to {most:,} per unit" if people.exchangeable else f"{cast} of {counted(most, 'assessor')}"
        yield counted(len(people.units), "unit")
    elif (ratings := evidence.ratings) is not None and "justify" in made:
        yield f"{counted(len(ratings), 'rating')} of {counted(len(ratings.runs), 'run')}"
        yield counted(len(ratings.units), "unit")


def _why(evidence: Evidence, board: Board) -> str:
    """Why the runs are scored in this way."""
    runs = evidence.responses
    if runs is None or board.way is None:
        return ""
    if evidence.asked.way in ("2", "3"):
        return ", as asked"
    if board.way == "3":
        return ", since the key and every run have three labels"
    if runs.key.way is not THREE:
        return ", since the key has two labels"
    two_way = [name for name, three in zip(runs.names, runs.allows(THREE), strict=True) if not three]
    named = listed([f"“{one}”" for one in two_way]) if len(two_way) <= MOST_NAMED else f"{len(two_way):,} runs"
    return f", since {named} {'has' if len(two_way) == 1 else 'have'} no third label"


def _grades(evidence: Evidence, made: Made, ways: Sequence[ComparedWay]) -> Iterator[Graded]:
    """The grades that the sections allow; pairs whose key was not examined say so."""
    agreed = made.get("agree")
    for one in ways:
        if grade := grades.test_set(one.comparison, one.size):
            section = "size" if one.about == PAIRS and "size" in made else one.section
            yield Graded(section, grade, one.way * (len(ways) > 1))
    for one in ways:
        others = leaders_by_score(evidence.nugget_result) if one.about == GENERATED and evidence.nugget_result else {}
        if grade := grades.ranking(one.sensitivity, one.comparison, others):
            section = one.section if grades.doubtful(one.comparison) or not one.sensitivity else "sensitivity"
            yield Graded(section, grade, one.way * (len(ways) > 1))
    if not ways and (grade := grades.ranking(made.get("sensitivity"))):
        yield Graded("sensitivity", grade)
    if agreed is not None or "score" in made:
        yield Graded("agree" if agreed else "score", grades.assessors(agreed, _matching(evidence)))
    judged = [one for one in ways if one.judgement]
    for one in judged:
        for grade in grades.judge(one.judgement):
            yield Graded("judge", grade, one.way * (len(judged) > 1))
    if not judged:
        for grade in grades.judge(made.get("judge")):
            yield Graded("judge", grade)


def _attention(made: Made, views: Sequence[View]) -> Iterator[str]:
    """Sections with a reason to doubt who leads that no tile links to: other choices, and another test set."""
    if not grades.keeps_ranking(made.get("sensitivity")):
        yield "sensitivity"
    if "swap" in made and views:
        first, *others = (one.value for one in views[0].board.entries)
        if others and not first - others[0] >= made["swap"].fresh.smallest_reliable_difference:
            yield "swap"


def _matching(evidence: Evidence) -> float | None:
    """The share of people's ballots that say what the key says, if they have its labels."""
    key, people = evidence.key, evidence.noise
    if key is None or people is None or key.way is None:
        return None
    label = dict(zip(key.ids, key.labels.tolist(), strict=True))
    said = [key.way.labels.index(value) if value in key.way.labels else None for value in people.scale.values]
    units = [label.get(people.units[unit], -1) for unit in people.unit.tolist()]
    pairs = [(ours, said[code]) for ours, code in zip(units, people.code.tolist(), strict=True) if ours >= 0]
    known = [ours == theirs for ours, theirs in pairs if theirs is not None]
    return sum(known) / len(known) if known else None


def leading(report: Report) -> Iterable[Finding]:
    """Which sections are limited to the leading runs."""
    for note, group in itertools.groupby((one for one in report.sections if one.note), key=lambda one: one.note):
        questions = [f"“{one.question}”" for one in group]
        sections = "the section" if len(questions) == 1 else "the sections"
        yield Finding(note.replace("this section", f"{sections} {listed(questions)}"))


def first_screen(report: Report) -> Iterable[Finding]:
    """The verdict, and what the test set can resolve."""
    for view in report.opening.views[:1]:
        yield from (Finding(said, view.board.named) for said in (view.verdict, view.resolution) if said)


def without_ranking(report: Report) -> Iterable[Finding]:
    """If there is no leaderboard, the first things that the first section has to say."""
    if not report.opening.views:
        yield from report.sections[0].result.headlines()[:2]


def others(report: Report) -> Iterable[Finding]:
    """The verdicts on questions and on generated answers, if the first screen is about something else."""
    first = [view.board for view in report.opening.views]
    for name, where in (("qa-compare", "On the questions, "), ("nuggets-compare", "By nuggets, ")):
        compared = report.of(name)
        board = compared.board() if isinstance(compared, Comparison) else None
        if board is not None and all(one.measure != board.measure for one in first):
            yield verdict(board, where)


def of_scores(report: Report) -> Iterable[Finding]:
    """What `score` says first about single runs, such as labels that contradict their ranking."""
    scored = report.of("score")
    if scored is not None:
        yield from scored.headlines()


def dependent(report: Report) -> Iterable[Finding]:
    """How many pairs share a text, and whether that makes a difference to the intervals."""
    shared, cluster = report.shared_texts, report.signature.parameters.get("cluster")
    if cluster is not None:
        yield Finding(
            f"Runs are scored and compared by clusters of pairs with the same {cluster}. Other sections treat pairs as "
            "independent: their intervals may be too narrow."
        )
    elif shared is not None and report.pairs is not None:
        text = f"{shared.pairs:,} of {len(report.pairs.ids):,} pairs share their text with another pair"
        if shared.widens:
            yield from too_narrow(shared, len(report.pairs.ids))
        elif shared.exceeds_chance:
            yield Finding(f"{text}, with little effect on the intervals of accuracy: {shared.wide}.")
        elif shared.times_as_wide == shared.times_as_wide:
            yield Finding(f"{text}, with no clear effect on the intervals of accuracy: {shared.wide}.")


FINDINGS: Findings = (leading, first_screen, without_ranking, others, dependent, of_scores)

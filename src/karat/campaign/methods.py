"""The methods paragraphs of the overview paper, with every number filled in, and their references as BibTeX."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from karat import __version__
from karat.campaign.definition import Task
from karat.campaign.letters import WAYS
from karat.campaign.sight import Sight, seen_as
from karat.campaign.state import Campaign, Run

if TYPE_CHECKING:
    from karat.campaign.checking import TestSet
    from karat.studies.report.result import Report


def methods(state: Campaign, tests: Mapping[str, TestSet], reports: Mapping[str, Report], seeing: Sight) -> str:
    """What was done, in paragraphs for a paper: the test set of each task, and the report on its runs, by task.

    Teams have the names under which they are seen.
    """
    paragraphs = [
        _data(state, tests),
        _dates(state),
        _taking_part(state, seeing),
        _scoring(state, reports),
        _keys(state),
    ]
    return "\n\n".join(" ".join(sentences) for sentences in paragraphs) + "\n"


def references(state: Campaign, text: str) -> str:
    """The campaign, karat and every source that the methods name, as BibTeX."""
    from karat.render.bibliography import entries
    from karat.render.latex import escaped

    definition = state.definition
    year = (state.released.get("public") or definition.dates.closes).astimezone(UTC).year
    people = [one.person for one in state.members.values() if one.role == "organiser" and one.person]
    author = " and ".join(f"{{{escaped(one)}}}" for one in dict.fromkeys(people))
    campaign = _misc(
        definition.name,
        author=author or f"{{The organisers of {escaped(definition.title)}}}",
        title=f"{{{escaped(definition.title)}}}",
        year=str(year),
        note=f"Key version {len(state.keys)}, commitment {state.commitment}",
    )
    karat = _misc(
        "karat", title="{karat}: evaluation of entailment and question answering", note=f"Version {__version__}"
    )
    return "\n\n".join([campaign, karat, *entries([text])]) + "\n"


def _misc(key: str, **fields: str) -> str:
    return f"@misc{{{key},\n" + ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items()) + "\n}"


def _data(state: Campaign, tests: Mapping[str, TestSet]) -> Iterator[str]:
    """The tasks, their units and labels, and how the keys were made."""
    yield f"{state.definition.title} had {_counted(len(state.definition.tasks), 'task')}."
    for task in state.definition.tasks:
        yield from _task(task, tests[task.name])
    kept = dict[str, tuple[list[str], Any]]()
    for task in state.definition.tasks:
        if not task.needs_people:
            kept.setdefault(task.test, ([], tests[task.name].units))[0].append(task.name)
    for names, units in kept.values():
        yield from _annotation(names, getattr(units, "ballots", None))


def _task(task: Task, test: TestSet) -> Iterator[str]:
    units, what = test.units, "question" if task.kind in ("questions", "nuggets") else "pair"
    said = f"The {task.kind} task {_title(task)} had {_counted(len(units), what)}"
    if task.needs_people:
        yield f"{said}; people judge the answers."
        return
    counts = _labels(task, units)
    total = sum(counts.values())
    said += ": " + _listed([f"{number:,} {label} ({number / total:.1%})" for label, number in counts.items()])
    yield said + f"; {_counted(len(units) - total, what)} had no label" * (len(units) > total) + "."
    if test.live is not None:
        shown, scored = (sum(one.label_counts().values()) for one in (test.live, test.scored))
        yield (
            f"A live board showed the scores on {_counted(shown, what)} drawn at random (a share of "
            f"{task.public_share:.0%}); the official scores rest on "
            + (f"the other {scored:,}." if scored < total else "all of them.")
        )


def _labels(task: Task, units: Any) -> dict[str, int]:
    """The label mix as the task asks for it."""
    from karat.labels import ENTAILMENT, NO_ENTAILMENT

    counts: dict[str, int] = units.label_counts()
    if task.way == 2 and NO_ENTAILMENT not in counts:
        return {ENTAILMENT: counts[ENTAILMENT], NO_ENTAILMENT: sum(counts.values()) - counts[ENTAILMENT]}
    return counts


def _annotation(tasks: list[str], ballots: Any) -> Iterator[str]:
    of_what = f"the key of {_listed(tasks)}"
    if ballots is None or not len(ballots):
        yield f"How {of_what} was annotated, by whom and with what agreement, is not recorded here."
        return
    from karat.measures.agreement import coefficients
    from karat.studies.agree.result import COEFFICIENT_NAMES
    from karat.studies.agree.study import agree
    from karat.studies.base import sources_of

    found = agree(ballots)
    who = (
        f"at most {_counted(len(found.assessors), 'assessor')} per unit, who are not identified"
        if found.exchangeable
        else _counted(len(found.assessors), "assessor")
    )
    said = f"For {of_what}, {who} gave {_counted(found.ballots, 'label')} to {_counted(found.units, 'unit')}"
    alpha, agreed = found.coefficients["alpha"], found.coefficients["agreement"]
    if alpha.value == alpha.value:
        level = found.signature.parameters["interval"]
        source = "; ".join(sources_of(coefficients, ["alpha"]))
        said += (
            f"; two labels of a unit were the same in {agreed.value:.1%} of cases, and {COEFFICIENT_NAMES['alpha']} "
            f"was {alpha.value:.3f} ({level:.0%} CI {alpha.low:.3f} to {alpha.high:.3f}; {source})"
        )
    else:
        said += "; agreement is undefined"
    yield f"{said}."


def _dates(state: Campaign) -> Iterator[str]:
    """When what happened."""
    dates, grace = state.definition.dates, state.definition.grace
    yield f"Teams could get the test sets without their keys from {_moment(dates.data or dates.opens)}."
    yield f"Runs were accepted from {_moment(dates.opens)} until {_moment(dates.closes)}."
    extended = [team.until for team in state.teams.values() if team.until is not None]
    if extended:
        teams = _counted(len(extended), "team")
        yield f"{teams} {_were(len(extended))} given more time, until {_moment(max(extended))} at the latest."
    if grace:
        yield f"Runs that came up to {_counted(grace, 'minute')} after the deadline were accepted and marked as late."
    if dates.reports is not None:
        yield f"System reports were due on {_moment(dates.reports)}."
    if (at := state.released.get("teams")) is not None:
        key = ", together with the key" * state.definition.key_with_results
        yield f"Each team received its own results on {_moment(at)}{key}."
    if (at := state.released.get("public")) is not None:
        yield f"All results became public on {_moment(at)}."


def _taking_part(state: Campaign, seeing: Sight) -> Iterator[str]:
    """Teams, runs, limits, and how files were checked."""
    runs, every = state.active(), [run for run in state.runs.values() if run.received.sent.area == "official"]
    each = Counter(seen_as(state, run.received.team, seeing) for run in runs)
    shown = [f"{name} ({_counted(each[name], 'run')})" for name in sorted(each)]
    took_part = f"{_counted(len(state.teams), 'team')} registered, and {len(each):,} took part with runs that count"
    yield took_part + (f": {_listed(shown)}." if shown else ".")
    if not seeing.names and each:
        yield "The names of the teams are hidden; each has an alias."
    limits = {task.name: task.runs for task in state.definition.tasks if task.takes_runs}
    if len(set(limits.values())) == 1:
        yield f"A team could submit up to {_counted(next(iter(limits.values())), 'run')} per task."
    elif limits:
        yield f"A team could submit up to {_listed([f'{most} in {task}' for task, most in limits.items()])}."
    counts = Counter(run.received.sent.task for run in runs)
    if len(limits) > 1:
        yield f"There were {_listed([_counted(counts[task], 'run') + f' in {task}' for task in limits])}."
    yield from _kinds(runs)
    checked = (
        "Every file was checked when it arrived, by the same program that scored it: every unit had to be answered "
    )
    yield checked + "once, with a label of the task; whoever sent a faulty file was shown every problem with its line."
    gone = Counter(run.status for run in every)
    counted = {"refused": len(state.refused)} | {what: gone[what] for what in ("replaced", "withdrawn")}
    found = [f"{_counted(count, 'file')} {_were(count)} {what}" for what, count in counted.items() if count]
    yield f"In all, {_listed(found)}." if found else "No file was refused, replaced or withdrawn."


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def _kinds(runs: list[Run]) -> Iterator[str]:
    """What is particular about some runs."""
    marked = {
        "late": [run for run in runs if run.received.late],
        "made with manual intervention": [run for run in runs if run.received.sent.manual],
        "ranked by confidence": [run for run in runs if run.received.sent.ranked],
        "submitted with justifications": [run for run in runs if run.received.sent.justifications],
        "not yet judged by people": [run for run in runs if not run.scores],
    }
    found = [f"{len(those):,} {_were(len(those))} {what}" for what, those in marked.items() if those]
    if found:
        yield f"Of the {_counted(len(runs), 'run')}, {_listed(found)}."


def _scoring(state: Campaign, reports: Mapping[str, Report]) -> Iterator[str]:
    """Measures, intervals, tests and baselines, in the words of the results."""
    if not reports:
        yield "No run has been scored yet."
        return
    analysed = {task: list(_analysis(report)) for task, report in reports.items()}
    shared = [one for one in next(iter(analysed.values())) if all(one in each for each in analysed.values())]
    yield from shared
    for task, sentences in analysed.items():
        if own := [one for one in sentences if one not in shared]:
            yield f"In {task}: {own[0][0].lower()}{own[0][1:]}"
            yield from own[1:]
    marked = Counter(run.received.team for run in state.active() if run.received.team in state.definition.baselines)
    if marked:
        runs, teams = _counted(sum(marked.values()), "run"), _counted(len(marked), "team")
        yield f"{runs} of {teams} {_were(sum(marked.values()))} marked as baselines."


def _analysis(report: Report) -> Iterator[str]:
    """How the runs of one task were scored and compared."""
    from karat.data.fields import readable
    from karat.studies.wording import TEST_NAMES

    evaluation, comparison = report.of("score"), report.of("compare")
    sources = {method.name: method.source for method in report.methods}
    if evaluation is not None:
        shown = [readable(one) + (f" [{sources[one]}]" if sources.get(one) else "") for one in evaluation.headline]
        yield f"Runs were scored with karat {evaluation.signature.version} by {_listed(shown)}."
        yield evaluation.METHOD
        yield f"Intervals are at the level of {evaluation.signature.parameters['interval']:.0%} [{sources['score']}]."
        yield f"Baselines that do not read the input: {_listed([one.run for one in evaluation.baselines])}."
    if comparison is None:
        yield "Runs were not tested against each other: a comparison needs at least two."
        return
    way = f" ({WAYS.get(comparison.way, comparison.way)})" if comparison.way else ""
    pairs, units = _counted(len(comparison.pairs), "pair"), _counted(comparison.units, "unit")
    yield (
        f"{pairs} of runs {_were(len(comparison.pairs))} compared in {comparison.measure_name}{way} on {units} by a "
        f"{TEST_NAMES[comparison.test]} at the level {1 - comparison.level:.2g} ({comparison.why}); it tests "
        f"{comparison.tests_what}."
    )
    yield f"Multiple tests: {comparison.correction_name}, which controls {comparison.controls}."
    yield f"Intervals of differences: {comparison.intervals}."


def _keys(state: Campaign) -> Iterator[str]:
    """The promise of the key, and what became of it."""
    first, *later = state.keys
    yield (
        f"On {_moment(first.at)} the organisers committed themselves to the test sets and keys by publishing a SHA-256 "
        f"hash of them and a nonce, {first.commitment}."
    )
    for number, key in enumerate(later, 2):
        reason = key.reason.strip().rstrip(".")
        yield f"Key version {number} replaced it on {_moment(key.at)} (commitment {key.commitment}): {reason}."
    yield f"All scores are those of key version {len(state.keys)}."
    if "public" in state.released:
        yield "The nonce is published with the key, so that everybody can compute the commitments again."


def _title(task: Task) -> str:
    return f"{task.name} ({task.title})" if task.title else task.name


def _moment(moment: datetime) -> str:
    there = moment.astimezone(UTC)
    return f"{there.day} {there:%B %Y, %H:%M} UTC"


def _counted(number: int, what: str) -> str:
    from karat.studies.wording import counted

    return counted(number, what)


def _listed(names: Iterable[str]) -> str:
    """All names in a sentence, however many there are."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last

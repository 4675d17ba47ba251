"""The methods paragraphs of the overview paper, with every number filled in, and their references as BibTeX."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from karat import __version__
from karat.campaign.dates import plain
from karat.campaign.definition import Task
from karat.campaign.judged import Judgments
from karat.campaign.judging.work import Work
from karat.campaign.scoring_methods import scoring, were
from karat.campaign.sight import Sight, seen_as
from karat.campaign.state import Campaign, KeyVersion, Run
from karat.data.nuggets import OKAY, VITAL
from karat.data.verdicts import NAMES, Verdicts
from karat.studies.wording import counted, listed

if TYPE_CHECKING:
    from karat.campaign.checking import TestSet
    from karat.data.ballots import Ballots
    from karat.data.questions import Questions
    from karat.studies.report.result import Report

OF_LABELS = "every pair had to be answered once, with a label of the task"
OF_ANSWERS = "every factoid question had to have one answer, NIL or a text"
"""What is checked in a run of labels, and in one of answers."""


def methods(
    state: Campaign,
    tests: Mapping[str, TestSet],
    reports: Mapping[str, Report],
    seeing: Sight,
    opened: Mapping[str, TestSet] | None = None,
) -> str:
    """What was done, in paragraphs for a paper: the test set of each task, and the report on its runs, by task.

    Teams have the names under which they are seen. `opened` has the test sets with the keys with which submissions
    opened, whose ballots tell how they were annotated even if a new key has none.
    """
    paragraphs = [
        _data(state, tests, opened or tests),
        _dates(state),
        _taking_part(state, seeing),
        *scoring(state, reports),
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
        note=f"Key version {len(state.keys)}; commitment to the test sets and their keys: {state.commitment}",
    )
    karat = _misc(
        "karat", title="{karat}: evaluation of entailment and question answering", note=f"Version {__version__}"
    )
    return "\n\n".join([campaign, karat, *entries([text])]) + "\n"


def _misc(key: str, **fields: str) -> str:
    return f"@misc{{{key},\n" + ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items()) + "\n}"


def _data(state: Campaign, tests: Mapping[str, TestSet], opened: Mapping[str, TestSet]) -> Iterator[str]:
    """The tasks, their units and labels, and how the keys were made."""
    yield f"{state.definition.title} had {counted(len(state.definition.tasks), 'task')}."
    for task in state.definition.tasks:
        yield from _task(state, task, tests[task.name])
    kept = dict[str, list[str]]()
    for task in state.definition.tasks:
        if not task.needs_people:
            kept.setdefault(task.test, []).append(task.name)
    for names in kept.values():
        of_what = f"the key of {listed(names)}"
        now, then = (getattr(one[names[0]].units, "ballots", None) for one in (tests, opened))
        if then and not now:
            yield from _annotation(f"{of_what} with which submissions opened", then)
            yield "Who decided on the changes since, and with what agreement, is not recorded here."
        else:
            yield from _annotation(of_what, now)


def _task(state: Campaign, task: Task, test: TestSet) -> Iterator[str]:
    asks = task.asks
    units, what = test.units, "question" if asks else "pair"
    said = f"The {task.kind} task {_title(task)} had {counted(len(units), what)}"
    if asks and len(units):
        said += f": {_types(units)}"
    if task.needs_people:
        yield f"{said}."
        yield from _judgments(state, task, test)
        return
    counts = _labels(task, units)
    total = sum(counts.values())
    said += ": " + listed([f"{number:,} {label} ({number / total:.1%})" for label, number in counts.items()])
    yield said + f"; {counted(len(units) - total, what)} had no label" * (len(units) > total) + "."
    if test.live is not None:
        shown, scored = (sum(one.label_counts().values()) for one in (test.live, test.scored))
        yield (
            f"A live board showed the scores on {counted(shown, what)} drawn at random (a share of "
            f"{task.public_share:.0%}); the official scores rest on "
            + (f"the other {scored:,}." if scored < total else "all of them.")
        )


def _types(questions: Questions) -> str:
    """How many questions of each type there are, and in how many series."""
    types = listed([f"{count:,} {kind.lower()}" for kind, count in questions.type_counts().items() if count])
    inside = int((questions.series_of >= 0).sum())
    which = "" if inside == len(questions) else f"{inside:,} of them "
    return types + f", {which}in {len(questions.series):,} series" * bool(inside)


def _judgments(state: Campaign, task: Task, test: TestSet) -> Iterator[str]:
    """How the runs of a task were judged that people have to judge."""
    if not task.takes_runs:
        yield f"Teams sent no runs to {task.name}."
        return
    if test.judged == Judgments():
        yield f"The runs of {task.name} have not been judged, and have no scores."
        return
    verdicts, matches, quality = test.judged
    if verdicts is not None:
        yield from _verdicts(verdicts, state.work_of(task.name))
    if matches is not None:
        kinds = Counter(matches.nuggets.importance.tolist())
        yield (
            f"Lists of {counted(len(matches.nuggets), 'nugget')} ({kinds[VITAL]:,} vital, {kinds[OKAY]:,} okay) were "
            f"made for {counted(len(matches.nuggets.units), 'question')}, and looked for in every response."
        )
    if quality is not None:
        yield f"{counted(len(quality), 'grade')} of content and organisation, from 0 to 10, were given to responses."
    judges = [who for who, of in state.work_of(task.name).ballots.items() if of]
    people = [who for who in judges if who not in state.work_of(task.name).programs]
    if people:
        yield f"{counted(len(people), 'assessor')} judged on the pages of the campaign; the record has every judgment."
    else:
        yield "Who judged them, how many judged each, and with what agreement, is not recorded here."


def _verdicts(verdicts: Verdicts, work: Work) -> Iterator[str]:
    """The answers of runs that were judged, and apart from them those that assessors knew themselves."""
    rows = zip(
        (verdicts.units[place] for place in verdicts.question), verdicts.documents, verdicts.strings, strict=True
    )
    if work.labels:
        judged = {tuple(" ".join(part.split()) for part in unit.split("\t", 2)) for unit in work.labels}
        own = [tuple(" ".join(part.split()) for part in row) not in judged for row in rows]
        apart = "Assessors added {answers} of their own."
    else:
        own = [not document for _, document, _ in rows]
        apart = "The judgments have {answers} without a document besides."
    if all(own):  # there are no documents at all
        own = [False] * len(own)
    codes = Counter(code for code, alone in zip(verdicts.verdict.tolist(), own, strict=True) if not alone)
    total, added = sum(codes.values()), sum(own)
    found = [f"{codes[code]:,} {name} ({codes[code] / total:.1%})" for code, name in enumerate(NAMES) if codes[code]]
    different = counted(total, "different answer") + " to its questions"
    different += ", each a string with its document," * any(verdicts.documents)
    yield f"{different} {were(total)} judged: {listed(found[::-1])}."
    if added:
        yield apart.format(answers=counted(added, "answer"))


def _labels(task: Task, units: Any) -> dict[str, int]:
    """The label mix as the task asks for it."""
    from karat.labels import ENTAILMENT, NO_ENTAILMENT

    counts: dict[str, int] = units.label_counts()
    if task.way == 2 and NO_ENTAILMENT not in counts:
        return {ENTAILMENT: counts[ENTAILMENT], NO_ENTAILMENT: sum(counts.values()) - counts[ENTAILMENT]}
    return counts


def _annotation(of_what: str, ballots: Ballots | None) -> Iterator[str]:
    if not ballots:
        yield f"How {of_what} was annotated, by whom and with what agreement, is not recorded here."
        return
    from karat.measures.agreement import coefficients
    from karat.studies.agree.result import COEFFICIENT_NAMES
    from karat.studies.agree.study import agree
    from karat.studies.base import sources_of

    found, most = agree(ballots), len(ballots.assessors)
    who = "assessors who are not identified" if found.exchangeable else counted(most, "assessor")
    said = f"For {of_what}, {who} gave {counted(found.ballots, 'label')} to {counted(found.units, 'pair')}"
    if found.exchangeable:
        said += f", {'' if found.ballots == most * found.units else 'at most '}{most:,} to each"
    alpha, agreed = found.coefficients["alpha"], found.coefficients["agreement"]
    if alpha.value == alpha.value:
        level = found.signature.parameters["interval"]
        source = "; ".join(sources_of(coefficients, ["alpha"]))
        said += (
            f"; two labels of a pair were the same in {agreed.value:.1%} of cases, and {COEFFICIENT_NAMES['alpha']} "
            f"was {alpha.value:.3f} ({level:.0%} CI {alpha.low:.3f} to {alpha.high:.3f}; {source})"
        )
    else:
        said += "; agreement is undefined"
    yield f"{said}."


def _dates(state: Campaign) -> Iterator[str]:
    """When what happened."""
    dates, grace = state.definition.dates, state.definition.grace
    yield f"Teams could get the test sets without their keys from {plain(dates.data or dates.opens)}."
    yield f"Runs were accepted from {plain(dates.opens)} until {plain(dates.closes)}."
    extended = [team.until for team in state.teams.values() if team.until is not None]
    if extended:
        teams = counted(len(extended), "team")
        yield f"{teams} {were(len(extended))} given more time, until {plain(max(extended))} at the latest."
    if grace:
        yield f"Runs that came up to {counted(grace, 'minute')} after the deadline were accepted and marked as late."
    if dates.reports is not None:
        yield f"System reports were due on {plain(dates.reports)}."
    if (at := state.released.get("teams")) is not None:
        key = ", together with the key" * state.definition.key_with_results
        yield f"Each team received its own results on {plain(at)}{key}."
    if (at := state.released.get("public")) is not None:
        yield f"All results became public on {plain(at)}."


def _taking_part(state: Campaign, seeing: Sight) -> Iterator[str]:
    """Teams, runs, limits, and how files were checked."""
    runs, every = state.active(), [run for run in state.runs.values() if run.received.sent.area == "official"]
    each = Counter(seen_as(state, run.received.team, seeing) for run in runs)
    shown = [f"{name} ({counted(each[name], 'run')})" for name in sorted(each)]
    took_part = f"{counted(len(state.teams), 'team')} registered, and {len(each):,} took part with runs that count"
    yield took_part + (f": {listed(shown)}." if shown else ".")
    if not seeing.names and each:
        yield "The names of the teams are hidden; each has an alias."
    limits = {task.name: task.runs for task in state.definition.tasks if task.takes_runs}
    if len(set(limits.values())) == 1:
        yield f"A team could submit up to {counted(next(iter(limits.values())), 'run')} per task."
    elif limits:
        yield f"A team could submit up to {listed([f'{most} in {task}' for task, most in limits.items()])}."
    counts = Counter(run.received.sent.task for run in runs)
    if len(limits) > 1:
        yield f"There were {listed([counted(counts[task], 'run') + f' in {task}' for task in limits])}."
    yield from _kinds(runs)
    yield f"Every file was checked when it arrived, by the program that scores runs: {_checks(state)}."
    yield "Whoever sent a faulty file was shown every problem with its line."
    gone = Counter(run.status for run in every)
    ended = {"refused": len(state.refused)} | {what: gone[what] for what in ("replaced", "withdrawn")}
    found = [f"{counted(count, 'file')} {were(count)} {what}" for what, count in ended.items() if count]
    yield f"In all, {listed(found)}." if found else "No file was refused, replaced or withdrawn."


def _checks(state: Campaign) -> str:
    """What a file had to be, in the words of each kind of task."""
    rules: dict[str, list[str]] = {}
    for task in state.definition.tasks:
        if task.takes_runs:
            rules.setdefault(OF_ANSWERS if task.asks else OF_LABELS, []).append(task.name)
    if len(rules) == 1:
        return next(iter(rules))
    return "; ".join(f"in {listed(tasks)}, {rule}" for rule, tasks in rules.items())


def _kinds(runs: list[Run]) -> Iterator[str]:
    """What is particular about some runs."""
    marked = {
        "late": [run for run in runs if run.received.late],
        "made with manual intervention": [run for run in runs if run.received.sent.manual],
        "ranked by confidence": [run for run in runs if run.received.sent.ranked],
        "submitted with justifications": [run for run in runs if run.received.sent.justifications],
        "not yet judged by people": [run for run in runs if not run.scores],
    }
    found = [f"{len(those):,} {were(len(those))} {what}" for what, those in marked.items() if those]
    if found:
        yield f"Of the {counted(len(runs), 'run')}, {listed(found)}."


def _keys(state: Campaign) -> Iterator[str]:
    """The promise of the key, and what became of it."""
    first, *later = state.keys
    yield (
        f"On {plain(first.at)} the organisers committed themselves to the test sets and keys by publishing a SHA-256 "
        f"hash of them and a nonce, {first.commitment}."
    )
    for number, (former, key) in enumerate(pairwise(state.keys), 2):
        yield f"{_version(number, former, key)}: {key.reason.strip().rstrip('.')}."
    if any(key.judgments for key in later):
        yield "Judgments are made once the runs are known, so no commitment covers them."
    yield f"All scores are those of key version {len(state.keys)}."
    if "public" in state.released:
        yield "The nonce is published with the key, so that anybody can recompute the commitments."


def _version(number: int, former: KeyVersion, key: KeyVersion) -> str:
    """What a version of the key brought: other test sets or keys, judgments, or both."""
    judged = key.judged_since(former)
    again = all(task in former.judgments for task in judged)
    judgments = f"{'other' if again else 'the'} judgments of the answers in {listed(judged)}" if judged else ""
    if key.tests == former.tests and judged:
        return f"Key version {number} brought {judgments} on {plain(key.at)}; test sets and keys stayed as they were"
    beside = f", with {judgments}" * bool(judged)
    return f"Key version {number} replaced the key on {plain(key.at)} (commitment {key.commitment}){beside}"


def _title(task: Task) -> str:
    return f"{task.name} ({task.title})" if task.title else task.name

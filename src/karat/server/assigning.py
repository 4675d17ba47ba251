"""How organisers run the judging: give out units, follow the work, close rounds, take the files away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from karat.campaign.definition import Definition, Task
from karat.campaign.events import Stage
from karat.campaign.judging.agenda import agenda, attempt
from karat.campaign.judging.answer_groups import list_standing
from karat.campaign.judging.commands import Assign, Reassign, Reveal, SetRound
from karat.campaign.judging.dealing import head_of, held_out
from karat.campaign.judging.files import whole_file
from karat.campaign.judging.kinds import Export, Kind, kinds_of
from karat.campaign.judging.kinds.responses import runs_file
from karat.campaign.judging.library import Material
from karat.campaign.judging.work import Work
from karat.campaign.remembered import Remembered
from karat.campaign.state import Campaign
from karat.errors import UsageError
from karat.labels import TWO
from karat.server.accounts import HOST
from karat.server.store import digest_of, execute, material, state_of, test_set

Told = dict[str, Any]
EVERYTHING = Export(
    "all",
    "judgments.jsonl",
    "Every judgment, to bring in elsewhere: also second and skipped ones, and those of programs",
    lambda material, _: whole_file(material.work, material.run_names),
)

RUNS = Export(
    "runs",
    "runs.jsonl",
    "The answers of all runs that count, under the names that they have in the other files",
    runs_file,
)


def assign(
    campaign: str,
    task: str,
    assessors: Sequence[str],
    *,
    stage: Stage | None = None,
    per_unit: int | None = None,
    units: Sequence[str] | None = None,
    sample: int | None = None,
    shared: bool = False,
    repeats: int | None = None,
    planted: int | None = None,
    actor: str = HOST,
) -> Told:
    """Give units to assessors: those named, a sample of the pairs for ratings, or all.

    For preferences, the sample is the most pairs of answers to a question.
    """
    state = state_of(campaign)
    wanted, judging = state.definition.task(task), state.definition.judging
    stage = stage or _usual(wanted)
    if sample is not None and (stage not in ("ratings", "preferences") or (stage == "ratings" and units is not None)):
        raise UsageError(
            "a sample is drawn for ratings of justifications, if no units are named, or of pairs of answers"
        )
    if (kind := kinds_of(wanted).get(stage)) is None:
        known = " or ".join(kinds_of(wanted)) or "nothing"
        raise UsageError(f"{task} is a task of the kind {wanted.kind}, of which assessors judge {known}")
    about = material(state, wanted)
    among = kind.units(about)
    drawn = _sampled(state, task, sample) if sample is not None and stage == "ratings" else None
    chosen = tuple(drawn if drawn is not None else units if units is not None else among)
    if kind.named and units is None:
        raise UsageError("name the units, such as S1, S2 and S3: each becomes what an assessor writes")
    if strange := next((unit for unit in chosen if not kind.named and unit not in set(among)), None):
        raise UsageError.unknown(f"unit of {task}", strange, among)
    labelled = stage == "labels" and wanted.kind == "entailment" and judging.examples is not None
    ids = tuple(about.examples.ids) if labelled else ()
    if ids and wanted.way == 3 and about.examples.way is TWO:
        raise UsageError("the examples have two labels, and this task asks for three: nobody could qualify")
    mixed = judging.planted if planted is None else planted
    hidden = held_out(state.seed, ids, max(mixed, judging.planted))
    if ids and len(hidden) == len(ids):
        raise UsageError(f"{mixed} of {len(ids)} examples among the units: leave at least one to qualify by")
    command = Assign(
        task=task,
        stage=stage,
        units=() if stage == "adjudication" else chosen,
        assessors=tuple(assessors),
        per_unit=per_unit
        or (len(assessors) if stage == "norming" else min(kind.each or judging.per_unit, len(assessors) or 1)),
        shared=shared,
        runs=_runs(kind, about, chosen, sample if stage == "preferences" else None),
        repeats=(judging.repeats if repeats is None else repeats) if stage == "labels" and not shared else 0,
        planted=tuple(hidden[:mixed]) if not shared else (),
        examples=tuple(id for id in ids if id not in hidden),
    )
    for one in _by_owner(kind, about, command):
        execute(campaign, one, actor)
    return counts(campaign, task)


def _by_owner(kind: Kind, about: Material, command: Assign) -> list[Assign]:
    """What is given out, so that units which are judged by somebody's own list come to those who have one."""
    owners = {unit: kind.whose(about, unit) for unit in command.units} if kind.whose is not None else {}
    if not any(owners.values()):
        return [command]
    free = tuple(unit for unit in command.units if not owners[unit])
    mine = {who: tuple(unit for unit in command.units if who in owners[unit]) for who in command.assessors}
    left = [unit for unit in command.units if owners[unit] and not any(unit in of for of in mine.values())]
    if left:
        raise UsageError(
            f"{len(left)} of the units, first {left[0]!r}, are judged by lists of {', '.join(owners[left[0]])}: "
            "name them among the assessors, or leave these units out"
        )
    found = [replace(command, units=of, assessors=(who,), per_unit=1) for who, of in mine.items() if of]
    return [*found, replace(command, units=free)] if free else found


def _runs(kind: Kind, about: Material, units: Sequence[str], most: int | None) -> dict[str, tuple[str, ...]]:
    """The runs, or pairs of runs, that are judged for each of these units, if they are judged one by one; so many."""
    if kind.runs is None:
        return {}
    found = {unit: kind.runs(about, unit)[:most] for unit in units}
    if bare := [unit for unit, runs in found.items() if not runs]:
        raise UsageError(
            f"no run has anything to judge for {len(bare)} of the units, first {bare[0]!r}: leave them out"
        )
    return found


def _sampled(state: Campaign, task: str, pairs: int) -> Sequence[str]:
    """Pairs whose justifications are worth rating, as `karat sample` draws them."""
    from karat.campaign.checking import together
    from karat.server.store import content
    from karat.studies.sample import sample

    wanted = state.definition.task(task)
    files = {run.name: (run.received.sent.file, content(run.received.sent.sha256)) for run in state.active(task=task)}
    if not files:
        raise UsageError(f"{task} has no runs whose justifications could be rated")
    return [pair.id for pair in sample(together(test_set(state, wanted), files), pairs=pairs).pairs]


def counts(campaign: str, task: str) -> Told:
    """How far the judging of a task is: by assessor, and by unit."""
    state = state_of(campaign)
    work = state.work_of(state.definition.task(task).name)
    people = [
        _progress.of((campaign, task, who), _progress_from(state, work, who), partial(_progress_of, state, task, who))
        for who in [*work.people(), *sorted(work.programs)]
    ]
    labels = (work.standings, work.holders, work.shares, work.disputed, work.decisions, work.queues)
    made_from = (*labels, work.ballots, work.closed) if work.listed else labels
    units = _units.of((campaign, task), made_from, lambda: _units_of(work))
    return {
        "campaign": campaign,
        "task": task,
        "assessors": people,
        "units": units,
        "ballots": sum(len(of) for of in work.ballots.values()),
        "closed": sorted(work.closed),
        "revealed": work.revealed,
    }


def _progress_from(state: Campaign, work: Work, who: str) -> tuple[object, ...]:
    """All that an assessor's progress follows from: of those who share units or decide, others' judgments too."""
    others = who in work.adjudicators or any(who in pool.assessors for pool in work.pools)
    common = (state.definition, work.queues, work.pools, work.adjudicators, work.programs, work.closed, work.revealed)
    return (*common, work.ballots.get(who), *((work.labels, work.disputed) if others else ()))


def _progress_of(state: Campaign, task: str, who: str) -> Told:
    work = state.work_of(task)
    items, mine, made = agenda(state, task, who), work.of(who), attempt(state, task, who)
    return {
        "assessor": who,
        "program": who in work.programs,
        "units": len(items),
        "judged": sum(item in mine for item in items),
        "skipped": sum(bool(one.said.skipped) for item, one in mine.items() if not item.entry),
        "qualified": None if made is None else made.passed,
        "attempts": 0 if made is None else made.number,
    }


def _units_of(work: Work) -> dict[str, int]:
    """How many units stand where."""
    found = Counter[str](work.standings[unit] for unit in {**work.holders, **work.shares})
    found.update(list_standing(work, question) for question in work.listed)
    return {name: found[name] for name in ("open", "agreed", "disputed", "undecided", "adjudicated")}


_progress: Remembered[Told] = Remembered()
_units: Remembered[dict[str, int]] = Remembered()


def check_units(state: Campaign, definition: Definition, contents: Mapping[str, bytes]) -> None:
    """Refuse a new test set without a unit that assessors have been given, and other lists to start from."""
    from karat.campaign.checking import read_test  # here: it loads scipy

    for task in definition.tasks:
        work = state.work_of(task.name)
        dealt = [item for (stage, _), items in work.queues.items() if stage != "qualification" for item in items]
        pooled = [item for pool in work.pools for item in pool.items]
        own = {"planted", *(stage for stage, kind in kinds_of(task).items() if kind.named)}
        given = dict.fromkeys(item.unit for item in (*dealt, *pooled) if item.stage not in own)
        begun = any(item.stage in ("nuggets", "matches") for item in dealt)
        if begun and _list_of(state, task) != (task.nuggets and digest_of(contents[task.nuggets])):
            raise UsageError(
                f"{task.name!r}: assessors work with the lists of nuggets that they began with, which are part of "
                "theirs: keep the file as it is"
            )
        if not given or state.files.get(task.test) == digest_of(contents[task.test]):
            continue
        known = read_test(task, contents[task.test]).units.index
        if gone := [unit for unit in given if head_of(unit) not in known]:
            raise UsageError(
                f"{len(gone)} units of {task.name!r}, first {gone[0]!r}, have been given to assessors and are not in "
                f"{task.test!r}: keep them"
            )


def _list_of(state: Campaign, task: Task) -> str | None:
    """The file of nuggets that a task has had so far."""
    before = next((one.nuggets for one in state.definition.tasks if one.name == task.name), None)
    return before and state.files[before]


def _usual(task: Task) -> Stage:
    """What is judged in a task unless somebody says otherwise."""
    return next(iter(kinds_of(task)), "labels")


def reassign(
    campaign: str,
    task: str,
    assessor: str,
    to: Sequence[str],
    reason: str,
    stage: Stage | None = None,
    actor: str = HOST,
) -> Told:
    """Take the open units of an assessor, and give them to others."""
    stage = stage or _usual(state_of(campaign).definition.task(task))
    execute(campaign, Reassign(task=task, stage=stage, assessor=assessor, to=tuple(to), reason=reason), actor)
    return counts(campaign, task)


def set_round(campaign: str, task: str, stage: Stage | None, opened: bool, reason: str = "", actor: str = HOST) -> Told:
    """Close a round of judging, by which runs are scored if everything is judged; or open it again."""
    from karat.server.closing import score_closed  # here: it loads scipy

    wanted = state_of(campaign).definition.task(task)
    stage = stage or _usual(wanted)
    execute(campaign, SetRound(task=task, stage=stage, open=opened, reason=reason), actor)
    told: Told = {"scored": 0, "scores": ""}
    if not opened and wanted.asks:
        title = kinds_of(wanted)[stage].title.lower() if stage in kinds_of(wanted) else stage
        found = score_closed(campaign, task, f"a round of {task} was closed: {title}", actor)
        told = {"scored": found.scored, "scores": str(found)}
    return counts(campaign, task) | told


def reveal(campaign: str, task: str, actor: str = HOST) -> Told:
    """Show the votes of a norming round to those who voted."""
    execute(campaign, Reveal(task=task), actor)
    return counts(campaign, task)


def files(task: Task) -> dict[str, Export]:
    """The files of judgments that can be taken away, by name; the usual one first."""
    found = {one.name: one for kind in kinds_of(task).values() for one in kind.files}
    for one in (one for kind in kinds_of(task).values() for one in kind.votes):
        found.setdefault(one.name, one.export)
    found |= {RUNS.name: RUNS} if task.asks else {}
    return found | ({EVERYTHING.name: EVERYTHING} if found else {})


def file_of(campaign: str, task: str, name: str = "", *, programs: bool = False) -> bytes:
    """A file of the judgments so far, the usual one unless a name is given."""
    made, about = _file(campaign, task, name)
    return made.make(about, programs)


def lacking(campaign: str, task: str, name: str = "") -> str:
    """What a file of judgments does not have yet, in words; empty if nothing is missing."""
    made, about = _file(campaign, task, name)
    return made.lacks(about)


def _file(campaign: str, task: str, name: str) -> tuple[Export, Material]:
    state = state_of(campaign)
    wanted = state.definition.task(task)
    known = files(wanted)
    if not known:
        raise UsageError(f"nothing is judged in {task}, which is a task of the kind {wanted.kind}")
    if name and name not in known:
        raise UsageError.unknown(f"file of {task}", name, known)
    return known[name or next(iter(known))], material(state, wanted)

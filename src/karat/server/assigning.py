"""How organisers run the judging: give out units, follow the work, close rounds, take the files away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from karat.campaign.definition import Definition, Task
from karat.campaign.events import Stage
from karat.campaign.judging.agenda import agenda, attempt
from karat.campaign.judging.commands import Assign, Reassign, Reveal, SetRound
from karat.campaign.judging.files import agreed_labels, ballots_file, given, judges_file, ratings_file
from karat.campaign.judging.rules import STAGES
from karat.campaign.judging.work import held_out
from karat.campaign.state import Campaign
from karat.errors import UsageError
from karat.labels import TWO
from karat.server.accounts import HOST
from karat.server.judging import answers, examples
from karat.server.store import digest_of, execute, state_of, test_set

Told = dict[str, Any]


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
    """Give units to assessors: those named, a sample of the pairs for ratings, or all."""
    state = state_of(campaign)
    wanted, judging = state.definition.task(task), state.definition.judging
    stage = stage or _usual(wanted)
    if sample is not None and (stage != "ratings" or units is not None):
        raise UsageError("a sample is drawn for ratings of justifications, if no units are named")
    known = test_set(state, wanted).units
    chosen = tuple(_sampled(state, task, sample) if sample is not None else units if units is not None else known.ids)
    if strange := next((unit for unit in chosen if unit not in known.index), None):
        raise UsageError.unknown(f"unit of {task}", strange, known.ids)
    labelled = stage == "labels" and judging.examples is not None
    ids = tuple(examples(state).ids) if labelled else ()
    if ids and wanted.way == 3 and examples(state).way is TWO:
        raise UsageError("the examples have two labels, and this task asks for three: nobody could qualify")
    among = judging.planted if planted is None else planted
    hidden = held_out(state.seed, ids, max(among, judging.planted))
    if ids and len(hidden) == len(ids):
        raise UsageError(f"{among} of {len(ids)} examples among the units: leave at least one to qualify by")
    command = Assign(
        task=task,
        stage=stage,
        units=() if stage == "adjudication" else chosen,
        assessors=tuple(assessors),
        per_unit=per_unit or (len(assessors) if stage == "norming" else min(judging.per_unit, len(assessors) or 1)),
        shared=shared,
        runs=_justified(state, task, chosen) if stage == "ratings" else {},
        repeats=(judging.repeats if repeats is None else repeats) if stage == "labels" and not shared else 0,
        planted=tuple(hidden[:among]) if not shared else (),
        examples=tuple(id for id in ids if id not in hidden),
    )
    execute(campaign, command, actor)
    return counts(campaign, task)


def _justified(state: Campaign, task: str, units: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The runs that give a justification for each of these units; a `UsageError` if there is none."""
    wanted = state.definition.task(task)
    index = test_set(state, wanted).units.index
    said = {run.received.id: answers(state, wanted, run)[0] for run in state.active(task=task)}
    found = {unit: tuple(id for id, texts in said.items() if texts[index[unit]].strip()) for unit in units}
    if bare := [unit for unit, runs in found.items() if not runs]:
        raise UsageError(f"no run has a justification for {len(bare)} of the units, first {bare[0]!r}: leave them out")
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
    people = []
    for who in [*work.people(), *sorted(work.programs)]:
        items, mine, made = agenda(state, task, who), work.of(who), attempt(state, task, who)
        people.append(
            {
                "assessor": who,
                "program": who in work.programs,
                "units": len(items),
                "judged": sum(item in mine for item in items),
                "skipped": sum(bool(one.said.skipped) for one in mine.values()),
                "qualified": None if made is None else made.passed,
                "attempts": 0 if made is None else made.number,
            }
        )
    standing = [one.standing for one in work.outcomes()]
    return {
        "campaign": campaign,
        "task": task,
        "assessors": people,
        "units": {name: standing.count(name) for name in ("open", "agreed", "disputed", "undecided", "adjudicated")},
        "ballots": sum(len(of) for of in work.ballots.values()),
        "closed": sorted(work.closed),
        "revealed": work.revealed,
    }


def check_units(state: Campaign, definition: Definition, contents: Mapping[str, bytes]) -> None:
    """Refuse a new test set without a unit that assessors have been given."""
    from karat.campaign.checking import read_test  # here: it loads scipy

    for task in definition.tasks:
        work = state.work_of(task.name)
        dealt = [item for (stage, _), items in work.queues.items() if stage != "qualification" for item in items]
        pooled = [item for pool in work.pools for item in pool.items]
        given = dict.fromkeys(item.unit for item in (*dealt, *pooled) if item.stage != "planted")
        if not given or state.files.get(task.test) == digest_of(contents[task.test]):
            continue
        known = read_test(task, contents[task.test]).units.index
        if gone := [unit for unit in given if unit not in known]:
            raise UsageError(
                f"{len(gone)} units of {task.name!r}, first {gone[0]!r}, have been given to assessors and are not in "
                f"{task.test!r}: keep them"
            )


def _usual(task: Task) -> Stage:
    """What is judged in a task unless somebody says otherwise."""
    return STAGES.get(task.kind, ("labels",))[0]


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
    """Close a round of judging, or open it again."""
    stage = stage or _usual(state_of(campaign).definition.task(task))
    execute(campaign, SetRound(task=task, stage=stage, open=opened, reason=reason), actor)
    return counts(campaign, task)


def reveal(campaign: str, task: str, actor: str = HOST) -> Told:
    """Show the votes of a norming round to those who voted."""
    execute(campaign, Reveal(task=task), actor)
    return counts(campaign, task)


def judgments(campaign: str, task: str, *, programs: bool = False) -> bytes:
    """The judgments so far, in the format that the laboratory reads."""
    state = state_of(campaign)
    work = state.work_of(state.definition.task(task).name)
    if any(True for _ in given(work, "ratings", programs=programs)):
        return ratings_file(work, {id: run.name for id, run in state.runs.items()}, programs=programs)
    return ballots_file(work, programs=programs)


def summaries(campaign: str, task: str) -> bytes:
    """What the judges wrote at the end."""
    return judges_file(state_of(campaign).work_of(task))


def key_file(campaign: str, task: str) -> bytes:
    """The test set with the labels that people agreed on; units that are not settled have none."""
    from dataclasses import replace

    import numpy as np

    from karat.campaign.checking import as_xml
    from karat.labels import THREE

    state = state_of(campaign)
    wanted = state.definition.task(task)
    labels, pairs = agreed_labels(state.work_of(task)), test_set(state, wanted).units
    way = THREE if wanted.way == 3 else TWO
    codes = [way.code(labels[unit]) if unit in labels else -1 for unit in pairs.ids]
    return as_xml(replace(pairs, way=way, labels=np.array(codes, dtype=np.int8), ballots=None))

"""The results of a campaign: its runs, as somebody may see them, through the studies of the laboratory."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from karat.campaign.definition import Task
from karat.campaign.events import Stage
from karat.campaign.judging.kinds import kinds_of
from karat.campaign.sight import Sight, seen_as
from karat.campaign.state import Campaign, Run
from karat.server.making import Kept, Line, awaited
from karat.server.store import content, keyed, material, test_set

if TYPE_CHECKING:
    from karat.data.responses import Responses
    from karat.studies.base import StudyResult
    from karat.studies.report.result import Report
    from karat.studies.score.result import Evaluation
    from karat.studies.score.spread import Spread

MOST_BRIEF, MOST_BYTES = 128, 256 << 20
"""Brief reports, and bytes of whole pages and archives, that are kept in memory: while teams are anonymous, each of
them sees pages of its own."""
FEWEST_TEAMS = 5
"""With fewer teams, the lowest and the highest score would be those of somebody in particular."""
ENDING = re.compile(r"\.[A-Za-z0-9]{1,8}(?:\.gz)?\Z")
OF_BRIEF = ("score", "compare", "qa", "qa-compare", "nuggets", "nuggets-compare", "justify")
OF_KIND = {"questions": "qa", "nuggets": "nuggets", "ratings": "justify"}
"""The study that scores the runs of a task, if it is not `score`."""
UNSCORED: tuple[Stage, ...] = ("citations", "preferences")
"""What people judge about answers without scores of the campaign coming from it."""


class Asked(NamedTuple):
    """What a report is made from: equal questions have equal answers."""

    task: Task
    key: str
    judged: tuple[tuple[str, str], ...]
    """The files of judgments with their SHA-256, if people have judged the answers."""
    seed: str
    title: str
    runs: tuple[tuple[str, str, str, bool, tuple[str, ...], str], ...]
    """The name of each run, its file under that name, the SHA-256 of that, whether it is manual, its flags, its id."""
    live: bool


def official(
    state: Campaign, task: Task, seeing: Sight | None = None, own: str | None = None, team: str | None = None
) -> dict[str, Run]:
    """The scored runs that count, all or those of a team, by the name under which somebody sees them."""
    return {name: run for name, run in counting(state, task, seeing, own, team).items() if run.scores}


def counting(
    state: Campaign, task: Task, seeing: Sight | None = None, own: str | None = None, team: str | None = None
) -> dict[str, Run]:
    """The runs that count, those that people have yet to judge too."""
    found = [
        (run.received.team if seeing is None else seen_as(state, run.received.team, seeing, own), run)
        for run in state.active(team, task.name)
    ]
    # By the name that is seen: the order of their own names would tell which anonymous team is which.
    found.sort(key=lambda one: (one[0], one[1].received.number))
    return {f"{name}-{run.received.number}": run for name, run in found}


def judgments(state: Campaign, task: Task, seeing: Sight, own: str | None = None) -> dict[str, bytes]:
    """The files of judgments by which the runs of a task are scored, and those of closed rounds beside them.

    Somebody gets what is about the runs whose scores they see, with the names under which they see these.
    """
    from karat.campaign.judged import plainly, unnamed  # here: it loads scipy

    runs = counting(state, task, seeing, own, None if seeing.scores else own)
    names = {run.received.id: name for name, run in runs.items()}
    made = {
        "judgments.tsv" if name == "verdicts" else f"{name}.tsv": plainly(name, content(digest), names)
        for name, digest in reversed(state.judged_by(task.name))  # verdicts come first
    }
    about, people, kinds = material(state, task), unnamed(state), kinds_of(task)
    seen = {run.name: name for name, run in runs.items()}
    for stage in UNSCORED:
        if stage in kinds and stage in about.work.closed:
            (file,) = (one for one in kinds[stage].files if one.name == stage)
            raw = plainly(stage, file.make(about, False), seen, people)
            made |= {file.file: raw} if raw.count(b"\n") > 1 else {}
    return made


def file_of(name: str, run: Run) -> str:
    """The name of a run's file for others: what the team called it could tell who they are."""
    return name + ending(run.received.sent.file)


def ending(file: str) -> str:
    """How the name of a file ends: .xml, .jsonl.gz; empty if it ends in nothing usual."""
    found = ENDING.search(file)
    return found[0] if found else ""


def file_for(state: Campaign, task: Task, name: str, run: Run) -> tuple[str, bytes]:
    """The file of a run for others, in which it has the name under which they see it; and that file's name."""
    from karat.campaign.renaming import under_name  # here: it loads scipy

    return under_name(test_set(state, task), name, file_of(name, run), unnamed(content(run.received.sent.sha256)))


def unnamed(raw: bytes) -> bytes:
    """A file that others get: one packed by gzip without the name and the remark that stand in its head."""
    if raw[:3] != b"\x1f\x8b\x08" or not raw[3] & 0b11100:
        return raw
    extra, name, remark = (raw[3] & bit for bit in (0b100, 0b1000, 0b10000))
    place = 10 + (2 + int.from_bytes(raw[10:12], "little") if extra else 0)
    for part in (name, remark):
        place = raw.index(b"\0", place) + 1 if part else place
    place += 2 if raw[3] & 0b10 else 0  # a checksum of the head, which is no longer the same
    return raw[:3] + b"\0" * 5 + raw[8:10] + raw[place:]


def units(state: Campaign, task: Task, live: bool = False) -> int:
    """How many units runs are scored on."""
    test = test_set(state, task)
    key: Any = test.live if live else test.scored
    return int((key.labels >= 0).sum()) if hasattr(key, "labels") else len(key)


def few_teams(runs: Mapping[str, Run]) -> bool:
    """Whether these are the runs of so few teams that nothing of all of them together can be told to one team."""
    return len({run.received.team for run in runs.values()}) < FEWEST_TEAMS


def spread(scored: Evaluation, runs: Mapping[str, Run], seeing: Sight) -> list[Spread]:
    """The lowest, the median and the highest value of each measure, where enough teams have one to tell it."""
    from karat.studies.score.spread import spreads

    teams = {name: run.received.team for name, run in runs.items()}
    return list(spreads(scored, teams, 0 if seeing.scores else FEWEST_TEAMS))


def report(state: Campaign, task: Task, runs: Mapping[str, Run], *, live: bool = False) -> Report:
    """The report on runs of a task without what takes long: its first screen, scores and comparison."""
    asked = asked_of(state, task, runs, live)
    return awaited(brief.of(asked, lambda: _report(asked, whole=False)))


def scored(state: Campaign, task: Task, runs: Mapping[str, Run]) -> StudyResult:
    """Runs of a task as `karat score` gives them, or `karat qa`, `karat nuggets` or `karat justify`."""
    found: StudyResult = report(state, task, runs).of(OF_KIND.get(task.kind, "score"))
    return found


def ranked(runs: Mapping[str, Run]) -> dict[str, float]:
    """The average precision of each run that ranks its answers; reports do not have it, and nothing else shows it."""
    found = {name: run.scores.get("2", {}).get("average_precision") for name, run in runs.items()}
    return {name: value for name, value in found.items() if value is not None}


def page(state: Campaign, task: Task, runs: Mapping[str, Run]) -> bytes:
    """The whole report as a page."""
    asked = asked_of(state, task, runs, live=False)
    return awaited(whole.of(asked, lambda: _page(asked)))


def asked_of(state: Campaign, task: Task, runs: Mapping[str, Run], live: bool = False) -> Asked:
    """What a study of runs is made from."""
    given = tuple(
        (name, file_of(name, run), one.sha256, one.manual, tuple(_flags(state, run)), run.received.id)
        for name, run in runs.items()
        for one in (run.received.sent,)
    )
    # Also as a file by itself, a report says by which key its numbers are.
    title = f"{state.definition.title}: {task.title or task.name} (key version {len(state.keys)})"
    return Asked(task, state.files[task.test], state.judged_by(task.name), state.seed, title, given, live)


def _flags(state: Campaign, run: Run) -> list[str]:
    marks = {"baseline": run.received.team in state.definition.baselines, "late": run.received.late}
    return [flag for flag, marked in (marks | {"manual": run.received.sent.manual}).items() if marked]


def responses_of(asked: Asked) -> Responses:
    """The runs with the key that counts."""
    from karat.campaign.checking import together

    test = keyed(asked.task, asked.key, asked.seed)
    made = together(test, _contents(asked), {name for name, _, _, manual, _, _ in asked.runs if manual})
    if test.live is None:
        return made
    # Without the pairs of the other part, which have no label here: they are no part of what is reported.
    key = test.live if asked.live else test.scored
    return replace(made, key=key).of_units(key.labels >= 0)


def _contents(asked: Asked) -> dict[str, tuple[str, bytes]]:
    return {name: (file, content(digest)) for name, file, digest, _, _, _ in asked.runs}


def _evidence(asked: Asked) -> dict[str, Any]:
    """What a report is made from: labels, or answers with what people said of them."""
    if not asked.task.asks:
        return {"runs": responses_of(asked)}
    from karat.campaign.judged import answers_of, grades

    test = keyed(asked.task, asked.key, asked.seed, asked.judged)
    answers = answers_of(test.units, _contents(asked))
    judged = test.judged.of_runs({id: name for name, *_, id in asked.runs})
    if asked.task.kind == "nuggets" and judged.matches is not None:
        return {"runs": None, "generated": judged.matches.with_texts(answers)}
    if asked.task.kind == "ratings" and judged.quality is not None:
        return {"runs": grades(answers, judged.quality), "ratings": judged.quality}
    found = {"verdicts": judged.verdicts, "matches": judged.matches}
    return {"runs": None, "questions": test.units, "answers": answers, **found}


def _report(asked: Asked, whole: bool) -> Report:
    from karat.studies.report.study import SECTIONS
    from karat.studies.report.study import report as make

    left_out = () if whole else tuple(name for name in SECTIONS if name not in OF_BRIEF)
    made, views = make(**_evidence(asked), title=asked.title, without=left_out), []
    flags = {name: marks for name, _, _, _, marks, _ in asked.runs}
    for view in made.opening.views:
        marked = {one.run: (*one.flags, *flags[one.run]) for one in view.board.entries}
        views.append(replace(view, board=view.board.flagged(marked)))
    return replace(made, opening=replace(made.opening, views=tuple(views)))


def _page(asked: Asked) -> bytes:
    from karat.render.page import page as drawn

    return drawn(_report(asked, whole=True)).encode()


# Two lines: the first screen of results does not wait until everybody's whole reports are made.
brief: Kept[Report] = Kept(Line(), MOST_BRIEF)
whole: Kept[bytes] = Kept(Line(), MOST_BYTES, len)

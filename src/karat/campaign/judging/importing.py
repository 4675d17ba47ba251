"""Judgments that were given elsewhere: a file of them, what is wrong with it, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial

from msgspec.structs import replace

from karat.align.ballot_cells import COLUMN_NAMES
from karat.align.columns import Columns, find_column, texts_of
from karat.align.ratings import SKIP
from karat.campaign.events import Assigned, BallotsImported, Event, Item, Judged, Stage
from karat.campaign.judging.asking import MOST_WORDS, Ask, check_values
from karat.campaign.judging.commands import Brought, ImportBallots
from karat.campaign.judging.files import CONTROL
from karat.campaign.judging.rules import BY_PEOPLE, MOST_PROGRAM, STAGES, events_of
from karat.campaign.judging.work import Work, having
from karat.campaign.state import Campaign
from karat.data.criteria import JUSTIFICATIONS
from karat.errors import DataError, Problems
from karat.formats.documents import document_of
from karat.formats.rating_table import RATING_COLUMNS
from karat.formats.rows import read_rows
from karat.labels import Spellings

Asked = Callable[[Item], Sequence[Ask]]
Report = Callable[[str, str, int | None], None]
"""Reports what was found, what was expected, and the line."""
FILE_KEPT = 120
"""The characters of a file's name that are kept."""


def read(name: str, raw: bytes, runs: Mapping[str, str], problems: Problems) -> list[Brought]:
    """The judgments of a file: ballots as `karat agree` reads them, or ratings as `karat justify` does.

    Runs are found by their names.
    """
    document = document_of(name, raw, problems)
    rows = None if document is None else read_rows(document, problems)
    if rows is None or problems.failed(name):
        return []
    rated = JUSTIFICATIONS[0].name in rows.values
    names = {role: col.names for role, col in RATING_COLUMNS.items()} if rated else COLUMN_NAMES
    optional = ("reason", "kind")
    found = {}
    for role, known in names.items():
        option = None if role in optional else "a column of this name"
        column = find_column(rows, role, known, problems, option, needed=role not in optional)
        found[role] = [""] * len(rows.lines) if column is None else texts_of(rows, column)
    if problems.failed(name):
        return []
    extra = {role: _column(rows, role) for role in ("note", "comment", "guidelines", "seconds", "program")}
    report = _reporting(name, problems)
    made = []
    for place, line in enumerate(rows.lines):
        row = {role: cells[place] for role, cells in (found | extra).items()}
        if not row["unit"] or not row["assessor"]:
            problems.add("no-id", "a judgment without a unit or an assessor", file=name, line=line)
            continue
        scores = {one.name: _column(rows, one.name)[place] for one in JUSTIFICATIONS} if rated else {}
        made.append(_brought(row, line, scores, runs, report))
    if not made and not problems.failed(name):
        problems.add("empty-file", "no judgments", file=name, what="a judgment")
    return made


def _column(rows: Columns, name: str) -> list[str]:
    return texts_of(rows, name) if name in rows.values else [""] * len(rows.lines)


def _reporting(file: str, problems: Problems) -> Report:
    return lambda found, what, line: problems.add("ballot", found, file=file, line=line, what=what)


def _brought(
    row: Mapping[str, str], line: int | None, scores: Mapping[str, str], runs: Mapping[str, str], report: Report
) -> Brought:
    """One row as a judgment."""
    values, skipped, comment, run = {name: said for name, said in scores.items() if said}, "", row["comment"], ""
    stage: Stage = "ratings" if scores else "adjudication" if row["reason"] else "labels"
    if stage == "ratings":
        run = runs.get(row["run"], "")
        if not run:
            report(f"the run {row['run']!r}", "a run of this task that counts", line)
        if SKIP in (said.casefold() for said in scores.values()):
            values, skipped, comment = {}, row["comment"] or "no reason was given", ""
    else:
        words = {"reason": row["reason"].casefold(), "kind": row["kind"], "note": row["note"]}
        meant = Spellings()[row["label"]]
        values = {"label": meant or row["label"]} | {name: said for name, said in words.items() if said}
    return Brought(
        line=line,
        account=row["assessor"],
        item=Item(stage, row["unit"], run),
        values=values,
        skipped=skipped,
        comment=comment,
        guidelines=_number(row["guidelines"], line, report),
        seconds=_seconds(row["seconds"], line, report),
        program=row["program"],
    )


def _number(text: str, line: int | None, report: Report) -> int:
    if not text:
        return 0
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        report(f"guidelines {text!r}", "the number of a version, or nothing", line)
        return 0
    return int(text)


def _seconds(text: str, line: int | None, report: Report) -> float | None:
    try:
        seconds = float(text) if text else None
    except ValueError:
        seconds = -1.0
    if seconds is not None and not 0 <= seconds < float("inf"):
        report(f"seconds {text!r}", "a number from 0 on, or nothing", line)
        return None
    return seconds


def check_answers(file: str, ballots: Sequence[Brought], asked: Asked, problems: Problems) -> None:
    """Report every judgment that does not answer what is asked about its unit."""
    report = _reporting(file, problems)
    for one in ballots:
        if len(one.comment) > MOST_WORDS or len(one.skipped) > MOST_WORDS:
            report("a longer remark", f"at most {MOST_WORDS:,} characters", one.line)
        if len(one.program) > MOST_PROGRAM:
            report("a longer description of the program", f"at most {MOST_PROGRAM:,} characters", one.line)
        if one.skipped:
            continue
        try:
            check_values(asked(one.item), one.values)
        except DataError as error:
            for problem in error.problems:
                report(problem.found, problem.expected, one.line)


def new_ones(
    task: str, file: str, ballots: Sequence[Brought], state: Campaign, work: Work, problems: Problems
) -> list[Brought]:
    """The judgments that are not there yet; whatever cannot be brought in is reported."""
    report, stages = _reporting(file, problems), STAGES.get(state.definition.task(task).kind, ())
    seen: dict[object, int | None] = {}
    who = {one.account: _not_judging(one.account, state) for one in ballots}
    here = {(one.item.unit, one.account) for one in ballots if one.item.stage == "labels"}
    labelled = {unit for unit, _ in here} | set(work.labels)
    found = []
    for one in ballots:
        item, known = one.item, work.of(one.account).get(one.item)
        tell = partial(_told, report, one.line)
        if item.stage not in stages:
            tell(f"a judgment of the kind {item.stage}", f"what assessors judge in {task}: {' or '.join(stages)}")
        if one.program and item.stage in BY_PEOPLE:
            tell(f"a judgment of the kind {item.stage} by a program", "one by a person")
        if who[one.account]:
            tell(f"the assessor {one.account!r}, {who[one.account]}", "an assessor who was enrolled and has signed")
        place = (item.stage, item.unit) if item.stage == "adjudication" else (item, one.account)
        if place in seen:
            twice = f"unit {item.unit!r} judged again (first in line {seen[place]})"
            problems.add("duplicate-id", twice, file=file, line=one.line)
        seen.setdefault(place, one.line)
        if item.stage == "adjudication" and item.unit not in labelled:
            tell(f"a decision on unit {item.unit!r}, which nobody has labelled", "a unit with labels")
        if item.stage == "adjudication" and (
            (item.unit, one.account) in here or one.account in work.labels.get(item.unit, ())
        ):
            tell(f"a decision of {one.account!r}, who labelled the unit", "somebody who did not")
        if one.guidelines > len(state.guidelines):
            tell(f"version {one.guidelines} of the guidelines", f"a version up to {len(state.guidelines)}")
        if work.of(one.account) and (one.account in work.programs) != bool(one.program):
            tell(f"{one.account!r} as {'a program' if one.program else 'a person'}", "the same as in this campaign")
        if known is not None and _in_a_table(known.said) == _in_a_table(one):
            continue
        if known is not None:
            tell(f"unit {item.unit!r}, which {one.account} has judged otherwise here", "what is not there yet")
        elif item.stage in work.closed:
            tell(f"a judgment of a closed round ({item.stage})", "a round that is open")
        elif item.unit in work.decisions:
            tell(f"unit {item.unit!r}, which is decided here", "a unit that is not decided yet")
        found.append(one)
    return found


def _in_a_table(said: Judged | Brought) -> list[tuple[str, str]]:
    """What a judgment says, as far as a table keeps it: in one line, and not as a formula."""
    words = [*said.values.items(), ("skipped", said.skipped)]
    plain = [(name, " ".join(CONTROL.sub(" ", text).split()).removeprefix("'")) for name, text in words]
    return sorted((name, text) for name, text in plain if text)


def _told(report: Report, line: int | None, found: str, what: str) -> None:
    report(found, what, line)


def _not_judging(name: str, state: Campaign) -> str:
    """Why somebody cannot judge; empty if they can."""
    member = state.members.get(name)
    if member is None:
        return "who has no account here"
    if member.role == "team":
        return "which is the account of a team"
    return "" if state.has_signed(member) else "who has not accepted the agreement"


@events_of.register
def _(command: ImportBallots, state: Campaign, work: Work, now: datetime) -> tuple[Event, ...]:
    del now
    problems = Problems()
    new = new_ones(command.task, command.file, command.ballots, state, work, problems)
    problems.raise_errors()
    if not new:
        return ()
    file = command.file[-FILE_KEPT:]
    made = BallotsImported(task=command.task, file=file, sha256=command.sha256, count=len(new))
    # Labels first: a decision is about labels that differ.
    ordered = sorted(new, key=lambda one: one.item.stage == "adjudication")
    judged = [_judged(one, place, command) for place, one in enumerate(ordered, 1)]
    return (made, *_given_out(command.task, new, work), *judged)


def _judged(one: Brought, place: int, command: ImportBallots) -> Judged:
    return Judged(
        id=f"{command.sha256}/{command.task[:20]}/{one.line or place}",
        task=command.task,
        item=one.item,
        assessor=one.account,
        values=one.values,
        skipped=one.skipped,
        comment=one.comment,
        guidelines=one.guidelines,
        seconds=one.seconds,
        program=one.program,
        imported=command.sha256,
    )


def _given_out(task: str, new: Sequence[Brought], work: Work) -> list[Assigned]:
    """What was judged elsewhere counts as given out: to everybody exactly what they have judged."""
    wanted: dict[tuple[Stage, str], dict[str, list[str]]] = {}
    for one in new:
        units = wanted.setdefault((one.item.stage, one.account), {})
        units.setdefault(one.item.unit, []).append(one.item.run)
    made = []
    for (stage, who), units in wanted.items():
        held = having(work, stage)
        pools = [pool.items for pool in work.pools if pool.stage == stage and who in pool.assessors]
        pooled = {item.unit for items in pools for item in items}
        left = {unit: runs for unit, runs in units.items() if who not in held.get(unit, ()) and unit not in pooled}
        given = Assigned(task=task, stage=stage, units=tuple(left), assessors=(who,), per_unit=1)
        if stage == "adjudication":
            made += [] if who in work.adjudicators else [replace(given, units=())]
        elif left:
            runs = {unit: tuple(of) for unit, of in left.items()} if stage == "ratings" else {}
            made.append(replace(given, runs=runs))
    return made

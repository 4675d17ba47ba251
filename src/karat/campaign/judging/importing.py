"""Judgments that were given elsewhere: a file of them, what is wrong with it, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial

from msgspec.structs import replace

from karat.align.ballot_cells import COLUMN_NAMES
from karat.align.columns import Columns, find_column, texts_of
from karat.align.ratings import SKIP
from karat.campaign.events import Assigned, BallotsImported, Event, Item, Judged, Revealed, Stage
from karat.campaign.judging.asking import MOST_WORDS, Ask, check_values
from karat.campaign.judging.commands import Brought, ImportBallots
from karat.campaign.judging.files import AGAIN, CONTROL, WHOLE
from karat.campaign.judging.kinds import kinds_of
from karat.campaign.judging.rules import MOST_PROGRAM, events_of
from karat.campaign.judging.work import Work, having
from karat.campaign.state import Campaign
from karat.data.criteria import JUSTIFICATIONS
from karat.errors import DataError, Problems
from karat.formats.documents import document_of
from karat.formats.rating_table import RATING_COLUMNS
from karat.formats.rows import read_rows
from karat.labels import label_of

Asked = Callable[[Item], Sequence[Ask] | None]
Report = Callable[[str, str, int | None], None]
"""Reports what was found, what was expected, and the line."""
EXAMPLES = ("qualification", "planted")
NOT_BROUGHT = (
    "anything but judgments of examples, which measure people by the known labels of one campaign: nobody qualifies by "
    "a file; leave these lines out"
)
EXTRA = ("stage", "again", "skipped", "note", "comment", "guidelines", "seconds", "program")
"""Columns that a file need not have."""
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
    extra = {role: _column(rows, role) for role in EXTRA}
    report = _reporting(name, problems)
    made = []
    for place, line in enumerate(rows.lines):
        row = {role: cells[place] for role, cells in (found | extra).items()}
        if not row["unit"] or not row["assessor"]:
            problems.add("no-id", "a judgment without a unit or an assessor", file=name, line=line)
            continue
        if row["stage"] in EXAMPLES:
            report(f"a judgment of an example (stage {row['stage']})", NOT_BROUGHT, line)
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
    if row["stage"] and not scores:
        stage = _stage(row["stage"], line, report)
    if stage == "ratings":
        run = runs.get(row["run"], "")
        if not run:
            report(f"the run {row['run']!r}", "a run of this task that counts", line)
        if SKIP in (said.casefold() for said in scores.values()):
            values, skipped, comment = {}, row["comment"] or "no reason was given", ""
    elif row["skipped"]:
        values, skipped = {}, row["skipped"]
    else:
        words = {"reason": row["reason"].casefold(), "kind": row["kind"], "note": row["note"]}
        values = {"label": label_of(row["label"]) or row["label"]} | {
            name: said for name, said in words.items() if said
        }
    return Brought(
        line=line,
        account=row["assessor"],
        item=Item(stage, row["unit"], run, copy=_copy(row["again"], line, report)),
        values=values,
        skipped=skipped,
        comment=comment,
        guidelines=_number(row["guidelines"], line, report),
        seconds=_seconds(row["seconds"], line, report),
        program=row["program"],
    )


def _stage(text: str, line: int | None, report: Report) -> Stage:
    for stage in WHOLE:
        if text == stage:
            return stage
    report(f"the stage {text!r}", f"{', '.join(WHOLE[:-1])} or {WHOLE[-1]}, or nothing", line)
    return "labels"


def _copy(text: str, line: int | None, report: Report) -> int:
    """Whether somebody judged a unit for the first or for the second time."""
    if text not in ("", AGAIN):
        report(f"again {text!r}", f"{AGAIN!r} for a second judgment, or nothing", line)
    return 2 if text == AGAIN else 1


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
        asks = asked(one.item)
        try:
            check_values(asks, one.values) if asks is not None else None
        except DataError as error:
            for problem in error.problems:
                report(problem.found, problem.expected, one.line)


def new_ones(
    task: str, file: str, ballots: Sequence[Brought], state: Campaign, work: Work, problems: Problems
) -> list[Brought]:
    """The judgments that are not there yet; whatever cannot be brought in is reported."""
    report, stages = _reporting(file, problems), kinds_of(state.definition.task(task))
    seen: dict[object, int | None] = {}
    who = {one.account: _not_judging(one.account, state) for one in ballots}
    here = {(one.item.unit, one.account) for one in ballots if one.item.stage == "labels"}
    whole = {(one.item, one.account) for one in ballots}
    labelled = {unit for unit, _ in here} | set(work.labels)
    found = []
    for one in ballots:
        item, known = one.item, work.of(one.account).get(one.item)
        tell = partial(_told, report, one.line)
        if item.stage not in stages and (item.stage, None) not in seen:
            seen[item.stage, None] = one.line  # one sentence for a file of another kind, not one for each row
            tell(f"a judgment of the kind {item.stage}", f"what assessors judge in {task}: {' or '.join(stages)}")
        if one.program and item.stage in stages and stages[item.stage].by_people:
            tell(f"a judgment of the kind {item.stage} by a program", "one by a person")
        if who[one.account] and (one.account, None) not in seen:
            seen[one.account, None] = one.line
            stranger = f"the assessor {one.account!r}, {who[one.account]}"
            fix = (
                f"enrol them first: karat campaign enrol {state.definition.name} --assessor {one.account} --signed NAME"
            )
            what = "an assessor who was enrolled and has signed"
            problems.add("ballot", stranger, file=file, line=one.line, what=what, fix=fix)
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
        first = replace(item, copy=1)
        if item.copy > 1 and item.stage not in ("labels", "norming"):
            tell(f"a second judgment of the kind {item.stage}", "second labels, or votes after a discussion")
        elif item.copy > 1 and first not in work.of(one.account) and (first, one.account) not in whole:
            tell(f"a second judgment of unit {item.unit!r} by {one.account}", "their first one too")
        if one.skipped and item.stage == "adjudication":
            tell("a skipped decision", "a decision")
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
        elif item.stage == "norming" and item.copy == 1 and work.revealed:
            tell(f"a blind vote on unit {item.unit!r}", "none: the votes have been shown here")
        elif item.copy == 1 and item.stage != "norming" and item.unit in work.decisions:
            tell(f"unit {item.unit!r}, which is decided here", "a unit that is not decided yet")
        found.append(one)
    if not work.revealed and (again := next((one for one in found if _is_again(one)), None)) is not None:
        for late in sorted({name for name, item in _unvoted(work) if (item, name) not in whole}):
            _told(report, again.line, f"a vote after the discussion, while {late} has not voted", "the votes of all")
    return found


def _is_again(one: Brought) -> bool:
    """Whether it is a vote after a discussion: whoever gave it has seen the votes."""
    return one.item.stage == "norming" and one.item.copy > 1


def _unvoted(work: Work) -> Iterator[tuple[str, Item]]:
    """The votes that a norming round waits for."""
    for (stage, who), items in work.queues.items():
        yield from ((who, item) for item in items if stage == "norming" and item not in work.of(who))


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
    # Labels first: a decision is about labels that differ. Second judgments follow first ones.
    ordered = sorted(new, key=lambda one: (one.item.stage == "adjudication", _is_again(one), one.item.copy))
    judged: list[Event] = [_judged(one, place, command) for place, one in enumerate(ordered, 1)]
    seen = next((place for place, one in enumerate(ordered) if _is_again(one)), None)
    if seen is not None and not work.revealed:
        judged.insert(seen, Revealed(task=command.task))
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
            runs = {unit: tuple(of) for unit, of in left.items()} if any(map(any, left.values())) else {}
            made.append(replace(given, runs=runs))
    return made

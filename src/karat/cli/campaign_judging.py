"""`karat campaign assign`, `ballots` and others: the judging of a task, handed out, followed and taken away."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from karat.cli import print_answer, tell
from karat.cli.campaign import NAME, listed, open_home
from karat.errors import DataError, UsageError, counted, spelled_out
from karat.files import write_out, write_whole

if TYPE_CHECKING:
    from karat.campaign.events import Stage

TASK = click.argument("task")
STAGE = click.option("--stage", metavar="STAGE", help="what is judged [default: the usual thing, such as labels]")
ASSESSORS = click.option("--assessor", "assessors", multiple=True, required=True, metavar="NAME", help="who judges")
PER_UNIT = click.option(
    "--per-unit", type=click.IntRange(1), help="assessors for each unit [default: as in the campaign file]"
)
UNITS = click.option(
    "--units",
    type=click.Path(exists=True, dir_okay=False),
    help="the units: one id per line, or a table with a column unit, such as a sheet of `karat sample`",
)
SAMPLE = click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    help="draw so many pairs for ratings, as `karat sample` does; for preferences, at most so many for each question",
)
POOL = click.option("--pool", is_flag=True, help="units wait for whoever comes first, instead of being dealt out")
REPEATS = click.option(
    "--repeats", type=click.IntRange(0), metavar="N", help="units that each assessor gets a second time, unmarked"
)
PLANTED = click.option(
    "--planted", type=click.IntRange(0), metavar="N", help="labelled examples that each assessor gets among the units"
)
REASON = click.option("--reason", required=True, metavar="TEXT", help="kept in the record")


@listed("assign", NAME, TASK, ASSESSORS, PER_UNIT, UNITS, SAMPLE, STAGE, POOL, REPEATS, PLANTED)
def assign(
    name: str,
    task: str,
    assessors: tuple[str, ...],
    units: str | None,
    pool: bool,
    home: str | None,
    form: str,
    **given: Any,
) -> None:
    """Give units of a task to assessors: all units, those in a file, or a sample."""
    open_home(home)
    from karat.server import assigning
    from karat.server.importing import listed_units

    chosen = None if units is None else listed_units(Path(units).name, Path(units).read_bytes())
    told = assigning.assign(name, task, assessors, units=chosen, shared=pool, **given)
    print_answer(told, form, _counted(told))


def _counted(told: dict[str, Any]) -> list[str]:
    """How far the judging is, for people."""
    lines = []
    for one in told["assessors"]:
        facts = [f"{one['judged']:,} of {one['units']:,} judged"]
        facts += [f"{one['skipped']:,} skipped"] if one["skipped"] else []
        facts += ["not qualified yet"] if one["qualified"] is False else []
        facts += ["a program"] if one["program"] else []
        lines.append(f"{one['assessor']}: {', '.join(facts)}")
    standing = [f"{count:,} {name}" for name, count in told["units"].items() if count]
    lines += [f"units: {', '.join(standing)}"] if standing else []
    lines += [f"closed: {', '.join(told['closed'])}"] if told["closed"] else []
    return [spelled_out(line) for line in lines]


OUTPUT = click.option("-o", "--output", metavar="FILE", help="write the file instead of printing it")
PROGRAMS = click.option("--programs", is_flag=True, help="with the judgments of programs, marked in a column")
FILE = click.option(
    "--file",
    "file",
    metavar="NAME",
    default="",
    help="another file than the usual one, such as key (the agreed labels), summaries, nuggets or matches",
)
IMPORT = click.option(
    "--import",
    "brought",
    type=click.Path(exists=True, dir_okay=False),
    help="bring in judgments that were given elsewhere: all of the file, or nothing",
)


@listed("ballots", NAME, TASK, OUTPUT, PROGRAMS, FILE, IMPORT)
def ballots(
    name: str,
    task: str,
    output: str | None,
    programs: bool,
    file: str,
    brought: str | None,
    home: str | None,
    form: str,
) -> None:
    """Write the judgments so far, as the other commands of karat read them; or bring some in.

    The judgments of people only, without second judgments of the same unit and without examples.
    """
    if file and brought is not None:
        raise UsageError("give one of --file and --import")
    open_home(home)
    if brought is not None:
        _bring(name, task, Path(brought), form)
        return
    from karat.server import assigning

    raw = assigning.file_of(name, task, file, programs=programs)
    if lacks := assigning.lacking(name, task, file):
        tell(f"Not in it: {lacks}")
    if output is not None:
        write_whole(output, raw)
        tell(f"Written: {output}")
    if form == "json":
        told: dict[str, object] = {"what": file, "written": output, "content": raw.decode()}
        print_answer(assigning.counts(name, task) | told, form, [])
    elif output is None:
        write_out(raw)


def _bring(name: str, task: str, file: Path, form: str) -> None:
    from karat.server import assigning
    from karat.server.importing import import_ballots

    try:
        told = import_ballots(name, task, file.name, file.read_bytes())
    except DataError as error:
        if form == "json":
            nothing = {"file": file.name, "sha256": None, "imported": 0, "already": 0, "problems": error.problems}
            print_answer(assigning.counts(name, task) | nothing, form, [])
            raise click.exceptions.Exit(1) from None
        raise
    done = f"{counted(told['imported'], 'judgment')} brought in; {told['already']:,} already there"
    print_answer(told | {"problems": []}, form, [done, *_counted(told)])


FROM = click.option("--assessor", required=True, metavar="NAME", help="whose open units are taken")
TO = click.option("--to", multiple=True, metavar="NAME", help="who gets them [default: nobody]")


@listed("reassign", NAME, TASK, FROM, TO, STAGE, REASON)
def reassign(
    name: str,
    task: str,
    assessor: str,
    to: tuple[str, ...],
    stage: Stage | None,
    reason: str,
    home: str | None,
    form: str,
) -> None:
    """Take the units that an assessor has not judged yet, and give them to others."""
    open_home(home)
    from karat.server import assigning

    told = assigning.reassign(name, task, assessor, to, reason, stage)
    print_answer(told, form, _counted(told))


OPEN = click.option("--open/--close", "opened", default=None, help="let judgments be given and changed, or no longer")
WHY = click.option(
    "--reason",
    metavar="TEXT",
    default="",
    help="kept in the record; needed to open a round again, and to close one that gives scores while teams can submit",
)


@listed("round", NAME, TASK, OPEN, STAGE, WHY)
def set_round(
    name: str, task: str, opened: bool | None, stage: Stage | None, reason: str, home: str | None, form: str
) -> None:
    """Close a round of judging, or open it again."""
    if opened is None:
        raise UsageError("say --close or --open")
    open_home(home)
    from karat.server import assigning

    told = assigning.set_round(name, task, stage, opened, reason)
    print_answer(told, form, [*_counted(told), *([told["scores"]] if told["scores"] else [])])


APPLY = click.option("--apply", is_flag=True, help="make the test set; otherwise nothing is changed")


@listed("questions", NAME, TASK, APPLY)
def questions(name: str, task: str, apply: bool, home: str | None, form: str) -> None:
    """List the series of questions that assessors have written, or make the test set from those that are finished.

    This ends the round of new questions. It is possible until submissions open.
    """
    open_home(home)
    from karat.server import developing

    told = developing.make_test_set(name, task) if apply else developing.told_of(name, task)
    lines = [f"{one['id']}: {one['target']}, {one['questions']} questions" for one in told["series"]]
    lines += [f"not finished: {', '.join(told['unfinished'])}"] if told["unfinished"] else []
    lines.append(
        "the test set is made from these series" if apply else "nothing was changed; --apply makes the test set"
    )
    print_answer(told, form, [spelled_out(line) for line in lines])


@listed("reveal", NAME, TASK)
def reveal(name: str, task: str, home: str | None, form: str) -> None:
    """Show the votes of a norming round to those who voted; they can no longer be changed."""
    open_home(home)
    from karat.server import assigning

    told = assigning.reveal(name, task)
    print_answer(told, form, _counted(told))

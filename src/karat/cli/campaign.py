"""`karat campaign`: what organisers do, on the home of a server, whether or not it runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from karat.cli import FORMAT, Command, Commands, print_answer, tell
from karat.cli.serve import need_server
from karat.errors import DataError, UsageError, spelled_out, summary
from karat.files import write_whole

if TYPE_CHECKING:
    from karat.campaign.definition import Definition, Read
    from karat.campaign.events import Role
    from karat.server.home import Home

HOME = click.option("--home", type=click.Path(file_okay=False), help="the folder of the server [default: ./karat-home]")
NAME = click.argument("name")
TABLE: dict[str, click.Command] = {}
"""The commands of the group, in order."""


def listed(name: str, *options: Callable[..., Any]) -> Callable[[Callable[..., None]], click.Command]:
    """A command of the group, with the options that all have."""

    def wrap(function: Callable[..., None]) -> click.Command:
        for option in reversed([*options, HOME, FORMAT]):
            function = option(function)
        TABLE[name] = click.command(name, cls=Command)(function)
        return TABLE[name]

    return wrap


def open_home(folder: str | None, made: bool = False) -> Home:
    """The home of a server; it has to be there, unless it is made now."""
    need_server()
    from karat.server.home import Home
    from karat.server.serving import prepare

    home = Home(folder)
    if not made and not home.exists:
        remedy = "name its folder with --home DIR, or make a campaign: karat campaign new FILE.toml"
        raise UsageError(f"there is no server at {home.folder}; {remedy}")
    return prepare(folder)


KEY = click.option(
    "--key",
    type=click.Path(exists=True, dir_okay=False),
    help="for a competition.yaml: the test set with its key, which such a file does not have",
)


CLOSES = click.option("--closes", metavar="TIME", help="for a competition.yaml: the deadline, in UTC or with an offset")


@listed("new", click.argument("file", type=click.Path(exists=True, dir_okay=False)), KEY, CLOSES)
def new(file: str, key: str | None, closes: str | None, home: str | None, form: str) -> None:
    """Make a campaign from a campaign file, or from the competition.yaml of CodaLab or Codabench.

    All problems are reported at once, and nothing is made if there are any.
    """
    try:
        definition, read, unknown = _definition(Path(file), key, closes)
        open_home(home, made=True)
        from karat.server.operations import create, created, warnings_of

        state = create(definition, read, Path(file).name)
    except DataError as error:
        if form == "json":
            print_answer({"campaign": None, "tasks": [], "commitment": None, "problems": error.problems}, form, [])
            raise click.exceptions.Exit(1) from None
        raise
    made, problems = created(state), [*unknown, *warnings_of(state)]
    lines = [f"campaign: {made['campaign']}", f"tasks: {', '.join(made['tasks'])}", f"commitment: {made['commitment']}"]
    if problems and form == "text":
        tell(summary(problems))
    print_answer(made | {"problems": problems}, form, lines)


def _definition(file: Path, key: str | None, closes: str | None) -> tuple[Definition, Read, list[Any]]:
    """The definition that a file contains, who reads the files beside it, and warnings."""
    from karat.campaign import competition, definition
    from karat.errors import Problems
    from karat.formats.documents import document_of

    problems = Problems()
    document = document_of(file.name, file.read_bytes(), problems)
    text = None if document is None else document.text(problems)
    problems.raise_errors()
    if text is None:
        raise DataError(problems)

    def beside(name: str) -> bytes:
        """A file in the folder of the campaign file: what others wrote must not publish files of this computer."""
        place = (file.parent / name).resolve()
        if not place.is_relative_to(file.parent.resolve()):
            raise ValueError(f"outside the folder of {file.name}")
        return place.read_bytes()

    if file.suffix.lower() in (".yaml", ".yml"):
        given = None if key is None else (Path(key).name, Path(key).read_bytes())
        return competition.read(text, file.name, beside, given, closes)
    if key is not None or closes is not None:
        raise UsageError("--key and --closes are for a competition.yaml: a campaign file names both itself")
    return definition.parse(text, file.name, beside), beside, []


@listed("list")
def list_all(home: str | None, form: str) -> None:
    """List the campaigns."""
    open_home(home)
    from karat.server.operations import listed as all_of_them
    from karat.studies.wording import counted

    found = all_of_them()
    lines = [
        f"{one['campaign']}: {one['state']}; closes {one['dates']['closes']['in']}; "
        f"{counted(one['counts']['teams'], 'team')}, {counted(one['counts']['runs'], 'run')}"
        for one in found
    ]
    print_answer({"campaigns": found}, form, lines or ["no campaign yet; make one: karat campaign new FILE.toml"])


@listed("show", NAME)
def show(name: str, home: str | None, form: str) -> None:
    """Show a campaign: its state, dates, counts, and what each role can see now."""
    open_home(home)
    from karat.server.operations import shown

    print_answer(one := shown(name), form, list(_shown_lines(one)))


def _shown_lines(one: dict[str, Any]) -> list[str]:
    """A campaign for people."""
    from karat.studies.wording import counted

    lines = [f"{one['campaign']}: {one['title']}", f"state: {one['state']}", ""]
    for name, date in one["dates"].items():
        if date is not None:
            faces = "; ".join(f"{face} ({zone})" for zone, face in date["faces"].items())
            lines.append(f"{name}: {date['in']}: {faces}")
    lines += ["", *(f"{name.replace('_', ' ')}: {count}" for name, count in one["counts"].items()), ""]
    for task in one["tasks"]:
        units, runs = counted(task["units"], "unit"), counted(task["runs"], "run")
        lines.append(f"task {task['name']}: {task['kind']}, {units}; {runs}, limit {task['limit']}")
    for team in one["teams"]:
        lines.append(f"team {team['name']}: {counted(team['runs'], 'run')}; deadline {team['deadline']}")
    for role, sees in one["sees"].items():
        can = ", ".join(name.replace("_", " ") for name, yes in sees.items() if yes)
        who = "the public" if role == "public" else f"{role}s"
        lines.append(f"{who} now: {can or 'nothing'}")
    return [spelled_out(line) for line in (*lines, "", f"commitment: {one['commitment']}")]


WHO = [
    click.option("--team", metavar="NAME", help="a team"),
    click.option("--assessor", metavar="NAME", help="an assessor"),
    click.option("--organiser", metavar="NAME", help="an organiser"),
]


def _who(**given: str | None) -> tuple[Role, str]:
    """The role and the name, of which exactly one is given."""
    named = [(role, name) for role, name in given.items() if name is not None]
    if len(named) != 1:
        raise UsageError("name one of --team, --assessor and --organiser")
    return named[0]  # type: ignore[return-value]


URL = click.option("--url", help="where people reach the server [default: where it serves]")


MAIL = click.option("--mail", metavar="ADDRESS", default="", help="also mail the link, or write it to the outbox")


@listed("invite", NAME, *WHO, URL, MAIL)
def invite(name: str, home: str | None, form: str, url: str | None, mail: str, **who: str | None) -> None:
    """Make a one-time link with which a team, an assessor or an organiser joins."""
    role, invited = _who(**who)
    place = open_home(home)
    from karat.server import operations

    made = operations.invite(name, role, invited, url or place.address(), mail_to=mail)
    told = [f"mail: {made['mail']}"] if mail else []
    print_answer(made, form, [made["url"], f"expires: {made['expires']}", *told])


SIGNED = click.option("--signed", required=True, metavar="FULL NAME", help="who signed the agreement on paper")


@listed("enrol", NAME, *WHO, SIGNED)
def enrol(name: str, home: str | None, form: str, signed: str, **who: str | None) -> None:
    """Make the account of a team or an assessor, with the agreement signed on paper."""
    role, enrolled = _who(**who)
    open_home(home)
    from karat.server import operations

    print_answer(made := operations.enrol(name, role, enrolled, signed), form, [f"account: {made['account']}"])


@listed("token", NAME, click.argument("account"))
def token(name: str, account: str, home: str | None, form: str) -> None:
    """Make a token with which programs use an account; it is shown once."""
    open_home(home)
    from karat.server.accounts import HOST, issue_token

    made = issue_token(name, account, HOST)
    print_answer({"token": made}, form, [made])


UNTIL = click.option("--until", required=True, metavar="TIME", help="in the campaign's zone, or with an offset")
REASON = click.option("--reason", required=True, metavar="TEXT", help="kept in the record")


@listed("extend", NAME, click.argument("team"), UNTIL, REASON)
def extend(name: str, team: str, until: str, reason: str, home: str | None, form: str) -> None:
    """Give one team more time."""
    open_home(home)
    from karat.campaign.dates import MomentError, moment_of
    from karat.server import operations
    from karat.server.store import state_of

    try:
        moment = moment_of(until, state_of(name).definition.clock)
    except MomentError as error:
        raise UsageError(f"--until {until}: expected {error}") from None
    made = operations.extend(name, team, moment, reason)
    faces = [f"{face} ({zone})" for zone, face in made["faces"].items()]
    print_answer(made, form, [f"{team} can submit until:", *faces])


ARCHIVE = click.option("-o", "--output", metavar="FILE.zip", help="also write all results as plain files")


@listed("board", NAME, click.option("--task", metavar="NAME", help="only this task"), ARCHIVE)
def board(name: str, task: str | None, output: str | None, home: str | None, form: str) -> None:
    """Show the tables of the official runs, scored again from their files, as `karat score` gives them."""
    open_home(home)
    from karat.render import render
    from karat.server import operations
    from karat.server.store import state_of

    tables, waiting = operations.board(name, task)
    runs = [
        {"task": one} | run
        for one, table in tables.items()
        for run in msgspec.json.decode(render(table, "json"))["runs"]
    ]
    judged = [{"task": run.received.sent.task, "run": run.name} for run in waiting]
    lines = [f"# {one}\n\n{render(table, 'text')}" for one, table in tables.items()]
    lines += [f"{one['run']} of {one['task']} is awaiting judgment" for one in judged]
    if output is not None:
        write_whole(output, operations.archive(name, task))
        tell(f"Written: {output}")
    answer = {"key_version": len(state_of(name).keys), "runs": runs, "awaiting_judgment": judged}
    print_answer(answer, form, lines or ["no runs yet"])


@listed("verify", NAME)
def verify(name: str, home: str | None, form: str) -> None:
    """Replay the record: is its chain unbroken, and is what is stored what it leads to?"""
    open_home(home)
    from karat.server import store

    found = store.verify(name)
    good = found["chain"] and found["equal"]
    lines = [f"{found['events']} events"]
    if not found["chain"]:
        lines.append(f"the chain is broken at event {found['broken_at']}: it was changed after it was written")
    differences = found["differences"]
    assert isinstance(differences, list)
    lines += [*differences, *["the chain is unbroken, and everything stored follows from it"] * bool(good)]
    print_answer(found, form, lines)
    if not good:
        raise click.exceptions.Exit(1)


class Campaigns(Commands):
    """The commands of this file."""

    kind = "command of karat campaign"

    def overview(self) -> dict[str, str]:
        """Every command with its line of help, file by file, whichever file was imported first."""
        by_file = sorted(TABLE.items(), key=lambda one: one[1].callback.__module__)
        return {name: one.get_short_help_str(80) for name, one in by_file}

    def load(self, name: str) -> click.Command | None:
        """The command itself."""
        return TABLE.get(name)


command = Campaigns("campaign")

# Further commands, in files of their own, which need what is above.
from karat.cli import campaign_archive as campaign_archive  # noqa: E402
from karat.cli import campaign_judging as campaign_judging  # noqa: E402
from karat.cli import campaign_release as campaign_release  # noqa: E402
from karat.cli import campaign_rescore as campaign_rescore  # noqa: E402

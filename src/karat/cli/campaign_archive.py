"""`karat campaign export`, `import` and `clone`: a campaign as one file, and again in another year."""

from __future__ import annotations

from pathlib import Path

import click

from karat.cli import print_answer, tell
from karat.cli.campaign import NAME, listed, open_home
from karat.errors import DataError
from karat.files import check_folder, read_bytes, write_whole

OUTPUT = click.option("-o", "--output", "output", required=True, metavar="FILE", help="the archive, a zip file")
ANONYMOUS = click.option("--anonymous", is_flag=True, help="without names, addresses, statements and reasons")


@listed("export", NAME, OUTPUT, ANONYMOUS)
def export(name: str, output: str, anonymous: bool, home: str | None, form: str) -> None:
    """Write a campaign with all its files to an archive, from which it can be rebuilt."""
    check_folder(output)
    open_home(home)
    from karat.server import archives

    made = archives.export(name, anonymous)
    with made.file as file:
        write_whole(output, file)
    facts = made.facts | {"file": output}
    lines = [f"{output}: {facts['entries']:,} entries, {facts['files']:,} files, {facts['size']:,} bytes"]
    print_answer(facts, form, [*lines, f"sha256: {facts['sha256']}"])


@listed("import", click.argument("file", type=click.Path(exists=True, dir_okay=False)))
def import_archive(file: str, home: str | None, form: str) -> None:
    """Rebuild a campaign from an archive; all problems are reported at once, and nothing is made if there are any."""
    from karat.campaign.archive import MOST_BYTES, verified

    try:
        archive = verified(read_bytes(file, MOST_BYTES), Path(file).name)
    except DataError as error:
        if form == "json":
            print_answer({"campaign": None, "problems": error.problems}, form, [])
            raise click.exceptions.Exit(1) from None
        raise
    open_home(home, made=True)
    from karat.server import archives

    made = archives.import_archive(archive)
    lines = [f"campaign: {made['campaign']}", f"entries: {made['entries']:,}", f"files: {made['files']:,}"]
    lines += ["everything stored follows from the record"] * made["equal"]
    lines += [f"accounts without a password: {', '.join(made['accounts'])}"] * bool(made["accounts"])
    print_answer(made | {"problems": []}, form, lines)


@listed("clone", NAME, click.argument("new"))
def clone(name: str, new: str, home: str | None, form: str) -> None:
    """Make a campaign like another one, with its dates moved by whole years into the future."""
    open_home(home)
    from karat.server import archives

    made = archives.clone(name, new)
    lines = [f"campaign: {new}", f"commitment: {made['commitment']}", *(f"{k}: {v}" for k, v in made["dates"].items())]
    if form == "text":
        tell("\n".join(f"warning: {one}" for one in made["warnings"]))
    print_answer(made, form, lines)

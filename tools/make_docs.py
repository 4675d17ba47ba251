"""Writes the generated documentation: run by `make docs`; a test checks that it is up to date.

docs/papers.md      the figures of the papers, from tests/papers/*.toml
docs/measures.md    the measures and their facts, from the registry
docs/formats.md     the formats, from the registry
docs/problems.md    every problem that data can have, from the catalogue
docs/cli.md         the help of every command
docs/map.md         the packages, from the imports
docs/json/*         one example object per command, its schema, and an index
docs/figures.md     every figure, drawn from the examples
docs/decisions/index.md  the decisions, from their headings
README.md, docs/*.md     what their commands print, in pages written by hand
"""

from __future__ import annotations

import ast
import html
import json
import re
import sys
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from karat.cli import COMMANDS, OF_THE_SERVER, cli
from karat.data.result import Sheet
from karat.errors import CATALOGUE, Problem
from karat.studies.catalogue import list_formats, list_measures
from tools.examples import ARGUMENTS, result_of
from tools.gallery import NOTE, gallery_page, write_images
from tools.outputs import pages_with_outputs, refreshed
from tools.papers import papers
from tools.rooms import LEVELS, imports, room_of
from tools.schemas import commands
from tools.schemas import page as schema_page
from tools.site_pages import titles
from tools.stubs import stub_page

ROOT = Path(__file__).parent.parent
UNKNOWN = CATALOGUE["unknown-id"]
SAMPLE = Problem("run.txt", 12, 1, "unknown-id", "pair '0712'", UNKNOWN.expected, UNKNOWN.fix, UNKNOWN.severity)
"""What a problem looks like, on the page of problems and in the README."""


def plain(text: str) -> str:
    """A text that is shown as it stands: entities become code, and an `&` or `<` outside code is escaped."""
    parts = re.split(r"(`[^`]*`)", re.sub(r"&#?\w+;", r"`\g<0>`", text))
    return "".join(part if part.startswith("`") else html.escape(part, quote=False) for part in parts)


def markdown_table(headings: list[str], rows: list[list[str]]) -> str:
    """A Markdown table; bars inside cells are escaped."""
    lines = [headings, ["---"] * len(headings), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def sheet_table(sheet: Sheet, names: list[str]) -> str:
    """Columns of a sheet as a Markdown table; what stands in the first is code."""
    there = [column.name for column in sheet.columns]
    cells = [[row[there.index(name)] for name in names] for row in sheet.rows()]
    return markdown_table(names, [[f"`{first}`", *map(plain, rest)] for first, *rest in cells])


def opening(page: str, command: str) -> str:
    """The title of a generated page, which the menu has too, and the command whose output follows."""
    return f"# {titles()[page]}\n\n{NOTE}```sh\n{command}\n```\n\n"


def as_printed(figure: dict[str, Any]) -> bool:
    """Whether a figure is what was printed, to the printed digit."""
    number = figure["printed"].rstrip("%")
    exact = figure["exact"] * (100 if figure["printed"].endswith("%") else 1)
    return abs(float(number) - exact) <= 0.5 * 10.0 ** -len(number.partition(".")[2]) + 1e-9


def papers_page() -> str:
    """Each figure as printed and as computed, and why they differ if they do."""
    rows = []
    for paper in papers():
        printed = [figure for figure in paper["figure"] if figure.get("printed")]
        same = sum(map(as_printed, printed))
        rows.append([paper["paper"], *map(str, (len(paper["figure"]), len(printed), same, len(printed) - same))])
    parts = [
        f"# {titles()['papers.md']}\n\n{NOTE}```\npython -m pytest tests/papers\n```\n\n",
        markdown_table(["source", "figures", "printed", "the same", "different"], rows),
        """
Every figure is a test. Printed: the source prints it; the others follow from its tables. The same: to the last printed
digit; a note below says why a figure is different. Exact: the value that karat computes, to six digits.
""",
    ]
    for paper in papers():
        parts.append(f"\n## {paper['paper']}\n\n")
        rows = [
            [figure["what"], figure.get("printed", ""), f"{figure['exact']:.6f}".rstrip("0").rstrip("."), note]
            for figure in paper["figure"]
            for note in [figure.get("note", "")]
        ]
        parts.append(markdown_table(["figure", "printed", "exact", "note"], rows))
        parts += [f"\nStated, not tested: {sentence}\n" for sentence in paper.get("told", [])]
    return "".join(parts)


def measures_page() -> str:
    """The measures with their facts."""
    about = """`respects` lists what leaves a measure unchanged: negation (⊢ ↔ ⊣ in key and run), transposition (key
and run exchanged), relabelling (the run's labels permuted), scaling (all counts multiplied); merging means that the
measure never rises when two answers are merged. After the two-way fold no measure respects negation. `undefined` says
when there is no value. A property test checks every fact of every measure.

"""
    every = list_measures().records()
    short, long = ("measure what range source", "measure of unit interval respects undefined")
    return (
        f"{opening('measures.md', 'karat measures')}{sheet_table(every, short.split())}"
        f"\n## Facts\n\n{about}{sheet_table(every, long.split())}"
    )


def formats_page() -> str:
    """The formats that are read and written."""
    about = """
A file's format is recognised from its content; if that is ambiguous, name the format with `--reader` (test sets) or
`--run-reader` (runs). All of them may be gzipped.
"""
    names = "format of what written".split()
    return opening("formats.md", "karat formats") + sheet_table(list_formats().records(), names) + about


def problems_page() -> str:
    """Every problem in the catalogue."""
    rows = [[f"`{code}`", kind.severity, plain(kind.expected), plain(kind.fix)] for code, kind in CATALOGUE.items()]
    table = markdown_table(["code", "severity", "expected", "how to fix it"], rows)
    about = """All problems in all files are reported at once, each with its place (file, line, column), its code, what
was found, what was expected and how to fix it. Errors end a command with exit status 1; warnings do not. Words in
braces are filled in when the problem is reported.

"""
    return (
        f"# {titles()['problems.md']}\n\n{NOTE}```\nkarat check pairs.xml run.txt\n```\n\n"
        f"```output\n{textwrap.fill(str(SAMPLE), 96)}\n```\n\n{about}{table}"
    )


def cli_page() -> str:
    """The help of every command, as the terminal shows it."""
    parts = [opening("cli.md", "karat --help")]
    # A context made by hand lacks the group's settings.
    context = click.Context(cli, info_name="karat", terminal_width=100, **cli.context_settings)
    parts.append(f"```output\n{cli.get_help(context)}\n```\n")
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context, terminal_width=100)
        parts.append(f"\n## karat {name}\n\n```output\n{command.get_help(inner)}\n```\n")
        if name in OF_THE_SERVER and isinstance(command, click.Group):
            for one in command.list_commands(inner):
                below = command.get_command(inner, one)
                assert below is not None
                told = below.get_help(click.Context(below, info_name=one, parent=inner, terminal_width=100))
                parts.append(f"\n### karat {name} {one}\n\n```output\n{told}\n```\n")
    return "".join(parts)


def map_page() -> str:
    """Each package, the first line of its docstring, and the packages it imports from."""
    source = ROOT / "src" / "karat"
    there = sorted(path for path in source.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists())
    names = {room_of(path, source) for path in there}
    rows = []
    for path in there:
        files = [path] if path.suffix else sorted(path.rglob("*.py"))
        about = ast.get_docstring(ast.parse(files[0].read_text(encoding="utf-8"))) or ""
        used = {name for file in files for name in imports(file)} & names - {path.stem}
        rows.append(
            [f"`{path.stem}`" if path.suffix else f"`{path.name}/`", about.partition("\n")[0], ", ".join(sorted(used))]
        )
    levels = [", ".join(room for room in level if room in names) for level in LEVELS]
    order = f"Imports go downward only: {' < '.join(filter(None, levels))}. `tests/test_house.py` checks it."
    table = markdown_table(["package", "contents", "imports from"], rows)
    return f"# {titles()['map.md']}\n\n{NOTE}{textwrap.fill(order, 112)}\n\n{table}"


def json_example(command: str) -> str:
    """What a command prints as JSON."""
    return result_of(command).render("json")


def json_page() -> str:
    """The example objects, with the commands that print them."""
    about = """With `--format json` a command prints its complete result as one object. `signature` says how it was
made: version, parameters, seed, and the SHA-256 of every file. Undefined values are null, and `undefined` says where
(a JSON pointer) and why. The table has one example per command, for the data in `src/karat/examples`, and the JSON
Schema of its output, made from the dataclass that the study returns, with exactly its fields. Numbers have 12
significant digits, and [all machines agree on 9](../reproducibility.md).

"""
    rows = [
        [
            f"[{name}.json]({name}.json)",
            f"[schema](schema/{name}.json)",
            f"`{' '.join(['karat', name, ARGUMENTS[name]]).strip()}`",
        ]
        for name in commands()
    ]
    sample = json.loads(json_example("compare"), parse_float=lambda number: float(f"{float(number):.4g}"))
    some = {name: sample[name] for name in ("study", "measure", "units", "test", "correction")}
    some |= {"pairs": sample["pairs"][:1], "undefined": sample["undefined"][:1]}
    shown = json.dumps(some, indent=2, ensure_ascii=False)
    return (
        f"{opening('json/index.md', 'karat compare pairs.xml runs --format json')}```json\n{shown}\n```\n\n"
        f"Shown are some of the fields, the first entry of each list, and four digits of each number.\n\n{about}"
        f"{markdown_table(['example', 'schema', 'printed by, with `--format json`'], rows)}"
    )


def decisions_page() -> str:
    """The decisions by number, with their headings."""
    rows = []
    for file in sorted((ROOT / "docs" / "decisions").glob("0*.md")):
        heading = file.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        rows.append([file.name[:4], f"[{heading.rpartition(' · ')[2]}]({file.name})"])
    about = "The reasons behind the design, half a page each.\n\n"
    return f"# {titles()['decisions/index.md']}\n\n{NOTE}{about}{markdown_table(['number', 'decision'], rows)}"


PAGES: dict[str, Callable[[], str]] = {
    "src/karat/__init__.pyi": stub_page,
    "docs/papers.md": papers_page,
    "docs/measures.md": measures_page,
    "docs/formats.md": formats_page,
    "docs/problems.md": problems_page,
    "docs/cli.md": cli_page,
    "docs/map.md": map_page,
    "docs/json/index.md": json_page,
    "docs/decisions/index.md": decisions_page,
    "docs/figures.md": gallery_page,
    **{name: partial(refreshed, name) for name in pages_with_outputs()},
    **{f"docs/json/schema/{name}.json": partial(schema_page, name) for name in commands()},
    **{f"docs/json/{name}.json": partial(json_example, name) for name in commands()},
}
"""Every file that is written, by its path in the repository."""


def main() -> None:
    """Write every page."""
    for name, page in PAGES.items():
        file = ROOT / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page(), encoding="utf-8")
    write_images()
    sys.stdout.write(f"{', '.join(PAGES)}\n")


if __name__ == "__main__":
    main()

"""Options of all commands: given twice, each is taken twice or refused, and never the last one in silence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from karat.cli import COMMANDS, load_command
from karat.cli.figure import command as figures
from karat.studies import OVERVIEW
from tests.cli.calls import as_json, karat
from tests.cli.test_questions import ASKED, JUDGED, PATTERNS, QA


def every_command() -> Iterator[click.Command]:
    """Every command, and one of each study's figures."""
    yield from (load_command(name) for name in COMMANDS if name != "figure")
    for one in OVERVIEW.values():
        for name in one.figures[:1]:
            made = figures.load(name)
            assert made is not None
            yield made


@pytest.mark.parametrize("command", list(every_command()), ids=lambda one: str(one.name))
def test_no_option_takes_the_last_in_silence(command: click.Command) -> None:
    """An option with one value is refused where it has two; flags may be said again, they mean the same."""
    for option in command.params:
        if not isinstance(option, click.Option) or option.multiple or option.is_flag:
            continue
        for flag in option.opts:
            words = [flag, *["x"] * option.nargs] * 2
            with pytest.raises(click.UsageError, match=f"{option.opts[0]} is given 2 times"):
                command.make_context("x", words)


@pytest.mark.parametrize(
    "words",
    [
        ["qa", *ASKED, *JUDGED, "--beta", "3", "--beta", "5"],
        ["qa", *ASKED, *JUDGED, "--nuggets", "a.tsv", "--nuggets", "b.tsv"],
        ["score", "key.xml", "run.txt", "--seed=1", "--seed=2"],
    ],
)
def test_refused_in_a_sentence(words: list[str]) -> None:
    """Before anything is read."""
    done = karat(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is given 2 times, but takes one value." in done.stderr


def test_files_that_are_taken_together(tmp_path: Path) -> None:
    """Patterns and judgments cut in two score as they do whole, and all files are signed."""
    halves: list[str] = []
    for option, name, head in (("--judgments", "judgments.tsv", 1), ("--patterns", "patterns.txt", 0)):
        lines = (QA / name).read_text().splitlines(keepends=True)
        for place in (0, 1):
            file = tmp_path / f"{place}-{name}"
            file.write_text("".join([*lines[:head], *lines[head + place :: 2]]))
            halves += [option, str(file)]
    whole, cut = as_json("qa", *ASKED, *JUDGED, *PATTERNS), as_json("qa", *ASKED, *halves)
    assert all(cut[part] == whole[part] for part in ("runs", "patterns", "questions", "asked"))
    assert {Path(one["name"]).name for one in cut["signature"]["files"]} >= {Path(one).name for one in halves[1::2]}

"""Commands that write files of data, and show what they did on standard output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from karat.cli.command import StudyCommand, show
from karat.data.result import Result
from karat.errors import UsageError
from karat.files import check_folder, is_file

FORCE = click.Option(["--force"], is_flag=True, help="overwrite existing files")


class WritingCommand(StudyCommand):
    """A command whose `--output` is a file of data; the result itself is shown."""

    def __init__(
        self,
        name: str,
        parameters: Sequence[click.Parameter],
        read: Callable[[dict[str, Any]], tuple[Result, Callable[[], None]]],
        files: Sequence[str] = ("output",),
    ) -> None:
        """`read` returns the result, and what writes the files; `files` are the options that name them."""
        super().__init__(name, [*parameters, FORCE], lambda given: read(given)[0])
        self._read, self._files = read, files

    def _show(self, **given: Any) -> None:
        given["format"] = given["format"] or self.form  # the ending of --output is that of the data
        for option in self._files:
            if given[option]:
                check_new(given[option], given["force"])
        result, write = self._read(given)
        write()
        show(result, given | {"output": None})
        if getattr(result, "failed", False):
            raise click.exceptions.Exit(1)


def check_new(path: str, force: bool) -> None:
    """Refuse to write where a file is that somebody may have filled in."""
    check_folder(path)
    if is_file(path) and not force:
        raise UsageError(f"{Path(path)} already exists: name another file, or use --force")

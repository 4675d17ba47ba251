"""A command's result for who does not want it printed: from the words of a call, as they are typed."""

from __future__ import annotations

from karat.cli import cli
from karat.cli.options import StudyCommand
from karat.studies.base import StudyResult


def ask(*words: str) -> StudyResult:
    """What `karat WORDS` would print, as the result itself."""
    with cli.make_context("karat", list(words)) as context:
        name, command, rest = cli.resolve_command(context, list(words))
        assert isinstance(command, StudyCommand), f"{name} is the command of no study"
        with command.make_context(name, rest, parent=context) as asked:
            result = command.ask(asked.params)
    assert isinstance(result, StudyResult)
    return result

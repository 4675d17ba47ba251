"""Calls of every command on the examples, with hostile names of files, runs and people, and hostile texts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from html import escape
from itertools import cycle
from pathlib import Path

import click

from karat.cli import load_command
from tests.cli.test_warnings import CALLS, ENGINE, MADE, read_parameters

WORDS = (
    "careful chatty terse cautious overlap verbose steady middling guesser lister sloppy brief "
    "anna ben cleo auto doris emil fay gus hana ivo zoe IE IR QA SUM short long business "
    "Ottilie Brandvold born described first a b c alder birch cedar elm"
).split()
"""Names of runs and people, settings, and words of texts."""
QUOTES: dict[str, Callable[[str], str]] = {
    ".jsonl": lambda word: json.dumps(word, ensure_ascii=False)[1:-1],
    ".csv": lambda word: '"' + word.replace('"', '""') + '"',
    ".xml": lambda word: escape(re.sub("[\x00-\x1f]", "", word)),
}
"""How a format holds what it would take for something else."""


def poisoned(text: str, suffix: str, names: dict[str, str], texts: str) -> str:
    """A file with other names in it, in the way that its format quotes; and before every text and justification one."""
    said = QUOTES.get(suffix, str)
    words = [word for word in names if len(word) > 1 or suffix == ".csv"]
    word = re.compile(rf"(?<![\w.-])({'|'.join(words)})(?![\w.-])")
    text = word.sub(lambda found: said(names[found[0]]), text)
    text = re.sub("<([th])>", lambda found: f"{found[0]}{said(texts)} ", text)
    return text.replace('"justification": "', f'"justification": "{said(texts)} ')


def hostile_call(name: str, place: int, folder: Path, payloads: Sequence[str]) -> list[str]:
    """One of the calls of a command; each word is a payload with a number after it, so that they differ."""
    files, more = CALLS[name][place]
    names = {word: f"{payload}{number}" for number, (word, payload) in enumerate(zip(WORDS, cycle(payloads)))}
    command = load_command(name)
    arguments = [ENGINE for one in command.params if one.name == "engine"]
    options = [names.get(word, word) for word in more.split()]
    for parameter in read_parameters(command):
        assert parameter.name
        named = files.get(parameter.name, [])
        for file in named if isinstance(named, list) else [named]:
            given = Path(file)
            text = given.read_text("utf-8") if isinstance(file, Path) else MADE[file]
            (folder / parameter.name).mkdir(exist_ok=True)
            path = folder / parameter.name / f"{names.get(given.stem, given.stem)}{given.suffix}"
            path.write_text(poisoned(text, given.suffix, names, payloads[0]), "utf-8")
            if isinstance(parameter, click.Option):
                options += [parameter.opts[0], str(path)]
            else:
                arguments.append(str(path))
    return [name, *arguments, *options]

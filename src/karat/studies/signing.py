"""Signatures: all that the numbers of a result depend on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import is_dataclass
from pathlib import PurePath
from typing import Any

import msgspec

from karat import __version__
from karat.data.ballots import Ballots
from karat.data.responses import Responses
from karat.data.result import Result, Signature
from karat.data.scores import Scores
from karat.data.source import IN_MEMORY, Source


def sign(name: str, subjects: Sequence[Any], asked: msgspec.Struct, result: Result) -> Signature:
    """Everything the numbers depend on; what a result resolved (its way, its measures) over what was asked."""
    given = msgspec.to_builtins(asked)
    subjects = [noun for subject in subjects for noun in _with_key(subject)]
    given |= {path: PurePath(given[path]).name for path in getattr(asked, "PATHS", ()) if given.get(path)}
    # What a result says of itself stands, even that there is no such thing: a score matrix has no way.
    spoken = {part: getattr(result, part, given.get(part)) for part in ("way", "ties")}
    spoken["missing"] = getattr(result, "missing", given.get("missing") or _missing(subjects))
    for subject in subjects:
        reading = subject if isinstance(subject, msgspec.Struct) else getattr(subject, "reading", None)
        for option, value in ({} if reading is None else _changed(reading)).items():
            before = given.get(option)
            if isinstance(before, dict) and isinstance(value, dict):  # what labels mean, in a key and in ballots
                given[option] = before | value
            elif before is None:  # else a parameter stands over the reading: the level of ballots is both
                given[option] = value
    files = [source for subject in subjects for source in _sources(subject)]
    given.pop("measure", None)
    given |= getattr(result, "resolved", {})
    return Signature(
        version=__version__,
        study=name,
        files=tuple(dict.fromkeys(source.bare for source in (*files, *getattr(result, "sources", ())))),
        measures=tuple(getattr(result, "measures", ())),
        seed=given.pop("seed", None),
        parameters={key: value for key, value in given.items() if key not in ("way", "ties", "missing")},
        **spoken,
    )


def _with_key(subject: Any) -> tuple[Any, ...]:
    """Runs stand on the key that they were read against, which is signed before them."""
    return (subject.key, subject) if isinstance(subject, Responses) else (subject,)


def _missing(subjects: Sequence[Any]) -> str | None:
    """What becomes of what is not there, unless a result says otherwise; None where nothing could be missing."""
    parts = {Responses: "refused", Scores: "refused", Ballots: "ballots left out"}
    told = [parts[kind] for kind in parts if any(isinstance(subject, kind) for subject in subjects)]
    return ", ".join(dict.fromkeys(told)) or None


def _changed(struct: msgspec.Struct) -> dict[str, Any]:
    """The fields that do not have their default value: how files were read, where that was said.

    The names of files are not among them: the files themselves are signed, by what is in them.
    """
    plain, paths = msgspec.to_builtins(type(struct)()), getattr(struct, "PATHS", ())
    said = msgspec.to_builtins(struct).items()
    return {name: value for name, value in said if value != plain[name] and name not in paths}


def _sources(subject: Any) -> Iterable[Source]:
    """The files that a subject came from; of one that never was a file, a hash of what it holds."""
    one = getattr(subject, "source", None)
    named = [source for source in getattr(subject, "sources", (one,)) if source not in (None, IN_MEMORY)]
    return named or ([Source.of_noun(subject)] if is_dataclass(subject) else [])

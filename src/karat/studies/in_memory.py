"""Studies of labels in memory: `karat.score(y_true, y_pred)` is the study of the runs that these labels make."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from os import PathLike, fspath
from typing import Any, get_args, get_type_hints

from karat.data.provenance import MissingAnswers, Unparsed
from karat.data.responses import Responses
from karat.errors import UsageError
from karat.formats.memory import LabelArray, Labels, responses

TAKEN = ("y_pred", "label", "missing", "unparsed", "answer_pattern")
"""What callers may give besides the labels of the key."""


def subject_of(function: Callable[..., Any]) -> str:
    """The name of the runs that a study is about, if these are its only positional argument; otherwise empty."""
    hints = get_type_hints(function)
    first, *others = [
        one for one in inspect.signature(function).parameters.values() if one.kind is not one.KEYWORD_ONLY
    ]
    nouns = [one for one in others if not hasattr(hints[one.name], "__struct_fields__")]
    kinds = (hints.get(first.name), *get_args(hints.get(first.name)))
    return first.name if Responses in kinds and not nouns else ""


def with_labels(public: inspect.Signature, subject: str, hint: Any) -> inspect.Signature:
    """The signature of a study that takes labels in memory as well."""
    predicted: Any = Labels | Mapping[str, Any] | None
    runs, *others = public.parameters.values()
    assert runs.name == subject
    added = [
        runs.replace(annotation=hint | Labels),
        inspect.Parameter("y_pred", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=predicted),
        inspect.Parameter("label", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Mapping[Any, str] | None),
        inspect.Parameter("missing", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=MissingAnswers | None),
        inspect.Parameter("unparsed", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Unparsed | None),
        inspect.Parameter("answer_pattern", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=str | None),
    ]
    return public.replace(parameters=[*added, *others])


def aligned(name: str, subjects: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, ...]:
    """The subjects of a call, in which labels in memory have become runs; their options are taken out."""
    first, *rest = subjects or (None,)
    given = {one: options.pop(one) for one in TAKEN if options.get(one) is not None}
    if rest and "y_pred" not in given:
        given["y_pred"] = rest.pop(0)
    for one in TAKEN:
        options.pop(one, None)
    if not isinstance(first, list | tuple | LabelArray):
        if given and isinstance(first, str | PathLike):
            read = f"karat.read_runs('RUN', karat.read_pairs({fspath(first)!r}))"
            raise UsageError(f"{name} takes runs or labels, and not the name of a file: read it first, as in {read}")
        if given and first is not None:
            only = f"`{next(iter(given))}` applies only to labels passed directly"
            raise UsageError(f"{name}: runs that were read hold their key; {only}")
        return subjects
    if "y_pred" not in given:
        raise UsageError(f"{name}: the labels of the key were given, but not those of a run: {name}(y_true, y_pred)")
    labels = first if isinstance(first, LabelArray) else list(first)
    return (responses(labels, **given, way=options.get("way", "auto")), *rest)

"""Parameters: one frozen struct a study, from which keywords, options and signatures all derive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from karat.errors import UsageError

P = TypeVar("P", bound=msgspec.Struct)


def parameters(kind: type[P], options: Mapping[str, Any]) -> P:
    """The struct from keywords; a wrong name or value is an error in words."""
    names = kind.__struct_fields__
    if stray := set(options) - set(names):
        raise UsageError.unknown("option", sorted(stray)[0], names)
    given = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(str(error)) from None

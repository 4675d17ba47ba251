"""What people call the importance of a nugget, and how far an answer supports it."""

from __future__ import annotations

from karat.data.nuggets import CONTRADICTED, DEGREES, IMPORTANCES, NEITHER, NOT, PARTIAL, SUPPORT, UNKNOWN_DEGREE
from karat.files import as_number

_IMPORTANCE = {label: code for code, label in enumerate(IMPORTANCES)}
_DEGREE = {label: code for code, label in enumerate(DEGREES)}
_DEGREE_NUMBER = {0.0: NOT, 0.5: PARTIAL, 1.0: SUPPORT}


def importance_code(spelled: str) -> int:
    """VITAL or OKAY, whatever the case; NEITHER for any other label."""
    return _IMPORTANCE.get(spelled.strip().casefold(), NEITHER)


def is_contradicted(spelled: str) -> bool:
    """Whether a degree says that a response contradicts a nugget."""
    return spelled.strip().casefold() == CONTRADICTED


def degree_code(spelled: str) -> int:
    """The degree of support, in words or as 1, 0.5 or 0; UNKNOWN_DEGREE for any other label."""
    plain = spelled.strip().casefold()
    if is_contradicted(plain):
        return NOT
    return _DEGREE[plain] if plain in _DEGREE else _DEGREE_NUMBER.get(as_number(plain), UNKNOWN_DEGREE)

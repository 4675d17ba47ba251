"""An entry of the catalogue of problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Case:
    """One entry of the catalogue; `{names}` in the sentences are filled in where the problem is met."""

    severity: Severity
    expected: str
    fix: str

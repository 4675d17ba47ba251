"""Regular expressions by RE2, whose time is linear in the text: no pattern of anybody's can take forever.

It reads Perl's spelling. What cannot be found in linear time (`(?=…)`, `\\1`, `a++`) it does not have.
"""

from __future__ import annotations

import re
from typing import Any

import re2

MAX_LENGTH = 2000
"""Of a pattern, in characters."""
SPELLED_OTHERWISE = {r"\h": r"[ \t]", r"\Z": r"\z"}
"""What Perl has and RE2 spells in another way."""


def compile_regex(spelled: str, ignore_case: bool = False, may_be_empty: bool = False) -> Any:
    """A compiled expression with `search` and `pattern`; a `ValueError` with the reason where it is none.

    One that finds something in every string, if only nothing, is none unless it `may_be_empty`.
    """
    if len(spelled) > MAX_LENGTH:
        raise ValueError(f"{len(spelled):,} characters, more than {MAX_LENGTH:,}")
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    plain = re.sub(r"\\.", lambda match: SPELLED_OTHERWISE.get(match[0], match[0]), spelled, flags=re.DOTALL)
    try:
        compiled = re2.compile(plain, options)
    except re2.error as error:
        reason = error.args[0]
        raise ValueError(reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)) from None
    except UnicodeError:
        raise ValueError("characters that are no text") from None
    if not may_be_empty and compiled.search(""):
        raise ValueError("it accepts every string")
    return compiled

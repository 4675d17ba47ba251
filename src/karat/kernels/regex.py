"""Regular expressions by RE2, which takes linear time in the length of the text whatever the pattern.

It accepts Perl's syntax, except for what cannot be matched in linear time (`(?=…)`, `\\1`, `a++`).
"""

from __future__ import annotations

import re
from typing import Any

import re2

MAX_LENGTH = 2000
"""Characters a pattern may have."""
EVERY_KIND = "aZ0é中.-$"
"""Lower and upper case, digits, other scripts and signs: a pattern that matches each of these matches any answer."""
SPELLED_OTHERWISE = {r"\h": r"[ \t]", r"\Z": r"\z"}
"""Perl's syntax that RE2 writes differently."""
OTHER = r"[^\pL\pM\pN_]|\b"
"""What is beside words: no letter or digit of any script; or a place where a word of ASCII letters begins or ends."""


def compile_regex(spelled: str, ignore_case: bool = False, in_words: bool = False) -> Any:
    """A compiled expression with `search` and `pattern`; raises a `ValueError` with the reason if it is invalid.

    If `in_words`, it does not match a part of a word: `LA` is not in `ATLANTA`.
    """
    if len(spelled) > MAX_LENGTH:
        raise ValueError(f"{len(spelled):,} characters, more than {MAX_LENGTH:,}")
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    plain = re.sub(r"\\.", lambda match: SPELLED_OTHERWISE.get(match[0], match[0]), spelled, flags=re.DOTALL)
    plain = f"(?:^|{OTHER})(?:{plain})(?:$|{OTHER})" if in_words else plain
    try:
        compiled = re2.compile(plain, options)
    except re2.error as error:
        reason = error.args[0]
        raise ValueError(reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)) from None
    except UnicodeError:
        raise ValueError("characters that are no text") from None
    return compiled


def accepts_everything(compiled: Any) -> bool:
    """Whether an expression matches every text: the empty one, or a single character of each kind."""
    return bool(compiled.search("")) or all(compiled.search(character) for character in EVERY_KIND)

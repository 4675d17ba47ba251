"""Regular expressions as people wrote them for Perl, and which of them could take forever.

Answer patterns were written for Perl. What Python spells otherwise is translated; what it does not have (`\\p{L}`, a
`(?i)` in the middle) is refused with the reason. A repeat inside a repeat, as in `(a+)+`, can take time that doubles
with each character of the answer, so it is refused too. No such rule finds every slow expression: `(a|a)*b` passes.
"""

from __future__ import annotations

import re
import warnings

MAX_LENGTH = 2000
"""Of a pattern, in characters."""
MANY = 10
"""A repeat of at most so many is no repeat without end."""
POSIX = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r"\s",
    "punct": r"!-/:-@\[-`{-~",
    "word": r"\w",
    "xdigit": "0-9A-Fa-f",
}
_QUOTED = r"\\Q(?P<quoted>.*?)(?:\\E|\Z)"
_TOKEN = re.compile(
    _QUOTED
    + r"|\\x\{(?P<point>[0-9A-Fa-f]{1,6})\}|\\k[<{](?P<named>\w+)[>}]|\(\?<(?P<group>[A-Za-z_]\w*)>"
    + r"|\[:(?P<posix>\w+):\]|(?P<escape>\\.)|(?P<open>\[\^?\]?)|(?P<other>.)",
    re.DOTALL,
)
_PART = re.compile(
    r"(?P<atom>\\.|\[\^?\]?(?:\\.|[^\]\\])*\])|(?P<repeat>[*+]|\{(?:\d+,(?P<most>\d*)|(?P<times>\d+))\})[?+]?"
    r"|(?P<open>\((?:\?[a-zA-Z-]+[:)])?)|(?P<close>\))|(?P<once>\?)|(?P<other>.)",
    re.DOTALL,
)


def compile_pattern(spelled: str) -> re.Pattern[str]:
    """A compiled expression; a `ValueError` with the reason where it is none, or none to run on people's answers."""
    if len(spelled) > MAX_LENGTH:
        raise ValueError(f"{len(spelled):,} characters, more than {MAX_LENGTH:,}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what another version of Python may read otherwise
            compiled = re.compile(to_python(spelled))
    except RecursionError:
        raise ValueError("brackets nested too deep") from None
    except (re.error, OverflowError) as error:
        raise ValueError(str(error)) from None
    if repeats_in_repeats(compiled.pattern):
        raise ValueError("a repeat inside a repeat, which can take forever")
    if compiled.search(""):
        raise ValueError("it accepts every string")
    return compiled


def to_python(spelled: str) -> str:
    """Perl's spelling in Python's."""
    pieces: list[str] = []
    in_class = False
    for match in _TOKEN.finditer(spelled):
        kind, token = match.lastgroup, match[0]
        if kind == "quoted":
            pieces.append(re.escape(match["quoted"]))
        elif kind == "point" and int(match["point"], 16) < 0x110000:
            pieces.append(re.escape(chr(int(match["point"], 16))))
        elif kind == "named":
            pieces.append(f"(?P={match['named']})")
        elif kind == "group" and not in_class:
            pieces.append(f"(?P<{match['group']}>")
        elif kind == "posix" and in_class and match["posix"] in POSIX:
            pieces.append(POSIX[match["posix"]])
        elif kind == "escape":
            blank = r" \t" if in_class else r"[ \t]"
            pieces.append({r"\z": r"\Z", r"\h": blank}.get(token, token))
        else:
            in_class = kind in ("open", "posix") or (in_class and token != "]")
            pieces.append(token)
    return "".join(pieces)


def repeats_in_repeats(regex: str) -> bool:
    """Whether something that repeats without end holds something that does."""
    holds = [False]
    last = False
    for part in _PART.finditer(regex):
        if part["open"]:
            if not part["open"].endswith(")"):
                holds.append(False)
            last = False
        elif part["close"] and len(holds) > 1:
            last = holds.pop()
            holds[-1] |= last
        elif part["repeat"]:
            most = part["most"] or part["times"]
            if not most or int(most[:9]) > MANY:
                if last:
                    return True
                holds[-1] = True
        elif not part["once"]:
            last = False
    return False

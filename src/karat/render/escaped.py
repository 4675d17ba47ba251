"""Text as HTML: escaped, and long names with places where a line may break."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from karat.errors import spelled_out

LONG = 16
"""A longer word may be broken after a sign in it."""
BREAK = re.compile(r"(?<=\w[_+./:])(?=\w)")
WHOLE = re.compile(r"\d{1,3}% CI|\b\w{1,4}(?:-\w{1,4}){1,3}\b")
"""What is read as one word in a heading: 95% CI, tau-b, mid-p."""

OPTION = re.compile(r"(?<![\w&-])--[a-z][a-z-]*")
"""An option in a sentence, which a browser would break after a hyphen."""
Sections = Mapping[str, tuple[str, str]]
"""The anchors and headings of sections, by the command that makes one: `karat compare`."""
NO_SECTIONS: Sections = {}
Short = Mapping[str, str]
"""Long names of runs as the tables beside a sentence show them."""
ALL_WHOLE: Short = {}


def heading(text: str) -> str:
    """The heading of a column as HTML, broken only between words."""
    parts, end = [], 0
    for one in WHOLE.finditer(text):
        parts += [escape(text[end : one.start()]), f'<span class="whole">{escape(one[0])}</span>']
        end = one.end()
    return "".join([*parts, escape(text[end:])])


def named(name: str) -> str:
    """A name as HTML; where there is too little room it is broken after a sign such as _ or +, not inside a word."""
    return " ".join(_breakable(word) for word in name.split(" "))


def _breakable(word: str) -> str:
    if len(word) <= LONG and not word.startswith("…"):
        return escape(word)
    # An ellipsis stays with what follows it.
    return "<wbr>".join(map(escape, BREAK.split(word))).replace("…", "…&NoBreak;", int(word.startswith("…")))


def prose(sentence: str, sections: Sections = NO_SECTIONS, short: Short = ALL_WHOLE) -> str:
    """A sentence as HTML, with text between backticks as code; a command with a section on the page links to it.

    The names of runs in a finding are set apart, and long ones are shortened as in the tables, but whole on paper.
    """
    words, *rest = getattr(sentence, "parts", (sentence,))
    made = [_words(words, sections)]
    for name, more in zip(rest[::2], rest[1::2], strict=True):
        made += [_name(spelled_out(name), short.get(name, "")), _words(more, sections)]
    return "".join(made)


def _name(name: str, short: str) -> str:
    if not short or short == name:
        return f'<i class="name">{named(name)}</i>'
    return f'<i class="name" title="{escape(name, quote=True)}"><span>{named(short)}</span></i>'


def _words(text: str, sections: Sections) -> str:
    made = re.sub("`([^`]+)`", lambda found: _command(found[1], sections), named(spelled_out(text)))
    return OPTION.sub(r'<span class="whole">\g<0></span>', made)


def _command(text: str, sections: Sections) -> str:
    if section := sections.get(text):
        anchor, title = section
        return f'“<a href="#{anchor}">{escape(title)}</a>”'
    return f"<code>{text}</code>"

"""The error explorer: all pairs with every answer, which a script lists, filters and opens."""

from __future__ import annotations

from urllib.parse import urlencode

import msgspec

from karat.data.explored import Explored


def explorer(pairs: Explored) -> str:
    """The pairs as data, and the place where `explorer.js` lists them."""
    # A text may contain what would end the element, so `<` is escaped as JSON allows.
    data = msgspec.json.encode(pairs).decode().replace("<", "\\u003c")
    return (
        '<noscript><p class="note">The pairs are listed by a script, and scripts are switched off.</p></noscript>\n'
        f'<div id="explorer"></div>\n<script type="application/json" id="explorer-data">{data}</script>\n'
    )


def wrong_by(run: str) -> str:
    """The address of the list of pairs that a run got wrong."""
    return f"#pairs?{urlencode({'wrong': run})}"

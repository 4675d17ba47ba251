"""Text as HTML: nothing in it is markup, and long names break after their signs."""

from __future__ import annotations

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from karat.render.escaped import LONG, named, prose


def test_long_names_break_after_signs() -> None:
    """Where a long name has a sign between letters; a short one stays whole, and so does every part."""
    assert named("MaxEntClassificationEDA_Base+TP_DE") == "MaxEntClassificationEDA_<wbr>Base+<wbr>TP_<wbr>DE"
    assert named("NO_ENTAILMENT") == "NO_ENTAILMENT"
    assert "<wbr>" not in named("x" * 2 * LONG)
    assert prose("see `karat compare` for a_long_name_of_a_run+more.").count("<wbr>") == 6


@given(st.text('ab_+./:<>&" \n', max_size=60))
def test_names_are_kept(name: str) -> None:
    """Without the places to break, a name is what it was, and no sign of it is markup."""
    shown = named(name)
    assert unescape(shown.replace("<wbr>", "")) == name
    assert re.search("<(?!wbr>)", shown) is None

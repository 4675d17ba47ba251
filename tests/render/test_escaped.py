"""Text as HTML: nothing in it is markup, and long names break after their signs."""

from __future__ import annotations

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from karat.data.result import Finding, marked
from karat.render.escaped import LONG, heading, named, prose


def test_long_names_break_after_signs() -> None:
    """Where a long name has a sign between letters; a short one stays whole, and so does every part."""
    assert named("MaxEntClassificationEDA_Base+TP_DE") == "MaxEntClassificationEDA_<wbr>Base+<wbr>TP_<wbr>DE"
    assert named("NO_ENTAILMENT") == "NO_ENTAILMENT"
    assert "<wbr>" not in named("x" * 2 * LONG)
    assert prose("see `karat compare` for a_long_name_of_a_run+more.").count("<wbr>") == 6


def test_a_command_links_to_its_section() -> None:
    """A page that has the section leads there; otherwise the command is named."""
    said = "for significance, see `karat compare`."
    assert prose(said) == "for significance, see <code>karat compare</code>."
    sections = {"karat compare": ("qa-compare", "Which differences are significant?")}
    link = '“<a href="#qa-compare">Which differences are significant?</a>”'
    assert prose(said, sections) == f"for significance, see {link}."


def test_a_name_in_a_sentence_is_that_of_the_table() -> None:
    """A long one is shortened, and whole for a pointer and on paper; one that is not shortened stays as it is."""
    said = Finding(marked("x_first'") + " leads " + marked("b") + ".")
    shown = '<i class="name" title="x_first&#x27;"><span>…&NoBreak;first</span></i> leads <i class="name">b</i>.'
    assert prose(said, short={"x_first'": "…first", "b": "b"}) == shown
    assert prose(said) == '<i class="name">x_first&#x27;</i> leads <i class="name">b</i>.'


def test_an_ellipsis_stays_with_its_name() -> None:
    """A name that lost its beginning does not leave the ellipsis on a line of its own."""
    assert named("…Base+GNPos+DS+DBPos…") == "…&NoBreak;Base+<wbr>GNPos+<wbr>DS+<wbr>DBPos…"
    assert named("…Base+GN_DE") == "…&NoBreak;Base+<wbr>GN_<wbr>DE"  # short, but cut, and so in a narrow column


def test_headings_break_between_words() -> None:
    """What is read as one word is not broken at its hyphen; longer words may be."""
    assert heading("tau-AP-b") == '<span class="whole">tau-AP-b</span>'
    assert heading("index, 95% CI") == 'index, <span class="whole">95% CI</span>'
    assert heading("<linear-weighted>") == "&lt;linear-weighted&gt;"


@given(st.text('ab_+./:<>&" \n', max_size=60))
def test_names_are_kept(name: str) -> None:
    """Without the places to break, a name is what it was, and no sign of it is markup."""
    shown = named(name)
    assert unescape(shown.replace("<wbr>", "")) == name
    assert re.search("<(?!wbr>)", shown) is None


def test_options_are_not_broken() -> None:
    """A browser would break --level after its first hyphen."""
    made = prose("Divide --level by their number (--fail-if-worse), or `karat size --power`; a -- b, x--y.")
    assert made.count('<span class="whole">') == 3
    assert '<span class="whole">--fail-if-worse</span>)' in made
    assert "a -- b, x--y" in made

"""Filters of the templates."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from karat.errors import Problem


@pytest.fixture
def filters(home: Any) -> Any:
    """The filters, with Django set up."""
    del home
    from karat.server.templatetags import karat

    return karat


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# Terms\nOne line.", "<h2>Terms</h2>\n<p>One line.</p>"),
        ("- **a**: b\n- c\n  more", "<ul><li><strong>a</strong>: b</li><li>c\n  more</li></ul>"),
        ("**<img src=x onerror=a()>**", "<p><strong>&lt;img src=x onerror=a()&gt;</strong></p>"),
        ("## <script>x</script>", "<h3>&lt;script&gt;x&lt;/script&gt;</h3>"),
        ("a\r\n\r\nb", "<p>a</p>\n<p>b</p>"),
        ("", ""),
        ("Terms.\n\n  We pay.\n  All of it.", "<p>Terms.</p>\n<p>We pay.\n  All of it.</p>"),
        ("  We pay.\n- a", "<p>We pay.\n- a</p>"),
    ],
)
def test_texts_are_readable_and_harmless(filters: Any, text: str, shown: str) -> None:
    """Headings, lists and bold are shown; everything else is text."""
    assert filters.prose(text) == shown


LINES = st.builds(str.__add__, st.sampled_from(["", "- ", "  ", "\t", "* ", "-\xa0", "# ", " - "]), st.text(max_size=9))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(LINES, max_size=6))
def test_every_character_is_shown(filters: Any, lines: list[str]) -> None:
    """Whatever the organisers write, people see all that they sign, in its order; only marks are left out."""
    text = "\n".join(lines)
    shown = html.unescape(re.sub(r"<[^>]*>", "", filters.prose(text)))
    one, other = (re.sub(r"[\s#*-]", "", given) for given in (shown, text))
    assert one == other


@pytest.mark.parametrize(
    ("fix", "shown"),
    [
        ("correct it, or say what it means: --label MAYBE=LABEL", "correct it"),
        ("use --way 2 if NO means no entailment, or --label NO=CONTRADICTION", "correct the file"),
        ("check it, and not the key (--run-column label=NAME names it)", "check it, and not the key"),
        ("add a line for it; partial runs are not accepted", "add a line for it; partial runs are not accepted"),
    ],
)
def test_a_page_names_no_options(filters: Any, fix: str, shown: str) -> None:
    """Advice for the command line is left out."""
    assert filters.on_page(fix) == shown


def test_no_problem_of_the_catalogue_names_an_option_on_a_page(filters: Any) -> None:
    """Whatever comes up."""
    from karat.catalogue import CATALOGUE

    assert [code for code, kind in CATALOGUE.items() if "--" in filters.on_page(kind.fix)] == []


def test_counts(filters: Any) -> None:
    """One is one."""
    assert filters.plural(1, "entry") == "1 entry"
    assert filters.plural(1200, "entry") == "1,200 entries"
    assert filters.plural(0, "team") == "0 teams"


def test_problems_without_a_line_share_a_row(filters: Any) -> None:
    """What differs only in what was found is one row; problems with lines keep their own."""

    def missing(pair: str, line: int | None = None, code: str = "missing-id") -> Problem:
        return Problem("run.txt", line, None, code, pair, "an answer", "add it", "error")

    given = [missing("1"), missing("2"), missing("3", 3), missing("4", 3), missing("5"), missing("6", None, "other")]
    rows = [(one.found, others) for one, others in filters.alike(given)]
    assert rows == [("1", ["2", "5"]), ("3", []), ("4", []), ("6", [])]

"""Tables of judges: attributes and summaries by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.errors import DataError, UsageError
from karat.formats.judge_table import read_judges


def test_read(tmp_path: Path) -> None:
    """Every column beside the name is an attribute, but for what was said in closing."""
    (tmp_path / "j.tsv").write_text("judge\ttraining\tsummary\nann\tmathematical\tToo long.\nben\t\t\n")
    made = read_judges(tmp_path / "j.tsv")
    assert made.names == ("ann", "ben")
    assert made.attribute("training") == {"ann": "mathematical", "ben": None}
    assert made.summaries == ("Too long.", None)
    with pytest.raises(UsageError, match="did you mean 'training'"):
        made.attribute("trainings")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("judge\nann\nann\n", "duplicate-id"),
        ("name\nann\n", "columns"),
        ("judge\ttraining\n", "empty-file"),
        ("judge\trater\nann\tben\n", "columns"),
    ],
)
def test_problems(tmp_path: Path, text: str, code: str) -> None:
    """A judge twice, no column of names, nobody, two columns of names."""
    (tmp_path / "j.tsv").write_text(text)
    with pytest.raises(DataError) as caught:
        read_judges(tmp_path / "j.tsv")
    assert [one.code for one in caught.value.problems] == [code]

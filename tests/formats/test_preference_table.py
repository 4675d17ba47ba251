"""Tests of preferences as rows: every spelling of a verdict, and what is refused because it could mean two things."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.data.preferences import Preferences
from karat.data.provenance import VERDICTS
from karat.errors import DataError, UsageError
from karat.formats.writing import write_rows


def read(folder: Path, text: str | bytes, name: str = "p.csv", **how: Any) -> Preferences:
    """What is read from one file."""
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return karat.read_preferences(folder / name, **how)


def told(folder: Path, text: str, **how: Any) -> list[tuple[str, int | None]]:
    """The code and line of every error."""
    with pytest.raises(DataError) as refused:
        read(folder, text, **how)
    return [(one.code, one.line) for one in refused.value.problems if one.severity == "error"]


def rows(made: Preferences) -> list[tuple[str, str, str]]:
    """Who stood left and right, and the verdict."""
    both = zip(made.left.tolist(), made.right.tolist(), made.verdict.tolist(), strict=True)
    return [(made.runs[left], made.runs[right], VERDICTS[verdict]) for left, right, verdict in both]


@pytest.mark.parametrize(
    ("spelled", "verdict"),
    [
        *[
            ("left", "left"),
            ("Right", "right"),
            ("model_a", "left"),
            ("MODEL_B", "right"),
            ("A", "left"),
            ("b", "right"),
        ],
        *[("[[A]]", "left"), ("[[C]]", "tie"), ("C", "tie"), ("tie", "tie"), ("tie (bothbad)", "both bad")],
        *[("both bad", "both bad"), ("neither", "both bad"), ("x", "left"), ("y", "right"), ("both good", "tie")],
    ],
)
def test_spellings(tmp_path: Path, spelled: str, verdict: str) -> None:
    """Words for the sides and for ties in any case, and the names of the two runs."""
    assert rows(read(tmp_path, f"left,right,winner\nx,y,{spelled}\n")) == [("x", "y", verdict)]


def test_an_arena(tmp_path: Path) -> None:
    """JSON lines as chatbot arenas publish them; what else they have is ignored."""
    battle = {"question_id": "q1", "model_a": "gpt", "model_b": "llama", "winner": "model_b", "judge": "arena_user_7"}
    more = battle | {"winner": "tie (bothbad)", "conversation_a": [{"role": "user", "content": "Hi"}], "turn": 1}
    made = read(tmp_path, "".join(json.dumps(one) + "\n" for one in (battle, more)), "arena.jsonl")
    assert rows(made) == [("gpt", "llama", "right"), ("gpt", "llama", "both bad")]
    assert (made.units, made.assessors) == (("q1",), ("arena_user_7",))


def test_the_campaign_server(tmp_path: Path) -> None:
    """Runs in the order of their names, and which was on the left in a column of its own; names may have blanks."""
    text = (
        "qid\trun_a\trun_b\tassessor\tpreference\tshown\n"
        "1\tA one\tB\tann\tB\tB A one\n1\tA one\tB\tben\tB\tA one B\n2\tA one\tB\tann\tboth bad\tB A one\n"
    )
    made = read(tmp_path, text, "preferences.tsv")
    assert rows(made) == [("B", "A one", "left"), ("A one", "B", "right"), ("B", "A one", "both bad")]


def test_words_for_columns_and_sides(tmp_path: Path) -> None:
    """Where the second run was on the left: `left` is the side, `run_a` the column."""
    text = "run_a,run_b,preference,shown\nx,y,left,y x\nx,y,run_a,y x\nx,y,x,y x\nx,y,tie,y x\n"
    assert rows(read(tmp_path, text)) == [("y", "x", one) for one in ("left", "right", "right", "tie")]


def test_options(tmp_path: Path) -> None:
    """Columns and verdicts under other names."""
    columns = {"left": "one", "right": "two", "verdict": "said"}
    made = read(
        tmp_path, "one,two,said\nx,y,1\nx,y,2\n", preference_column=columns, verdict={"1": "left", "2": "right"}
    )
    assert rows(made) == [("x", "y", "left"), ("x", "y", "right")]
    with pytest.raises(UsageError, match="verdict"):
        read(tmp_path, "left,right,winner\nx,y,1\n", verdict={"1": "lft"})
    with pytest.raises(UsageError, match="winner"):
        read(tmp_path, "left,right,winner\nx,y,1\n", preference_column={"winner": "said"})


def test_several_files(tmp_path: Path) -> None:
    """A file without assessors is that of one, called like the file."""
    for name in ("ann", "ben"):
        (tmp_path / f"{name}.csv").write_text("qid,left,right,winner\n1,x,y,left\n")
    made = karat.read_preferences(sorted(tmp_path.iterdir()))
    assert made.assessors == ("ann", "ben")
    assert made.assessor is not None
    assert made.assessor.tolist() == [0, 1]
    (tmp_path / "cleo.csv").write_text("left,right,winner\nx,y,left\n")
    with pytest.raises(DataError, match="units, as in the other files"):
        karat.read_preferences(sorted(tmp_path.iterdir()))


def test_parquet(tmp_path: Path) -> None:
    """A table of numbers and texts."""
    pytest.importorskip("polars")
    data = write_rows({"qid": [1, 2], "left": ["x", "y"], "right": ["y", "x"], "winner": ["x", "x"]}, ".parquet")
    made = read(tmp_path, data, "p.parquet")
    assert rows(made) == [("x", "y", "left"), ("y", "x", "right")]
    assert made.units == ("1", "2")


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("left,right,winner\nx,y,maybe\nx,y,\n", [("preference", 2), ("preference", 3)]),
        ("left,right,winner\nx,y,z\nz,x,z\n", [("preference", 2)]),
        ("left,right,winner\nx,x,left\n,y,left\n", [("no-id", 3), ("same-run", 2)]),
        ("left,right,winner\nb,a,a\na,b,a\n", [("ambiguous-preference", 2)]),
        ("left,right,winner\ntie,b,tie\n", [("ambiguous-preference", 2)]),
        ("left,winner\nx,y\n", [("no-column", 1)]),
        ("left,model_a,right,winner\nx,x,y,left\n", [("no-column", 1)]),
        ("left,right,winner\n", [("empty-file", None)]),
        ("qid,left,right,winner\n1,x,y,left\n,x,y,left\n", [("no-id", 3)]),
        ("run_a,run_b,winner,shown\nx,y,x,x z\n", [("format", 2)]),
    ],
)
def test_refused(tmp_path: Path, text: str, codes: list[tuple[str, int | None]]) -> None:
    """Every problem with its line, all at once."""
    assert sorted(told(tmp_path, text), key=str) == sorted(codes, key=str)


def test_repeated(tmp_path: Path) -> None:
    """Twice in the same order by one assessor is told and counts; in either order, it is as it should be."""
    head = "qid,left,right,assessor,winner\n"
    made = read(tmp_path, f"{head}1,x,y,ann,x\n1,y,x,ann,x\n1,x,y,ben,x\n1,x,y,ann,y\n")
    assert [(one.code, one.found) for one in made.warnings] == [("compared-twice", "1 of 4 rows")]
    assert len(made) == 4
    assert read(tmp_path, f"{head}1,x,y,ann,x\n1,y,x,ann,x\n2,x,y,ann,x\n").warnings == ()


def test_in_memory() -> None:
    """From lists of names; what does not fit is refused."""
    made = Preferences.of(["x", "y"], ["y", "x"], ["left", "both bad"], assessor=["ann", "ben"])
    assert rows(made) == [("x", "y", "left"), ("y", "x", "both bad")]
    assert made.unit is None
    for wrong in ((["x"], ["x"], ["left"]), (["x"], ["y"], ["A"]), (["x"], ["y", "z"], ["left"]), ([], [], [])):
        with pytest.raises(UsageError):
            Preferences.of(*wrong)

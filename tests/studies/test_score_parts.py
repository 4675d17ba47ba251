"""Score: a table of runs that is counted in parts gives what it gives when it is held, bit by bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest

import karat
from karat.cli.command import ask
from karat.data.responses import Responses
from karat.errors import DataError, UsageError
from karat.formats.run_parts import read_run_parts
from karat.studies.score.study import score

LABELS = np.array(["ENTAILMENT", "UNKNOWN", "CONTRADICTION"])
PAIRS = 60


def table(labels: int = 3, /, **columns: list[str]) -> dict[str, list[str]]:
    """A key, three runs that are right on somewhat more than half of the pairs, and one that says what another says."""
    random = np.random.default_rng(3)
    key = random.integers(0, labels, PAIRS)
    made = {"id": [f"p{pair}" for pair in range(PAIRS)], "label": LABELS[key].tolist()}
    for run in ("a", "b", "c"):
        said = np.where(random.random(PAIRS) < 0.5, key, random.integers(0, labels, PAIRS))
        made[run] = LABELS[said].tolist()
    return made | {"same as b": list(made["b"])} | columns


def written(folder: Path, columns: dict[str, list[str]]) -> Path:
    """The table as a file."""
    path = folder / "runs.parquet"
    polars.DataFrame(columns).write_parquet(path, row_group_size=10)
    return path


def counted(path: Path, rows: int | None = None, **reading: Any) -> Responses:
    """The runs, counted so many rows at a time."""
    found = read_run_parts(path, least=0, rows_at_once=rows, **reading)
    assert found is not None
    return found


def two_way() -> dict[str, list[str]]:
    """A run that says YES and not-entailment."""
    return {"two": ["YES" if pair % 3 else "not entailment" for pair in range(PAIRS)]}


def unlabelled() -> dict[str, list[str]]:
    """A key without some of its labels, and with one in another spelling."""
    labels = table()["label"]
    return {"label": ["", "", "neutral", *labels[3:]]}


@pytest.mark.parametrize(
    ("rows", "columns", "asked"),
    [
        (1, table(), {}),
        (7, table(**two_way()), {"way": "2"}),
        (7, table(**unlabelled()), {"crossings": True, "interval": 0.9}),
        (7, table(copy=table()["label"]), {"measure": ["kappa", "f1('UNKNOWN')"]}),
        (None, table(2), {}),
    ],
)
def test_the_same_numbers(
    tmp_path: Path, rows: int | None, columns: dict[str, list[str]], asked: dict[str, Any]
) -> None:
    """One row at a time, seven, or all: the same result, warnings included."""
    path = written(tmp_path, columns)
    held = score(karat.read_runs(path, karat.read_pairs(path)), **asked)
    assert score(counted(path, rows), **asked).render("json") == held.render("json")


def test_a_spelling_that_the_user_explains(tmp_path: Path) -> None:
    """Options that concern labels hold in parts too."""
    columns = table(odd=["maybe" if pair % 2 else "ENTAILMENT" for pair in range(PAIRS)])
    path, label = written(tmp_path, columns), {"maybe": "UNKNOWN"}
    held = score(karat.read_runs(path, karat.read_pairs(path, label=label), label=label))
    assert score(counted(path, 7, label=label)).render("json") == held.render("json")


def test_labels_that_the_file_numbers(tmp_path: Path) -> None:
    """Categories are counted by their numbers in the file, and give what the same words give."""
    path = written(tmp_path, table(**unlabelled()))
    words = score(counted(path, 7))
    frame = polars.read_parquet(path)
    kind = polars.Enum(["unused", *reversed(LABELS.tolist()), "neutral"])
    listed = [polars.col(name).replace("", None).cast(kind) for name in frame.columns if name != "id"]
    frame.with_columns(listed).write_parquet(path, row_group_size=10)
    assert repr(score(counted(path, 7)).runs) == repr(words.runs)  # some values are NaN


@pytest.mark.parametrize(
    "columns",
    [
        {"confidence": [0.5] * PAIRS},
        {"text": [f"text {pair}" for pair in range(PAIRS)]},
        {"gold": table()["label"]},
    ],
)
def test_tables_of_more_than_labels_are_held(tmp_path: Path, columns: dict[str, Any]) -> None:
    """Confidences, texts and a second key are read whole, and so is what is small."""
    assert read_run_parts(written(tmp_path, table() | columns), least=0) is None
    assert read_run_parts(written(tmp_path, table())) is None


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"a": ["ENTAILMENT"] * (PAIRS - 1) + ["perhaps"]}, "label 'perhaps' in 1 row of the column a"),
        ({"a": ["ENTAILMENT"] * (PAIRS - 1) + [""]}, "label '' in 1 row of the column a"),
        ({"id": ["p0", *(f"p{pair}" for pair in range(PAIRS - 1))]}, "1 pair again in the column id"),
    ],
)
def test_what_is_wrong(tmp_path: Path, changed: dict[str, list[str]], message: str) -> None:
    """Answers that are no labels, and ids that occur twice, are told with their place."""
    with pytest.raises(DataError, match=message):
        read_run_parts(written(tmp_path, table() | changed), least=0, rows_at_once=7)


@pytest.mark.parametrize("asked", [{"by": ["task"]}, {"cluster": "text"}, {"weights": "linear"}])
def test_what_needs_the_pairs(tmp_path: Path, asked: dict[str, Any]) -> None:
    """Slices, clusters and weights are refused before anything is computed."""
    with pytest.raises(UsageError, match="60 are read in parts and counted"):
        score(counted(written(tmp_path, table())), **asked)


def test_the_command_counts_a_large_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`karat score FILE` counts the file in parts; what needs each pair is refused."""
    path = written(tmp_path, table())
    held = ask("score", str(path)).render("json")
    monkeypatch.setattr("karat.cli.score.read_run_parts", lambda path, **reading: counted(path, **reading))
    assert ask("score", str(path)).render("json") == held
    with pytest.raises(UsageError, match="scores_out needs each pair"):
        ask("score", str(path), "--scores-out", str(tmp_path / "out.csv"))

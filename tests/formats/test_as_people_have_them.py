"""Files as people have them: of pandas, Excel, Weights & Biases, notebooks; each is read as a key and as its run."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import karat
from tests.files import workbook

GOLD = ["entailment", "neutral", "contradiction"] * 2
SAID = ["entailment", "neutral", "neutral", "contradiction", "neutral", "contradiction"]
CODES = ([0, 1, 2] * 2, [0, 1, 1, 2, 1, 2])
QUOTED = 'He said "so", and left'
ROWS: list[list[Any]] = [
    [place, QUOTED, f"h {place}", gold, said] for place, (gold, said) in enumerate(zip(GOLD, SAID, strict=True))
]
HEAD = ["id", "premise", "hypothesis", "label", "prediction"]


def tabbed(quoting: Any, head: list[str] = HEAD) -> str:
    """A tab-separated file as the csv module or a spreadsheet writes it."""
    made = io.StringIO()
    csv.writer(made, delimiter="\t", quoting=quoting).writerows([head, *ROWS])
    return made.getvalue()


SPLIT = {"columns": HEAD, "data": ROWS, "ncols": 5, "nrows": 6}
FILES: dict[str, str | bytes] = {
    "index.csv": "".join(
        ",".join(
            map(str, ["" if row is HEAD else row[0], *(f'"{cell}"'.replace('"so"', '""so""') for cell in row[1:])])
        )
        + "\n"
        for row in [HEAD, *ROWS]
    ),
    "capitals.csv": "ID;Label;Prediction\n" + "".join(f"{row[0]};{row[3].title()};{row[4].title()}\n" for row in ROWS),
    "title.xlsx": workbook(
        [["Results of March"], [], ["ID", "Gold Label", "Prediction"], *(r[:1] + r[3:] for r in ROWS)]
    ),
    "wandb.table.json": json.dumps(SPLIT),
    "split.json": json.dumps({**SPLIT, "index": list(range(6))}, indent=1),
    "notebook.json": json.dumps({"y_true": GOLD, "y_pred": SAID}),
    "lists.json": json.dumps({"id": list(range(6)), "label": GOLD, "prediction": SAID}, indent=1),
    "utf-16.txt": tabbed(csv.QUOTE_MINIMAL).encode("utf-16"),
    "utf-16.csv": ("id;label;prediction\r\n" + "".join(f"{r[0]};{r[3]};{r[4]}\r\n" for r in ROWS)).encode("utf-16"),
    "all-quoted.tsv": tabbed(csv.QUOTE_ALL),
    "some-quoted.tsv": tabbed(csv.QUOTE_MINIMAL),
    "not-quoted.tsv": "\n".join("\t".join(map(str, row)) for row in [HEAD, *ROWS]) + "\n",
}


@pytest.mark.parametrize("name", FILES)
def test_it_is_a_key_and_its_run(tmp_path: Path, name: str) -> None:
    """The same labels and answers from each, and texts without the quotes of the file."""
    path, content = tmp_path / name, FILES[name]
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    key = karat.read_pairs(path)
    runs = karat.read_runs(path, key)
    assert (key.labels.tolist(), runs.codes.tolist()) == (CODES[0], [CODES[1]])
    assert {one.code for one in runs.warnings} <= {"no-ids"}
    if key.has_texts:
        assert key.texts[0] == QUOTED


def test_quotes_that_are_part_of_a_text(tmp_path: Path) -> None:
    """A file in which some text only begins with a quote does not quote, and keeps it."""
    path = tmp_path / "key.tsv"
    path.write_text('id\tpremise\thypothesis\tlabel\n1\t"No," he said.\tHe spoke.\tE\n2\t"a ""b"" c"\th\tN\n')
    assert karat.read_pairs(path).texts == ('"No," he said.', '"a ""b"" c"')


def test_a_column_that_the_user_named(tmp_path: Path) -> None:
    """A name in capitals stands for itself if an option names it, and beside the usual one."""
    path = tmp_path / "key.csv"
    path.write_text("id,ID,label\n1,a,E\n2,b,N\n")
    assert karat.read_pairs(path).ids == ("1", "2")
    assert karat.read_pairs(path, column={"id": "ID"}).ids == ("a", "b")


def test_a_folder_with_an_open_workbook(tmp_path: Path) -> None:
    """Excel puts a file of its own beside a workbook that is open; it is not one of the runs."""
    key = tmp_path / "key.csv"
    key.write_text("id,label\n1,E\n2,N\n3,C\n")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "anna.xlsx").write_bytes(workbook([["id", "pred"], [1, "E"], [2, "N"], [3, "N"]]))
    (tmp_path / "runs" / "~$anna.xlsx").write_bytes(b"\x05anna " * 30)
    assert karat.read_runs(tmp_path / "runs", karat.read_pairs(key)).names == ("anna",)


@pytest.mark.parametrize(
    ("head", "column"),
    [
        ("Nr.;Prämisse;Hypothese;Goldlabel;GPT Antwort", {"label": "Goldlabel"}),
        ("ID;A;B;Human Label;Model Output", {"label": "Human Label"}),
        ("id;a;b;gold;Model Output", {}),
    ],
)
def test_headings_of_two_words(tmp_path: Path, head: str, column: dict[str, str]) -> None:
    """The file of a key is a table for its runs too, also where plain lines could begin like its header."""
    path = tmp_path / "answers.csv"
    path.write_text("\n".join([head, *(";".join(map(str, row)) for row in ROWS)]).replace(QUOTED, "t") + "\n")
    runs = karat.read_runs([path], karat.read_pairs(path, column=column), column=column)
    assert runs.names == (head.split(";")[-1],)
    assert runs.codes.tolist() == [CODES[1]]

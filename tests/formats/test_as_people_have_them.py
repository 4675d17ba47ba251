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


KEY = "id,label\n" + "".join(f"p{place},{gold}\n" for place, gold in enumerate(GOLD))
IDS = [f"p{place}" for place in range(6)]
SHARES = [[0.9 if said == label else 0.05 for label in GOLD[:3]] for said in SAID]
BY_PLACE = {"0": "ENTAILMENT", "1": "NEUTRAL", "2": "CONTRADICTION"}
RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    # to_json(orient="split") of a frame and of a series, with ids as the index
    "split.json": (json.dumps({"columns": ["prediction"], "index": IDS, "data": [[one] for one in SAID]}), {}),
    "series.json": (json.dumps({"name": "prediction", "index": IDS, "data": SAID}), {}),
    "unnamed.json": (json.dumps({"name": None, "index": IDS, "data": SAID}), {}),
    # pandas.DataFrame(model.predict_proba(x), index=ids).to_csv()
    "columns.csv": (
        ",0,1,2\n" + "".join(f"{one},{','.join(map(str, row))}\n" for one, row in zip(IDS, SHARES, strict=True)),
        {"label": BY_PLACE},
    ),
    # a column of integers of which some were missing once
    "floats.csv": (
        "id,prediction\n" + "".join(f"{one},{code}.0\n" for one, code in zip(IDS, CODES[1], strict=True)),
        {"label": BY_PLACE},
    ),
    # pipeline("text-classification"), and the same with top_k=None
    "classifier.jsonl": (
        "".join(
            json.dumps({"id": one, "output": {"label": said.upper(), "score": 0.9}}) + "\n"
            for one, said in zip(IDS, SAID, strict=True)
        ),
        {},
    ),
    "classifier-all.jsonl": (
        "".join(
            json.dumps(
                {"id": one, "output": [{"label": x, "score": y} for x, y in zip(GOLD[:3], row, strict=True)][::-1]}
            )
            + "\n"
            for one, row in zip(IDS, SHARES, strict=True)
        ),
        {},
    ),
    # structured output that was stored as text
    "text.jsonl": (
        "".join(
            json.dumps({"id": one, "output": json.dumps({"verdict": said, "why": "…"})}) + "\n"
            for one, said in zip(IDS, SAID, strict=True)
        ),
        {"run_column": {"label": "output.verdict"}},
    ),
    # models that explain themselves
    "reasons.csv": (
        "id,output\n"
        + "".join(f'{one},"{said.upper()} because it is not neutral"\n' for one, said in zip(IDS, SAID, strict=True)),
        {"answer_pattern": r"^\w+"},
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_it_is_a_run(tmp_path: Path, name: str) -> None:
    """The same answers from each, by their ids, in any order of the rows."""
    content, options = RUNS[name]
    key, path = tmp_path / "key.csv", tmp_path / name
    key.write_text(KEY)
    path.write_text(content)
    runs = karat.read_runs(path, karat.read_pairs(key), **options)
    assert (runs.codes.tolist(), runs.warnings) == ([CODES[1]], ())


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (RUNS["columns.csv"][0], "--label 0=LABEL --label 1=LABEL --label 2=LABEL"),
        (RUNS["reasons.csv"][0], "--answer-pattern REGEX"),
        (RUNS["floats.csv"][0], "label-code"),
        (
            json.dumps([[one, said] for one, said in zip(IDS, SAID, strict=True)], separators=(",", ":")),
            "orient='records'",
        ),
        ("sep=;\nid;prediction\np0;E\n", "remove its first line, sep="),
        ('"id" "pred"\n"1" "p0" "neutral"\n', "use write.csv"),
        ("id;note;prediction\np0;é \x96;E\n", "iconv -f WINDOWS-1252"),
        ("id,prediction\np0,NA\n", "unanswered"),
        (KEY, "the same file as the key"),
    ],
)
def test_a_refusal_says_what_helps(tmp_path: Path, content: str, told: str) -> None:
    """The option or the step with which the file is read."""
    key, path = tmp_path / "key.csv", tmp_path / "run.csv"
    key.write_text(KEY)
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(karat.DataError) as refused:
        karat.read_runs(path, karat.read_pairs(key))
    assert told in refused.value.on_command_line


def test_a_pattern_that_finds_the_answer(tmp_path: Path) -> None:
    """Its group or its whole match; different labels are no answer, and what is not found stays as it is."""
    key, path = tmp_path / "key.csv", tmp_path / "run.csv"
    key.write_text("id,label\n1,E\n2,N\n3,C\n4,E\n")
    path.write_text("id,prediction\n1,I say: yes. Or: yes\n2,say: neutral\n3,say: C or say: N\n4,E\n")
    given: dict[str, Any] = {"answer_pattern": r"(?:say|Or): (\w+)", "unparsed": "wrong"}
    runs = karat.read_runs(path, karat.read_pairs(key), **given)
    assert (runs.codes.tolist(), runs.infos[0].unparsed) == ([[0, 1, -1, 0]], 1)
    for pattern in ("(", "(a)(b)"):
        with pytest.raises(karat.UsageError, match=r"answer.pattern"):
            karat.read_runs(path, karat.read_pairs(key), answer_pattern=pattern)
    said = ["yes: it is", "neutral, I think"]
    assert karat.responses(["E", "N"], said, answer_pattern=r"^\w+").codes.tolist() == [[0, 1]]


def test_labels_alone_are_a_key(tmp_path: Path) -> None:
    """One per line, a JSON list, or `id,label`; without ids, runs in the same order belong to it."""
    lines, pairs, listed = (tmp_path / name for name in ("gold.txt", "gold.csv", "gold.json"))
    said = tmp_path / "said.txt"
    lines.write_text("".join(f"{one}\n" for one in GOLD))
    listed.write_text(json.dumps(GOLD))
    said.write_text("".join(f"{one}\n" for one in SAID))
    for path in (lines, listed):
        key = karat.read_pairs(path)
        assert (key.labels.tolist(), {one.code for one in key.warnings}) == (CODES[0], {"no-ids"})
        assert karat.read_runs(said, key).codes.tolist() == [CODES[1]]
    pairs.write_text("".join(f"{one},{gold}\n" for one, gold in zip(IDS, GOLD, strict=True)))
    assert karat.read_pairs(pairs).ids == tuple(IDS)


def test_scores_by_model_as_json(tmp_path: Path) -> None:
    """An object with the scores of each model is a matrix; rows are called `userid` in studies of item response."""
    path = tmp_path / "scores.json"
    path.write_text(json.dumps({f"model {m}": {"q1": m, "q2": 1} for m in range(3)}))
    assert karat.read_scores(path).values.tolist() == [[0, 1], [1, 1], [2, 1]]
    path.write_text(json.dumps({run: {f"q{n}": n % place for n in range(30)} for place, run in ((2, "a"), (3, "b"))}))
    assert karat.read_scores(path).runs == ("a", "b")
    path = tmp_path / "long.csv"
    path.write_text("userid,item,score\na,q1,1\na,q2,0\nb,q1,1\nb,q2,1\n")
    assert karat.read_scores(path).runs == ("a", "b")

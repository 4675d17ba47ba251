"""From ballots to a key: blind, sheet, agree, adjudicate and score, one after the other."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import karat
from karat.examples import BALLOTS, PAIRS, RUNS
from karat.formats.ballots import read_ballots
from karat.formats.writing import write_sheet
from tests.cli.calls import Done, as_json
from tests.cli.calls import karat as command


def call(*words: object) -> Done:
    """A call that succeeds."""
    done = command(*map(str, words))
    assert done.returncode == 0, done.stderr
    return done


def rows_of(file: Path) -> list[dict[str, str]]:
    """The rows of a table."""
    with file.open(newline="", encoding="utf-8") as opened:
        return list(csv.DictReader(opened, delimiter="\t" if file.suffix == ".tsv" else ","))


def fill(file: Path, values: dict[str, dict[str, str]]) -> None:
    """Fill in a sheet: for each unit the columns that somebody writes."""
    rows = rows_of(file)
    for row in rows:
        row.update(values.get(row["unit"], {}))
    with file.open("w", newline="", encoding="utf-8") as opened:
        writer = csv.DictWriter(opened, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_round_trip(tmp_path: Path) -> None:
    """Blind, sheets, filled in as in the example ballots, agreement, decisions, key, scores: and no label is lost."""
    blind, sheets, key = tmp_path / "blind.xml", tmp_path / "sheets", tmp_path / "key.xml"
    call("blind", PAIRS, "-o", blind, "--attribute", "task")
    assert karat.read_pairs(blind).blind
    call("sheet", blind, "--assessor", "anna", "--assessor", "ben", "-o", sheets, "--attribute", "task")
    assert list(rows_of(sheets / "anna.csv")[0]) == ["unit", "label", "comment", "text", "hypothesis", "task"]
    said: dict[str, dict[str, dict[str, str]]] = {"anna": {}, "ben": {}}
    for row in rows_of(BALLOTS):
        said[row["assessor"]][row["unit"]] = {"label": row["label"], "comment": f"{row['assessor']} on {row['unit']}"}
    for who in said:
        fill(sheets / f"{who}.csv", said[who])
    one, other = as_json("agree", sheets), as_json("agree", BALLOTS)
    assert sorted(one["assessors"], key=str) == sorted(other["assessors"], key=str)
    values = [{name: row["value"] for name, row in made["coefficients"].items()} for made in (one, other)]
    assert values[0] == pytest.approx(values[1], nan_ok=True)

    disputed = tmp_path / "disputed.csv"
    call("adjudicate", sheets, "--pairs", blind, "--sheet", disputed, "--adjudicator", "cleo")
    waiting = rows_of(disputed)
    differ = {unit for unit in said["anna"] if said["anna"][unit]["label"] != said["ben"][unit]["label"]}
    assert {row["unit"] for row in waiting} == differ
    for row in waiting:
        assert row["label of anna"] == said["anna"][row["unit"]]["label"]
        assert row["comment of ben"] == f"ben on {row['unit']}"
    official = karat.read_pairs(PAIRS)
    labels = dict(zip(official.ids, [official.way.labels[code] for code in official.labels], strict=True))
    decided = {unit: {"label": labels[unit], "reason": "difference", "kind": "scope"} for unit in differ}
    fill(disputed, decided)
    history = tmp_path / "history.tsv"
    done = call("adjudicate", sheets, "--decisions", disputed, "--pairs", blind, "-o", key, "--history", history)
    assert f"People agree on {160 - len(differ)} of 160 units, and {len(differ)} were decided" in done.stdout

    assert "adjudications" not in done.stderr  # a sheet of decisions is what was asked for, …
    assert "adjudications: " in call("agree", history).stderr  # … and among ballots they are left out

    made = karat.read_pairs(key)
    for unit, code in zip(made.ids, made.labels.tolist(), strict=True):
        assert made.way.labels[code] == (labels[unit] if unit in differ else said["anna"][unit]["label"])
    again = read_ballots(history)
    assert len(again) == 320
    assert {(one.unit, one.assessor, one.reason, one.kind) for one in again.adjudications} == {
        (unit, "cleo", "difference", "scope") for unit in differ
    }
    assert again.comments["8", "anna"] == "anna on 8"
    scored = as_json("score", key, RUNS)
    assert scored["key"]["units"] == 160
    call("keys", key, sheets, RUNS / "careful.jsonl", RUNS / "overlap.txt")


def test_renumbered(tmp_path: Path) -> None:
    """New ids and a new order, with a key that goes with them: the pairs are the same, and so are their labels."""
    blind, key = tmp_path / "blind.tsv", tmp_path / "key.tsv"
    assert "--key-out" in command("blind", str(PAIRS), "--renumber", "-o", str(blind)).stderr
    call("blind", PAIRS, "--renumber", "-o", blind, "--key-out", key)
    seen, made, official = karat.read_pairs(blind), karat.read_pairs(key), karat.read_pairs(PAIRS)
    assert seen.blind
    assert seen.ids == made.ids == tuple(map(str, range(1000, 1160)))
    assert seen.hypotheses == made.hypotheses != official.hypotheses
    by_pair = dict(zip(zip(official.texts, official.hypotheses, strict=True), official.labels.tolist(), strict=True))
    assert [by_pair[pair] for pair in zip(made.texts, made.hypotheses, strict=True)] == made.labels.tolist()
    assert not set(seen.attributes)
    before = blind.read_bytes()
    assert "already exists" in command("blind", str(PAIRS), "-o", str(blind)).stderr
    call("blind", PAIRS, "-o", blind, "--force", "--seed", 1)
    assert blind.read_bytes() != before


def test_nothing_of_the_key_is_left(tmp_path: Path) -> None:
    """Neither the blind set nor a sheet nor the JSON has a label of any pair."""
    blind = tmp_path / "blind.jsonl"
    call("blind", PAIRS, "-o", blind)
    call("sheet", PAIRS, "--assessor", "a", "-o", tmp_path / "sheets")
    told = json.dumps(as_json("blind", PAIRS))
    for text in (blind.read_text(), (tmp_path / "sheets" / "a.csv").read_text(), told):
        assert not any(label in text for label in ("ENTAILMENT", "CONTRADICTION", "UNKNOWN"))


def test_overlap(tmp_path: Path) -> None:
    """Each unit for two of four: equally many for each, and every two share about equally many; order by seed."""
    four = [word for name in ("a", "b", "c", "d") for word in ("--assessor", name)]
    made = as_json("sheet", PAIRS, *four, "--overlap", "2")
    assert [row["number"] for row in made["assessors"]] == [80] * 4
    assert max(row["units"] for row in made["shared"]) - min(row["units"] for row in made["shared"]) <= 2
    counts = [unit for row in made["assessors"] for unit in row["units"]]
    assert all(counts.count(unit) == 2 for unit in set(counts))
    assert len(set(counts)) == 160
    other = as_json("sheet", PAIRS, *four, "--overlap", "2", "--seed", "1")
    assert other["assessors"][0]["units"] != made["assessors"][0]["units"]
    del tmp_path


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "nobody was named"),
        (("--assessor", "a", "--assessor", "A"), "given twice"),
        (("--assessor", "../a"), "a name that a file can have"),
        (("--assessor", "a", "--overlap", "2"), "expected 1 to 1"),
        (("--assessor", "a", "--attribute", "tsk"), "did you mean 'task'"),
    ],
)
def test_wrong_sheets(words: tuple[str, ...], message: str) -> None:
    """What cannot be dealt, or is no name of a file."""
    done = command("sheet", str(PAIRS), *words)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


def test_a_spreadsheet(tmp_path: Path) -> None:
    """Labels are offered and checked, formulas are texts, and the same data give the same bytes."""
    openpyxl = pytest.importorskip("openpyxl")
    files = [tmp_path / "a.xlsx", tmp_path / "b.xlsx"]
    columns = {"unit": ["1", "2"], "label": ["", ""], "text": ["=1+1", "a\x0bb"]}
    for file in files:
        write_sheet(file, columns, {"label": ["YES", "NO"]})
    assert files[0].read_bytes() == files[1].read_bytes()
    sheet = openpyxl.load_workbook(files[0]).active
    assert [cell.value for cell in sheet["C"]] == ["text", "=1+1", "a b"]
    assert sheet["C2"].data_type == "s"
    (offered,) = sheet.data_validations.dataValidation
    assert (offered.formula1, str(offered.sqref)) == ('"YES,NO"', "B2:B3")


def test_a_spreadsheet_needs_openpyxl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named."""
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    done = command("sheet", str(PAIRS), "--assessor", "a", "-o", str(tmp_path / "s"), "--ending", "xlsx")
    assert (done.returncode, "pip install 'karat[excel]'" in done.stderr) == (2, True)


def test_one_label_of_two_is_no_agreement(tmp_path: Path) -> None:
    """As in a campaign: a unit that only one of two labelled waits for a decision, unless one was enough."""
    file = tmp_path / "ballots.tsv"
    file.write_text("unit\tassessor\tlabel\n1\ta\tE\n1\tb\tE\n2\ta\tC\n3\ta\tN\n3\tb\tC\n")
    made = as_json("adjudicate", file)
    assert [(one["unit"], one["standing"], one["label"]) for one in made["units"]] == [
        ("1", "agreed", "ENTAILMENT"),
        ("2", "undecided", None),
        ("3", "disputed", None),
    ]
    assert as_json("adjudicate", file, "--wanted", "1")["standings"]["undecided"] == 0


def test_decisions_need_a_reason(tmp_path: Path) -> None:
    """A label without a reason would be one more ballot: every such row is told, and nothing is written."""
    decisions = tmp_path / "decided.csv"
    call("adjudicate", BALLOTS, "--sheet", decisions)
    fill(decisions, {"8": {"label": "UNKNOWN"}, "14": {"reason": "error"}, "22": {"label": "E", "reason": "error"}})
    done = command("adjudicate", str(BALLOTS), "--decisions", str(decisions), "-o", str(tmp_path / "key.tsv"))
    assert done.returncode == 1
    assert "a decision with a label alone" in done.stderr
    assert "a decision with a reason alone" in done.stderr
    assert not (tmp_path / "key.tsv").exists()


def test_a_key_without_texts(tmp_path: Path) -> None:
    """Without pairs the key is a table of ids and labels, by which runs are scored; open units are not scored."""
    key = tmp_path / "key.tsv"
    call("adjudicate", BALLOTS, "-o", key)
    made = karat.read_pairs(key)
    assert key.read_text().count("\t-\n") == 25
    assert (len(made), int((made.labels < 0).sum())) == (160, 25)
    assert sum(as_json("score", key, RUNS)["key"]["labels"].values()) == 135


def test_files_of_assessors(tmp_path: Path) -> None:
    """Of several files, one without a column of assessors is named after its file; of one alone, it is an error."""
    for who in ("anna", "ben"):
        rows = [row for row in rows_of(BALLOTS) if row["assessor"] == who]
        (tmp_path / f"{who}.tsv").write_text(
            "id\tlabel\n" + "".join(f"{row['unit']}\t{row['label']}\n" for row in rows)
        )
    both = [tmp_path / "anna.tsv", tmp_path / "ben.tsv"]
    one, other = read_ballots(both), read_ballots(BALLOTS)
    assert one.assessors == other.assessors == ("anna", "ben")
    assert np.array_equal(one.of(["anna"]).code, other.of(["anna"]).code)
    assert read_ballots(tmp_path).assessors == ("anna", "ben")
    for study in ("agree", "adjudicate"):
        assert as_json(study, *both)["assessors"] == as_json(study, tmp_path)["assessors"]
    assert "no-column" in command("agree", str(both[0])).stderr
    folder = tmp_path / "again"
    folder.mkdir()
    shutil.copy(both[0], folder / "anna.tsv")
    with pytest.raises(karat.DataError, match="judged again by 'anna'"):
        read_ballots([both[0], folder / "anna.tsv"])
    with pytest.raises(karat.DataError, match="no-column"):
        read_ballots(both, ballot_column={"assessor": "who"})


NUMBERS = [f"{number:02}" for number in range(1, 13)]


def zeroed(folder: Path, lost: str = "") -> Path:
    """Ballots of ana, ben and cleo on units 01 to 12; `lost` names those whose spreadsheet dropped the zeros."""
    labels = {"ana": ["ENTAILMENT"] * 12, "ben": ["ENTAILMENT", "CONTRADICTION"] * 6, "cleo": ["ENTAILMENT"] * 12}
    sheets = folder / "sheets"
    sheets.mkdir(exist_ok=True)
    for who, said in labels.items():
        ids = [unit.lstrip("0") if who in lost else unit for unit in NUMBERS]
        (sheets / f"{who}.csv").write_text("unit,label\n" + "".join(map("{},{}\n".format, ids, said)))
    return sheets


@pytest.mark.parametrize("pairs", [True, False])
@pytest.mark.parametrize("unit", ["nosuch", "8"])
def test_decisions_on_units_that_are_not_there(unit: str, pairs: bool, tmp_path: Path) -> None:
    """A decision on an unknown unit is refused, as a ballot is; nothing is written, and no unit is added."""
    sheets, decisions, out = zeroed(tmp_path), tmp_path / "decided.csv", tmp_path / "key.xml"
    decisions.write_text(f"unit,assessor,label,reason\n{unit},dora,ENTAILMENT,error\n02,dora,ENTAILMENT,error\n")
    test_set = tmp_path / "pairs.tsv"
    test_set.write_text("id\ttext\thypothesis\n" + "".join(f"{unit}\tA text {unit}.\tA word.\n" for unit in NUMBERS))
    words = ["--pairs", str(test_set), "-o", str(out)] if pairs else []
    done = command("adjudicate", str(sheets), "--decisions", str(decisions), *words)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    if unit == "8":
        assert "1 unit written otherwise than elsewhere, first '8' for '08'" in done.stderr
    elif pairs:
        assert "the ballots have 1 unit that pairs.tsv has not, first 'nosuch'" in done.stderr
    else:
        assert "1 decision on units that nobody labelled, first 'nosuch'" in done.stderr
    assert not out.exists()


@pytest.mark.parametrize("study", ["agree", "adjudicate"])
def test_zeros_that_a_spreadsheet_dropped(study: str, tmp_path: Path) -> None:
    """Files in which the same unit is 08 and 8 are refused, and the message names the cause; those alike are not."""
    done = command(study, str(zeroed(tmp_path, "ben cleo")))
    assert done.returncode != 0
    assert "9 units written otherwise than elsewhere, first '1' for '01'" in done.stderr
    assert "Excel turns 08 in a CSV into 8" in done.stderr
    for lost in ("", "ana ben cleo"):
        result = as_json(study, zeroed(tmp_path, lost))
        assert (result["units"] if study == "agree" else len(result["units"])) == 12


def test_units_that_one_person_judged_are_two(tmp_path: Path) -> None:
    """Who judged both 8 and 08 judged two units."""
    file = tmp_path / "ballots.csv"
    rows = [f"{unit},{who},ENTAILMENT\n" for unit in ("8", "08") for who in ("ana", "ben")]
    file.write_text("unit,assessor,label\n" + "".join(rows))
    assert as_json("agree", file)["units"] == 2


def test_dropped_zeros_beside_pairs(tmp_path: Path) -> None:
    """If all assessors lost the zeros, the test set still has them."""
    sheets, test_set = zeroed(tmp_path, "ana ben cleo"), tmp_path / "pairs.tsv"
    test_set.write_text("id\ttext\thypothesis\n" + "".join(f"{unit}\tA text {unit}.\tA word.\n" for unit in NUMBERS))
    done = command("adjudicate", str(sheets), "--pairs", str(test_set))
    assert done.returncode != 0
    assert "write ids alike: '1' may be '01', since Excel turns 08 in a CSV into 8" in done.stderr


def test_one_ballot_is_not_unanimous(tmp_path: Path) -> None:
    """The key of units on which all agree has those that `adjudicate` calls agreed."""
    ballots = tmp_path / "ballots.tsv"
    rows = [line for line in BALLOTS.read_text().splitlines() if not line.startswith("160\tben")]
    ballots.write_text("\n".join(rows) + "\n")
    assert len(rows) == 320
    agreed = as_json("adjudicate", ballots)["standings"]["agreed"]
    made = {one["name"]: one["units"] for one in as_json("keys", PAIRS, ballots, RUNS / "overlap.txt")["keys"]}
    assert made["unanimous"] == agreed


def test_the_kind_in_the_place_of_the_reason(tmp_path: Path) -> None:
    """A decision whose reason is no known one is refused, since it would be read as one more ballot."""
    decisions, key = tmp_path / "decided.csv", tmp_path / "key.tsv"
    call("adjudicate", BALLOTS, "--sheet", decisions)
    fill(decisions, {"8": {"label": "UNKNOWN", "reason": "oversight", "kind": "error"}})
    done = command("adjudicate", str(BALLOTS), "--decisions", str(decisions), "-o", str(key))
    assert done.returncode == 1
    assert "reason 'oversight' of a decision; expected error or difference" in done.stderr
    assert not key.exists()

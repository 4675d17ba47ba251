"""`karat sample` and `karat justify` as a user meets them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from karat.examples import HERE
from tests.cli.calls import as_json, karat

KEY, RUNS = str(HERE / "pairs.xml"), str(HERE / "runs")
Write = Callable[[str, str], Path]
ROWS = "a\t1\tann\t4\t3\nb\t1\tann\t2\t\na\t1\tben\t5\t4\nb\t1\tben\t3\t1\na\t2\tann\tskip\t\nb\t2\tann\tskip\t\n"
TABLE = "run\tunit\tjudge\tunderstandable\tcompelling\n" + ROWS


def test_json(write: Write) -> None:
    """The fields that are promised; skipped pairs are counted."""
    made = as_json("justify", str(write("r.tsv", TABLE)), "--replicates", "100")
    assert {"runs", "judges", "agreement"} <= set(made)
    assert made["runs"][0]["criteria"]["compelling"]["mean"]["value"] == 3.5
    assert made["runs"][1]["criteria"]["compelling"]["distribution"]["0"] == 1
    assert [judge["skipped"] for judge in made["judges"]] == [1, 0]
    assert made["runs"][0]["wrong_reason"] is None
    assert made["not_asked"] == {"compelling": "zero"}
    assert made["signature"]["parameters"]["not_asked"] == "by-scale"


def test_of_one_run(write: Write) -> None:
    """A team receives all ratings of its run, and reads nothing of the others."""
    call = ("justify", str(write("r.tsv", TABLE.replace("\nb\t", "\nother\t"))), "--replicates", "100", "--of", "a")
    assert len(as_json(*call)["ratings"]) == 3
    done = karat(*call)
    assert "All ratings of a" in done.stdout
    assert "other" not in done.stdout


def test_swapped_files(write: Write) -> None:
    """Are told as such, whether or not runs follow."""
    ratings = str(write("r.tsv", TABLE))
    for given in ([KEY, ratings], [KEY, ratings, RUNS], [KEY, RUNS, ratings]):
        done = karat("justify", *given)
        assert done.returncode == 2
        assert f"the files are swapped: {ratings} contains ratings" in done.stderr


def test_exchangeable_raters_are_told(write: Write) -> None:
    """Unless the caller says it; a slip in the header is an error."""
    rows = TABLE.replace("\tann", "").replace("\tben", "")
    ratings = str(write("r.tsv", rows.replace("\tjudge", "")))
    call = ["justify", ratings, "--replicates", "100"]
    assert "no-judges: no column of judges" in karat(*call).stderr
    assert karat(*call, "--exchangeable").stderr == ""
    done = karat("justify", str(write("slip.tsv", TABLE.replace("judge", "jduge"))))
    assert done.returncode == 1
    assert "slip.tsv:1: no-column: a column 'jduge'; expected a column judge" in done.stderr


def test_a_sheet_is_not_written_over(tmp_path: Path) -> None:
    """What is there may be filled in; --force says that it may go."""
    sheet = tmp_path / "sheet.tsv"
    sheet.write_text("hours of work")
    call = ["sample", KEY, RUNS, "--pairs", "4", "--sheet", str(sheet)]
    done = karat(*call)
    assert done.returncode == 2
    assert "--force" in done.stderr
    assert sheet.read_text() == "hours of work"
    assert karat(*call, "--force").returncode == 0
    assert sheet.read_text(encoding="utf-8").startswith("run\tunit")


def test_problems(write: Write) -> None:
    """Are printed with line and what to do, and the status is 1; a wrong call is 2."""
    done = karat("justify", str(write("r.tsv", TABLE + "a\t3\tann\t2\t5\n")))
    assert done.returncode == 1
    assert "r.tsv:8: unasked: compelling 5 where understandable 2; expected no compelling" in done.stderr
    done = karat("justify", str(write("r.tsv", TABLE)), KEY)
    assert done.returncode == 2
    assert "RATINGS KEY RUN..." in done.stderr


def test_from_sample_to_scores(tmp_path: Path) -> None:
    """A sheet is drawn, filled in and scored, with key, runs and a table of judges."""
    sheet = tmp_path / "sheet.tsv"
    call = ["sample", KEY, RUNS, "--pairs", "8", "--by", "task", "--judge", "ann", "--judge", "ben", "--quiet"]
    done = karat(*call, "--sheet", str(sheet))
    assert done.returncode == 0, done.stderr
    head, *rows = [line.split("\t") for line in sheet.read_text(encoding="utf-8").splitlines()]
    for place, row in enumerate(rows):
        row[head.index("understandable")], row[head.index("compelling")] = ("4", str(1 + place % 4))
    sheet.write_text("".join("\t".join(row) + "\n" for row in [head, *rows]), encoding="utf-8")
    judges = tmp_path / "judges.tsv"
    judges.write_text("judge\ttraining\nann\tmaths\nben\tother\n")
    made = as_json(
        "justify", str(sheet), KEY, RUNS, "--judges", str(judges), "--group", "training", "--replicates", "100"
    )
    assert [run["wrong_reason"]["of"] > 0 for run in made["runs"]] == [True] * 3
    assert made["groups"]["attribute"] == "training"
    assert made["agreement"][0]["criterion"] == "understandable"


def test_other_scales(write: Write) -> None:
    """Declared criteria, a number for not applicable, further files, no judges."""
    one = write("one.csv", "item,fact,amount\n1,-9,\n1,1,0\n2,0,\n2,1,1\n")
    two = write("two.csv", "item,fact,amount\n1,1,0\n1,1,-1\n2,1,1\n2,-1,\n")
    made = as_json(
        *("justify", str(one), "--also", str(two), "--rating-column", "unit=item", "--not-applicable", "-9"),
        *("--criterion", "fact:-1..1", "--criterion", "amount:-1..1?fact>=1", "--not-asked", "missing"),
    )
    assert [run["run"] for run in made["runs"]] == ["one", "two"]
    assert made["exchangeable"] is True
    assert made["judges"] == []
    assert made["runs"][0]["criteria"]["fact"]["rated"] == 3

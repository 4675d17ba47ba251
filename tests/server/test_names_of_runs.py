"""A run has one name in everything that leaves the server, whatever its team calls it: commands run on any export."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zipfile
from datetime import timedelta
from html import escape
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from karat import examples
from karat.campaign.definition import Task
from karat.campaign.events import Stage
from tests.cli.calls import as_json, karat
from tests.server import nugget_panels as panel

SERIES = b"""id\tseries\ttarget\ttype\tquestion
1.1\t1\tthe harbour mill\tFACTOID\tWhen was the mill built?
1.2\t1\tthe harbour mill\tLIST\tWhat did the mill have?
1.3\t1\tthe harbour mill\tOTHER\tOther
"""
SAID = {
    "Maple": (("1.1", "1790"), ("1.2", "a wheel"), ("1.2", "a stone"), ("1.3", "a flood"), ("1.3", "steam")),
    "Willow": (("1.1", "1791"), ("1.2", "a wheel"), ("1.2", "a clock"), ("1.3", "a flood")),
    "Hazel": (("1.1", "1790"), ("1.2", "a clock"), ("1.3", "nothing")),
}
TAGS = {"Maple": "zz baobab", "Willow": "zz baobab", "Hazel": "our <best> run/2"}
"""Two teams call their runs the same."""
WRONG = ("1791", "a clock")


def sent_by(team: str) -> tuple[str, bytes]:
    """A run with the tag of its team; Hazel packs it, and calls the file by its own name."""
    rows = [
        f"{TAGS[team]}\t{question}\tD{n}\t{text}\tsecret of {team}\n" for n, (question, text) in enumerate(SAID[team])
    ]
    raw = "".join(["run\tqid\tdoc\tanswer\tremark\n", *rows]).encode()
    return ("hazel of the woods.tsv.gz", gzip.compress(raw, mtime=0)) if team == "Hazel" else ("run.tsv", raw)


@pytest.fixture
def series(panels: Any) -> Any:
    """A campaign of a question series, judged whole by one person; its rounds are closed."""
    from karat.server import assigning, store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns

    task = Task(name="questions", kind="questions", test="series.tsv")
    made = panels.make("anna", tasks=(task,), files={"series.tsv": SERIES}, names=1)
    for team in SAID:
        account, at = f"{made.name}-{team.lower()}", store.now() - timedelta(days=2)
        campaigns.member(made.name, team, account, signed=False)
        sent = submit(made.name, account, *sent_by(team), Declared(task="questions"), at)
        assert sent.run is not None, sent.problems

    def say(shown: Any) -> None:
        unit, values = shown["unit"], {}
        if shown["stage"] == "labels":
            values = {"label": "W" if shown["show"]["answer"] in WRONG else "R"}
        elif shown["stage"] == "lists":
            values = {ask["name"]: ask["start"] for ask in shown["ask"]}
        elif shown["stage"] == "nuggets":
            for name, text in (("n1", "a flood"), ("n2", "steam")):
                written = made.judge(
                    "anna", f"{unit}/{name}", "questions", values={"text": text, "importance": "vital"}
                )
                assert written.status_code == 201
        else:
            told = {one["text"] for one in shown["show"]["strings"]}
            for ask in shown["ask"]:
                if ask["values"]:
                    values[ask["name"]] = "support" if ask["text"] in told else "not_support"
        answer = made.judge("anna", unit, "questions", values=values)
        assert answer.status_code == 201, answer.content

    for stage in ("labels", "lists", "nuggets", "matches"):
        assigning.assign(made.name, "questions", made.names("anna"), stage=stage, per_unit=1)
        while (shown := made.next("anna", "questions")) is not None:
            say(shown)
        assigning.set_round(made.name, "questions", stage, opened=False)
    return made


def unpacked(made: Any, folder: Path, browser: Any = None) -> Path:
    """The archive of results, as an organiser gets it or somebody else."""
    from tests.server import campaigns

    browser = browser or campaigns.host()
    while (answer := browser.get(f"/c/{made.name}/results.zip")).status_code == 202:
        pass  # the report is being made
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as packed:
        packed.extractall(folder)
    (found,) = folder.iterdir()
    return found


def column(file: Path, name: str) -> list[str]:
    """A column of a table."""
    with file.open(newline="") as lines:
        return [row[name] for row in csv.DictReader(lines, delimiter="\t")]


def stored(made: Any, kind: str, measure: str) -> dict[str, Any]:
    """The scores of the server."""
    from karat.server.store import state_of

    return {run.name: run.scores[kind][measure] for run in state_of(made.name).active()}


def exported(made: Any, task: str, folder: Path, *names: str) -> list[Path]:
    """Files that organisers take away while people judge."""
    from karat.server import assigning

    known = assigning.files(Task(name=task, kind="questions" if task == "questions" else "nuggets", test="x"))
    paths = [folder / known[name].file for name in names]
    for name, path in zip(names, paths, strict=True):
        path.write_bytes(assigning.file_of(made.name, task, name))
    return paths


def test_a_series_of_questions(series: Any, tmp_path: Path) -> None:
    """`karat qa` gives the scores of the server from the archive of results, and from the files of judging."""
    expected = stored(series, "questions", "series")
    # Half for the factoid, a quarter each for the list and the nuggets, which are scored with beta = 3.
    assert expected["Maple-1"] == 1
    assert 0 < expected["Willow-1"] < expected["Hazel-1"] + 0.5
    folder = unpacked(series, tmp_path / "results") / "questions"
    readme = (folder.parent / "README.txt").read_text()
    (line,) = [line for line in readme.splitlines() if "questions: karat qa" in line]
    words = [folder / word if (folder / word).exists() else word for word in line.split()[2:]]
    told = as_json(*words)
    assert {run["run"]: run["by_series"]["value"] for run in told["runs"]} == pytest.approx(expected)
    runs, verdicts, nuggets, matches = exported(series, "questions", tmp_path, "runs", "verdicts", "nuggets", "matches")
    given = ("--judgments", verdicts, "--nuggets", nuggets, "--matches", matches)
    told = as_json("qa", folder / "key.tsv", runs, *given)
    assert {run["run"]: run["by_series"]["value"] for run in told["runs"]} == pytest.approx(expected)


def test_what_a_team_calls_its_run_is_kept(series: Any, tmp_path: Path) -> None:
    """The table of runs has it, with the hash on the receipt; the file is there as it was sent."""
    from karat.server.store import state_of

    folder = unpacked(series, tmp_path) / "questions"
    with (folder / "runs.csv").open(newline="") as file:
        rows = {row["run"]: row for row in csv.DictReader(file)}
    assert {name.removesuffix("-1"): row["own_name"] for name, row in rows.items()} == TAGS
    for run in state_of(series.name).active():
        assert rows[run.name]["sha256"] == run.received.sent.sha256
        (sent,) = (folder / "submitted").glob(f"{run.name}.*")
        assert sent.read_bytes() == sent_by(run.received.team)[1]


def test_no_tag_tells_who_an_anonymous_team_is(series: Any, tmp_path: Path) -> None:
    """Before the date of names, everybody gets the runs under aliases; tags, remarks and names of files stay behind."""
    from karat.campaign.commands import Release
    from karat.server import store
    from tests.server import campaigns

    store.execute(series.name, Release(to="public"), "organiser")
    folder = unpacked(series, tmp_path, campaigns.client())
    told = b"".join(f"{one} ".encode() + one.read_bytes() for one in folder.rglob("*") if one.is_file())
    for word in (*TAGS.values(), *SAID, "secret of", "of the woods"):
        assert word.encode() not in told, word
    given = [folder / "questions" / name for name in ("judgments.tsv", "nuggets.tsv", "matches.tsv")]
    words = sum(((f"--{one.stem}", one) for one in given), ())
    found = as_json("qa", folder / "questions" / "key.tsv", folder / "questions" / "runs", *words)
    assert sorted(run["by_series"]["value"] for run in found["runs"]) == pytest.approx(
        sorted(stored(series, "questions", "series").values())
    )
    run = next(iter(store.state_of(series.name).runs))
    answer = campaigns.client().get(f"/c/{series.name}/runs/{run}/file/")
    assert b"zz baobab" not in answer.content
    assert answer.headers["Content-Disposition"].endswith('-1.jsonl"')


def test_generated_answers(panels: Any, tmp_path: Path) -> None:
    """Runs of TREC RAG, of which some sentences cite nothing; nuggets in both formats are read with the matches."""
    from karat.campaign.anonymous import anonymised
    from karat.server import assigning, models
    from karat.server.store import record_of

    del panels
    made = panel.make("anna", start=True, documents=False)
    panel.given(made, "matches", "anna", per_unit=1)
    while (shown := made.next("anna", "answers")) is not None:
        values = {ask["name"]: "support" for ask in shown["ask"] if ask["values"]}
        assert made.judge("anna", shown["unit"], "answers", values=values).status_code == 201
    assigning.set_round(made.name, "answers", "matches", opened=False)
    expected = stored(made, "nuggets", "nugget_f")
    folder = unpacked(made, tmp_path / "results") / "answers"
    found = as_json("nuggets", folder / "nuggets.tsv", folder / "matches.tsv", "--answers", folder / "runs")
    assert {run["run"]: run["f"] for run in found["runs"]} == pytest.approx(expected)
    lists, matches, runs = exported(made, "answers", tmp_path, "nuggets", "matches", "runs")
    told = as_json("nuggets", lists, matches, "--answers", runs)
    assert {run["run"]: run["f"] for run in told["runs"]} == pytest.approx(expected)
    (topics,) = exported(made, "answers", tmp_path, "nuggetizer")
    again = as_json("nuggets", topics, matches, "--answers", runs)
    assert {run["run"]: run["f"] for run in again["runs"]} == pytest.approx(expected)
    said = [json.loads(line) for line in runs.read_text().splitlines()]
    assert {one["run_id"] for one in said} == {"Maple-1", "Willow-1", "Hazel-1"}
    # An archive without names writes these runs anew, too.
    contents = {one.sha256: bytes(one.data) for one in models.Content.objects.all()}
    _, files = anonymised(list(record_of(made.name)), contents)
    assert not [raw for raw in files.values() if b'"maple"' in raw]


def test_labels(panels: Any, tmp_path: Path) -> None:
    """Logs that name their model, the same in two teams, and a file without an ending: `karat score` reads all."""
    from tests.server import campaigns, contests

    del panels
    log = next((examples.HERE / "logs").rglob("samples*.jsonl")).read_bytes()
    plain = "".join(f"{number} ENTAILMENT\n" for number in range(len(log.splitlines()))).encode()
    asked = [json.loads(line)["doc"] for line in log.splitlines()]
    pairs = "".join(
        f'<pair id="{n}" entailment="{label}"><t>{escape(one["premise"])}</t><h>{escape(one["hypothesis"])}</h></pair>'
        for n, (one, label) in enumerate(zip(asked, cycle(("ENTAILMENT", "UNKNOWN", "CONTRADICTION")), strict=False))
    )
    made = contests.contest({}, pairs=f"<entailment-corpus>{pairs}</entailment-corpus>".encode())
    for team, file, raw in (("A.B", "run", plain), ("Ash", "samples_x.jsonl", log), ("Elm", "samples_x.jsonl", log)):
        campaigns.member(made.name, team, f"{made.name}-{team}", signed=False)
        sent = made.send(team, raw, file)
        assert sent.run is not None, sent.problems
    folder = unpacked(made, tmp_path) / "three-way"
    done = karat("score", folder / "key.xml", folder / "runs", "--format", "csv")
    assert done.returncode == 0, done.stderr
    assert {row["system"] for row in csv.DictReader(io.StringIO(done.stdout))} >= {"A.B-1", "Ash-1", "Elm-1"}
    assert (folder / "runs" / "A.B-1.jsonl").exists(), "a reader would take .B-1 for the ending"


def test_parts_of_pairs(panels: Any, tmp_path: Path) -> None:
    """Runs on decomposed pairs, under the names of the campaign, are what `karat diagnose` takes."""
    from tests.server import campaigns, contests

    del panels
    made = contests.contest({}, pairs=(examples.HERE / "decomposed.xml").read_bytes())
    for team in ("Ash", "Elm"):
        campaigns.member(made.name, team, f"{made.name}-{team}", signed=False)
        for file in sorted((examples.HERE / "decomposed-runs").iterdir())[:1]:
            assert made.send(team, file.read_bytes(), file.name).run is not None
    folder = unpacked(made, tmp_path) / "three-way"
    told = json.dumps(as_json("diagnose", folder / "key.xml", folder / "runs"))
    assert all(f'"run": "{name}"' in told for name in ("Ash-1", "Elm-1"))


@pytest.mark.parametrize("released", [False, True])
def test_preferences_and_citations_of_closed_rounds(panels: Any, tmp_path: Path, released: bool) -> None:
    """`karat prefer` and `karat support` read them from the archive; no order of rows or name tells who is who."""
    from karat.campaign.commands import Release
    from karat.server import assigning, store
    from tests.server import campaigns

    del panels
    made = panel.make("anna", "ben", start=True, documents=False, names=1)
    panel.given(made, "citations", "anna", per_unit=1)
    panel.given(made, "preferences", "ben", per_unit=1)
    for who, said in (("anna", cycle(["full"])), ("ben", cycle(["left", "right", "tie"]))):
        while (shown := made.next(who, "answers")) is not None:
            values = {ask["name"]: next(said) for ask in shown["ask"] if ask["values"]}
            assert made.judge(who, shown["unit"], "answers", values=values).status_code == 201
    before = {one.name for one in unpacked(made, tmp_path / "before").rglob("*.tsv")}
    assert not before & {"preferences.tsv", "citations.tsv"}, "the rounds are open"
    for stage in ("citations", "preferences"):
        assigning.set_round(made.name, "answers", stage, opened=False)
    if released:
        store.execute(made.name, Release(to="public"), "organiser")
    browser = campaigns.client() if released else None
    folder = unpacked(made, tmp_path / "after", browser) / "answers"
    runs = sorted(one.stem for one in (folder / "runs").iterdir())
    assert all(name.startswith("team-") for name in runs) == released
    chosen = as_json("prefer", folder / "preferences.tsv", "--prior", "1")
    assert sorted(one["run"] for one in chosen["runs"]) == runs
    supported = as_json("support", folder / "citations.tsv", folder / "runs")
    assert sorted(one["run"] for one in supported["runs"]) == runs
    for name in ("preferences", "citations"):
        text = (folder / f"{name}.tsv").read_text()
        assert "assessor-" in text
        assert not [word for word in ("anna", "ben") if word in text]
        assert not [team for team in panel.SAID if released and team in text]
    assert (cited := column(folder / "citations.tsv", "run")) == sorted(cited)
    compared = [column(folder / "preferences.tsv", name) for name in ("run_a", "run_b")]
    assert (both := list(zip(*compared, strict=True))) == sorted(both)
    assert all(one < other for one, other in both)


def test_a_team_that_sees_the_key_gets_what_was_said_of_its_own_runs(panels: Any, tmp_path: Path) -> None:
    """With the matches of others, their scores could be computed."""
    from karat.campaign.commands import Release
    from karat.server import assigning, models, store
    from tests.server import campaigns

    del panels
    made = panel.make("anna", start=True, documents=False, key_with_results=True)
    stages: tuple[Stage, ...] = ("matches", "citations", "preferences")
    for stage in stages:
        panel.given(made, stage, "anna", per_unit=1)
    while (shown := made.next("anna", "answers")) is not None:
        values = {ask["name"]: ask["values"][0] for ask in shown["ask"] if ask["values"]}
        assert made.judge("anna", shown["unit"], "answers", values=values).status_code == 201
    for stage in stages:
        assigning.set_round(made.name, "answers", stage, opened=False)
    store.execute(made.name, Release(to="teams"), "organiser")
    maple = campaigns.logged_in(models.Account.objects.get(name=f"{made.name}-maple"))
    folder = unpacked(made, tmp_path, maple) / "answers"
    for name in ("matches", "citations"):
        assert set(column(folder / f"{name}.tsv", "run")) == {"Maple-1"}
        seen = maple.get(f"/c/{made.name}/tasks/answers/key/?file={name}.tsv")
        assert seen.content == (folder / f"{name}.tsv").read_bytes()
    assert not (folder / "preferences.tsv").exists(), "these are about two runs, and one of them is another team's"
    found = as_json("nuggets", folder / "nuggets.tsv", folder / "matches.tsv", "--answers", folder / "runs")
    (own,) = found["runs"]
    assert own["f"] == pytest.approx(stored(made, "nuggets", "nugget_f")["Maple-1"])

"""What people see of results: by role and release exactly what they may, with the numbers of the laboratory."""

from __future__ import annotations

import csv
import hashlib
import http.client
import io
import re
import threading
import zipfile
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from karat import examples
from karat.files import is_formula


@pytest.fixture
def site(home: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Campaigns with results, for which the same is drawn each time: which pairs are on a live board, and aliases."""
    del home
    from karat.server import store
    from tests.server import contests
    from tests.server.sights import Drawn

    Drawn.begin("results")
    monkeypatch.setattr(store, "secrets", SimpleNamespace(token_bytes=Drawn.bytes))
    return contests


def shares(contest: Any) -> dict[str, str]:
    """The accuracy of every run, three-way, as pages show it."""
    return {run.name: f"{100 * run.scores['3']['accuracy']:.1f}" for run in contest.state.active()}


def archive(contest: Any, who: str) -> dict[str, bytes]:
    """The files that somebody gets."""
    answer = contest.get(who, "results.zip")
    assert answer.status_code == 200
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as packed:
        assert packed.testzip() is None
        found = {info.filename.partition("/")[2]: packed.read(info) for info in packed.infolist()}
    answer.close()
    return found


def numbers_in(page: str) -> set[str]:
    """Every number of the page, without times."""
    return set(re.findall(r"(?<![\d.])\d+\.\d+(?![\d.])", re.sub(r"\d\d:\d\d:\d\d(\.\d+)?", "", page)))


def test_nothing_before_the_release(site: Any) -> None:
    """Organisers see everything; for all others there is no page, no report, no key and no file of another."""
    contest = site.contest()
    page = contest.text("organiser")
    for name, accuracy in shares(contest).items():
        assert name in page
        assert accuracy in numbers_in(page)
    run = contest.run("Alder-1").received.id
    addresses = ["results/", "results.zip", "tasks/three-way/report/", "tasks/three-way/key/", "teams/Alder/"]
    for address in [*addresses, "teams/Alder/tasks/three-way/", f"runs/{run}/file/"]:
        for who, status in {"Birch": 404, "assessor": 404, "nobody": 302}.items():
            assert contest.get(who, address).status_code == status, (who, address)
        assert contest.get("Alder", address).status_code == (200 if "file" in address else 404), address
    assert "results/" not in contest.text("Alder", "")


def test_teams_see_their_own_results_first(site: Any) -> None:
    """A team sees its runs and the spread of all; of others neither a name, a score, a file nor a page."""
    contest = site.contest()
    contest.release("teams")
    page, scores = contest.text("Alder"), {run.name: run.scores["3"]["accuracy"] for run in contest.state.active()}
    assert {f"{scores['Alder-1']:.3f}", f"{scores['Alder-2']:.3f}"} <= numbers_in(page)
    ordered = sorted(scores.values())
    spread = {f"{ordered[0]:.3f}", f"{(ordered[2] + ordered[3]) / 2:.3f}", f"{ordered[-1]:.3f}"}
    assert spread <= numbers_in(page)
    own = contest.text("Alder", "teams/Alder/")
    for text in (page, own):
        assert not re.search("Birch|Cedar|Dogwood|Eucalypt|team-", text)
        assert "rank" not in text
        assert not numbers_in(text) & {f"{scores[name]:.3f}" for name in ("Birch-1", "Cedar-1")} - spread
    other = contest.run("Birch-1").received.id
    for address in ("teams/Birch/", "tasks/three-way/report/", "tasks/three-way/key/", f"runs/{other}/file/"):
        assert contest.get("Alder", address).status_code == 404, address
    for address in (f"teams/{contest.alias('Birch')}/", "teams/Alder/tasks/three-way/"):
        assert contest.get("Alder", address).status_code == 404, address
    assert contest.get("nobody").status_code == 302
    assert contest.get("assessor").status_code == 404


def test_the_hash_of_the_key_is_not_shown_before_the_key(site: Any) -> None:
    """With it, whoever knows the file but for some labels could try them out."""
    contest = site.contest()
    contest.release("teams")
    digest = contest.state.files["pairs.xml"]
    shown = [contest.text("Alder"), contest.text("Alder", "teams/Alder/")]
    files = archive(contest, "Alder")
    shown += [data.decode() for name, data in files.items() if name.endswith((".csv", ".txt"))]
    assert not [text for text in shown if digest[:8] in text or re.search(r"signature|report [0-9a-f]{8}", text)]
    assert not [name for name in files if name.endswith((".json", ".html", ".tex", ".md"))]
    assert digest in archive(contest, "organiser")["three-way/scores.json"].decode()


def test_no_spread_of_few_teams(site: Any) -> None:
    """With four teams, a team would know too much of the others; with five runs of four teams as well."""
    contest = site.contest(site.FEW)
    contest.release("teams")
    page = contest.text("Alder")
    assert "median</th>" not in page
    assert "fewer than five teams" in page
    assert "three-way/spread.csv" not in archive(contest, "Alder")
    assert "median</th>" in contest.text("organiser")


def test_no_spread_of_a_measure_that_few_teams_have(site: Any) -> None:
    """Of five teams, three have ever answered UNKNOWN: its precision is told to none of them, and the accuracy is."""
    contest = site.contest({**site.FEW, **dict.fromkeys(("Dogwood", "Eucalypt"), ("always-entailment.txt",))})
    contest.release("teams")

    def rows(who: str, file: str) -> list[dict[str, str]]:
        table = csv.DictReader(io.StringIO(archive(contest, who)[f"three-way/{file}"].decode()))
        return [row for row in table if row["way"] == "3" and row["measure"] in ("accuracy", "precision(UNKNOWN)")]

    assert [row["measure"] for row in rows("Alder", "spread.csv")] == ["accuracy"]
    _, whole = rows("organiser", "spread.csv")
    own = {row["value"] for row in rows("Alder", "scores.csv")}
    others = {whole["lowest"], whole["highest"]} - own
    assert others
    for page in (contest.text("Alder"), contest.text("Alder", "teams/Alder/")):
        assert "too few teams have a value" in page
        assert not numbers_in(page) & others


def test_errors_come_with_the_key(site: Any) -> None:
    """Where the key comes with the results, a team sees its errors, and still nobody else's."""
    contest = site.contest(key_with_results=True)
    contest.release("teams")
    report = contest.get("Alder", "teams/Alder/tasks/three-way/")
    assert report.status_code == 200
    assert b"explorer-data" in report.content
    assert not re.search("Birch|Cedar|Dogwood|Eucalypt", report.content.decode())
    assert contest.get("Alder", "tasks/three-way/key/").content == (examples.HERE / "pairs.xml").read_bytes()
    for address in ("tasks/three-way/report/", "teams/Birch/", "teams/Birch/tasks/three-way/"):
        assert contest.get("Alder", address).status_code == 404, address
    found = archive(contest, "Alder")
    assert b"Birch" not in b"".join(found.values())
    assert {"three-way/report.html", "three-way/key.xml", "three-way/runs/Alder-1.jsonl"} <= set(found)


def test_everything_is_public(site: Any) -> None:
    """Everybody sees boards, runs, key, reports and team pages, without logging in, and finds them."""
    contest = site.contest(baselines=("Eucalypt",))
    contest.send("Birch", (examples.RUNS / "ranked.txt").read_bytes(), "by hand.txt", manual=True)
    contest.release("public")
    for who in ("nobody", "assessor", "Alder", "organiser"):
        page = contest.text(who)
        assert set(shares(contest).values()) <= numbers_in(page), who
        assert "Birch-2*" in page
        assert "<span>baseline</span>" in page
        assert "key version 1" in page.lower()
        assert "160 pairs" in page
        for address in re.findall(rf'href="/c/{contest.name}/([^"]*)"', page):
            answer = contest.get(who, address)
            answer.close()
            assert answer.status_code == 200, (who, address)
    run = contest.run("Birch-2").received.id
    answer = contest.get("nobody", f"runs/{run}/file/")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="Birch-2.txt"'
    assert contest.get("Alder", f"runs/{run}/").status_code == 404, "the receipt is the team's"
    assert f"/c/{contest.name}/results/" in contest.people["nobody"].get("/").content.decode()
    overview = contest.text("nobody", "")
    assert f"/c/{contest.name}/results/" in overview
    assert "public since" in overview


def test_anonymous_teams_have_an_alias_everywhere(site: Any) -> None:
    """In names, addresses and files; a team knows itself, and reports on systems stay with the organisers."""
    contest = site.contest(names=1)
    contest.people["Birch"].post(f"/c/{contest.name}/report/", {"report": io.BytesIO(b"%PDF")})
    contest.release("public")
    mine, other = contest.alias("Alder"), contest.alias("Birch")
    for who, seen, hidden in (("nobody", mine, "Alder|Birch|Cedar|Dogwood|Eucalypt"), ("Alder", other, "Birch|Cedar")):
        shown = [contest.text(who), contest.text(who, ""), contest.text(who, f"teams/{seen}/")]
        shown += [contest.text(who, "tasks/three-way/report/"), contest.text(who, f"teams/{seen}/tasks/three-way/")]
        files = archive(contest, who)
        shown += [*files, *(data.decode("utf-8", "replace") for data in files.values())]
        assert not [found for text in shown if (found := re.search(hidden, text))], who
        assert seen in shown[0]
        run = contest.run("Birch-1").received.id
        assert contest.get(who, f"runs/{run}/file/").headers["Content-Disposition"].endswith(f'"{other}-1.txt"')
        assert contest.get(who, "teams/Birch/").status_code == 404
        assert contest.get(who, "reports/Birch/").status_code == 404
    assert "Alder-1" in contest.text("Alder")
    assert "Alder-1" in contest.text("Alder", "teams/Alder/")
    assert contest.get("nobody", "teams/Alder/").status_code == 404
    assert "Birch-1" in contest.text("organiser")
    named = site.contest()
    named.people["Birch"].post(f"/c/{named.name}/report/", {"report": io.BytesIO(b"%PDF")})
    named.release("public")
    assert named.get("nobody", "reports/Birch/").content == b"%PDF"


def test_the_numbers_are_those_of_the_laboratory(site: Any, tmp_path: Path) -> None:
    """What is downloaded leads to the same scores and comparisons, by the commands for files."""
    from karat.data.fields import written
    from karat.formats.pairs import read_pairs
    from karat.formats.runs import read_runs
    from karat.render import render
    from karat.studies.compare.study import compare
    from karat.studies.score.study import score

    contest = site.contest(share=0.25)
    contest.release("public")
    found = archive(contest, "nobody")
    for name, data in found.items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    task = tmp_path / "three-way"
    key = read_pairs(task / "key-official.xml", way="3")
    runs = read_runs(sorted((task / "runs").iterdir()), key)
    lines = found["three-way/scores.csv"].decode().splitlines()
    assert set(render(score(runs), "csv").splitlines()) <= set(lines)
    assert lines == render(score(runs, by=["task"]), "csv").splitlines()
    assert render(compare(runs), "csv").encode() == found["three-way/comparison.csv"]
    board = list(csv.DictReader(io.StringIO(found["three-way/board-3-way.csv"].decode())))
    values = {row.run: row.values["3"]["accuracy"] for row in score(runs).runs}
    assert {one["run"]: float(one["accuracy"]) for one in board} == pytest.approx(values)
    stored = {run.name: run.scores["3"]["accuracy"] for run in contest.state.active()}
    assert stored == pytest.approx(values)
    page = contest.text("nobody", "teams/Alder/")
    for row in score(runs).runs:
        if row.run.startswith("Alder"):
            for of in row.values.values():
                assert {written(value, 3) for value in of.values() if value > 0} <= numbers_in(page)


def test_the_archive(site: Any) -> None:
    """The same bytes each time, hashes that are right, no name that a user chose, no formula in a spreadsheet."""
    pairs = (examples.HERE / "pairs.xml").read_bytes().replace(b'task="QA"', b'task="=cmd()"')
    contest = site.contest(pairs=pairs)
    contest.send("Birch", (examples.RUNS / "ranked.txt").read_bytes(), "=cmd|' /C calc'!A0.txt", statement="=1+1")
    contest.release("public")
    first, again = (contest.get("nobody", "results.zip") for _ in range(2))
    bytes_of = [b"".join(one.streaming_content) for one in (first, again)]
    for one in (first, again):
        one.close()
    assert bytes_of[0] == bytes_of[1]
    assert first.headers["Content-Disposition"] == f'attachment; filename="{contest.name}-results.zip"'
    found = archive(contest, "nobody")
    sums = dict(line.split("  ")[::-1] for line in found.pop("SHA256SUMS").decode().splitlines())
    assert sums == {name: hashlib.sha256(data).hexdigest() for name, data in found.items()}
    assert not [name for name in found if "cmd" in name or "s " in name]
    tables = {name: data.decode() for name, data in found.items() if name.endswith(".csv")}
    assert {f"three-way/teams/{team}.csv" for team in site.TEAMS} <= set(tables)
    for name, text in tables.items():
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert not [cell for cell in cells if is_formula(cell) and cell[0] != "'"], name
    assert "'=cmd()" in tables["three-way/scores.csv"]
    assert {"three-way/blind.xml", "three-way/board-2-way.tex", "three-way/board-3-way.md", "README.txt"} <= set(found)
    readme = found["README.txt"].decode()
    assert "Key version 1" in readme
    assert contest.state.commitment in readme
    assert contest.state.nonce in readme
    assert "karat" in readme


def test_the_command_writes_the_same(site: Any, tmp_path: Path) -> None:
    """`karat campaign board -o` gives an organiser's archive; one task alone if it is named."""
    from karat.server import operations

    contest = site.contest(site.FEW)
    (tmp_path / "all.zip").write_bytes(operations.archive(contest.name))
    with zipfile.ZipFile(tmp_path / "all.zip") as packed:
        files = {name.partition("/")[2] for name in packed.namelist()}
    assert files == set(archive(contest, "organiser"))
    assert operations.archive(contest.name, "three-way") == operations.archive(contest.name)


def test_ranked_runs_have_their_average_precision(site: Any) -> None:
    """On the page of their team and in a file, of a team's own runs first and of all when they are public."""
    contest = site.contest()
    stored = {run.name: run.scores["2"]["average_precision"] for run in contest.state.active()}
    known = {name: f"{value:.12g}" for name, value in stored.items() if value is not None}
    assert 2 < len(known) < len(stored)

    def told(who: str) -> dict[str, str]:
        rows = csv.DictReader(io.StringIO(archive(contest, who)["three-way/ranking.csv"].decode()))
        return {row["run"]: row["average_precision"] for row in rows}

    contest.release("teams")
    assert told("Alder") == {name: value for name, value in known.items() if name.startswith("Alder")}
    assert f"Alder-1: average precision {stored['Alder-1']:.3f}" in contest.text("Alder", "teams/Alder/")
    assert "average precision" not in contest.text("Birch", "teams/Birch/"), "which has no ranking"
    contest.release("public")
    assert told("nobody") == known


def test_what_does_not_count_is_nowhere(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaced, withdrawn, practised and refused files are on no board, in no table and in no download of others."""
    contest = site.contest(practice=True)
    overlap, lines = (examples.RUNS / "overlap.txt").read_bytes(), site.campaigns.OTHER_RUN.splitlines(True)
    old = contest.send("Alder", overlap, "old.txt", run=2).run
    gone = contest.send("Birch", overlap, "gone.txt", run=2).run
    contest.send("Cedar", overlap, "practice.txt", practice=True, run=3)
    contest.send("Cedar", b"1 MAYBE\n", "refused.txt", run=4)
    from karat.campaign.commands import Withdraw
    from karat.campaign.events import RunReceived
    from karat.server import store

    assert isinstance(old, RunReceived)
    again = contest.send("Alder", b"".join(lines), "new.txt", run=2).run
    with monkeypatch.context() as then:
        before = store.now() - timedelta(days=1.5)
        then.setattr(store, "now", lambda: before)
        store.execute(contest.name, Withdraw(account=f"{contest.name}-Birch", id=gone.id), f"{contest.name}-Birch")
    contest.release("public")
    assert len(contest.state.active()) == 6
    for who in ("nobody", "organiser", "Eucalypt"):
        page, files = contest.text(who), archive(contest, who)
        assert not re.search("Birch-2|Cedar-3|Cedar-4", page)
        sent = "Alder-1.jsonl Alder-2.txt Birch-1.txt Cedar-1.jsonl Dogwood-1.txt Eucalypt-1.txt"
        assert {name for name in files if "runs/" in name} == {f"three-way/runs/{name}" for name in sent.split()}
        assert files["three-way/runs/Alder-2.txt"] == b"".join(lines)
    assert contest.get("nobody", f"runs/{again.id}/file/").status_code == 200
    for run in (old, gone):
        assert contest.get("nobody", f"runs/{run.id}/file/").status_code == 404
        assert contest.get("Eucalypt", f"runs/{run.id}/file/").status_code == 404


def flipped(public: set[str], inside: bool) -> bytes:
    """The key with other labels on the public share, or outside it."""

    def other(found: re.Match[str]) -> str:
        turn = {"ENTAILMENT": "UNKNOWN", "UNKNOWN": "CONTRADICTION", "CONTRADICTION": "ENTAILMENT"}
        label = turn[found[2]] if (found[1] in public) == inside else found[2]
        return f'<pair id="{found[1]}" entailment="{label}"'

    text = (examples.HERE / "pairs.xml").read_text("utf-8")
    return re.sub(r'<pair id="([^"]+)" entailment="([^"]+)"', other, text).encode()


def test_the_live_board_and_the_official_scores_are_apart(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels outside the public share change nothing on the live board; those inside, nothing of the official scores.

    What a team sees is compared byte by byte.
    """
    from karat.campaign.checking import read_test
    from karat.server import models, results, store

    contest = site.contest(share=0.3, closes=1)
    state, task = contest.state, contest.task
    test = store.test_set(state, task)
    public = {id for id, label in zip(test.units.ids, test.live.labels.tolist(), strict=True) if label >= 0}
    assert 30 < len(public) < 70
    before, runs = contest.text("Alder"), results.official(state, task)
    assert f"on {len(public)} pairs; the official results are on {160 - len(public)} other pairs" in before
    assert "is not evidence" in before
    assert re.search(r">1–\d<", before)
    live = str(results.report(state, task, runs, live=True).opening.views)
    official = str(results.scored(state, task, runs).records())
    for inside in (True, False):
        raw = flipped(public, inside)
        digest = store.digest_of(raw)
        models.Content.objects.get_or_create(sha256=digest, defaults={"data": raw})
        changed = replace(state, files=state.files | {"pairs.xml": digest})
        assert (read_test(task, raw, state.seed).live.labels >= 0).sum() == len(public)
        views = str(results.report(changed, task, runs, live=True).opening.views)
        records = str(results.scored(changed, task, runs).records())
        assert (views == live) is not inside
        assert (records == official) is inside
        with monkeypatch.context() as patch:
            patch.setitem(store._states, contest.name, changed)
            page = contest.text("Alder")
        assert (scrubbed(page) == scrubbed(before)) is not inside


def scrubbed(page: str) -> str:
    """A page without what differs from request to request: the time, and the token of its forms."""
    return re.sub(r'value="\w{64}"|\d{4}-\d\d-\d\dT[\d:.]+Z|\d+ \w+ \d{4}, \d\d:\d\d:\d\d', "", page)


def test_the_live_board_is_for_those_who_take_part(site: Any) -> None:
    """Its scores are shares of the public pairs, and there is no more to see than the board."""
    from karat.server import store

    contest = site.contest(share=0.3, closes=1)
    page = contest.text("Alder")
    public = int((store.test_set(contest.state, contest.task).live.labels >= 0).sum())
    shares = {f"{right / public:.12g}" for right in range(public + 1)}
    live = set(re.findall(r'class="value number" data-value="([\d.]+)"', page))
    assert live
    assert live <= shares
    for address in ("teams/Alder/", "teams/Birch/", "tasks/three-way/report/", "tasks/three-way/key/"):
        assert contest.get("Alder", address).status_code == 404, address
    assert {name.rpartition("/")[2] for name in archive(contest, "Alder") if "/runs/" not in name} == {
        "live-board-3-way.csv",
        "live-board-2-way.csv",
        "blind.xml",
        "runs.csv",
        "README.txt",
        "SHA256SUMS",
    }
    assert contest.get("assessor").status_code == 404
    assert contest.get("nobody").status_code == 302


def test_late_runs_and_runs_that_await_judgment(site: Any) -> None:
    """Both are named; what is not judged has no score."""
    from karat.campaign.definition import Task
    from karat.server import store
    from karat.server.submitting import Declared, submit

    tasks = (
        Task(name="three-way", test="pairs.xml"),
        Task(name="questions", kind="questions", test="questions.xml"),
    )
    questions = (examples.HERE / "qa/questions.xml").read_bytes()
    contest = site.contest(site.FEW, tasks=tasks, files={"questions.xml": questions}, closes=-0.01, grace=60)
    answers = (examples.HERE / "qa/runs/steady.tsv").read_bytes()
    submit(contest.name, f"{contest.name}-Cedar", "x.tsv", answers, Declared(task="questions"), store.now())
    late = Declared(task="three-way", run=3)
    raw = (examples.RUNS / "overlap.txt").read_bytes()
    submit(contest.name, f"{contest.name}-Cedar", "x.txt", raw, late, store.now())
    page = contest.text("organiser")
    assert "Awaiting judgment: Cedar-1." in page
    assert "<span>late</span>" in page
    assert "Cedar-1.tsv" in page


def test_only_boards_may_have_styles(site: Any) -> None:
    """Attributes for positions are allowed where a board is; a report is in a sandbox, with its one script."""
    contest = site.contest(site.FEW)
    contest.release("public")
    policies = {
        address: contest.get("nobody", address).headers["Content-Security-Policy"]
        for address in ("", "results/", "teams/Alder/", "tasks/three-way/report/")
    }
    assert "style-src" not in policies[""]
    assert "style-src" not in policies["teams/Alder/"]
    assert policies["results/"] == f"{policies['']}; style-src-attr 'unsafe-inline'"
    report = policies["tasks/three-way/report/"]
    assert "sandbox allow-scripts allow-downloads" in report
    assert "default-src 'none'; script-src 'sha256-" in report
    assert "frame-ancestors 'none'" in report
    assert "allow-same-origin" not in report


def test_a_report_leads_back_to_its_campaign(site: Any) -> None:
    """On the server its menu begins with a link to the results; the same report in a file has none."""
    contest = site.contest(site.FEW)
    contest.release("public")
    link = f'<ul><li><a href="/c/{contest.name}/results/">← Back to the campaign</a></li>'
    assert contest.text("nobody", "tasks/three-way/report/").count(link) == 1
    assert contest.text("nobody", "teams/Alder/tasks/three-way/").count(link) == 1
    with zipfile.ZipFile(io.BytesIO(contest.get("nobody", "results.zip").getvalue())) as archive:
        (report,) = [archive.read(name) for name in archive.namelist() if name.endswith("three-way/report.html")]
    assert b"Back to the campaign" not in report
    assert b'<nav class="menu" aria-label="Sections"><ul>' in report


def test_a_report_says_by_which_key_it_was_made(site: Any) -> None:
    """In its title, so that a file by itself says so too; a new key gives a new report."""
    from karat.server import results
    from karat.server.rescoring import rescore

    contest = site.contest(site.FEW)

    def title() -> str:
        return str(results.report(contest.state, contest.task, results.official(contest.state, contest.task)).heading)

    assert title().endswith(": Three-way entailment (key version 1)")
    key = (examples.HERE / "pairs.xml").read_bytes().replace(b'entailment="UNKNOWN"', b'entailment="ENTAILMENT"', 1)
    rescore(contest.name, "pairs.xml", key, "a slip", apply=True)
    assert title().endswith(": Three-way entailment (key version 2)")


def test_a_report_that_takes_long_holds_nobody(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for it sees that it is being made, and everybody else sees everything else; it is made once."""
    from karat.server import results
    from karat.server.pages import results as pages

    contest, go, made = site.contest(site.FEW), threading.Event(), []

    def slow(asked: Any) -> bytes:
        made.append(asked)
        go.wait(30)
        return b"the report"

    monkeypatch.setattr(results, "_page", slow)
    assert contest.get("organiser").status_code == 200
    monkeypatch.setattr(pages, "PATIENCE", 0.05)
    for _ in range(3):
        waiting = contest.get("organiser", "tasks/three-way/report/")
        assert waiting.status_code == 202
        assert waiting.headers["Refresh"] == "2"
        assert b"The report is being made" in waiting.content
    assert contest.get("organiser", "results.zip").status_code == 202
    assert contest.get("organiser").status_code == 200
    go.set()
    begun: list[Any] = [*results.brief._made.values(), *results.whole._made.values()]
    wait(begun, 30)
    assert contest.get("organiser", "tasks/three-way/report/").content == b"the report"
    assert len(made) == 1


def test_the_page_of_the_release_waits_for_no_report(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is answered while the reports of which the methods take their numbers are made, and says so."""
    from karat.server import results
    from karat.server.pages import results as pages

    contest, go, really = site.contest(site.FEW), threading.Event(), results._report

    def slow(*asked: Any, **more: Any) -> Any:
        go.wait(30)
        return really(*asked, **more)

    monkeypatch.setattr(results, "_report", slow)
    monkeypatch.setattr(pages, "PATIENCE", 0.05)
    waiting = contest.get("organiser", "release/")
    assert waiting.status_code == 200
    assert b"The methods for the overview paper are still being made." in waiting.content
    assert b"Release to everybody" in waiting.content
    go.set()
    begun: list[Any] = [*results.brief._made.values(), *results.whole._made.values()]
    wait(begun, 30)
    page = contest.text("organiser", "release/")
    assert "still being made" not in page
    assert "Methods, for the overview paper" in page


def test_more_runs_than_are_compared(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The board has the best runs, and says that there are more; the place and score of every run are below it."""
    from karat.studies.report import evidence, opening

    contest = site.contest()
    scores = {run.name: run.scores["3"]["accuracy"] for run in contest.state.active() if "3" in run.scores}
    assert len(scores) > 3
    assert "by three-way accuracy" not in contest.text("organiser")
    monkeypatch.setattr(evidence, "MOST_TESTED", 2)
    monkeypatch.setattr(opening, "MOST_TESTED", 2)
    contest.release("public")
    from karat.server import results
    from karat.server.making import Kept, Line

    monkeypatch.setattr(results, "brief", Kept(Line(), 4))
    page = contest.text("organiser")
    assert f"Of {len(scores)} runs with scores, the board has the 2 that are compared with each other" in page
    table = page[page.index(f"All {len(scores)} runs by three-way accuracy") :]
    rows = re.findall(r'Rank by score">(\d+)</td><th scope="row">([^<]+)</th><td [^>]*>([\d.]+)%', table)
    assert {name: (int(place), value) for place, name, value in rows} == {
        name: (1 + sum(other > value for other in scores.values()), f"{100 * value:.1f}")
        for name, value in scores.items()
    }


def test_many_runs_are_listed_some_at_a_time(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page has some runs, and links to the others; all of them are listed once."""
    from karat.server.pages import portions

    contest = site.contest()
    contest.release("public")
    counting = {f"{run.received.team}-{run.received.number}" for run in contest.state.active(task="three-way")}
    monkeypatch.setattr(portions, "MOST_RUNS", 2)
    listed, first = [], 1
    while first:
        page = contest.text("organiser", f"results/?runs={first}")
        assert f"{len(counting)} files: the runs that count" in page
        table = page[page.index("<caption>The runs that count") :]
        listed += re.findall(r'<th scope="row">([\w-]+)', table[: table.index("</table>")])
        later = [int(other) for other in re.findall(r"[?]runs=(\d+)", table) if int(other) > first]
        first = later[0] if later else 0
    assert len(listed) == len(counting) > 2
    assert set(listed) == counting


def test_an_archive_is_made_once(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Teams that see everything under its name get the same bytes; what happens next is in a new one."""
    from karat.server import result_files

    contest, made = site.contest(site.FEW), []
    really = result_files._packed

    def packed(state: Any, eyes: Any) -> bytes:
        made.append(eyes)
        return really(state, eyes)

    monkeypatch.setattr(result_files, "_packed", packed)
    contest.release("public")
    files = [archive(contest, who) for who in ("Alder", "Birch", "Alder")]
    assert files[0] == files[1] == files[2]
    assert len(made) == 1
    contest.send("Cedar", (examples.RUNS / "ranked.txt").read_bytes(), "new.txt", run=2)
    assert "three-way/runs/Cedar-2.txt" in archive(contest, "Alder")
    assert len(made) == 2


def test_slow_reports_leave_threads_for_everybody_else(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """More people than the server has threads ask for reports that take long, and it answers others at once."""
    from karat.server import results
    from karat.server.pages import results as pages
    from karat.server.serving import THREADS, make_server

    contest, go = site.contest(), threading.Event()
    contest.release("public")
    contest.text("nobody")

    def slow(asked: Any) -> bytes:
        go.wait(240)
        return str(asked.runs).encode()

    monkeypatch.setattr(results, "_page", slow)
    monkeypatch.setattr(pages, "PATIENCE", 240.0)
    server = make_server("127.0.0.1", 0)
    serving = threading.Thread(target=server.run, daemon=True)
    serving.start()

    def get(path: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", server.effective_port, timeout=60)
        connection.request("GET", path)
        status = connection.getresponse().status
        connection.close()
        return status

    with ThreadPoolExecutor(2 * THREADS) as people:
        addresses = [f"/c/{contest.name}/teams/{team}/tasks/three-way/" for team in site.TEAMS]
        asked = [people.submit(get, address) for address in addresses * 4]
        wait(asked, 60, FIRST_COMPLETED)
        assert get("/healthz") == 200, "long before those who wait have lost their patience"
        go.set()
        assert {one.result() for one in asked} == {200, 202}
        while {get(address) for address in addresses} != {200}:
            pass  # all are made, one after the other
    server.close()
    serving.join(10)


def test_a_packed_file_has_no_name_for_others(home: Any) -> None:
    """What gzip writes into the head of a file, its name and a remark, stays behind; the content does not change."""
    del home
    import gzip
    import io

    from karat.server.results import unnamed

    packed = io.BytesIO()
    with gzip.GzipFile("zebrawood-lab.txt", "wb", fileobj=packed) as file:
        file.write(b"1 ENTAILMENT\n")
    raw = packed.getvalue()
    assert b"zebrawood" in raw
    assert b"zebrawood" not in unnamed(raw)
    everything = (
        raw[:3] + bytes([raw[3] | 0b10110]) + raw[4:10] + b"\x03\x00abc" + raw[10:28] + b"remark\0xx" + raw[28:]
    )
    for one in (raw, everything):
        assert gzip.decompress(unnamed(one)) == b"1 ENTAILMENT\n"
    for plain in (b"1 ENTAILMENT\n", b"", gzip.compress(b"x", mtime=0)):
        assert unnamed(plain) == plain

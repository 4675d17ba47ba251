"""A real campaign, replayed: ten teams on VariErr's pairs, from the blind set to a new key and the archive."""

from __future__ import annotations

import json
import re
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.real.varierr import VariErr, read
from tests.server.clients import Client, move_deadline, prepared
from tests.server.conftest import karat, servers

FILE = """
name = "varierr"
title = "VariErr, replayed"

[dates]
opens = {opens}
closes = {closes}

[[tasks]]
name = "three-way"
test = "pairs.xml"
runs = 1
"""
PAGE = Path(__file__).parents[2] / "docs" / "replayed.md"


@pytest.fixture(scope="module")
def varierr(real: Path) -> VariErr:
    """The data."""
    return read(real)


def told(home: Path, *arguments: str) -> Any:
    """What a command of the organisers prints, as JSON."""
    done = karat(home, "campaign", *arguments, "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def places(scores: dict[str, float]) -> dict[str, int]:
    """The place of each run: 1 + how many have a higher score."""
    return {run: 1 + sum(other > score for other in scores.values()) for run, score in scores.items()}


@pytest.mark.nightly
def test_varierr_replayed(varierr: VariErr, tmp_path: Path) -> None:
    """Blind set, ten teams through the interface, a key without its errors, release, archive; and what came out."""
    with servers(tmp_path) as serve:
        replay(varierr, serve, tmp_path)


def replay(varierr: VariErr, serve: Callable[..., Any], tmp_path: Path) -> None:
    """The whole campaign, step by step."""
    now = datetime.now(UTC)
    dates = {"opens": (now - timedelta(days=1)).isoformat(), "closes": (now + timedelta(days=1)).isoformat()}
    (tmp_path / "varierr.toml").write_text(FILE.format(**dates), encoding="utf-8")
    (tmp_path / "pairs.xml").write_bytes(varierr.xml(1))
    (tmp_path / "round-2.xml").write_bytes(varierr.xml(2))
    home = tmp_path / "home"
    tokens = prepared(home, tmp_path / "varierr.toml", *varierr.runs)
    served = serve(home=home)

    for team, token in tokens.items():
        one = Client(served.address, token)
        blind = one.ask("GET", "/api/campaigns/varierr/tasks/three-way/data")
        pairs = ET.fromstring(blind.body)
        assert [pair.attrib for pair in pairs] == [{"id": id} for id in varierr.texts]
        sent = one.submit("varierr", varierr.run(team), run="1")
        assert (sent.status, sent.json["receipt"]["state"]) == (201, "scored")
        assert one.runs("varierr")[0]["scores"] is None

    first = {run: varierr.accuracy(run, 1) for run in varierr.runs}
    second = {run: varierr.accuracy(run, 2) for run in varierr.runs}
    board = told(home, "board", "varierr")
    assert board["key_version"] == 1
    assert {
        one["run"].removesuffix("-1"): one["values"]["3"]["accuracy"] for one in _three_way(board)
    } == pytest.approx(first)

    change = [str(tmp_path / "round-2.xml"), "--reason", "errors found in the second round are taken out"]
    preview = told(home, "rescore", "varierr", *change)
    assert told(home, "board", "varierr")["key_version"] == 1, "a preview changes nothing"
    before, after = places(first), places(second)
    moved = {run: (before[run], after[run]) for run in before if before[run] != after[run]}
    found = {one["run"].removesuffix("-1"): (one["from"], one["to"]) for one in _three_way(preview, "ranks_changed")}
    assert found == moved
    printed = karat(home, "campaign", "rescore", "varierr", *change).stdout
    applied = told(home, "rescore", "varierr", *change, "--apply")
    assert applied["ranks_changed"] == preview["ranks_changed"]
    board = told(home, "board", "varierr")
    assert board["key_version"] == 2
    assert {
        one["run"].removesuffix("-1"): one["values"]["3"]["accuracy"] for one in _three_way(board)
    } == pytest.approx(second)

    deadline = move_deadline(home, "varierr", 1.0)
    time.sleep(max(0.0, (deadline - datetime.now(UTC)).total_seconds()) + 1.5)
    told(home, "release", "varierr", "teams", "--apply")
    for team, token in tokens.items():
        (own,) = Client(served.address, token).runs("varierr")
        assert own["scores"]["3"]["accuracy"] == pytest.approx(second[team])
        assert own["key_version"] == 2
    anybody = Client(served.address)
    assert anybody.ask("GET", "/c/varierr/results/").status == 302
    told(home, "release", "varierr", "public", "--apply")
    results = anybody.made("/c/varierr/results/").body.decode()
    assert all(f"{team}-1" in results for team in tokens)
    assert "key version 2" in results.lower()

    told(home, "export", "varierr", "-o", str(tmp_path / "varierr.zip"))
    told(tmp_path / "another", "import", str(tmp_path / "varierr.zip"))
    assert told(tmp_path / "another", "verify", "varierr")["equal"] is True
    told(tmp_path / "another", "export", "varierr", "-o", str(tmp_path / "again.zip"))
    assert (tmp_path / "again.zip").read_bytes() == (tmp_path / "varierr.zip").read_bytes()

    # The page of the documentation says what came out, and begins with it.
    shown = " ".join(PAGE.read_text("utf-8").partition("```output\n")[2].partition("```")[0].split())
    for sentence in shown.replace("•", "…").strip("… ").split(" … "):
        assert sentence in " ".join(printed.split()), sentence
    rows = re.findall(
        r"^\| (bert-seed-\d+) \| ([\d.]+) \| (\d+) \| ([\d.]+) \| (\d+) \|$", PAGE.read_text("utf-8"), re.M
    )
    assert {run: (a, int(b), c, int(d)) for run, a, b, c, d in rows} == {
        run: (f"{100 * first[run]:.1f}", before[run], f"{100 * second[run]:.1f}", after[run]) for run in varierr.runs
    }


def _three_way(answer: dict[str, Any], name: str = "runs") -> list[dict[str, Any]]:
    return [one for one in answer[name] if str(one.get("way", "3")) == "3" and not one.get("trivial")]

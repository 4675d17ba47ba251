"""The commands and the interface for programs on a real server, in processes of their own."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from karat import examples
from tests.cli.calls import karat as in_process
from tests.server.conftest import Served, karat

RUNS = examples.HERE / "runs"


def told(home: Path, *words: str | Path) -> Any:
    """What a command prints for programs."""
    done = karat(home, "campaign", *map(str, words), "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_commands_beside_a_server(
    serve: Callable[..., Served], campaign_file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What commands change, the running server knows at once, and the other way round; every receipt is honoured."""
    monkeypatch.delenv("KARAT_URL", raising=False)
    server = serve()
    assert told(server.home, "new", campaign_file("one"))["campaign"] == "one"
    told(server.home, "enrol", "one", "--team", "Alder", "--signed", "Ann Alder")
    token = told(server.home, "token", "one", "Alder")["token"]
    invited = told(server.home, "invite", "one", "--team", "Birch")
    assert invited["url"].startswith(f"{server.address}/enter/")
    to = ["--to", server.address, "--token", token, "--campaign", "one", "--task", "three-way", "--format", "json"]
    done = in_process("submit", RUNS / "careful.jsonl", *to, "--run", "1")
    assert done.returncode == 0, done.stderr
    receipt = json.loads(done.stdout)["receipt"]
    assert json.loads(in_process("submit", RUNS / "careful.jsonl", *to, "--run", "1").stdout)["receipt"] == receipt
    assert in_process("submit", RUNS / "cautious.txt", *to, "--run", "4").returncode == 1
    assert in_process("submit", RUNS / "two-way.txt", *to, "--run", "2").returncode == 1
    assert in_process("submit", RUNS / "cautious.txt", *to, "--run", "2", "--dry-run").returncode == 0
    assert [run["run"] for run in told(server.home, "board", "one")["runs"]] == ["Alder-1"]
    _check_body_limits(server, token)
    assert server.stop() == 0
    again = serve(home=server.home)
    path = f"{again.address}/api/campaigns/one/tasks/three-way/runs/{receipt['id']}"
    request = urllib.request.Request(path, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=10) as response:
        kept = json.load(response)
    assert {name: kept[name] for name in receipt} == receipt
    assert told(server.home, "verify", "one")["equal"] is True


def _check_body_limits(server: Served, token: str) -> None:
    """A body over 12 MiB is refused from its length alone, one over 10 MiB with a problem."""
    host = server.address.removeprefix("http://")
    path = "/api/campaigns/one/tasks/three-way/runs"
    with_token = {"Authorization": f"Bearer {token}"}
    connection = http.client.HTTPConnection(host, timeout=10)
    connection.request("POST", path, headers=with_token | {"Content-Length": str(13 << 20)})
    assert connection.getresponse().status == 413
    connection.close()
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="r"\r\n\r\n'
    body = head + b"x" * (11 << 20) + b"\r\n--x--\r\n"
    request = urllib.request.Request(
        server.address + path, body, with_token | {"Content-Type": "multipart/form-data; boundary=x"}
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=30)
    with refused.value as answer:
        assert answer.code == 413
        assert [problem["code"] for problem in json.load(answer)["problems"]] == ["too-large"]

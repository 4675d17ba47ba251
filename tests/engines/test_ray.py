"""A real ray cluster on this machine: the same bytes, workers that are killed, and nothing left behind.

It starts in some ten seconds, so `make nightly` runs these tests, where ray is installed (`pip install
'karat[cluster]'`).
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from karat import examples, read_pairs, write_pairs

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not find_spec("ray"), reason="ray is not installed"),
]
PROGRAM = """
import json, os, sys, time
sys.stdin.readline()
print('{"ready": true}', flush=True)
for line in sys.stdin:
    pair = json.loads(line)
    if "end" in pair:
        print(line, end="", flush=True)
        continue
    time.sleep(float(sys.argv[1]))
    if pair["id"] == sys.argv[2]:
        os.kill(os.getppid(), 9)
    print(json.dumps({"id": pair["id"], "label": "ENC"[len(pair["text"]) % 3], "confidence": 0.75}), flush=True)
"""
"""It takes its time over a pair, and kills the worker that asks it about one."""
Call = Callable[..., list[str]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder in which nothing is to be written."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("KARAT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.fixture
def call(tmp_path: Path, home: Path) -> Call:
    """The command that answers some hundred pairs by the program, given the file to write."""
    assert home.exists()
    (tmp_path / "program.py").write_text(PROGRAM)
    key = read_pairs(examples.PAIRS)
    write_pairs(key.blinded(), tmp_path / "pairs.jsonl")

    def command(output: str, *more: str, seconds: float = 0.0, deadly: str = "none") -> list[str]:
        program = shlex.join([sys.executable, str(tmp_path / "program.py"), str(seconds), deadly])
        words = ["run", f"outside(command={program!r})", str(tmp_path / "pairs.jsonl"), "-o", str(tmp_path / output)]
        code = "from karat.cli import main; main()"
        return [sys.executable, "-c", code, *words, "--chunk", "8", "--jobs", "2", "--quiet", *more]

    return command


@pytest.fixture(autouse=True)
def tidy(home: Path) -> Iterator[None]:
    """A test leaves no process, no folder of ray's and nothing in the user's home."""
    before = set(Path("/tmp").glob("karat-ray-*"))
    yield
    last = time.monotonic() + 120
    while (left := workers("raylet|gcs_server|ray::")) and time.monotonic() < last:
        time.sleep(0.5)
    assert not left
    assert list(home.iterdir()) == []
    assert set(Path("/tmp").glob("karat-ray-*")) == before


def workers(pattern: str) -> list[int]:
    """The processes whose command has a pattern."""
    found = subprocess.run(["pgrep", "-f", pattern], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]


def done(command: list[str]) -> subprocess.CompletedProcess[str]:
    """A command that is left to end, and says nothing on standard error."""
    found = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    assert (found.returncode, found.stderr) == (0, "")
    return found


def test_the_same_bytes(call: Call, tmp_path: Path) -> None:
    """Actors give what one process gives, and say nothing."""
    done(call("here.csv", "--on", "here"))
    process = subprocess.Popen(call("ray.csv", "--on", "ray", seconds=0.05), stderr=subprocess.PIPE, text=True)
    last = time.monotonic() + 200
    while process.poll() is None and not (tmp_path / "ray.csv.part.json").exists():
        assert time.monotonic() < last
        time.sleep(0.1)
    _, said = process.communicate(timeout=300)
    assert (process.returncode, said) == (0, "")
    assert (tmp_path / "ray.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()


def test_an_actor_killed_from_outside(call: Call, tmp_path: Path) -> None:
    """Its chunks are answered by another; a pair that kills every worker is a failed pair, and the only one."""
    done(call("here.csv", "--on", "here"))
    command = call("ray.csv", "--on", "ray", seconds=0.1)
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    last = time.monotonic() + 200
    while not (tmp_path / "ray.csv.part.json").exists():
        assert time.monotonic() < last
        time.sleep(0.1)
    os.kill(workers("ray::Worker")[0], signal.SIGKILL)
    _, said = process.communicate(timeout=400)
    assert (process.returncode, said) == (0, "")
    assert (tmp_path / "ray.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()
    found = json.loads(done(call("deadly.csv", "--on", "ray", "--format", "json", deadly="17")).stdout)
    assert [(one["id"], one["reason"]) for one in found["failures"]] == [("17", "the process that answered it died")]
    assert found["pairs"] == 160


def test_killed_and_gone_on_with(call: Call, tmp_path: Path) -> None:
    """Where the call itself is killed, its cluster goes with it, and the same call elsewhere gives the same bytes."""
    done(call("here.csv", "--on", "here"))
    process = subprocess.Popen(call("ray.csv", "--on", "ray", seconds=0.1), stderr=subprocess.DEVNULL)
    last = time.monotonic() + 200
    while not (tmp_path / "ray.csv.part.json").exists():
        assert time.monotonic() < last
        time.sleep(0.1)
    process.kill()
    process.wait()
    for folder in Path("/tmp").glob("karat-ray-*"):  # what a program that is killed cannot remove
        subprocess.run(["rm", "-rf", str(folder)], check=True)
    done(call("ray.csv", "--on", "processes", seconds=0.1))
    assert (tmp_path / "ray.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()


def begun(call: Call, tmp_path: Path) -> subprocess.Popen[str]:
    """A call on ray that has answered something."""
    process = subprocess.Popen(call("ray.csv", "--on", "ray", seconds=0.1), stderr=subprocess.PIPE, text=True)
    last = time.monotonic() + 200
    while not (tmp_path / "ray.csv.part.json").exists():
        assert time.monotonic() < last
        time.sleep(0.1)
    return process


def test_a_lost_cluster(call: Call, tmp_path: Path) -> None:
    """Where the only machine of a cluster is lost, the call ends with a sentence, and the same call goes on."""
    done(call("here.csv", "--on", "here"))
    process = begun(call, tmp_path)
    os.kill(workers("ray::DashboardAgent")[0], signal.SIGKILL)  # without it a machine leaves its cluster
    _, said = process.communicate(timeout=200)
    assert process.returncode == 2
    assert "the same call goes on" in said
    assert len(said.splitlines()) == 1
    done(call("ray.csv", "--on", "processes", seconds=0.1))
    assert (tmp_path / "ray.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()


def test_stopped_in_order(call: Call, tmp_path: Path) -> None:
    """A call that a scheduler stops says so in a line; its cluster and the files of ray go with it."""
    process = begun(call, tmp_path)
    process.terminate()
    _, said = process.communicate(timeout=200)
    assert (process.returncode, said) == (128 + signal.SIGTERM, "karat: stopped by SIGTERM\n")


def test_what_cannot_be(call: Call) -> None:
    """A program that is not there, GPUs that are not there and a cluster that does not answer are one sentence each."""
    for more, told in (
        (["--on", "ray", "--gpus-per-worker", "1"], "the cluster has 0 GPUs"),
        (["--on", "ray://127.0.0.1:1"], "cannot reach the cluster at ray://127.0.0.1:1"),
    ):
        found = subprocess.run(call("run.csv", *more), capture_output=True, text=True, timeout=300, check=False)
        assert found.returncode == 2
        assert told in found.stderr
        assert len(found.stderr.splitlines()) == 1

"""The command line among other programs: closed streams, full disks, narrow terminals, and signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from karat import examples

KARAT = f"{sys.executable} -c 'from karat.cli import main; main()'"
SCORE = f"{KARAT} score {examples.PAIRS} {examples.RUNS}"


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A line of a shell, with a limit on its time."""
    return subprocess.run(
        ["bash", "-c", line],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        encoding="utf-8",
    )


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        (f"{SCORE} --quiet >&-", 2, "standard output is closed"),
        (f"{SCORE} --quiet >/dev/full", 2, "cannot write to standard output: No space left on device"),
        (f"{KARAT} measures >/dev/full", 2, "cannot write to standard output: No space left on device"),
        (f"{KARAT} score - {examples.RUNS} <&-", 1, "standard input is closed"),
        (f"{KARAT} score {examples.PAIRS} /dev/zero", 1, "a device or a pipe, not a file"),
        (f"{KARAT} run overlap {examples.PAIRS} --model /dev/zero", 2, "a device or a pipe, not a file"),
        (f"{SCORE} --quiet 2>&-", 0, ""),
        (f"{SCORE} --quiet | head -1", 0, ""),
    ],
)
def test_streams(line: str, status: int, said: str) -> None:
    """A stream that is closed or full is a sentence and a status, never a traceback."""
    done = shell(f"set -o pipefail; {line}")
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    assert done.returncode == status, done.stderr


def test_narrow_encodings() -> None:
    """A terminal that knows ASCII only gets signs that it can show."""
    done = shell(f'script -qec "{SCORE.replace(chr(39), chr(92) + chr(39))}" /dev/null', PYTHONIOENCODING="ascii")
    assert "Traceback" not in done.stdout + done.stderr
    help_text = shell(f"{KARAT} score --help", PYTHONIOENCODING="ascii")
    assert help_text.returncode == 0
    assert "Traceback" not in help_text.stderr


SLOW = """
import os, pathlib, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print('{"ready": true}', flush=True)
child = subprocess.Popen(["sleep", "600"])
mark = pathlib.Path(sys.argv[1], str(os.getpid()))
mark.with_suffix(".part").write_text(f"{os.getpid()} {os.getppid()} {child.pid}")
mark.with_suffix(".part").rename(mark.with_suffix(".pids"))
time.sleep(600)
"""
"""A program that says it is ready and then nothing, and leaves neither when it is asked to nor when its input ends."""


@pytest.mark.nightly
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
@pytest.mark.parametrize("whole", [False, True], ids=["alone", "the group"])
def test_signals_end_everything(number: signal.Signals, jobs: int, whole: bool, tmp_path: Path) -> None:
    """Whoever stops karat stops its processes, the programs they started and what these started.

    It gets one line, and the status that shells expect; a terminal sends the signal to the whole group.
    """
    program, marks = tmp_path / "slow.py", tmp_path / "marks"
    program.write_text(SLOW)
    marks.mkdir()
    command = f"outside(command='{sys.executable} {program} {marks}')"
    # Under nohup, or in the background of a script, signals are ignored, and children inherit that.
    heard = f"import signal; signal.signal({number:d}, signal.SIG_DFL); from karat.cli import main; main()"
    arguments = [sys.executable, "-c", heard, "run", command, str(examples.PAIRS)]
    arguments += ["--quiet", "--way", "2", "--jobs", str(jobs)]
    with subprocess.Popen(
        arguments, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as karat:
        until = time.monotonic() + 90
        while len(list(marks.glob("*.pids"))) < jobs and karat.poll() is None and time.monotonic() < until:
            time.sleep(0.1)
        assert karat.poll() is None, karat.communicate()
        started = {int(pid) for mark in marks.glob("*.pids") for pid in mark.read_text().split()} - {karat.pid}
        assert len(started) == jobs * (2 if jobs == 1 else 3)
        if whole:
            os.killpg(karat.pid, number)
        else:
            karat.send_signal(number)
        _, said = karat.communicate(timeout=30)
    assert karat.returncode == 128 + number
    assert said == f"karat: stopped by {number.name}\n"
    until = time.monotonic() + 5
    while any(running(pid) for pid in started) and time.monotonic() < until:
        time.sleep(0.1)
    assert [pid for pid in started if running(pid)] == []


def running(pid: int) -> bool:
    """Whether a process is there, and is no zombie that nobody waits for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False

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
import sys, time, os
print('{"ready": true}', flush=True)
open(sys.argv[1], "w").write(str(os.getpid()))
time.sleep(600)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_end_everything(number: signal.Signals, tmp_path: Path) -> None:
    """Whoever stops karat stops the program that it started, gets one line, and the status that shells expect."""
    program, mark = tmp_path / "slow.py", tmp_path / "pid"
    program.write_text(SLOW)
    command = f"outside(command='{sys.executable} {program} {mark}')"
    code = "from karat.cli import main; main()"
    arguments = [sys.executable, "-c", code, "run", command, str(examples.PAIRS), "--quiet", "--way", "2"]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as karat:
        waited = 0.0
        while not (mark.exists() and mark.read_text()) and karat.poll() is None and waited < 60:
            time.sleep(0.1)
            waited += 0.1
        assert karat.poll() is None, karat.communicate()
        started = int(mark.read_text())
        karat.send_signal(number)
        _, said = karat.communicate(timeout=30)
    assert karat.returncode == 128 + number
    assert said.strip().splitlines()[-1].startswith("karat: stopped")
    assert "Traceback" not in said
    for _ in range(50):
        if not Path(f"/proc/{started}").exists():
            break
        time.sleep(0.1)
    with pytest.raises(ProcessLookupError):
        os.kill(started, 0)

"""Tests of the example campaign."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.server.conftest import surroundings

TWICE = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
from karat.server.serving import prepare
prepare(sys.argv[1])
from django.db import connections
from karat.server.example import make_example
from karat.server.store import names, state_of, verify
def make(_):
    try:
        return make_example(), len(state_of("example").members), len(state_of("example").active())
    finally:
        connections.close_all()
with ThreadPoolExecutor(4) as threads:
    made = list(threads.map(make, range(4)))
print(json.dumps([made, names(), verify("example")["equal"], len(state_of("example").refused)]))
"""


def test_pressed_twice(tmp_path: Path) -> None:
    """However often it is asked for at once, there is one example, which everybody sees whole."""
    command = [sys.executable, "-c", TWICE, str(tmp_path / "home")]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [[["example", 4, 8]] * 4, ["example"], True, 0]


CUT_OFF = """
import json, sys
from karat.server.serving import prepare
prepare(sys.argv[1])
from karat.server import example
from karat.server.store import state_of
whole, example.submit = example.submit, None
try:
    example.make_example()
except TypeError:
    pass
begun = len(state_of("example").members)
example.submit = whole
example.make_example()
print(json.dumps([begun, len(state_of("example").members), len(state_of("example").active())]))
"""


def test_cut_off(tmp_path: Path) -> None:
    """A server that was stopped while it made the example goes on where it was."""
    command = [sys.executable, "-c", CUT_OFF, str(tmp_path / "home")]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [1, 4, 8]

"""Other processes, and their environment: what this process has set for itself does not reach them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

OWN = ("KARAT_URL", "KARAT_HOME", "DJANGO_SETTINGS_MODULE", "DJANGO_ALLOW_ASYNC_UNSAFE")
"""Variables that a process sets for its own home; a test of the server leaves them to the tests after it."""


def surroundings() -> dict[str, str]:
    """The environment of this process without what it has set for its own home."""
    return {name: value for name, value in os.environ.items() if name not in OWN}


def elsewhere(*arguments: object) -> Any:
    """What Python prints in a process of its own, read as JSON; a busy machine takes as long as it takes."""
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=500)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout or "null")

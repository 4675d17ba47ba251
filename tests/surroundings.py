"""The environment of other processes: what this process has set for itself does not reach them."""

from __future__ import annotations

import os

OWN = ("KARAT_URL", "KARAT_HOME", "DJANGO_SETTINGS_MODULE", "DJANGO_ALLOW_ASYNC_UNSAFE")
"""Variables that a process sets for its own home; a test of the server leaves them to the tests after it."""


def surroundings() -> dict[str, str]:
    """The environment of this process without what it has set for its own home."""
    return {name: value for name, value in os.environ.items() if name not in OWN}

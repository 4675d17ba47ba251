"""Where the real data lies; without it these tests are skipped, and say so."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def real() -> Path:
    """The folder that KARAT_REAL_DATA names."""
    folder = os.environ.get("KARAT_REAL_DATA")
    if not folder:
        pytest.skip("KARAT_REAL_DATA is not set: it names a folder of public test sets that karat does not ship")
    if not Path(folder).is_dir():
        pytest.fail(f"KARAT_REAL_DATA={folder} is no folder")
    return Path(folder)

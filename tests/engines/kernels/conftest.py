"""What tests of kernels share."""

from __future__ import annotations

import pytest

from tests.engines.kernels import batches


@pytest.fixture(scope="session")
def loaded() -> None:
    """Every kernel of distance has run once: no example is late because its kernel was compiled in it."""
    batches.loaded()

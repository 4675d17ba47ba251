"""Random numbers depend on seed and purpose alone; what is checked of arguments is tested with the public functions."""

from __future__ import annotations

from karat.data.parameters import generator


def test_generator_is_keyed() -> None:
    """The same key gives the same numbers, another purpose others."""
    assert generator(1, "a", 2).integers(1 << 60) == generator(1, "a", 2).integers(1 << 60)
    others = {int(generator(*key).integers(1 << 60)) for key in ((1, "a"), (2, "a"), (1, "b"), (1, "a", 0))}
    assert len(others) == 4

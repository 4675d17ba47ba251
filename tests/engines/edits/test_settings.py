"""Presets, what overrides them, and what does not go together."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from karat.engines.edits.settings import CHOICES, PRESETS, Preset, Settings, Spelled, settings
from karat.engines.engine import engines
from karat.errors import UsageError


@pytest.mark.parametrize("preset", PRESETS)
def test_given_overrides(preset: Preset) -> None:
    """What is given stands in the place of what the preset says, and nothing else changes."""
    base = settings(preset, {})
    made = settings(preset, {"insert": Fraction(1, 4), "normalise": "default", "stop_words": "none", "delete": ""})
    assert made == msgspec.structs.replace(base, insert=0.25, normalise="default", stop_words="none")


def test_faithful() -> None:
    """The faithful preset is the platform's default: free deletions, one for all else, no dictionary."""
    made = settings("faithful", {})
    assert (made.delete, made.insert, made.substitute) == (0.0, 1.0, 1.0)
    assert (made.distance, made.stop_words) == ("lemma", "pos")
    assert (made.weights, made.dictionary, made.window, made.threshold) == ("uniform", "none", 0, "eop")


def test_preset_window_is_dropped() -> None:
    """A distance that has no window does without the preset's."""
    assert settings("best", {}).window > 0
    assert settings("best", {"distance": "tree"}).window == 0


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"distance": "tokne"}, "did you mean 'token'"),
        ({"delete": -1}, "not negative"),
        ({"delete": "cheap"}, "not negative"),
        ({"window": 1.5}, "whole number"),
        ({"outside": 2}, "from 0 to 1"),
        ({"distance": "lemma", "window": 5}, "a window goes with"),
        ({"weights": "IDF + RARE"}, "RARE"),
    ],
)
def test_refused(given: dict[str, Spelled], told: str) -> None:
    """What cannot be is told at once."""
    with pytest.raises(UsageError, match=told):
        settings("best", given)


def test_every_setting_is_a_parameter() -> None:
    """Whatever can be set can stand in brackets after the engine's name, and round-trips there."""
    entry = engines["edit-distance"]
    assert set(entry.parameters) == {"preset", *Settings.__struct_fields__}
    assert CHOICES.keys() <= set(entry.parameters)
    spelling = str(engines.parse("edit-distance(faithful, distance=token, delete=1/2, weights='IDF * (1 + NOUN)')"))
    assert str(engines.parse(spelling)) == spelling
    assert str(engines.parse("edit-distance")) == "edit-distance"

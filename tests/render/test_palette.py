"""The colours: each means one thing, and colour-blind readers distinguish the labels too."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from karat.arrays import Floats
from karat.render.figures.palette import DARK, LABELS, LIGHT, RUN_COLOURS

# Machado, Oliveira and Fernandes (2009): what linear RGB becomes without one kind of cones.
SEEN = {
    "all cones": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
CLEARLY = 20
"""A distance in CIELAB that nobody overlooks; 2.3 is just noticeable."""


def lab(colour: str, eye: str) -> Floats:
    """A colour in CIELAB, as an eye sees it."""
    parts = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    x, y, z = XYZ @ np.clip(SEEN[eye] @ linear, 0, 1) / XYZ.sum(axis=1)
    x, y, z = (np.cbrt(one) if one > 0.008856 else 7.787 * one + 16 / 116 for one in (x, y, z))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def distance(one: str, other: str, eye: str = "all cones") -> float:
    """The distance of two colours in CIELAB."""
    return float(np.linalg.norm(lab(one, eye) - lab(other, eye)))


def test_distance_itself() -> None:
    """White and black are 100 apart; red and green of one lightness are alike without the cones for green."""
    assert distance("#ffffff", "#000000") == pytest.approx(100, abs=0.1)
    assert distance("#856404", "#b3341d") > 2 * CLEARLY > 10 * distance("#856404", "#b3341d", "deuteranopia")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("eye", SEEN)
def test_labels_differ_for_every_eye(theme: dict[str, str], eye: str) -> None:
    """No two labels look alike, whatever cones are missing."""
    for one, other in combinations(LABELS.values(), 2):
        assert distance(theme[one], theme[other], eye) >= CLEARLY, (one, other)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_colour_means_one_thing(theme: dict[str, str]) -> None:
    """Labels have no colour of a run, nor of what needs attention, nor of a link."""
    for label in LABELS.values():
        for other in (*RUN_COLOURS, "warn", "a"):
            assert distance(theme[label], theme[other]) >= CLEARLY, (label, other)

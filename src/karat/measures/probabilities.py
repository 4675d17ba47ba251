"""Measures of probabilities: log loss and Brier's score of those of all labels, calibration error of the answers'."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats
from karat.data.responses import Forecasts
from karat.measures.facts import measure

TENTHS = 10
EDGES = np.arange(TENTHS + 1) / TENTHS
"""The edges of the tenths, as exact decimals: a confidence of 0.3 is in the tenth that begins there."""
LEAST = float(np.finfo(np.float64).eps)
"""A probability of 0 counts as this, as in scikit-learn: otherwise one such answer would make any loss infinite."""


def _surprise(forecasts: Forecasts) -> Floats:
    of_key = np.take_along_axis(forecasts.shares, forecasts.key[:, None].astype(np.int64), axis=1)[:, 0]
    return -np.log(np.maximum(of_key, LEAST))


def _squares(forecasts: Forecasts) -> Floats:
    labels = forecasts.shares.shape[1]
    squares = ((forecasts.shares - np.eye(labels)[forecasts.key]) ** 2).sum(axis=1)
    return squares / 2 if labels == 2 else squares


def tenths(confidence: Floats) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """The tenth that each confidence is in; the last includes 1."""
    return np.searchsorted(EDGES[1:-1], confidence, side="right")


def in_tenths(forecasts: Forecasts, each: Floats) -> Floats:
    """A number for each unit, in the tenth of its confidence (units, tenths); 0 in the others."""
    return np.asarray(each[:, None] * np.eye(TENTHS)[tenths(forecasts.confidence)])


def _beyond(forecasts: Forecasts) -> Floats:
    return in_tenths(forecasts, forecasts.confidence - forecasts.right)


@measure(
    "log_loss",
    heading="log loss",
    of=Forecasts,
    range=(0, np.inf),
    respects={"negation", "scaling"},
    interval="mean",
    each=_surprise,
    lower=True,
    undefined="there are no scored pairs",
    source="Good 1952",
    shown=False,
    unit="nats",
)
def log_loss(forecasts: Forecasts) -> Floats:
    """The mean of −ln of the probability that the run gives the key's label; smaller is better, ln 3 is a guess."""
    return forecasts.mean(_surprise(forecasts))


@measure(
    "brier",
    heading="Brier",
    of=Forecasts,
    range=(0, 2),
    respects={"negation", "scaling"},
    interval="mean",
    each=_squares,
    lower=True,
    undefined="there are no scored pairs",
    source="Brier 1950",
    shown=False,
)
def brier(forecasts: Forecasts) -> Floats:
    """The squared distance of the probabilities from 1 for the key's label and 0 for others; halved for two labels."""
    return forecasts.mean(_squares(forecasts))


@measure(
    "calibration_error",
    heading="calibration error",
    of=Forecasts,
    range=(0, 1),
    respects={"negation", "scaling"},
    interval="tenths",
    each=_beyond,
    lower=True,
    percent=True,
    undefined="there are no scored pairs",
    source="Naeini, Cooper and Hauskrecht 2015",
    shown=False,
)
def calibration_error(forecasts: Forecasts) -> Floats:
    """The distance of mean confidence and accuracy in each tenth of the confidences, averaged over the pairs."""
    return np.abs(forecasts.mean(_beyond(forecasts))).sum(axis=-1)

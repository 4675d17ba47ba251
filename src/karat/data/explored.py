"""The pairs of a test set with every answer, as columns: what a page lists errors from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from karat.data.fields import Why


@dataclass(frozen=True)
class Scoring:
    """A way of scoring: an answer is right if it counts as the same letter as the key."""

    way: str
    counts_as: str
    """For each label, in order, the letter that it counts as."""
    runs: tuple[str, ...]
    """The runs that can be scored in this way."""


@dataclass(frozen=True)
class Attribute:
    """An attribute of the pairs: its values, and for each pair the places of its own among them."""

    values: Sequence[str]
    places: Sequence[Sequence[int]]


@dataclass(frozen=True)
class Confidences:
    """The confidences that a run states, as integers: two significant digits where they are largest."""

    decimals: int
    """How many digits of an integer are decimals."""
    entailment: bool
    """Whether they are confidences in entailment and not in the answer."""
    values: Annotated[Sequence[int | None], Why("the run states no confidence for this pair")]


@dataclass(frozen=True)
class Explored:
    """The pairs of a test set with the answers of every run and assessor."""

    ids: Sequence[str]
    texts: Sequence[str]
    hypotheses: Sequence[str]
    """Texts and hypotheses are empty if the key has only ids and labels."""
    labels: tuple[str, ...]
    """The meaning of the letters: a is the first label, b the second; a dash is none."""
    key: str
    """One letter per pair."""
    answers: Mapping[str, str]
    """For each run, one letter per pair."""
    scorings: tuple[Scoring, ...]
    """The ways in which answers are right or wrong; the first is the one that runs are compared in."""
    attributes: Mapping[str, Attribute]
    confidences: Mapping[str, Confidences]
    """The confidences of runs that state them."""
    justifications: Mapping[str, Sequence[str]]
    """For each run that justifies its answers, one text per pair, shortened if it is very long."""
    assessors: Mapping[str, str]
    """For each assessor, one letter per pair."""

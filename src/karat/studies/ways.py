"""Which labels a study shows."""

from __future__ import annotations

from karat.data.responses import Responses
from karat.errors import UsageError
from karat.labels import THREE, TWO, Way


def shown_ways(runs: Responses, asked: str) -> list[Way]:
    """The ways asked for; by default three-way if the key and all runs are three-way, else two-way."""
    three = runs.key.way is THREE and len(runs) > 0 and bool(runs.allows(THREE).all())
    if asked == "auto":
        return [THREE] if three else [TWO]
    if asked == "2":
        return [TWO]
    if runs.key.way is not THREE:
        raise UsageError(f"--way {asked}: the key {runs.key.source.name} is two-way, and two-way never unfolds")
    return [THREE] if asked == "3" else [THREE, TWO]


def common_ways(runs: Responses, asked: str) -> list[Way]:
    """The ways asked for, where every run can be scored in each; else an error that names those that cannot."""
    ways = shown_ways(runs, asked)
    for way in ways:
        if not (allowed := runs.allows(way)).all():
            names = [name for name, can in zip(runs.names, allowed, strict=True) if not can]
            raise UsageError(
                f"--way {asked}: every run must be three-way, and {', '.join(map(repr, names))} answers two-way; "
                f"leave it out, or say --way 2"
            )
    return ways


def one_way(runs: Responses, asked: str, every_run: bool = True) -> Way:
    """The one way that a study works in at a time."""
    return (common_ways if every_run else shown_ways)(runs, asked)[0]

"""Scores of nuggets from the definitions, in plain loops over a world: nothing of the package."""

from __future__ import annotations

from statistics import mean

from tests.studies.qa_worlds import World

SUPPORT = {"support": 1.0, "partial_support": 0.5, "not_support": 0.0}


def of_list(
    world: World, run: str, assessor: str, topic: str, name: str, length: int | None, beta: float
) -> float | None:
    """One score by one assessor's list; None where it is undefined."""
    strict = name.startswith("strict_")
    name = name.removeprefix("strict_")
    listed = world.nuggets[assessor, topic]
    degrees = {nugget: world.held.get((run, assessor, topic, nugget), "not_support") for nugget, _ in listed}
    worth = {nugget: float(degree == "support") if strict else SUPPORT[degree] for nugget, degree in degrees.items()}
    vital = [nugget for nugget, importance in listed if importance == "vital"]
    okay = [nugget for nugget, importance in listed if importance == "okay"]
    if not vital:
        return None
    if name == "all":
        return sum(worth.values()) / len(listed)
    if name == "vital":
        return sum(worth[one] for one in vital) / len(vital)
    if name == "weighted":
        held = sum(worth[one] for one in vital) + 0.5 * sum(worth[one] for one in okay)
        return held / (len(vital) + 0.5 * len(okay))
    matched = [nugget for nugget in degrees if worth[nugget] > 0]
    recall = sum(one in matched for one in vital) / len(vital)
    if length is None:
        return None
    if recall == 0:
        return 0.0
    allowance = 100 * len(matched)
    precision = 1.0 if length <= allowance else 1 - (length - allowance) / length
    return (beta**2 + 1) * precision * recall / (beta**2 * precision + recall)


def score(world: World, run: str, topic: str, name: str, length: int | None, beta: float = 3.0) -> float | None:
    """The mean over the assessors who have a list for the topic."""
    lists = [assessor for assessor, its in world.nuggets if its == topic]
    values = [of_list(world, run, assessor, topic, name, length, beta) for assessor in lists]
    defined = [value for value in values if value is not None]
    return mean(defined) if defined else None

"""Figures of questions, series and nuggets, by the package itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from karat.data.nugget_counts import NuggetCounts, count_nuggets
from karat.data.patterns import Pattern, Patterns
from karat.measures.nuggets import nugget_f, nugget_precision, nugget_recall
from karat.studies.nuggets.result import AssessorRanking
from karat.studies.nuggets.study import compare_rankings
from karat.studies.qa.aggregate import zero_medians
from karat.studies.qa.study import qa
from tests.studies.qa_worlds import World, matches_of, nouns, questions_of


def question_figure(of: str, **given: Any) -> float:
    """One figure from its input."""
    match of:
        case "series":
            world = thirds_and_tenths()
            made = nouns(world)
            result = qa(made["questions"], made["answers"], verdicts=made["verdicts"], matches=made["matches"], **given)
            return result.runs[0].by_series.value
        case "zero_medians":
            return _zero_medians(**given)
        case "pattern_agreement":
            return _agreement(**given)
        case "pearson":
            rankings = [
                AssessorRanking(name, "f", dict(zip("FADGEBCH", scores, strict=True)), [], {}, None)
                for name, scores in given.items()
            ]
            return compare_rankings(rankings, [])[0].pearson
    return _nuggets(of, **given)


def _nuggets(of: str, length: int, beta: float = 3, **listed: int) -> float:
    if of == "allowance":
        return float(max(size for size in range(1000) if nugget_precision(_counts(size, **listed))[0, 0] == 1))
    counts = _counts(length, **listed)
    match of:
        case "recall":
            return float(nugget_recall(counts)[0, 0])
        case "precision":
            return float(nugget_precision(counts)[0, 0])
        case "f":
            return float(nugget_f(counts, beta)[0, 0])
    raise KeyError(of)


def _counts(length: int, vital: int, okay: int, held_vital: int, held_okay: int) -> NuggetCounts:
    """One answer of so many characters that holds some of a list."""
    world = World(runs=["a"], questions=[("q", "OTHER", None, None)], order={"a": ["q"]})
    names = [(f"v{at}", "vital") for at in range(vital)] + [(f"o{at}", "okay") for at in range(okay)]
    world.nuggets["", "q"] = names
    for name in [f"v{at}" for at in range(held_vital)] + [f"o{at}" for at in range(held_okay)]:
        world.held["a", "", "q", name] = "support"
    world.said["a", "q"] = [("d", " ".join("x" * length), 1.0)]
    return count_nuggets(matches_of(world).with_texts(nouns(world)["answers"]))


def thirds_and_tenths() -> World:
    """One series without lists: two of three factoids right, and an OTHER of F(3) .4, by 3 of 8 vital nuggets."""
    world = World(runs=["a"], questions=[(str(at), "FACTOID", "1", None) for at in range(3)])
    world.questions.append(("3", "OTHER", "1", None))
    for at in range(3):
        world.verdicts[str(at), "d", "x"] = "W" if at == 2 else "R", ""
    world.said = {("a", str(at)): [("d", "x", 1.0)] for at in range(4)}
    world.order["a"] = ["0", "1", "2", "3"]
    world.nuggets["", "3"] = [(str(name), "vital") for name in range(8)]
    world.held = {("a", "", "3", str(name)): "support" for name in range(3)}
    return world


def _zero_medians(zero: int, units: int) -> float:
    """Three runs: two of them score nothing on some of the questions, all score on the others."""
    world = World(runs=["a", "b", "c"], questions=[(str(at), "FACTOID", None, None) for at in range(units)])
    values = np.ones((3, units))
    values[:2, :zero] = 0
    return zero_medians(values, np.empty((3, 0)), questions_of(world))[0].share


def _agreement(pattern: str, right: int, cut: str) -> float:
    """One factoid, as many runs as snippets: all judged correct by people."""
    snippets = [f"{number}: the {pattern} River" for number in range(right)] + [cut]
    world = World(runs=[f"r{at}" for at in range(len(snippets))], questions=[("1", "FACTOID", None, None)])
    for run, snippet in zip(world.runs, snippets, strict=True):
        world.said[run, "1"], world.order[run] = [("d", snippet, 1.0)], ["1"]
        world.verdicts["1", "d", snippet] = "R", ""
    made = nouns(world)
    patterns = Patterns(("1",), (Pattern(0, pattern),))
    judge = qa(made["questions"], made["answers"], verdicts=made["verdicts"], patterns=patterns).patterns
    assert judge is not None
    return judge.agreement

"""Every declared fact of every measure, held against random cases; and the test itself, tested."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import karat
from karat.data.tables import Table
from karat.errors import NotApplicable, UsageError
from karat.kernels.counting import contingency, divide
from karat.labels import THREE
from karat.measures import accuracy, kappa, measures
from karat.measures.facts import bounds, expand, measure
from karat.registry import Bound, Registered, Registry
from tests.cases import CHANGES, Case, random_cases

CASES = random_cases(250)
EPSILON = 1e-9


def wrong_facts(bound: Bound) -> Iterator[str]:
    """Every declared fact that some case refutes, and every fact that holds of all cases but is not declared."""
    values = np.array([case.value(bound) for case in CASES])
    low, high = bounds(bound, 3)
    defined = values[~np.isnan(values)]
    if (defined < low - EPSILON).any() or (defined > high + EPSILON).any():
        yield f"range: {defined.min()} to {defined.max()} is not within {low} to {high}"
    for name, changes in CHANGES.items():
        broken = None
        for change in changes:
            after = change.measure(bound)
            changed = np.array([change.of(case).value(after) for case in CASES])
            with np.errstate(invalid="ignore"):
                apart = changed - values > EPSILON if name == "merging" else np.abs(changed - values) > EPSILON
            apart |= (np.isnan(changed) != np.isnan(values)) & (name != "merging")
            if apart.any() and broken is None:
                case = int(apart.nonzero()[0][0])
                broken = f"{name}: case {case} goes from {values[case]} to {changed[case]}"
        if broken and name in bound.facts["respects"]:
            yield broken
        if not broken and name not in bound.facts["respects"]:
            yield f"{name} holds but is not declared"
    if is_mean(bound) != bound.facts["mean"]:
        yield f"mean: {'not ' * bound.facts['mean']}a mean over units, but declared otherwise"
    if bound.facts["interval"] == "wilson":
        yield from wrong_trials(bound)


def is_mean(bound: Bound) -> bool:
    """Whether it is the mean over units of right (1) and wrong (0), over units that the key alone chooses."""
    alone = np.array([[unit(key, response).value(bound) for response in range(3)] for key in range(3)])
    counted = ~np.isnan(np.diagonal(alone))
    if not np.array_equal(alone, np.where(counted[:, None], np.eye(3), np.nan), equal_nan=True):
        return False
    means = [divide((case.key == case.response)[chosen].sum(), chosen.sum()) for case in CASES
             for chosen in [counted[case.key]]]  # fmt: skip
    return np.allclose(means, [case.value(bound) for case in CASES], atol=EPSILON, equal_nan=True)


def unit(key: int, response: int) -> Case:
    """One unit, by itself."""
    return Case(np.array([key], np.int8), np.array([response], np.int8), np.ones(1), np.ones(1), np.eye(3)[[response]])


def wrong_trials(bound: Bound) -> Iterator[str]:
    """A proportion of its trials is a whole number of units, and there are no more trials than units."""
    for case in CASES:
        table = Table(contingency(case.key, case.response, 3, 3))
        trials = float(bound.facts["trials"](table, **dict(bound.arguments)))
        hits = trials * case.value(bound) if trials else 0.0
        if trials > table.total or abs(hits - round(hits)) > 1e-6:
            yield f"trials: {trials} of {table.total} units, {hits} hits"
            return


def every_measure() -> list[Bound]:
    """Each measure with its default arguments and, where it takes a label, with each label."""
    return [bound for entry in measures for bound in expand(entry.name, THREE, every_label=True)]


@pytest.mark.parametrize("bound", every_measure(), ids=str)
def test_facts(bound: Bound) -> None:
    """The declared facts are exactly those that hold."""
    assert list(wrong_facts(bound)) == []


def offenders() -> list[tuple[str, Registered]]:
    """Measures that tell lies about themselves, filed apart from the real ones."""
    registry = Registry("offender", *measures["accuracy"].facts)
    facts = dict(measures["accuracy"].facts)
    lies = {
        "negation": registry.register("two-way", **facts)(lambda table: accuracy(table.fold())),
        "relabelling": registry.register("relabelled", **facts | {"respects": facts["respects"] | {"relabelling"}})(
            lambda table: accuracy(table)
        ),
        "scaling": registry.register("unscaled", **facts)(
            lambda table: divide(table.diagonal.sum(-1), table.total + 1)
        ),
        "merging": registry.register("merging", **facts | {"respects": facts["respects"] | {"merging"}})(
            lambda table: accuracy(table)
        ),
        "transposition": registry.register("recall", **facts)(
            lambda table: divide(table.diagonal[..., 0], table.key[..., 0])
        ),
        "relabelling: ": registry.register("cyclic", **facts | {"respects": frozenset({"relabelling", "scaling"})})(
            lambda table: max(accuracy(table.with_counts(np.roll(table.counts, shift, -1))) for shift in range(3))
        ),
        "scaling: ": registry.register("even", **facts)(lambda table: accuracy(table) * (1 - table.total % 2)),
        "trials": registry.register("sure", **facts | {"trials": lambda table: table.total * 100})(
            lambda table: accuracy(table)
        ),
        "mean: not": registry.register("other", **facts)(lambda table: 1 - accuracy(table)),
        "mean: a": registry.register("shy", **facts | {"mean": False})(lambda table: accuracy(table)),
        "range": registry.register("narrow", **facts | {"range": (0.4, 0.6)})(lambda table: accuracy(table)),
        "not declared": registry.register("modest", **facts | {"respects": frozenset()})(lambda table: kappa(table)),
    }
    return list(zip(lies, registry, strict=True))


@pytest.mark.parametrize(("lie", "entry"), [pytest.param(lie, entry, id=entry.name) for lie, entry in offenders()])
def test_planted_offender(lie: str, entry: Registered) -> None:
    """The property test fails on a measure that declares what is not so."""
    assert any(lie in wrong for wrong in wrong_facts(entry.bind()))


def test_two_way_fold_breaks_negation() -> None:
    """Two-way accuracy changes when key and run are negated, three-way accuracy does not."""
    table = Table([[20, 25, 5], [9, 18, 9], [1, 7, 6]])
    assert accuracy(table) == accuracy(table.negate())
    assert accuracy(table.fold()) != accuracy(table.negate().fold())


def test_facts_must_be_whole() -> None:
    """A measure without its facts cannot be filed."""
    with pytest.raises(TypeError, match="must declare exactly"):
        measures.register("careless", of=Table)
    with pytest.raises(TypeError, match="two of kind measure"):
        measure("kappa", of=Table, range=(0, 1), source="twice")(kappa)


@pytest.mark.parametrize("bound", every_measure(), ids=str)
def test_spelling_round_trips(bound: Bound) -> None:
    """A measure's spelling names that measure again."""
    assert measures.parse(str(bound)) == bound


@pytest.mark.parametrize(
    ("spelling", "told"),
    [
        ("kapa", "did you mean 'kappa'"),
        ("recall", r"recall\(LABEL\)"),
        ("recall(MAYBE)", "no label is called 'MAYBE'"),
        ("decided_f(weigth=1)", "did you mean 'weight'"),
        ("decided_f(weight=1/0)", "cannot read the arguments"),
        ("decided_f(1/3, weight=1/2)", "weight is given twice"),
        ("decided_f(weight=1/3, weight=1/2)", "cannot read the arguments"),
        ("decided_f(**weight)", "cannot read the arguments"),
        ("decided_f(weight=__import__('os'))", "cannot read the arguments"),
        ("accuracy(1)", "takes at most 0"),
        ("accuracy; drop", "is not a measure"),
        ("decided_f(weight=-1)", "must not be negative"),
        ("decided_f(reading=none)", "no reading of decided_f"),
        ("shifted_accuracy(prior='1/1/1')", "sum to 1"),
        ("shifted_accuracy(prior=nonsense)", "is not a label distribution"),
    ],
)
def test_wrong_spelling(spelling: str, told: str) -> None:
    """A wrong spelling is told what is wrong with it, and nothing in it is run."""
    with pytest.raises(UsageError, match=told):
        measures.parse(spelling)(Table(np.ones((3, 3))))


@pytest.mark.parametrize("spelling", ["decided_f", "recall(UNKNOWN)", "shifted_accuracy(prior='.5/.25/.25')"])
def test_not_of_two_way(spelling: str) -> None:
    """What needs three-way labels says so of a two-way table."""
    with pytest.raises(NotApplicable):
        measures.parse(spelling)(Table(np.ones((2, 2))))


@pytest.mark.parametrize("wrong", [[[20, 5], [10, 15]], 3, None])
def test_of_something_else(wrong: Any) -> None:
    """A measure says what it is a function of."""
    with pytest.raises(UsageError, match=r"kappa is a function of Table, not of \w+; make one: karat\.Table"):
        karat.measures.kappa(wrong)
    with pytest.raises(UsageError, match="average_precision is a function of Order, not of"):
        karat.measures.average_precision(wrong)

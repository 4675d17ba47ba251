"""Why a number of a comparison may be missing: functions of the row that has it and of the result."""

from __future__ import annotations

from typing import Any

MOST_GROUPS = 1000
ONE_UNIT = "there is only one unit, and a test needs at least two"
TOO_MANY_GROUPS = f"the runs fall into more than {MOST_GROUPS} groups"
UNASKED = "no margin was given (--equivalence), so equivalence was not tested"


def _constant(what: str, result: Any) -> str:
    """Why there is no variance: there is only one cluster, or all units are the same."""
    if result.clusters == 1:
        return "all units are in one cluster, and at least two are needed to estimate the variance"
    scope = "units" if result.clusters is None else "clusters"
    reason = f"{what} is the same on all {scope}, so it has no interval"
    return reason if result.clusters is None else f"{reason}; or all scored units are in one cluster"


def no_run_interval(run: Any, result: Any) -> str:
    """Why a run has no interval."""
    if run.value != run.value:
        return result.no_value
    return ONE_UNIT if run.units == 1 else _constant("the value", result)


def no_letters(run: Any, result: Any) -> str:
    """Why a run has no letters."""
    if result.letters is None:
        return no_groups(result, result)
    if run.value != run.value:
        return result.no_value
    return ONE_UNIT if run.units == 1 else "it shares too few units with every other run to be tested"


def no_ranks(_: object, result: Any) -> str:
    """Why a run has no range of ranks."""
    return f"every run was compared with {result.versus} only"


def no_groups(result: Any, _: Any) -> str:
    """Why there are no groups."""
    return TOO_MANY_GROUPS if result.versus == "all" else "every run was compared with a single run"


def no_verdict(run: Any, result: Any) -> str:
    """Why it is not said whether a run differs from the one that all are compared with."""
    if result.versus == "all":
        return "all pairs were compared: see their verdicts, and the letters"
    if run.run == result.versus:
        return "it is the run that the others are compared with"
    return not_tested(next(pair for pair in result.pairs if pair.a == run.run), result)


def not_tested(pair: Any, result: Any) -> str:
    """Why two runs were not tested."""
    if pair.difference != pair.difference:
        return result.no_value if pair.units else "no unit was scored for both runs"
    if pair.units == 1:
        return (
            ONE_UNIT if result.units == 1 else "only one unit was scored for both runs, and a test needs at least two"
        )
    if result.clusters == 1:
        return _constant("the difference", result)
    if result.clusters is not None and pair.p != pair.p:
        return "all units scored for both runs are in one cluster, and a test needs at least two"
    return "the two runs differ by the same amount on every unit, so the variance of the difference cannot be estimated"


def no_interval(pair: Any, result: Any) -> str:
    """Why a difference has no interval."""
    untested = pair.difference != pair.difference or pair.units == 1
    return not_tested(pair, result) if untested else _constant("the difference", result)


def no_equivalence(pair: Any, result: Any) -> str:
    """Why equivalence was not tested."""
    return UNASKED if result.equivalence is None else not_tested(pair, result)

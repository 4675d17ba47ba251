"""What a reader of nugget scores should take away."""

from __future__ import annotations

from collections.abc import Iterable

from karat.studies.base import finding
from karat.studies.nuggets.result import NuggetScores


@finding("best", study="nuggets", headline=True)
def best(result: NuggetScores) -> Iterable[str]:
    """Who is first by each family of scores."""
    scored = [run for run in result.runs if run.vital == run.vital]
    if len(scored) < 2:
        return
    first = max(scored, key=lambda run: run.vital)
    also = [run.run for run in scored if run.vital == first.vital and run is not first]
    names = " and ".join([first.run, *also])
    share = "the largest share of the vital nuggets"
    yield f"{names} support{'s' * (not also)} {share} ({first.vital:.3f}); `karat compare` tells how surely."
    with_f = [run for run in scored if run.f == run.f]
    if with_f and (other := max(with_f, key=lambda run: run.f)).run not in (first.run, *also):
        yield f"By the F that punishes length {other.run} comes first ({other.f:.3f}, mean length {other.length:.0f})."


@finding("junk", study="nuggets")
def junk(result: NuggetScores) -> Iterable[str]:
    """Labels that mean nothing, and what they change."""
    if not result.junk:
        return
    count = len(result.junk)
    topics = len({(one.run, one.topic) for one in result.changed if one.labels})
    labels = f"{count} label{'s mean' if count > 1 else ' means'} nothing"
    answers = f"the scores of {topics} answer{'s' * (topics != 1)} depend on that"
    if result.signature.missing == "zero":
        yield f"{labels} and count as no support; {answers} (--missing missing leaves their nuggets out)."
    else:
        yield f"{labels} and the nuggets are left out; {answers} (--missing zero counts them as no support)."


@finding("unscored", study="nuggets")
def unscored(result: NuggetScores) -> Iterable[str]:
    """Topics that are not in the means."""
    if without := result.nuggets.without_vital:
        names = ", ".join(without[:5]) + (", …" if len(without) > 5 else "")
        told = "scored 0" if result.signature.missing == "zero" else "not scored"
        have = "has no vital nugget and is" if len(without) == 1 else "have no vital nugget and are"
        yield f"{len(without)} of {result.nuggets.topics} topics {have} {told}: {names}."
    others = [one for one in result.unscored if one.topic not in result.nuggets.without_vital]
    if others:
        reasons = ", ".join(dict.fromkeys(one.reason for one in others))
        topics = f"{len(others)} more topic{'s are' if len(others) > 1 else ' is'}"
        yield f"{topics} left out of the means of all runs ({reasons})."


@finding("beta", study="nuggets")
def beta(result: NuggetScores) -> Iterable[str]:
    """Whether β decides who is ahead."""
    if result.betas is not None:
        yield from result.betas.told(float(result.signature.parameters["beta"]), "By F ")


@finding("assessors", study="nuggets")
def assessors(result: NuggetScores) -> Iterable[str]:
    """Whether assessors rank alike."""
    pairs = [pair for pair in result.agreement if pair.tau == pair.tau]
    if pairs:
        least = min(pairs, key=lambda pair: pair.tau)
        which = "Between the rankings" if len(pairs) == 1 else "Least alike are the rankings"
        yield f"{which} by {least.a} and by {least.b}: tau {least.tau:.3f}."

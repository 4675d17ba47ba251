"""The aligner from pairs to answers."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from karat.engines.aligner.engine import FAMILIES, Aligner
from karat.engines.batch import Batch, chunks_of
from karat.engines.checks.base import checks
from karat.engines.engine import Setup, engines
from karat.engines.knowledge import load_knowledge
from karat.engines.model import Model, fit, make_engine, revive
from karat.errors import UsageError
from karat.labels import THREE, TWO, Way
from tests.engines.labelled import answer, bare_knowledge, decide, in_pieces, labelled

ALL = [entry.name for entry in checks]
CONTRADICTING = [entry.name for entry in checks if entry.facts["verdict"] == "contradiction"]
NAMES = "Smith Jones Brown Clark Lewis Young Green Baker Adams Hill".split()
THINGS = "mill boat farm hotel painting".split()


def made_up(three: bool = False) -> list[tuple[str, str, str]]:
    """Pairs that are entailed where nothing is missing, and contradicted where T says not."""
    rows = []
    for place, name in enumerate(NAMES):
        for thing in THINGS:
            text = f"{name} sold the old {thing} to {NAMES[place - 1]} in June, said the paper."
            denied = f"{name} did not sell the old {thing}, said the paper."
            rows.append((text, f"{name} sold the {thing}.", "E"))
            rows.append((text, f"{name} burnt the castle of {thing}s.", "U"))
            rows.append((denied, f"{name} sold the old {thing}.", "C" if three else "U"))
    return rows


def test_it_learns_what_is_plain() -> None:
    """All made-up pairs come out right, surer than even, with a justification each."""
    pairs = labelled(made_up())
    _, decisions = decide("aligner", pairs, pairs)
    assert (decisions.codes == pairs.labels).all()
    assert decisions.justifications is not None
    assert all(why.text for why in decisions.justifications)
    assert not decisions.failures


def test_beyond_what_was_learnt_nothing_changes() -> None:
    """A text longer than any of the training pairs is answered as the longest of them would be."""
    pairs = labelled(made_up())
    longer = [
        labelled([(f"{text} {'It rained in Oslo. ' * many}", hypothesis, "U") for text, hypothesis, _ in made_up()])
        for many in (20, 40)
    ]
    first, second = (decide("aligner", pairs, key)[1].confidence for key in longer)
    np.testing.assert_allclose(first, second, atol=1e-9)


def test_contradiction_needs_a_check() -> None:
    """In three ways the denials are contradictions, and with the checks of that verdict switched off there are none."""
    pairs = labelled(made_up(three=True), THREE)
    _, decisions = decide("aligner", pairs, pairs, THREE)
    assert (decisions.codes == pairs.labels).mean() > 0.9
    assert (decisions.codes == 2).any()
    knowledge = load_knowledge(without=["wordnet", *CONTRADICTING])
    _, without = decide("aligner", pairs, pairs, THREE, knowledge=knowledge)
    assert not (without.codes == 2).any()


def test_a_model_is_json_and_answers_alike() -> None:
    """Read back from JSON, and in pieces, a model answers to the last bit as it did."""
    pairs = labelled(made_up(), attributes={"task": ["QA", "IE", None] * 50})
    knowledge = bare_knowledge()
    model = fit("aligner", pairs, TWO, knowledge=knowledge)
    again = msgspec.json.decode(msgspec.json.encode(model), type=Model)
    first, second = answer(model, pairs), answer(again, pairs)
    assert (first.confidence == second.confidence).all()
    assert in_pieces(again, pairs, 7) == first.codes.tolist()
    assert fit("aligner", pairs, TWO, knowledge=knowledge).state == model.state


def test_families_can_be_switched_off() -> None:
    """Every family is a switch, and a model without one has none of its features."""
    assert set(FAMILIES) <= set(engines["aligner"].facts["switches"])
    model = fit("aligner", labelled(made_up()), TWO, knowledge=load_knowledge(without=["wordnet", "windows", "checks"]))
    used = {name.partition(".")[0] for name in model.state["features"]}
    assert used == set(FAMILIES) - {"windows", "checks", "network", "setting"}


@pytest.mark.parametrize("argument", ["classifier=forest", "goal=accuracy", "vectors=True"])
def test_unknown_arguments_are_refused(argument: str) -> None:
    """What the aligner has not got is said."""
    with pytest.raises(UsageError, match="aligner"):
        fit(f"aligner({argument})", labelled(made_up()), TWO, knowledge=bare_knowledge())


def test_too_few_pairs() -> None:
    """Nine pairs are too few for some twenty features, and that is said."""
    with pytest.raises(UsageError, match=r"has 9 labelled pairs.*from 10 pairs at least"):
        fit("aligner", labelled(made_up()[:9]), TWO, knowledge=bare_knowledge())


SAME, OTHER = "Hill sold the old mill.", "Adams burnt the boat."


@pytest.mark.parametrize(
    "rows",
    [
        made_up()[:10],
        [(SAME, f"Hill sold {number} mills.", "EN"[number % 2]) for number in range(12)],
        [(OTHER, OTHER, "E"), *((SAME, f"Hill sold {number} mills.", "EN"[number % 2]) for number in range(11))],
        [(f"{name} left.", f"{name} left.", "E") for name in NAMES],
        [("", "", "E"), ("", "", "N")] * 6,
    ],
    ids=["few", "one text", "nearly one text", "one label", "no words"],
)
def test_odd_training_pairs(rows: list[tuple[str, str, str]]) -> None:
    """Few pairs, one text or label, no words: something is learnt, and pairs without any word are answered."""
    empty = labelled([("", "", "E"), ("A mill.", "", "E"), ("", "A mill.", "N")])
    _, decisions = decide("aligner", labelled(rows), empty)
    assert not decisions.failures
    assert np.isfinite(decisions.confidence).all()


def test_batches_do_not_matter() -> None:
    """However many pairs are answered at once, each is answered as surely, to the last bit."""
    pairs = labelled(made_up(three=True), THREE)
    knowledge = bare_knowledge()
    engine, _, learnt = revive(fit("aligner", pairs, THREE, knowledge=knowledge), knowledge)
    found = []
    for size in (1, 7, 64, len(pairs)):
        chunks = [Batch(knowledge, *chunk) for chunk in chunks_of(pairs, size)]
        found.append(np.concatenate([engine.answer(chunk, learnt).confidence for chunk in chunks]))
    assert all((one == found[0]).all() for one in found)


@pytest.mark.parametrize(
    ("without", "way", "expected"),
    [([], TWO, set(ALL)), (["checks"], TWO, set()), (["checks"], THREE, set(CONTRADICTING)), ([], THREE, set(ALL))],
)
def test_grounds(without: list[str], way: Way, expected: set[str]) -> None:
    """All checks are grounds where they are features; else, in three ways, those that let it contradict."""
    engine = make_engine("aligner", Setup(load_knowledge(without=["wordnet", *without]), way))
    assert isinstance(engine, Aligner)
    assert set(engine.grounds) == expected


def test_settings_count_only_if_asked() -> None:
    """The setting of a pair is a feature on request, and answers then depend on no other pair either."""
    rows = [(f"{name} sold the {thing}.", f"{name} sold the {thing}.", "E") for name in NAMES for thing in THINGS]
    tasks: list[str | None] = ["QA", "IE"] * 25
    mixed = labelled([(t, h, "EN"[place % 2]) for place, (t, h, _) in enumerate(rows)], TWO, {"task": tasks})
    model = fit("aligner(setting=True)", mixed, TWO, knowledge=bare_knowledge())
    assert answer(model, mixed).codes.tolist() == [0, 1] * 25
    assert in_pieces(model, mixed, 7) == [0, 1] * 25
    plain = fit("aligner", mixed, TWO, knowledge=bare_knowledge())
    assert len(set(answer(plain, mixed).codes.tolist())) == 1

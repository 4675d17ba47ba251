"""Arguments of engines are held against what their signatures say."""

from __future__ import annotations

import pytest

from karat.engines.engine import Setup, engines
from karat.engines.model import make_engine
from karat.errors import UsageError
from karat.labels import THREE
from tests.engines.labelled import bare_knowledge

SETUP = Setup(bare_knowledge(), THREE)


@pytest.mark.parametrize(
    ("spelling", "told"),
    [
        ("edit-distance(preset=faithfull)", "did you mean 'faithful'"),
        ("aligner(classifier=speed)", "classifier"),
        ("overlap(variant=tokens)", "did you mean 'token'"),
        ("aligner(setting=perhaps)", "expected True or False"),
        ("aligner(setting=1)", "expected True or False"),
        ("outside(command='true', timeout=soon)", "expected a number"),
        ("neural(model='nowhere', size=1/2)", "expected a whole number"),
        ("neural", "needs its argument model"),
        ("overlap(varient=idf)", "did you mean 'variant'"),
    ],
)
def test_wrong_arguments(spelling: str, told: str) -> None:
    """A value that cannot be is refused before anything is learnt, with what could be meant."""
    with pytest.raises(UsageError, match=told):
        make_engine(spelling, SETUP)


@pytest.mark.parametrize("name", [entry.name for entry in engines if entry.name not in ("neural", "outside")])
def test_spelling_round_trips(name: str) -> None:
    """An engine with its defaults is spelled so that reading the spelling gives it again."""
    bound = engines.parse(name)
    assert engines.parse(str(bound)) == bound
    make_engine(str(bound), SETUP if "3" in bound.facts["ways"] else Setup(SETUP.knowledge, THREE))

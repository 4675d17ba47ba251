"""Where entailment is not answered for what T lacks, denies or only reports, and how sure it is elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from karat.engines.batch import Batch
from karat.engines.engine import BatchAnswers
from karat.engines.knowledge import Knowledge, load_knowledge
from karat.engines.learning.threshold import ENTAILMENT_CODE, UNKNOWN_CODE
from karat.engines.unaccounted import less_sure

LACKS = [
    ("Ann Lee spoke at the Ely police station.", "Ann Lee is a clerk of the Ely police station."),  # the noun of H
    ("Ann Lee sold the old mill in Ely in May.", "Ann Lee of Ely sold flutes in May."),  # its object
    ("Ann Lee spoke in Ely.", "Ann Lee wrote long letters in Ely."),  # a third of its words or more
    ("Ann Lee sold the mill in Ely.", "Bob Ray sold the mill in Ely."),  # a name
    ("The mill in Ely has doors.", "The mill in Ely has 30 doors."),  # a number
    ("The mill in Ely was sold in the 1990s.", "The mill in Ely was sold in 1990."),  # another one
    ("Ann Lee did not sell the old mill in Ely.", "Ann Lee sold the old mill in Ely."),  # T denies it
    ("Ann Lee sold the old mill in Ely.", "Ann Lee did not sell the old mill in Ely."),  # H does
    ("Bob Ray hopes that Ann Lee sold the old mill.", "Ann Lee sold the old mill."),  # T only reports it
]
HAS = [
    ("Ann Lee sold the old mill in Ely.", "Ann Lee sold the mill."),
    ("Ann Lee, head of the Ely police, spoke.", "Ann Lee works for the Ely police."),  # a verb may be missing
    ("Doctors Without Borders helped the town of Ely.", "Doctors Without Borders helped Ely."),  # part of a name
    ("Ann Lee did not fail to sell the mill.", "Ann Lee sold the mill."),  # denied twice
    ("Police said that Ann Lee sold the mill.", "Ann Lee sold the mill."),  # taken at their word
]


@pytest.fixture(scope="module")
def bare() -> Knowledge:
    """No dictionary."""
    return load_knowledge(without=["wordnet"])


def answered(knowledge: Knowledge, pairs: list[tuple[str, str]], sure: float = 0.9) -> BatchAnswers:
    """What becomes of pairs answered entailment."""
    batch = Batch(knowledge, [str(at) for at in range(len(pairs))], [t for t, _ in pairs], [h for _, h in pairs])
    codes = np.full(len(pairs), ENTAILMENT_CODE, dtype=np.int8)
    return less_sure(BatchAnswers(codes, np.full(len(pairs), sure)), batch)


def test_lacking(bare: Knowledge) -> None:
    """Entailment is not answered where what H turns on is not in T, denied there, or reported as a view."""
    found = answered(bare, LACKS)
    assert found.codes.tolist() == [UNKNOWN_CODE] * len(LACKS)
    assert (found.confidence < 0.5).all()


def test_having(bare: Knowledge) -> None:
    """Elsewhere it is, also where a verb is missing, a name has a negation in it, or a denial is denied."""
    found = answered(bare, HAS)
    assert found.codes.tolist() == [ENTAILMENT_CODE] * len(HAS)
    assert (found.confidence >= 0.5).all()


def test_one_sentence(bare: Knowledge) -> None:
    """Words that stand in two sentences are less sure than in one, and an answer stays in its order."""
    together, apart = "Ann Lee met the mayor of the mill.", "Ann Lee met the mayor. The mill burnt."
    sure = answered(bare, [(together, "Ann Lee met the mayor of the mill."), (apart, together)]).confidence
    assert sure[0] == 0.9
    assert 0.5 < sure[1] < 0.9
    less, more = answered(bare, LACKS, 0.6).confidence, answered(bare, LACKS, 0.8).confidence
    assert (less < more).all()

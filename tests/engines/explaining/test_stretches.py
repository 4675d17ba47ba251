"""Which stretch is quoted, and how much is looked at to find it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import pytest

from karat.engines.explaining.quoting import Range, SideWords, read_pairs
from karat.engines.explaining.stretches import STRETCH_WORDS, best_stretch
from karat.engines.knowledge import Knowledge
from tests.engines.explaining.answered import batch_of

SHAPES = ["Ann bought the mill in Ely ", "Ann bought the mill in Ely, ", "Ann ", "Ann , , ", "Ann bought it. "]


@dataclass(frozen=True, eq=False)
class Counting(SideWords):
    """Words that count how often they are measured."""

    asked: list[Range] = field(default_factory=list)

    def count(self, run: Range) -> int:
        """As before, and remembered."""
        self.asked.append(run)
        return super().count(run)


@pytest.mark.parametrize("shape", SHAPES)
def test_looked_at(bare: Knowledge, shape: str) -> None:
    """Twice the text takes twice the looking, and no stretch is looked at that is far too long to be quoted."""
    asked = []
    for times in (200, 400):
        pair = next(read_pairs(batch_of(bare, [(shape * times, "Ann Lee bought the mill in Ely.")]), [0]))
        words = Counting(**{each.name: getattr(pair.t, each.name) for each in fields(SideWords)})
        run = best_stretch(words, pair.hits)
        assert run is not None
        assert words.before[run[1] + 1] - words.before[run[0]] <= STRETCH_WORDS
        asked.append(len(words.asked))
    assert asked[1] <= 2.2 * asked[0]

"""From texts to the numbers that a network reads, a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from karat.arrays import Ints
from karat.errors import UsageError

Inputs = dict[str, Ints]
"""What a network reads, by the name of the input: pairs × tokens."""
STEP = 8
"""Widths of batches are multiples of this, so that most pairs share theirs with others."""


@dataclass(frozen=True)
class Shape:
    """How much a network reads at once: any number of rows and tokens, or exactly so many."""

    rows: int | None = None
    tokens: int | None = None
    masked: bool = True
    """Whether it can be told which tokens are padding."""


class Tokeniser:
    """The tokeniser of a network, for texts of at most so many tokens."""

    def __init__(self, folder: Path, length: int, padding: int | None) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise UsageError("neural networks need the package tokenizers: pip install 'karat[neural]'") from None
        path = folder / "tokenizer.json"
        if not path.exists():
            raise UsageError(
                f"there is no {path}; transformers writes one: AutoTokenizer.from_pretrained(…).save_pretrained(…)"
            )
        try:
            self._tokeniser = Tokenizer.from_file(str(path))
        except Exception as error:  # its library raises nothing more specific
            raise UsageError(f"cannot read {path}: {error}") from None
        own = self._tokeniser.padding
        self._padding: int = own["pad_id"] if own else padding or 0
        self._tokeniser.no_padding()
        self._length = length
        if self.room < 2:
            raise UsageError(f"a network that reads {length} tokens has no room for a text and a hypothesis")

    @property
    def room(self) -> int:
        """How many tokens of a pair can be read, without the special ones."""
        return self._length - int(self._tokeniser.num_special_tokens_to_add(True))

    def too_long(self, hypotheses: Sequence[str]) -> list[int]:
        """The places of hypotheses that leave no room for a single token of T."""
        self._tokeniser.no_truncation()
        found = self._tokeniser.encode_batch(list(hypotheses), add_special_tokens=False)
        return [place for place, one in enumerate(found) if len(one.ids) >= self.room]

    def pairs(self, texts: Sequence[str], hypotheses: Sequence[str]) -> list[Any]:
        """The tokens of pairs; of those that are too long the text is cut, since H must be judged whole."""
        self._tokeniser.enable_truncation(self._length, strategy="only_first")
        return list(self._tokeniser.encode_batch(list(zip(texts, hypotheses, strict=True))))

    def texts(self, texts: Sequence[str]) -> list[Any]:
        """The tokens of texts by themselves, cut where they are too long."""
        self._tokeniser.enable_truncation(self._length)
        return list(self._tokeniser.encode_batch(list(texts)))

    def batches(self, encoded: Sequence[Any], size: int, shape: Shape) -> Iterator[tuple[Ints, Inputs]]:
        """Places of texts, and what the network reads of them, up to `size` at a time, the shortest first.

        To what width a text is padded depends on its own length alone, so that what is read with it changes at most
        the rounding of its numbers. A network that reads exactly so many rows gets copies of the first row for those
        that are missing.
        """
        widths = np.array([self._width(len(one.ids), shape) for one in encoded], dtype=np.int64)
        order = np.argsort(widths, kind="stable")
        for alike in np.split(order, np.flatnonzero(np.diff(widths[order])) + 1) if len(order) else ():
            step = shape.rows or size
            for begin in range(0, len(alike), step):
                places = alike[begin : begin + step]
                rows = [encoded[place] for place in places.tolist()]
                rows += rows[:1] * ((shape.rows or len(rows)) - len(rows))
                yield places, self._padded(rows, int(widths[places[0]]))

    def _width(self, tokens: int, shape: Shape) -> int:
        if shape.tokens:
            return shape.tokens
        return min(-(-tokens // STEP) * STEP, max(self._length, tokens)) if shape.masked else tokens

    def _padded(self, rows: Sequence[Any], width: int) -> Inputs:
        ids = np.full((len(rows), width), self._padding, dtype=np.int64)
        types, mask = np.zeros_like(ids), np.zeros_like(ids)
        for row, one in enumerate(rows):
            many = len(one.ids)
            ids[row, :many], types[row, :many], mask[row, :many] = one.ids, one.type_ids, 1
        return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}

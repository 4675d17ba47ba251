"""Pairs as the numbers a network reads: T shortened where a pair is too long, neighbours in length padded together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from karat.arrays import Ints
from karat.errors import UsageError

Inputs = dict[str, Ints]


class Encoder:
    """The tokeniser of a network."""

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
        except Exception as error:  # its library raises nothing more exact
            raise UsageError(f"cannot read {path}: {error}") from None
        self._padding = self._padding_of(padding)
        self._tokeniser.no_padding()
        self._tokeniser.no_truncation()
        self._room = length - self._tokeniser.num_special_tokens_to_add(True)
        self._length = length

    def too_long(self, hypotheses: Sequence[str]) -> list[int]:
        """The places of hypotheses that leave no room for a single token of T."""
        self._tokeniser.no_truncation()
        found = self._tokeniser.encode_batch(list(hypotheses), add_special_tokens=False)
        return [place for place, one in enumerate(found) if len(one.ids) >= self._room]

    def encode(self, texts: Sequence[str], hypotheses: Sequence[str], size: int) -> Iterator[tuple[Ints, Inputs]]:
        """Places of pairs, and what the network reads of them, up to so many at once; the shortest first."""
        # H is never cut: what it says must be judged whole.
        self._tokeniser.enable_truncation(self._length, strategy="only_first")
        found = self._tokeniser.encode_batch(list(zip(texts, hypotheses, strict=True)))
        lengths = np.array([len(one.ids) for one in found], dtype=np.int64)
        order = np.argsort(lengths, kind="stable")
        for begin in range(0, len(order), size):
            places = order[begin : begin + size]
            shape = len(places), int(lengths[places[-1]])
            ids = np.full(shape, self._padding, dtype=np.int64)
            types, mask = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
            for row, place in enumerate(places.tolist()):
                width = lengths[place]
                ids[row, :width], types[row, :width], mask[row, :width] = found[place].ids, found[place].type_ids, 1
            yield places, {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}

    def _padding_of(self, said: int | None) -> int:
        own = self._tokeniser.padding
        return own["pad_id"] if own else said or 0

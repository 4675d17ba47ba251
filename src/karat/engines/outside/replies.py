"""What a program says of the pairs of a batch, checked line by line."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from karat.engines.batch import Batch
from karat.engines.engine import BatchAnswers, Justification, Span
from karat.engines.outside.program import ProgramError
from karat.errors import printable
from karat.labels import Spellings, Way, code_table

STRAY = 1000
"""Lines that belong to no pair after which a program is given up."""
NOT_JSON = "only lines of JSON may go to its standard output, messages go to standard error"
NO_REASON = Justification("The system gave no justification.")


def parse_line(line: bytes) -> dict[str, Any]:
    """The object on a line; a ValueError says in words for people why there is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError(f"a line is not JSON: {quote(line)} ({NOT_JSON})") from None
    if not isinstance(found, dict):
        raise ValueError(f"a line is JSON but not an object in braces: {quote(line)}")
    return found


def quote(line: bytes) -> str:
    """A line as it is shown to people."""
    return repr(printable(line[:1000].decode("utf-8", "replace").strip()))


class Replies:
    """The answers to a batch so far, what is wrong with them, and which pairs are owed."""

    def __init__(self, batch: Batch, way: Way) -> None:
        self._batch = batch
        self._way = way
        self._row = {name: row for row, name in enumerate(batch.ids)}
        self._codes = np.ones(len(batch), dtype=np.int8)
        self._entails = np.zeros(len(batch))
        self._justifications = [NO_REASON] * len(batch)
        self._reasons: dict[int, str] = {}
        self._spellings = Spellings()
        self._meanings = code_table(way)
        self._strays: list[str] = []
        self._useless = 0
        self._owed = dict.fromkeys(range(len(batch)))

    @property
    def owed(self) -> list[int]:
        """The places of pairs that nothing was said of."""
        return list(self._owed)

    @property
    def left(self) -> int:
        """How many these are."""
        return len(self._owed)

    def take(self, line: bytes) -> bool:
        """Enter a line; whether it is the program's end."""
        try:
            said = parse_line(line)
            if "end" in said or "wait" in said:
                return "end" in said
            if "id" not in said:
                raise ValueError(f"a line has no id: {quote(line)}")
            # Tools that know no types write "17" as 17.
            name = str(said["id"])
            if name not in self._row:
                raise ValueError(f"there is no pair {printable(name)!r} among those asked: {quote(line)}")
        except ValueError as error:
            self._stray(str(error))
            return False
        row = self._row[name]
        if row not in self._owed:
            self._reasons[row] = "it was answered twice"
            self._count_useless()
            return False
        del self._owed[row]
        try:
            self._enter(row, said)
        except ValueError as error:
            self._reasons[row] = str(error)
        return False

    def finish(self, trouble: ProgramError | None) -> BatchAnswers:
        """All answers; pairs that nothing was said of failed for `trouble`, or for lines nobody could use."""
        why = f"the program {trouble}" if trouble else "the program did not answer it"
        why += f"; {self._strays[0]}" if self._strays else ""
        reasons = self._reasons | dict.fromkeys(self._owed, why)
        return BatchAnswers(self._codes, self._entails, reasons, tuple(self._justifications))

    def _stray(self, what: str) -> None:
        self._strays.append(what)
        self._count_useless()

    def _count_useless(self) -> None:
        self._useless += 1
        if self._useless > STRAY + len(self._batch):
            raise ProgramError(f"wrote {self._useless} lines that belong to no pair, or to one answered before")

    def _enter(self, row: int, said: dict[str, Any]) -> None:
        if "error" in said:
            raise ValueError(f"the program gave it up: {printable(str(said['error']))}")
        label = said.get("label")
        code = self._meanings.get(self._spellings[label] or "") if isinstance(label, str) else None
        if code is None:
            raise ValueError(f"the label is {_show(label)}, not one of {', '.join(self._way.labels)}")
        sure = said.get("confidence")
        if sure is None:
            sure = 1.0
        if isinstance(sure, bool) or not isinstance(sure, int | float) or not 0 <= sure <= 1:
            raise ValueError(f"the confidence is {_show(sure)}, not a number from 0 to 1")
        text = said.get("justification")
        if text is not None and not (isinstance(text, str) and _is_whole(text)):
            raise ValueError(f"the justification is {_show(text)}, not a text")
        evidence = tuple(self._span(row, one) for one in _list(said.get("evidence")))
        self._codes[row] = code
        self._entails[row] = sure if code == 0 else 1 - sure
        if text or evidence:
            self._justifications[row] = Justification(text or NO_REASON.text, evidence)

    def _span(self, row: int, one: Any) -> Span:
        match one:
            case ["T" | "H" as side, int(start), int(end)]:
                whole = self._batch.texts[row] if side == "T" else self._batch.hypotheses[row]
                if 0 <= start < end <= len(whole):
                    return Span(side, int(start), int(end))
        raise ValueError(f'the evidence {_show(one)} is not ["T" or "H", START, END] within the text')


def _is_whole(text: str) -> bool:
    """Whether a text can be written: JSON can spell half of a character, which no file holds."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _list(value: Any) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise ValueError(f'the evidence is {_show(value)}, not a list of ["T" or "H", START, END]')
    return value


def _show(value: Any) -> str:
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    return "missing" if value is None else printable(json.dumps(value, ensure_ascii=False))

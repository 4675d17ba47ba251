"""The engine `outside`: it writes pairs to a program, and reads its answers."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from karat.engines.batch import Batch
from karat.engines.engine import BatchAnswers, Engine, Justification, Setup, Training, engines
from karat.engines.outside.program import Program, ProgramError, SilentError
from karat.engines.outside.replies import STRAY, Replies, parse_line, quote
from karat.errors import UsageError, counted, printable

PROTOCOL = 1
LONGEST_WAIT = 1e7
"""Seconds, some hundred days: what a clock can be asked to wait."""
END = b'{"end":true}\n'
ASKED = f"it has to answer {END.decode().strip()} by the same line, and to flush its output"


@engines.register("outside", learns="may", ways=("2", "3"), knows=(), switches=(), source="any program, by JSON lines")
def outside(
    setup: Setup,
    command: Annotated[str, Meta(description="the program and its arguments")],
    timeout: Annotated[float, Meta(description="seconds of silence after which it is given up")] = 120,
    patience: Annotated[float, Meta(description="seconds after which it is given up if it only asks to wait")] = 3600,
) -> Engine:
    """Any program in any language, which reads pairs and writes answers as lines of JSON."""
    return Outside(setup, command, float(timeout), float(patience))


class Outside:
    """A program that is started when it is first needed, and kept from batch to batch."""

    learns = dict[str, Any]

    def __init__(self, setup: Setup, command: str, timeout: float, patience: float = 3600) -> None:
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise UsageError(f"cannot read the command {command!r}: {error}") from None
        if not self._command:
            raise UsageError("outside needs a command: outside(command='python3 my_system.py')")
        for name, seconds in (("timeout", timeout), ("patience", patience)):
            if not 0 < seconds < LONGEST_WAIT:
                raise UsageError(f"{name}={seconds:g}: it must be more than 0 seconds, and less than {LONGEST_WAIT:g}")
        if shutil.which(self._command[0]) is None:
            raise UsageError(
                f"there is no program {self._command[0]!r} to run; give its path, or the interpreter before it "
                "(python3 my_system.py); no shell reads the command"
            )
        self._setup = setup
        self._limits = timeout, patience
        self._program: Program | None = None
        self._was_ready = False
        self._has_ended = False

    def fit(self, training: Training) -> dict[str, Any]:
        """What the program learns, and by which name it did."""
        way = training.way
        try:
            program = self._program = Program(self._command, *self._limits)
            name = self._open(program, "fit", {})
            labels = [way.labels[code] for code in training.codes.tolist()]
            for batch in training.batches():
                program.write(_pairs(batch, range(len(batch)), labels))
                del labels[: len(batch)]
            program.write(END)
            program.progress()
            return {"program": name, "state": _read_state(program)}
        except ProgramError as error:
            raise UsageError(f"{self._name} learnt nothing: it {error}") from None
        finally:
            self._stop()

    def answer(self, batch: Batch, state: dict[str, Any]) -> BatchAnswers:
        """The program's answers; for pairs without a good one, the reason."""
        replies = Replies(batch, self._setup.way)
        trouble = self._try(batch, replies.owed, replies, state)
        if trouble and replies.owed:
            # The first that is owed may be what it died of: let it come last.
            trouble = self._try(batch, [*replies.owed[1:], replies.owed[0]], replies, state)
        return replies.finish(trouble)

    def explain(self, batch: Batch, answers: BatchAnswers, state: dict[str, Any]) -> Sequence[Justification]:
        """What the program said."""
        del batch, state
        assert answers.justifications is not None
        return answers.justifications

    def _try(self, batch: Batch, rows: Sequence[int], replies: Replies, state: dict[str, Any]) -> ProgramError | None:
        try:
            self._ask(batch, rows, replies, state)
        except ProgramError as error:
            self._stop(at_once=True)
            return error
        except BaseException:
            # Whatever it still answers belongs to no later batch.
            self._stop(at_once=True)
            raise
        return None

    def _ask(self, batch: Batch, rows: Sequence[int], replies: Replies, state: dict[str, Any]) -> None:
        """Ask for some pairs, and enter what is answered until the program says that this is all."""
        program = self._start(state)
        program.write(_pairs(batch, rows) + END)
        program.progress()
        while True:
            left = replies.left
            try:
                line = program.read()
            except SilentError as error:
                if replies.owed or self._has_ended:
                    raise
                self._stop(at_once=True)
                raise UsageError(f"{self._name} answered all pairs, but then {error}: {ASKED}") from None
            if line is None:
                # Who leaves after its work is done is started anew for the next batch.
                if replies.owed:
                    raise program.gone()
                self._stop()
                return
            if replies.take(line):
                self._has_ended = True
                return
            if replies.left < left:
                program.progress()

    def _start(self, state: dict[str, Any]) -> Program:
        if self._program is not None:
            return self._program
        try:
            self._program = Program(self._command, *self._limits)
            name = self._open(self._program, "predict", {"state": state["state"]} if state else {})
        except ProgramError as error:
            self._stop(at_once=True)
            if self._was_ready:
                raise
            raise UsageError(f"{self._name} was not ready: it {error}") from None
        self._was_ready = True
        if state and state["program"] != name:
            self._stop()
            raise UsageError(
                f"the model was learnt by {state['program']!r}, but {self._name} now calls itself {name!r}: "
                "train it again with --train"
            )
        return self._program

    def _open(self, program: Program, task: str, more: dict[str, Any]) -> str:
        """Write the opening, and read by what name the program is ready."""
        opening = {"karat": PROTOCOL, "task": task, "way": self._setup.way.name, "seed": self._setup.seed}
        program.write(msgspec.json.encode(opening | more) + b"\n")
        while True:
            line = _next(program)
            try:
                said = parse_line(line)
            except ValueError as error:
                raise ProgramError(f"did not say that it is ready: {error}") from None
            if said.get("ready") is True:
                return printable(str(said.get("name") or self._name))
            if "wait" not in said:
                raise ProgramError(f'said {quote(line)} where {{"ready": true, "name": …}} was expected')

    def _stop(self, at_once: bool = False) -> None:
        if self._program is not None:
            self._program.stop(at_once)
            self._program = None

    @property
    def _name(self) -> str:
        return shlex.join(self._command)


def _pairs(batch: Batch, rows: Sequence[int], labels: Sequence[str] | None = None) -> bytes:
    """Some pairs as lines, with their labels where they are to be learnt from."""
    settings, lines = batch.settings, []
    for row in rows:
        pair = {"id": batch.ids[row], "text": batch.texts[row], "hypothesis": batch.hypotheses[row]}
        more = {"setting": settings[row]} | ({"label": labels[row]} if labels is not None else {})
        lines.append(msgspec.json.encode(pair | more))
    return b"\n".join([*lines, b""])


def _read_state(program: Program) -> Any:
    """What the program says it learnt, past lines that say nothing."""
    strays: list[str] = []
    while len(strays) <= STRAY:
        line = _next(program)
        try:
            said = parse_line(line)
        except ValueError as error:
            strays.append(str(error))
            continue
        if "state" in said:
            return _checked(said["state"])
        if "wait" not in said:
            strays.append(quote(line))
    raise ProgramError(f'wrote {counted(len(strays), "line")}, but not {{"state": …}}; the first: {strays[0]}')


def _next(program: Program) -> bytes:
    line = program.read()
    if line is None:
        raise program.gone()
    return line


def _checked(state: Any) -> Any:
    """A state that is JSON for everybody; Python reads and writes more."""
    try:
        json.dumps(state, allow_nan=False, ensure_ascii=False).encode()
    except ValueError:
        raise ProgramError("learnt a state with NaN, an infinite number or half a character in it") from None
    return state

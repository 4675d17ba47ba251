"""Judges that are programs: one that reads and writes lines of JSON, or a model behind an endpoint."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from karat import __version__
from karat.client import prompts
from karat.client.answers import Judgment, UnreadableError, from_object, from_text
from karat.client.campaigns import Guidelines, Unit
from karat.client.requests import Sender
from karat.engines.outside.program import Program, ProgramError
from karat.engines.outside.replies import STRAY, parse_line
from karat.errors import UsageError, printable

NOT_THIS_UNIT = (400, 413, 422)
"""Statuses of an endpoint that are about one unit, which may be too long for it or not to its taste."""


class Assessor(Protocol):
    """Something that judges units."""

    facts: dict[str, Any]
    """What is stored with its judgments: kind, model, prompt, parameters, version."""

    def judge(self, unit: Unit, guidelines: Guidelines) -> Judgment:
        """A judgment; an `UnreadableError` if there is none in what it says."""

    def close(self) -> None:
        """End it."""


def _facts(kind: str, model: str, prompt: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    told = {"sha256": hashlib.sha256(prompt.encode()).hexdigest(), "text": prompt} if prompt else None
    return {
        "kind": kind,
        "model": model,
        "prompt": told,
        "parameters": dict(parameters),
        "version": f"karat {__version__}",
    }


class ProgramAssessor:
    """A program that gets one object per line on its standard input, and answers with one on its standard output."""

    def __init__(self, command: Sequence[str], model: str, parameters: Mapping[str, Any], timeout: float) -> None:
        # The command itself is not recorded: it may contain what is nobody's business.
        self.facts = _facts("program", model or PurePath(command[0]).name, "", parameters)
        self._command, self._timeout = command, timeout
        self._program: Program | None = None

    def judge(self, unit: Unit, guidelines: Guidelines) -> Judgment:
        """What the program says; one that has left or says nothing is started anew for the next attempt."""
        try:
            return self._answer(unit, guidelines)
        except ProgramError as error:
            self.close()
            raise UnreadableError(f"the program {error}") from None

    def _answer(self, unit: Unit, guidelines: Guidelines) -> Judgment:
        self._program = self._program or self._started()
        told = {"unit": unit.unit, "stage": unit.stage, "show": unit.show, "ask": unit.ask, "guidelines": guidelines}
        self._program.progress()
        self._program.write(msgspec.json.encode(told) + b"\n")
        for _ in range(STRAY):
            line = self._program.read()
            if line is None:
                raise self._program.gone()
            try:
                said = parse_line(line)
            except ValueError as error:
                raise UnreadableError(str(error)) from None
            if said.get("unit") != unit.unit:
                continue  # an answer that came too late for a unit that was given up
            if "error" in said:
                raise UnreadableError(f"the program gave it up: {printable(str(said['error']))}")
            about = said.get("program")
            return replace(from_object(said, unit.ask), about=about if isinstance(about, dict) else {})
        raise ProgramError(f"wrote {STRAY} lines about other units")

    def _started(self) -> Program:
        try:
            return Program(self._command, self._timeout, self._timeout)
        except ProgramError as error:
            raise UsageError(f"--program {self._command[0]} {error}") from None

    def close(self) -> None:
        """End the program."""
        if self._program is not None:
            self._program.stop()
            self._program = None


class Pace:
    """At most so many requests a minute."""

    def __init__(self, rate: float | None, sleep: Callable[[float], None] = time.sleep) -> None:
        self._each = 0.0 if rate is None else 60.0 / rate
        self._sleep, self._next = sleep, 0.0

    def wait(self) -> None:
        """Wait for the next one's turn."""
        moment = time.monotonic()
        if moment < self._next:
            self._sleep(self._next - moment)
        self._next = max(moment, self._next) + self._each


class _Message(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    usage: _Usage | None = None
    model: str | None = None


class EndpointAssessor:
    """A model behind an endpoint that takes `POST …/chat/completions`."""

    def __init__(
        self,
        endpoint: str,
        model: str,
        *,
        prompt: str = prompts.DEFAULT,
        parameters: Mapping[str, Any],
        key: str = "",
        sender: Sender,
        pace: Pace,
    ) -> None:
        whole = endpoint.rstrip("/")
        self._address = whole if whole.endswith("/chat/completions") else f"{whole}/chat/completions"
        self._prompt, self._model, self._parameters = prompt, model, parameters
        self._key, self._sender, self._pace = key, sender, pace
        self.facts = _facts("endpoint", model, prompt, parameters)

    def judge(self, unit: Unit, guidelines: Guidelines) -> Judgment:
        """What the model says."""
        messages = [
            {"role": "system", "content": prompts.system(self._prompt, guidelines)},
            {"role": "user", "content": prompts.user(unit)},
        ]
        body = msgspec.json.encode({"model": self._model, "messages": messages, **self._parameters})
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {self._key}"} if self._key else {}
        self._pace.wait()
        got = self._sender.send("POST", self._address, body, headers)
        if got.status in NOT_THIS_UNIT:
            raise UnreadableError(f"the endpoint answers with status {got.status}: {self._said(got.body)}")
        if got.status != 200:
            raise UsageError(f"the endpoint answers with status {got.status}: {self._said(got.body)}")
        try:
            made = msgspec.json.decode(got.body, type=_Completion)
        except msgspec.DecodeError:
            raise UnreadableError(f"the endpoint answers with something else: {self._said(got.body)}") from None
        usage = made.usage or _Usage()
        about = {"answered_by": made.model} if made.model and made.model != self._model else {}
        cost = Judgment(tokens_in=usage.prompt_tokens, tokens_out=usage.completion_tokens, about=about)
        return self._read(made.choices[0] if made.choices else _Choice(_Message()), unit, cost)

    def _read(self, choice: _Choice, unit: Unit, cost: Judgment) -> Judgment:
        try:
            found = from_text(choice.message.content or "", unit.ask)
        except UnreadableError as error:
            made = UnreadableError(f"{error}{' (it was cut off)' * (choice.finish_reason == 'length')}")
            made.cost = cost
            raise made from None
        return replace(cost, values=found.values, skipped=found.skipped, comment=found.comment)

    def _said(self, body: bytes) -> str:
        """What an endpoint says, without the key: some of them repeat it."""
        text = body.decode("utf-8", "replace")
        return printable(text.replace(self._key, "[key]") if self._key else text)

    def close(self) -> None:
        """Nothing is open."""

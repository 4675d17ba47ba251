"""A campaign server as an assessor's program sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from karat.campaign.judging.asking import Ask
from karat.client.requests import Received, Sender
from karat.errors import DataError, Problem, UsageError


class Unit(msgspec.Struct, frozen=True):
    """Something to judge."""

    unit: str
    stage: str
    show: dict[str, Any]
    ask: tuple[Ask, ...]
    guidelines: int
    done: int
    total: int


class Guidelines(msgspec.Struct, frozen=True):
    """What assessors go by."""

    version: int = 0
    text: str = ""


class _Refusal(msgspec.Struct):
    problems: list[Problem]


class JudgingClient:
    """The judging of one task on a server."""

    def __init__(self, server: str, token: str, campaign: str, task: str, sender: Sender) -> None:
        self._base = f"{server.rstrip('/')}/api/campaigns/{quote(campaign, safe='')}"
        self._task = f"{self._base}/tasks/{quote(task, safe='')}"
        self._headers = {"Authorization": f"Bearer {token}"}
        self._server, self._sender = server, sender
        self._guidelines = Guidelines()

    def next(self, after: str = "") -> Unit | None:
        """The next unit, looked for after another one first; None if nothing is left."""
        query = f"?{urlencode({'after': after})}" if after else ""
        got = self._sender.send("GET", f"{self._task}/next{query}", None, self._headers)
        return None if got.status == 204 else self._read(got, 200, Unit)

    def guidelines(self, version: int) -> Guidelines:
        """A version of the guidelines; the last one is kept."""
        if version and version != self._guidelines.version:
            address = f"{self._base}/guidelines?version={version}"
            self._guidelines = self._read(self._sender.send("GET", address, None, self._headers), 200, Guidelines)
        return self._guidelines if version else Guidelines()

    def judge(self, ballot: Mapping[str, object]) -> None:
        """Send a judgment; a `DataError` with the problems for which it was refused."""
        headers = self._headers | {"Content-Type": "application/json"}
        got = self._sender.send("POST", f"{self._task}/ballots", msgspec.json.encode(ballot), headers)
        self._read(got, 201, dict[str, Any])

    def _read(self, got: Received, expected: int, kind: Any) -> Any:
        try:
            if got.status == expected:
                return msgspec.json.decode(got.body, type=kind)
            refusal = msgspec.json.decode(got.body, type=_Refusal)
        except msgspec.DecodeError:
            where = f" and redirects to {got.headers['Location']}" if "Location" in got.headers else ""
            found = f"{self._server} answers with status {got.status}{where}, but not as a karat server does"
            raise UsageError(f"{found}; check the address with --to") from None
        if got.status == 401:
            raise UsageError("; ".join(map(str, refusal.problems)))
        raise DataError(refusal.problems)

"""Requests over HTTP: what is lost is sent again, a server that is busy gets its time, no redirection is followed."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import urlsplit

from karat.errors import UsageError, printable

BUSY = (408, 425, 429, 500, 502, 503, 504, 529)
"""Statuses after which the same request is sent again."""
LONGEST_WAIT = 300.0
MOST_BYTES = 64 << 20
"""Of a response."""


class Received(NamedTuple):
    """A response, whatever its status."""

    status: int
    body: bytes
    headers: Mapping[str, str]


class UnreachableError(UsageError):
    """A server did not answer, or only that it cannot, however often it was asked."""


class _Unmoved(urllib.request.HTTPRedirectHandler):
    """Follows no redirection: what a request carries is for this server alone."""

    def redirect_request(self, *_: object) -> None:
        """None, so that the redirection is the answer."""


@contextmanager
def opened(request: urllib.request.Request, timeout: float) -> Iterator[http.client.HTTPResponse]:
    """The response to a request, which is sent once, to this address and no other."""
    with urllib.request.build_opener(_Unmoved).open(request, timeout=timeout) as response:
        yield response


def split_address(server: str, option: str, example: str) -> tuple[bool, str]:
    """Whether an address is encrypted, and its host; a `UsageError` if it is none."""
    try:
        where = urlsplit(server)
        if where.username is not None or where.password is not None:
            raise UsageError(f"{option}: an address with a password in it; leave it out, since addresses are recorded")
        if where.scheme in ("http", "https") and where.hostname and where.port != 0:
            return where.scheme == "https", where.hostname
    except ValueError:  # a port that is no number, half an IPv6 address
        pass
    raise UsageError(f"{option} {server}: expected the address of a server, as {example}")


class Sender:
    """Sends requests, and sends them again if need be."""

    def __init__(
        self,
        *,
        attempts: int = 6,
        timeout: float = 120.0,
        pause: float = 0.5,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.attempts, self.timeout, self.pause, self.sleep = attempts, timeout, pause, sleep
        self.repeated = 0
        """How many requests were sent again."""

    def send(self, method: str, address: str, body: bytes | None, headers: Mapping[str, str]) -> Received:
        """The response; an `UnreachableError` if there is none after so many attempts."""
        why = ""
        for attempt in range(1, self.attempts + 1):
            wait: float | None = None
            try:
                response = self._once(urllib.request.Request(address, body, dict(headers), method=method))
                if response.status not in BUSY:
                    return response
                why, wait = f"status {response.status}", _asked_for(response.headers)
            except (OSError, http.client.HTTPException, ValueError) as error:
                why = _lost(error, address)
            if attempt < self.attempts:
                self.repeated += 1
                self.sleep(min(LONGEST_WAIT, self.pause * 2 ** (attempt - 1) if wait is None else wait))
        raise UnreachableError(f"no answer from {_plain(address)}, asked {self.attempts} times: {why}")

    def _once(self, request: urllib.request.Request) -> Received:
        try:
            with opened(request, self.timeout) as response:
                return Received(response.status, response.read(MOST_BYTES), dict(response.headers))
        except urllib.error.HTTPError as error:
            with error:
                return Received(error.code, error.read(MOST_BYTES), dict(error.headers))


def _asked_for(headers: Mapping[str, str]) -> float | None:
    """The seconds that a server asks to wait; None if it names none."""
    given = next((value for name, value in headers.items() if name.lower() == "retry-after"), "")
    try:
        return max(0.0, float(given))
    except ValueError:
        return None


def _lost(error: Exception, address: str) -> str:
    """Why there is no answer; an `UnreachableError` at once if asking again cannot help."""
    reason = getattr(error, "reason", error)
    if isinstance(reason, ConnectionError | TimeoutError | http.client.HTTPException):
        return printable(str(reason) or type(reason).__name__)
    raise UnreachableError(f"no answer from {_plain(address)}: {printable(str(reason))}") from None


def _plain(address: str) -> str:
    where = urlsplit(address)
    return f"{where.scheme}://{where.netloc}"

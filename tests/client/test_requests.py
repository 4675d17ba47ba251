"""Requests that are lost, refused for the moment, or answered late: sent again, as often as was said."""

from __future__ import annotations

import json

import pytest

from karat.client.judges import Pace
from karat.client.requests import Received, Sender, UnreachableError, split_address
from karat.errors import UsageError
from tests.client.endpoints import Fault, endpoint

BODY = json.dumps({"messages": [{"content": "hello"}]}).encode()


def sent(*faults: Fault, attempts: int = 4, timeout: float = 20.0) -> tuple[Received, list[float], int]:
    """The response, the waits, and how many requests were met."""
    waits: list[float] = []
    sender = Sender(attempts=attempts, timeout=timeout, pause=1.0, sleep=waits.append)
    with endpoint(lambda text: text.upper(), *faults) as there:
        got = sender.send("POST", f"{there.address}/x", BODY, {"Content-Type": "application/json"})
        assert sender.repeated == len(waits) == len(there.met) - 1
        return got, waits, len(there.met)


def test_busy_servers_get_their_time() -> None:
    """The seconds that they ask for, or twice as long each time."""
    busy: Fault = (429, {}, {"Retry-After": "7"})
    got, waits, _ = sent(busy, (503, b"?", {}), (500, b"", {"Retry-After": "soon"}))
    assert (got.status, waits) == (200, [7.0, 2.0, 4.0])
    assert b"HELLO" in got.body


def test_a_lost_connection() -> None:
    """It is sent again; other statuses are answers."""
    assert sent(None, None)[0].status == 200
    assert sent((404, b"no", {}))[1:] == ([], 1)


def test_no_server_waits_for_ever() -> None:
    """It is given up after so many attempts; a wait is never longer than some minutes."""
    with pytest.raises(UnreachableError, match="asked 2 times: status 500"):
        sent((500, b"", {}), (500, b"", {}), attempts=2)
    assert sent((429, {}, {"Retry-After": "99999"}))[1] == [300.0]
    with pytest.raises(UnreachableError, match=r"no answer from http://karat\.invalid"):
        Sender(sleep=lambda _: None).send("GET", "http://karat.invalid/x", None, {})


def test_redirections_are_not_followed() -> None:
    """What a request carries is for one server."""
    got, _, met = sent((302, b"", {"Location": "http://127.0.0.1:9/"}))
    assert (got.status, met) == (302, 1)


@pytest.mark.parametrize("address", ["eval.example.org", "ftp://a", "http://", "http://a:x", "http://me:pw@a"])
def test_addresses(address: str) -> None:
    """What is no address of a server is refused; so is one with a password, which is not repeated."""
    with pytest.raises(UsageError, match=r"--to|to") as error:
        split_address(address, "--to", "https://eval.example.org")
    assert "pw" not in str(error.value)


def test_a_pace_is_kept() -> None:
    """The first is sent at once, the others wait for their turn."""
    waits: list[float] = []
    pace = Pace(6.0, waits.append)
    for _ in range(3):
        pace.wait()
    assert [round(wait) for wait in waits] == [10, 20]
    free = Pace(None, waits.append)
    free.wait()
    free.wait()
    assert len(waits) == 2

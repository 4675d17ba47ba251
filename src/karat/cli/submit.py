"""`karat submit`: a run sent to a campaign server; the answer is the receipt, or every problem."""

from __future__ import annotations

import hashlib
import http.client
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import click
import msgspec

from karat.campaign.definition import MOST_BYTES
from karat.cli import FORMAT, LOOPBACK, Command, print_answer, tell
from karat.client.requests import opened, split_address
from karat.errors import Problem, Problems, UsageError
from karat.files import read_bytes

ATTEMPTS = 3
"""A run is sent again after a lost connection: sent twice, it is stored once."""
PAUSE = 0.5
TIMEOUT = 120.0
REFUSALS = (403, 409, 413, 422, 429)
"""Statuses of a refusal; any other means that the call is wrong or the server failed."""
UNAVAILABLE = (500, 502, 503, 504)


class Answer(msgspec.Struct):
    """What a server answers, and what is printed as JSON."""

    accepted: bool
    receipt: dict[str, object] | None
    problems: list[Problem]


class Response(NamedTuple):
    """A response, whatever its status."""

    status: int
    body: bytes
    location: str


@click.command("submit", cls=Command)
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--to", "server", required=True, metavar="URL", help="the server, as https://eval.example.org")
@click.option("--token", required=True, envvar="KARAT_TOKEN", help="the token of your account; else $KARAT_TOKEN")
@click.option("--campaign", required=True, metavar="NAME", help="the campaign")
@click.option("--task", required=True, metavar="NAME", help="the task")
@click.option("--run", type=click.IntRange(1), help="the number of the run; without one, the next that is free")
@click.option("--ranked", is_flag=True, help="the run is ranked")
@click.option("--manual", is_flag=True, help="people had a part in the answers")
@click.option("--justifications", is_flag=True, help="the run has justifications")
@click.option("--statement", metavar="TEXT", help="anything that was done specifically for the test set")
@click.option("--practice", is_flag=True, help="after the close, beside the official runs")
@click.option("--dry-run", is_flag=True, help="have the file checked, and store nothing")
@FORMAT
def command(file: str, server: str, token: str, campaign: str, task: str, form: str, **said: object) -> None:
    """Submit a run to a campaign server.

    Prints the receipt, or every problem by its line. Exit status 0: accepted; 1: refused; 2: the call is wrong, or
    there is no server.
    """
    (secure, host), token = split_address(server, "--to", "https://eval.example.org"), token.strip()
    if not (token.isascii() and token.isprintable()):
        raise UsageError("--token has characters that no token has; copy it again")
    if not secure and host not in LOOPBACK:
        tell("warning: without https, the token and the run can be read on the way")
    raw, name = read_bytes(file, MOST_BYTES), Path(file).name
    if len(raw) > MOST_BYTES:
        answer, status = _too_large(name), 413
    else:
        address = f"{server.rstrip('/')}/api/campaigns/{quote(campaign, safe='')}/tasks/{quote(task, safe='')}/runs"
        answer, status = _read(_send(address, token, name, raw, said), server, name)
    _check_receipt(answer, raw)
    print_answer(msgspec.to_builtins(answer), form, _lines(answer, name, bool(said["dry_run"])))
    if not answer.accepted:
        raise click.exceptions.Exit(1 if status in REFUSALS else 2)


def _too_large(name: str) -> Answer:
    problems = Problems()
    problems.add("too-large", f"more than {MOST_BYTES:,} bytes", file=name, limit=f"{MOST_BYTES >> 20} MiB")
    return Answer(accepted=False, receipt=None, problems=list(problems))


def _send(address: str, token: str, name: str, raw: bytes, said: Mapping[str, object]) -> Response:
    """The response of the server; a lost connection is tried again."""
    boundary = secrets.token_hex(16)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": f"multipart/form-data; boundary={boundary}"}
    request = urllib.request.Request(address, _form(boundary, name, raw, said), headers)
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with opened(request, TIMEOUT) as response:
                return Response(response.status, response.read(), "")
        except urllib.error.HTTPError as error:
            with error:
                failed = Response(error.code, error.read(), error.headers.get("Location", ""))
            if error.code not in UNAVAILABLE or attempt == ATTEMPTS:
                return failed
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            lost = isinstance(reason, ConnectionError | TimeoutError | http.client.HTTPException)
            if not lost or attempt == ATTEMPTS:
                raise UsageError(f"no answer from {address}: {reason}; check --to, and that the server runs") from None
        time.sleep(PAUSE * attempt)
    raise AssertionError("unreachable")


def _form(boundary: str, name: str, raw: bytes, said: Mapping[str, object]) -> bytes:
    """The body of the request."""
    quoted = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    parts = [(f'name="file"; filename="{quoted}"\r\nContent-Type: application/octet-stream', raw)]
    for field, value in said.items():
        if value not in (None, False, ""):
            parts.append((f'name="{field}"', str(value).encode(errors="replace")))
    head = f"--{boundary}\r\nContent-Disposition: form-data; "
    body = b"".join(f"{head}{part}\r\n\r\n".encode(errors="replace") + data + b"\r\n" for part, data in parts)
    return body + f"--{boundary}--\r\n".encode()


def _read(response: Response, server: str, name: str) -> tuple[Answer, int]:
    """The answer of a karat server; anything else is a wrong address."""
    status = response.status
    try:
        return msgspec.json.decode(response.body, type=Answer), status
    except msgspec.DecodeError:
        if status == 413:
            return _too_large(name), status
    if response.location:
        raise UsageError(f"{server} redirects to {response.location}; give the address of the server itself with --to")
    if status in UNAVAILABLE:
        raise UsageError(f"{server} failed with status {status}; send the run again later, which stores it once")
    raise UsageError(f"{server} answers with status {status}, but not as a karat server does; check --to")


def _check_receipt(answer: Answer, raw: bytes) -> None:
    """A receipt for other bytes than were sent is none."""
    if answer.receipt is not None and answer.receipt.get("sha256") != hashlib.sha256(raw).hexdigest():
        raise UsageError("the receipt is for another file than was sent; tell the organisers")


def _lines(answer: Answer, name: str, dry_run: bool) -> list[str]:
    """The answer for people: the receipt, or every problem on a line of its own."""
    told = [problem.said(str) for problem in answer.problems]
    if not answer.accepted:
        return [*told, f"{name} was not accepted"]
    if answer.receipt is None:
        return [*told, f"{name} would be accepted" + " (a dry run: nothing was stored)" * dry_run]
    keys = ("id", "sha256", "received", "state", "team", "task", "run", "replaces")
    receipt = [f"{key}: {answer.receipt.get(key)}" for key in keys if answer.receipt.get(key) is not None]
    practice = " to practise; it does not count" * (answer.receipt.get("area") == "practice")
    return [*told, f"{name} was accepted{practice}", *receipt]

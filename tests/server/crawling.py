"""Fetches whatever somebody can get: what is linked from the first page, and every address that can be guessed."""

from __future__ import annotations

import io
import itertools
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any

from django.urls import reverse

from karat.server import api, urls
from tests.server.sights import OWN, TASK, World

LINK = re.compile(r"""(?:href|action|src|hx-get|hx-post)="(/[^"#]*)""")
Met = dict[str, tuple[int, str, tuple[bytes, ...]]]
"""What somebody has got: status, headers and parts by address."""
UNNAMED = "with-slash"
"""What stands here for the one address without a name."""


@dataclass(frozen=True)
class Answer:
    """What was answered to a request."""

    status: int
    headers: str
    body: bytes

    def parts(self) -> Iterator[bytes]:
        """Everything that was sent: headers, and the body, or the names and files that are packed in it."""
        yield self.headers.encode()
        if self.body[:4] != b"PK\x03\x04":
            yield self.body
            return
        with zipfile.ZipFile(io.BytesIO(self.body)) as packed:
            yield packed.comment
            for one in packed.infolist():
                yield f"{one.filename} {one.date_time} {one.comment!r} {one.extra!r}".encode()
                if not one.filename.endswith("SHA256SUMS"):  # which follows from the rest
                    yield packed.read(one)


def answer_of(response: Any) -> Answer:
    """An answer, with the headers that say something about its content."""
    told = ("Content-Type", "Content-Disposition", "Location", "HX-Redirect")
    headers = "".join(f"{name}: {response.headers[name]}\n" for name in told if name in response.headers)
    body = b"".join(response.streaming_content) if response.streaming else response.content
    response.close()
    return Answer(response.status_code, headers, body)


def ask(world: World, role: str, address: str, form: Mapping[str, Any] | None = None) -> Answer:
    """Ask for an address with the session of a role, or with its token."""
    token = world.tokens.get(role) if address.startswith("/api/") else None
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    one = world.people[role]
    return answer_of(one.get(address, headers=headers) if form is None else one.post(address, form, headers=headers))


def patterns() -> dict[str, Any]:
    """Every address of the server by its name."""
    listed = [*api.urlpatterns, *(one for one in urls.urlpatterns if hasattr(one, "name"))]
    return {one.name or UNNAMED: one for one in listed}


def filled(world: World, values: Mapping[str, tuple[Any, ...]]) -> Iterator[str]:
    """Every address with each of these values in its places."""
    known: dict[str, tuple[Any, ...]] = {
        "name": (world.name,),
        "task": (TASK,),
        "secret": ("nothing",),
        "path": ("nowhere",),
    }
    known |= {"version": (1,), "what": ("ballots", "key"), **values}
    for name, pattern in patterns().items():
        if name == UNNAMED:
            yield "/nowhere"
            continue
        places = list(pattern.pattern.converters)
        for combination in itertools.product(*(known[place] for place in places)):
            yield reverse(name, kwargs=dict(zip(places, combination, strict=True)))


def guesses(world: World, own: bool) -> dict[str, tuple[Any, ...]]:
    """The values in addresses that belong to the team, or to others."""
    state = world.state
    teams = [team for team in state.teams if (team == OWN) == own]
    return {
        "id": tuple(id for id, run in state.runs.items() if (run.received.team == OWN) == own),
        "team": (*teams, *(world.aliases()[team] for team in teams)),
        "number": (1, 2) if own else (3, *(number for number, _ in state.refused)),
        "account": tuple(one.account for one in state.members.values() if (one.team == OWN) == own),
    }


def crawl(world: World, role: str, begin: tuple[str, ...] = ("/",), below: str = "/") -> dict[str, Answer]:
    """Whatever can be reached from some addresses, in the order in which it is met."""
    met: dict[str, Answer] = {}
    waiting, elsewhere = list(begin), re.compile(f"/static/|/c/(?!{world.name}/)")
    while waiting:
        address = waiting.pop(0)
        if address in met:
            continue
        answer = met[address] = ask(world, role, address)
        if "text/html" in answer.headers:
            links = [unescape(link) for link in LINK.findall(answer.body.decode())]
            waiting += [one for one in links if one.startswith(below) and not elsewhere.match(one)]
        elif place := re.search(r"^Location: (/.*)$", answer.headers, re.M):
            waiting.append(place[1])
    return met


def everything(world: World, role: str) -> dict[str, Answer]:
    """What somebody gets from the first page on, and at every address with values of their own."""
    return crawl(world, role, ("/", *filled(world, guesses(world, own=True))))


def plain(world: World, answers: Mapping[str, Answer]) -> Met:
    """Answers by their addresses, without what differs from one campaign to the next in any case."""
    normal = world.normalising()

    def text(value: str) -> str:
        return normal(value.encode()).decode()

    return {
        text(address): (one.status, text(one.headers), tuple(map(normal, one.parts())))
        for address, one in answers.items()
    }


def main_of(body: bytes) -> bytes:
    """The content of a page without its frame."""
    found = re.search(rb"<main.*?</main>", body, re.S)
    return body if found is None else found[0]

"""A model behind an endpoint on this machine, which speaks the protocol, and fails as it is told to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Fault = tuple[int, Any, dict[str, str]] | str | None
"""A reply with status, body and headers; the text of an answer; or None for a dropped connection."""


class Endpoint(ThreadingHTTPServer):
    """Answers by a function of the last message; before that, with the faults in turn."""

    daemon_threads = True

    def __init__(self, answer: Callable[[str], str], *faults: Fault) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer, self.faults = answer, list(faults)
        self.met: list[tuple[str, dict[str, str], Any]] = []

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        """Note the request, and answer."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.met.append((self.path, dict(self.headers), body))
        fault: Fault = (
            self.server.faults.pop(0) if self.server.faults else self.server.answer(body["messages"][-1]["content"])
        )
        if fault is None:
            self.close_connection = True
            return
        status, told, headers = completion(fault) if isinstance(fault, str) else fault
        raw = told if isinstance(told, bytes) else json.dumps(told).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(raw))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""


def completion(text: str) -> tuple[int, Any, dict[str, str]]:
    """A reply as models give it."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    return 200, {"id": "x", "object": "chat.completion", "model": "tiny-1", "choices": [choice], "usage": usage}, {}


@contextmanager
def endpoint(answer: Callable[[str], str], *faults: Fault) -> Iterator[Endpoint]:
    """An endpoint that is there until the end."""
    made = Endpoint(answer, *faults)
    thread = threading.Thread(target=made.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.shutdown()
        made.server_close()
        thread.join(timeout=10)

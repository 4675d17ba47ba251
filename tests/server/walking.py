"""Starts an installed karat, follows its first link, and walks every page; needs nothing but the standard library.

`python walking.py KARAT HOME` prints what each address answered, as JSON.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from html.parser import HTMLParser
from http.cookiejar import CookieJar

MOST_PAGES = 200


class Links(HTMLParser):
    """The addresses that a page names."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note where an element leads."""
        del tag
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


class Browser:
    """Somebody with cookies."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def ask(self, path: str, form: dict[str, str] | None = None) -> tuple[int, str, bytes]:
        """Status, type and content of a page."""
        data = None if form is None else urllib.parse.urlencode(form).encode()
        try:
            with self._open.open(urllib.parse.urljoin(self.address, path), data, timeout=30) as got:
                return got.status, got.headers.get_content_type(), got.read()
        except urllib.error.HTTPError as error:
            return error.code, "", error.read()

    def walk(self, begin: str) -> dict[str, int]:
        """Every address that can be reached from a page, with its status."""
        met, waiting = dict[str, int](), [begin]
        while waiting and len(met) < MOST_PAGES:
            path = waiting.pop(0)
            status, kind, body = self.ask(path)
            for _ in range(30):  # what is still being made is asked for again, as a browser does
                if status == 202:
                    time.sleep(1)
                    status, kind, body = self.ask(path)
            met[path] = status
            if kind == "text/html":
                links = Links()
                links.feed(body.decode())
                for link in links.found:
                    full = urllib.parse.urlsplit(urllib.parse.urljoin(self.address + path, link))
                    own = f"{full.scheme}://{full.netloc}" == self.address
                    relative = full.path + (f"?{full.query}" if full.query else "")
                    if own and relative not in met and relative not in waiting:
                        waiting.append(relative)
        return met


def main(karat: str, home: str) -> dict[str, dict[str, int]]:
    """What the host sees, by the eyes that it looks through."""
    command = [karat, "serve", "--home", home, "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        link, address = (process.stdout.readline().split()[1] for _ in range(2))
        browser, walked = Browser(address), dict[str, dict[str, int]]()
        assert browser.ask(link)[0] == 200
        for eyes in ("organiser", "team", "assessor"):
            browser.ask("/welcome/look/", {"as": ""} | _mark(browser))
            browser.ask("/welcome/look/", {"as": eyes} | _mark(browser))
            walked[eyes] = browser.walk("/")
        return walked
    finally:
        process.terminate()
        process.wait(timeout=20)


def _mark(browser: Browser) -> dict[str, str]:
    page = browser.ask("/welcome/")[2].decode()
    found = re.search('name="csrfmiddlewaretoken" value="([^"]+)"', page)
    return {"csrfmiddlewaretoken": found[1] if found else ""}


def _with_loopback_alone() -> None:
    """In a network of its own, the only connection is to oneself, and it has to be switched on."""
    import fcntl
    import socket
    import struct

    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh", b"lo", 0x1 | 0x40))


if __name__ == "__main__":
    if sys.argv[3:] == ["alone"]:
        _with_loopback_alone()
    print(json.dumps(main(sys.argv[1], sys.argv[2])))

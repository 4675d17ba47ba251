"""`karat serve`."""

from __future__ import annotations

import importlib.util
import os
import sys
import webbrowser

import click

from karat.cli import LOOPBACK, Command, tell
from karat.errors import UsageError


def need_server() -> None:
    """Say how to install what a server needs, if it is missing."""
    if importlib.util.find_spec("django") is None or importlib.util.find_spec("waitress") is None:
        raise UsageError("the campaign server needs further packages: pip install 'karat[server]'")


@click.command("serve", cls=Command)
@click.option("--home", type=click.Path(file_okay=False), help="the folder for everything [default: ./karat-home]")
@click.option("--host", default="127.0.0.1", show_default=True, help="the address to listen on")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="the port; 0 takes any")
@click.option("--url", metavar="URL", help="where people reach it, as https://eval.example.org behind a proxy")
@click.option("--example", is_flag=True, help="fill an empty home with the example campaign")
def command(home: str | None, host: str, port: int, url: str | None, example: bool) -> None:
    """Serve campaigns: teams submit, assessors judge, organisers release."""
    need_server()
    from karat.server.serving import make_server, prepare, run, stop_in_order

    stop_in_order()

    url = (url or os.environ.get("KARAT_URL") or "").rstrip("/")
    shown = f"[{host}]" if ":" in host else host
    place = prepare(home, url or f"http://{shown}:{port}")
    place.claim()
    server = make_server(host, port, behind_proxy=url.startswith("https:"))
    address = url or f"http://{shown}:{server.effective_port}"
    from karat.server.accounts import host_link
    from karat.server.example import NAME as EXAMPLE
    from karat.server.example import make_example
    from karat.server.store import names

    if example and names() in ([], [EXAMPLE]):
        make_example()
    if host not in LOOPBACK and not url:
        tell("warning: without https, passwords can be read on the way; put a proxy in front and give --url https://…")
    if (secret := host_link()) is not None:
        link = f"{address}/enter/{secret}"
        click.echo(f"organiser: {link}")
        if sys.stdout.isatty() and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            webbrowser.open(link)
    place.note_address(address)
    click.echo(f"serving: {address}")
    click.echo(f"home: {place.folder}; Ctrl-C stops the server", err=True)
    sys.stdout.flush()
    run(server, place)
    tell("stopped; everything is saved")

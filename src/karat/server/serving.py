"""One process that serves: it prepares the home, answers requests, makes backups and stops in order."""

from __future__ import annotations

import gc
import importlib
import importlib.util
import logging
import os
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from karat.errors import KaratError, UsageError
from karat.server.home import MOST_BODY, Home

THREADS = 8
MOST_CONNECTIONS = 1000
COLLECTS_AFTER = 700, 10, 1000
"""A full collection stops every request while it looks at all that reports are made of, and finds next to nothing: one
is made a hundred times more seldom than Python would. What is dropped is freed all the same, unless it is a cycle."""
BACKUP_EVERY = 6 * 3600.0
SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""What asks the server to stop."""


def prepare(folder: str | Path | None, address: str | None = None) -> Home:
    """Open a home: make what is missing, and bring its database up to date, with a copy of it before."""
    home = Home(folder)
    _check_database(home.postgres)
    if (opened := sys.modules.get("karat.server.settings")) and opened.HOME.folder != home.folder:
        raise UsageError(f"this process has opened the home {opened.HOME.folder}; open {home.folder} in another")
    home.make()
    os.environ["KARAT_HOME"] = str(home.folder)
    if address is not None:
        os.environ["KARAT_URL"] = address
    os.environ["DJANGO_SETTINGS_MODULE"] = "karat.server.settings"
    import django

    django.setup()
    with home.alone():
        _migrate(home)
    return home


def _check_database(address: str) -> None:
    """Say in one sentence what is wrong with the address of a database."""
    if not address:
        return
    if not address.startswith(("postgresql://", "postgres://")):
        scheme = address.partition("://")[0][:20]
        raise UsageError(f"KARAT_DATABASE begins with {scheme!r}; expected postgresql://USER:PASSWORD@HOST/NAME")
    if importlib.util.find_spec("psycopg") is None:
        raise UsageError("KARAT_DATABASE needs a further package: pip install 'karat[postgres]'")


def _migrate(home: Home) -> None:
    from django.core.management import call_command
    from django.db import DatabaseError, connection
    from django.db.migrations.executor import MigrationExecutor

    try:
        executor = MigrationExecutor(connection)
    except DatabaseError as error:
        where, remedy = str(home.database), f"restore a backup from {home.backups}, or name another folder with --home"
        if home.postgres:
            where, remedy = "the database of KARAT_DATABASE", "check that address, and that the database is running"
        raise UsageError(f"cannot open {where}: {str(error).splitlines()[0]}; {remedy}") from None
    newer = sorted(set(executor.loader.applied_migrations) - set(executor.loader.disk_migrations))
    if newer:
        raise UsageError(
            f"{home.folder} was written by a newer version of karat (it has {newer[-1][1]}); install that version, or "
            f"restore a backup from {home.backups}"
        )
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        if executor.loader.applied_migrations:
            home.back_up()
        call_command("migrate", verbosity=0, interactive=False)


def application() -> Callable[..., Any]:
    """The site, with its static files."""
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application
    from whitenoise import WhiteNoise

    site = WhiteNoise(
        get_wsgi_application(),
        root=str(settings.HERE / "static"),
        prefix=settings.STATIC_URL,
        max_age=365 * 24 * 3600,
        immutable_file_test=lambda path, url: bool(path and url),
    )
    site.add_file_to_dictionary(f"{settings.STATIC_URL}{settings.BOARD.name}", str(settings.BOARD))
    return site


def make_server(host: str, port: int, behind_proxy: bool = False) -> Any:
    """A server that listens; a port that is taken is one sentence and the remedy."""
    from waitress.channel import HTTPChannel
    from waitress.parser import HTTPRequestParser
    from waitress.server import create_server
    from waitress.task import WSGITask

    from karat.server.middleware import RECEIVED

    class Task(WSGITask):
        """A request that knows when it arrived."""

        def get_environment(self) -> dict[str, Any]:
            """The environment, with that time."""
            environment: dict[str, Any] = super().get_environment()
            environment[RECEIVED] = self.request.karat_received
            return environment

    class Parser(HTTPRequestParser):
        """Notes when the last byte of a request is read, before the request waits for a thread."""

        karat_received: float | None = None

        def received(self, data: bytes) -> int:
            """Read bytes; how many belong to this request."""
            taken = int(super().received(data))
            if self.completed and self.karat_received is None:
                self.karat_received = time.time()
            return taken

    class Channel(HTTPChannel):
        """A connection whose requests know when they arrived."""

        task_class, parser_class = Task, Parser

    forwarded = {"x-forwarded-for", "x-forwarded-proto"}
    trust = {"trusted_proxy": "127.0.0.1", "trusted_proxy_headers": forwarded} if behind_proxy else {}
    try:
        server = create_server(
            application(),
            host=host,
            port=port,
            threads=THREADS,
            connection_limit=MOST_CONNECTIONS,
            asyncore_use_poll=True,
            max_request_body_size=MOST_BODY,
            clear_untrusted_proxy_headers=True,
            ident="karat",
            **trust,
        )
    except ValueError:
        raise UsageError(f"{host!r} is not an address of this machine; try --host 127.0.0.1") from None
    except OSError as error:
        remedy = "choose another with --port, or end the program that uses it"
        raise UsageError(f"cannot listen on {host}, port {port}: {error.strerror or error}; {remedy}") from None
    for one in getattr(server, "_servers", None) or [server]:
        one.channel_class = Channel
    return server


def stop_in_order() -> None:
    """From now on, SIGTERM and Ctrl-C end the process with status 0; once is enough, a second time is too late."""

    def stop(*_: object) -> None:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        raise SystemExit(0)

    for number in SIGNALS:
        signal.signal(number, stop)


def run(server: Any, home: Home) -> None:
    """Answer requests until the process is asked to stop; what has been begun is finished."""
    stop = threading.Event()
    gc.set_threshold(*COLLECTS_AFTER)
    # What is buffered on disk, nameless, while a large request arrives stays in the home too.
    tempfile.tempdir = str(home.folder)

    threading.Thread(target=_back_up_regularly, args=(home, stop), daemon=True).start()
    threading.Thread(target=_warm_up, daemon=True).start()
    try:
        server.run()
    finally:
        stop.set()
        server.close()


def _back_up_regularly(home: Home, stop: threading.Event) -> None:
    while not stop.wait(BACKUP_EVERY):
        try:
            home.back_up()
        except (OSError, sqlite3.Error) as error:
            # The next one may succeed: a full disk is emptied, the server goes on.
            logging.getLogger(__name__).error("no backup was made in %s: %s", home.backups, error)


def _warm_up() -> None:
    """Load what scoring needs, and the campaigns, while nobody waits for them."""
    from django.db import DatabaseError, connection

    from karat.server import store

    importlib.import_module("karat.campaign.checking")
    try:
        for name in store.names():
            store.state_of(name)
    except (OSError, DatabaseError, KaratError):
        return  # whoever asks for the campaign is told
    finally:
        connection.close()

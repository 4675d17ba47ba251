"""The home of a server: the one folder that holds its database, its secret, its outbox and its backups."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from karat.errors import UsageError

DEFAULT = "karat-home"
MOST_BODY = 12 << 20
"""The largest request: the largest run, and the fields beside it."""
MOST_BACKUPS = 14


class Home:
    """A home folder; nothing is written outside it."""

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = Path(folder or os.environ.get("KARAT_HOME") or DEFAULT).resolve()
        self.database = self.folder / "karat.sqlite3"
        self.outbox = self.folder / "outbox"
        self.backups = self.folder / "backups"
        self._address = self.folder / "address"

    @property
    def postgres(self) -> str:
        """The address of a PostgreSQL database, if one is used instead of SQLite."""
        return os.environ.get("KARAT_DATABASE", "")

    def make(self) -> None:
        """Create what is missing; one sentence and the remedy if that is not possible."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.folder.chmod(self.folder.stat().st_mode & 0o700)  # what was read-only stays so
            for one in (self.outbox, self.backups):
                one.mkdir(exist_ok=True)
            trial = self.folder / f".writable-{secrets.token_hex(4)}"
            trial.write_bytes(b"")
            trial.unlink()
        except OSError as error:
            raise UsageError(
                f"cannot write to {self.folder}: {error.strerror or error}; name another folder with --home DIR, or "
                "change its permissions"
            ) from None

    def claim(self) -> None:
        """Serve this home alone, until the process ends: a second server would give out its own address."""
        self._claim = (self.folder / "serving").open("w")
        try:
            fcntl.flock(self._claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(
                f"another server serves {self.folder} already; stop it, or name another folder with --home DIR"
            ) from None

    @property
    def exists(self) -> bool:
        """Whether a server has been started here before."""
        return bool(self.postgres) or self.database.exists()

    def secret(self) -> str:
        """The key that signs cookies, made at the first start and readable by its owner alone."""
        file = self.folder / "secret"
        if not file.exists():
            part = self.folder / f".secret-{secrets.token_hex(4)}"
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as opened:
                opened.write(secrets.token_urlsafe(48))
            # A link is there whole or not at all, and never replaces the key of a process that was faster.
            with contextlib.suppress(FileExistsError):
                file.hardlink_to(part)
            part.unlink()
        return file.read_text(encoding="ascii")

    def note_address(self, address: str) -> None:
        """Note where the server is reached, for the links that commands beside it make."""
        self._address.write_text(address, encoding="utf-8")

    def address(self) -> str:
        """Where the server is reached, or was when it last ran."""
        noted = self._address.read_text(encoding="utf-8") if self._address.exists() else ""
        return os.environ.get("KARAT_URL") or noted or "http://127.0.0.1:8000"

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let one process at a time do something to the home; the lock ends with the process that holds it."""
        try:
            import fcntl
        except ImportError:  # not a Unix system, where two servers on one home are one too many
            yield
            return
        handle = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def back_up(self) -> Path | None:
        """A copy of the database, taken while the server runs; the oldest copies are removed.

        None without an SQLite file: PostgreSQL has `pg_dump`.
        """
        if self.postgres or not self.database.exists():
            return None
        target = self.backups / f"karat-{datetime.now(UTC):%Y%m%dT%H%M%S%f}.sqlite3"
        part = target.with_suffix(".part")
        try:
            with closing(sqlite3.connect(self.database)) as source, closing(sqlite3.connect(part)) as copy:
                source.backup(copy)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
        for old in sorted(self.backups.glob("karat-*.sqlite3"))[:-MOST_BACKUPS]:
            old.unlink()
        return target

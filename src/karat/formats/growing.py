"""A file that is written as its content comes, and has its name only when it is whole.

Until then it is `NAME.part`. Beside it stands `NAME.part.json`, which says about once a second how much of it counts,
so that work that was killed goes on from there. What was set aside on the way is kept in `NAME.aside.jsonl`, likewise.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import msgspec

from karat.errors import UsageError
from karat.files import check_folder, new_mode, was_used, write_out

SECONDS = 1.0
"""Seconds between two records of how much is written."""
ASIDE = ".aside.jsonl"


class Record(msgspec.Struct, frozen=True):
    """How much of the two files counts, and what whoever writes them wants to know when it goes on."""

    size: int
    aside: int
    held: msgspec.Raw


class Growing(AbstractContextManager["Growing"]):
    """A growing file and what is set aside; standard output (`-`), a pipe or a device just gets the bytes."""

    def __init__(self, path: str | os.PathLike[str], inputs: Sequence[str] = ()) -> None:
        self.name = os.fspath(path)
        self.held: bytes | None = None
        """What an earlier call held that was killed; None if there was none."""
        self._files: list[IO[bytes]] = []
        self._kept = time.monotonic()
        self._direct: IO[bytes] | None = None
        self._to_stdout = self.name == "-"
        if self._to_stdout:
            return
        check_folder(path)
        self._target = Path(os.path.realpath(path))
        with self._told():  # a name may be too long to ask for
            if self._target.exists() and not stat.S_ISREG(self._target.stat().st_mode):
                self._direct = self._target.open("wb")
                return
        read = [one for one in inputs if os.path.exists(one) and self._target.exists() and self._target.samefile(one)]  # noqa: PTH110 - any name
        if read or was_used(self._target):
            raise UsageError(f"cannot write {path}: it is one of the files that were read; name another file")
        self._part, self._aside_part, self._record = map(self._beside, (".part", f"{ASIDE}.part", ".part.json"))
        with self._told():
            self._open()

    def _beside(self, ending: str) -> Path:
        return self._target.with_name(self._target.name + ending)

    def _open(self) -> None:
        record = self._read_record()
        self._files = [path.open("r+b" if path.exists() else "w+b") for path in (self._part, self._aside_part)]
        self._lock()
        sizes = [os.fstat(file.fileno()).st_size for file in self._files]
        if record is not None and (sizes[0] < record.size or sizes[1] < record.aside):
            record = None  # the machine failed before all was on its disk
        self.held = None if record is None else bytes(record.held)
        wanted = (0, 0) if record is None else (record.size, record.aside)
        for file, size in zip(self._files, wanted, strict=True):
            file.truncate(size)
            file.seek(size)

    def _read_record(self) -> Record | None:
        try:
            return msgspec.json.decode(self._record.read_bytes(), type=Record)
        except (OSError, ValueError):
            return None

    def _lock(self) -> None:
        try:
            import fcntl  # here: Windows has none
        except ImportError:
            return
        try:
            fcntl.flock(self._files[0].fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(
                f"cannot write {self.name}: another call is writing it; wait for it, or name another file"
            ) from None

    @property
    def aside(self) -> str:
        """The name of the file with what was set aside."""
        return f"{Path(self.name).name}{ASIDE}"

    def write(self, data: bytes, aside: bytes, held: Callable[[], Any]) -> None:
        """Write what comes next, and once in a while that it counts, with what `held` returns."""
        if self._to_stdout:
            write_out(data)
            return
        with self._told():
            if self._direct is not None:
                self._direct.write(data)
                self._direct.flush()
                return
            for file, part in zip(self._files, (data, aside), strict=True):
                file.write(part)
            if time.monotonic() - self._kept > SECONDS:
                self._keep(held())

    def _keep(self, held: Any) -> None:
        for file in self._files:
            file.flush()
            os.fsync(file.fileno())
        size, aside = (file.tell() for file in self._files)
        beside = self._beside(".part.json.new")
        beside.write_bytes(msgspec.json.encode(Record(size, aside, msgspec.Raw(msgspec.json.encode(held)))))
        beside.replace(self._record)
        self._kept = time.monotonic()

    def finish(self, held: Any) -> None:
        """Give the file its name."""
        if not self._files:
            return
        with self._told():
            self._keep(held)
            empty = self._files[1].tell() == 0
            mode = stat.S_IMODE(self._target.stat().st_mode) if self._target.exists() else new_mode()
            for file, path in zip(self._files, (self._part, self._aside_part), strict=True):
                file.close()
                path.chmod(mode)
            # A list of an earlier run would be taken for this one's.
            listed = self._beside(ASIDE)
            listed.unlink(missing_ok=True) if empty else self._aside_part.replace(listed)
            self._part.replace(self._target)
            for path in (self._record, self._aside_part):
                path.unlink(missing_ok=True)

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Say what cannot be written, and that nothing is lost."""
        try:
            yield
        except OSError as error:
            kept = self._files and self._record.exists()
            rest = f"; what is written is kept in {self._part.name}: the same call goes on from there" if kept else ""
            raise UsageError(f"cannot write {self.name}: {error.strerror or error}{rest}") from None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in (*self._files, *filter(None, [self._direct])):
            with contextlib.suppress(OSError):
                file.close()
        if self._files and not self._record.exists():  # nothing was written that counts
            for path in (self._part, self._aside_part):
                with contextlib.suppress(OSError):
                    path.unlink()

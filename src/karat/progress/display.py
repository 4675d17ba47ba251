"""The display of a board: progress bars that appear when work takes long, and disappear without a trace."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Event, Thread
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn
from rich.text import Text

from karat.progress import ProgressBoard, Task, is_watched, step, watched

SECONDS_BEFORE_SHOWN = 0.5
"""Seconds before a bar appears; faster work would only flicker."""
SECONDS_BETWEEN_LOOKS = 0.1
"""Seconds between two looks at the board."""
LONGEST_NAME = 40
"""Characters shown of a task's name."""


class Display(AbstractContextManager["Display"]):
    """A thread that watches the board and writes only to standard error."""

    def __init__(
        self, board: ProgressBoard, console: Console | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._board, self._clock = board, clock
        # Standard output is left alone, because a result may be on its way to a file.
        self._bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[elapsed]}"),
            console=console or Console(stderr=True),
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._first_seen: dict[Task, float] = {}
        self._rows: dict[Task, TaskID] = {}
        self._done = Event()
        self._thread = Thread(target=self._run, name="karat progress", daemon=True)

    def __enter__(self) -> Display:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()
        self.close()

    def _run(self) -> None:
        while not self._done.wait(SECONDS_BETWEEN_LOOKS):
            self.look()

    def look(self) -> None:
        """Update the bars to the tasks that have been in progress for long enough."""
        now, tasks = self._clock(), self._board.tasks
        self._first_seen = {task: self._first_seen.get(task, now) for task in tasks}
        ripe = [task for task in tasks if now - self._first_seen[task] >= SECONDS_BEFORE_SHOWN]
        # A task of unknown length is hidden as soon as a task inside it is shown.
        telling = [task for task in ripe if task.total is not None or task is ripe[-1]]
        for task in [task for task in self._rows if task not in telling]:
            self._bars.remove_task(self._rows.pop(task))
        for depth, task in enumerate(telling):
            if task not in self._rows:
                # Invisible at first, because a bar is drawn as soon as it is added.
                self._rows[task] = self._bars.add_task("", total=task.total, visible=False, elapsed="")
            name, elapsed = _name(task, depth), _minutes(now - self._first_seen[task])
            self._bars.update(self._rows[task], description=name, completed=task.done, elapsed=elapsed, visible=True)
        if self._rows and not self._bars.live.is_started:
            self._bars.start()
        if self._bars.live.is_started:
            self._bars.refresh()

    def close(self) -> None:
        """Remove everything from the screen."""
        if self._bars.live.is_started:
            self._bars.stop()


def _name(task: Task, depth: int) -> str:
    """The name as one printable line (a file name may contain anything), indented by depth."""
    name = Text("  " * depth + "".join(sign if sign.isprintable() else " " for sign in task.what))
    name.truncate(LONGEST_NAME, overflow="ellipsis")
    return name.plain


def _minutes(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"


@contextmanager
def displayed(work: str) -> Iterator[None]:
    """Display some work and what is tracked inside it; there is only one display, even inside another."""
    if is_watched():
        with step(work):
            yield
    else:
        with watched() as board, Display(board), step(work):
            yield

"""Tests of progress: what is under way is told, shown where it should be, and changes nothing."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

import karat
from karat import progress
from karat.cli import shown
from karat.cli.command import StudyCommand
from karat.data.result import Result
from karat.errors import UsageError
from karat.examples import BALLOTS, DECOMPOSED
from karat.formats.decomposed import read_decomposition
from karat.progress import ProgressBoard, Task, step, track, watched
from karat.progress.display import SECONDS_BEFORE_SHOWN, Display
from tests.screens import screen


class Log(ProgressBoard):
    """A board that keeps what was on it."""

    def __init__(self) -> None:
        super().__init__()
        self.ended: list[tuple[str, int, int | None]] = []

    def end(self, task: Task) -> None:
        """Take it off, and keep it."""
        super().end(task)
        self.ended.append((task.what, task.done, task.total))


def state(board: ProgressBoard) -> list[tuple[str, int, int | None]]:
    """What is under way now."""
    return [(task.what, task.done, task.total) for task in board.tasks]


def test_nobody_watches() -> None:
    """Where nobody watches, the very items come back."""
    items = [3, 1, 2]
    assert track(items, "counting") is items
    with step("alone"):
        assert track(items, "counting") is items


def test_counts() -> None:
    """An item is done when the next is asked for, and the total is counted where it can be."""
    with watched() as board:
        seen = [(item, state(board)) for item in track("abc", "letters")]
        assert seen == [(letter, [("letters", place, 3)]) for place, letter in enumerate("abc")]
        assert board.tasks == ()
        unknown = [state(board) for _ in track(iter("ab"), "letters")]
        assert unknown == [[("letters", 0, None)], [("letters", 1, None)]]


def test_weighs() -> None:
    """Items count for what they weigh, and may be named one by one."""
    with watched() as board:
        seen = [state(board)[0] for _ in track(["aa", "b", "ccc"], lambda item: f"at {item}", 6, len)]
    assert seen == [("at aa", 0, 6), ("at b", 2, 6), ("at ccc", 3, 6)]


def test_nests() -> None:
    """What begins within something stands inside it, and is gone before it."""
    with watched() as board:
        for outer in track([1, 2], "outer"):
            with step("step"):
                for inner in track([1], "inner"):
                    assert [task.what for task in board.tasks] == ["outer", "step", "inner"], (outer, inner)
            assert [task.what for task in board.tasks] == ["outer"]
        assert board.tasks == ()


def test_left_early() -> None:
    """A loop that is left, by a break or by an error, leaves nothing on the board."""

    def fails(way: type[Exception] | None) -> None:
        for item in track([1, 2, 3], "outer"):
            for _ in track([1, 2, 3], "inner"):
                if way is not None:
                    raise way("no")
                break
            if item == 2:
                break

    with watched() as board:
        fails(None)
        assert board.tasks == ()
        with pytest.raises(ValueError, match="no"):
            fails(ValueError)
        assert board.tasks == ()
        with pytest.raises(ValueError), step("step"):
            raise ValueError
        assert board.tasks == ()


def test_outer_ends_first() -> None:
    """A task that ends takes off what an error left within it; what is off already stays off."""
    board, outer, inner = ProgressBoard(), Task("outer"), Task("inner")
    board.begin(outer)
    board.begin(inner)
    board.end(outer)
    assert board.tasks == ()
    board.end(inner)
    assert board.tasks == ()


def test_other_threads() -> None:
    """Only who started the work tells of it: another thread has no board."""
    found: list[Any] = []
    with watched():
        thread = Thread(target=lambda: found.append(track([1], "there")))
        thread.start()
        thread.join()
    assert found == [[1]]


def nouns() -> Iterator[tuple[str, Callable[[karat.Pairs, karat.Responses], Result], set[str]]]:
    """Studies that take long on large data, and what they are at then."""
    yield "swap", lambda _, runs: karat.swap(runs, trials=20), {
        "drawing sets of each size",
        "resampling trials",
    }  # fmt: skip
    yield "compare", lambda _, runs: karat.compare(runs, test="randomisation"), {"flipping signs"}
    yield "bootstrap", lambda _, runs: karat.compare(runs, test="bca"), {"resampling", "leaving out"}
    yield "size", lambda _, runs: karat.size(runs), {"simulating test sets"}
    yield "keys", lambda key, runs: karat.keys(runs, karat.read_ballots(BALLOTS, key)), {
        "drawing keys",
        "resampling",
    }  # fmt: skip
    yield "run", lambda key, _: karat.run("overlap", key, train=key), {"learning", "answering"}
    yield "ablate", lambda *_: _ablation(), {"with all parts", "without wordnet", "folds"}


def _ablation() -> Result:
    pairs = read_decomposition(DECOMPOSED).pairs
    return karat.ablate("linguistic", pairs, folds=2, without=["wordnet"])


@pytest.mark.parametrize(("name", "ask", "told"), list(nouns()), ids=[name for name, *_ in nouns()])
def test_studies(
    name: str,
    ask: Callable[[karat.Pairs, karat.Responses], Result],
    told: set[str],
    key: karat.Pairs,
    runs: karat.Responses,
) -> None:
    """A study that is watched tells what it is at, to the end of it, and gives what it gives unwatched."""
    log = Log()
    with watched(log):
        seen = ask(key, runs)
    assert log.tasks == ()
    ended = {what for what, _, _ in log.ended}
    # The name of a loop over named things is that of the last.
    assert told - ended <= {"with all parts"}, name
    assert all(done == total for _, done, total in log.ended if total is not None)
    alone = ask(key, runs)
    assert str(seen.signature) == str(alone.signature)
    assert seen.render("json") == alone.render("json")  # type: ignore[attr-defined]


def test_report(runs: karat.Responses) -> None:
    """A report tells its sections one by one, and in each what the study is at."""
    stacks: list[list[str]] = []

    class Stacks(ProgressBoard):
        def begin(self, task: Task) -> None:
            super().begin(task)
            stacks.append([one.what for one in self.tasks])

    with watched(Stacks()):
        karat.report(runs, without=["swap"])
    assert ["section size", "simulating test sets"] in stacks
    assert not [one for one in stacks if one[0] == "section swap" and len(one) > 1]


class Shown:
    """A display on a terminal of 80 columns, looked at when the test says, by a clock that the test turns."""

    def __init__(self, board: ProgressBoard) -> None:
        self.file = io.StringIO()
        self.now = 0.0
        console = Console(file=self.file, force_terminal=True, width=80, legacy_windows=False, _environ={})
        self.display = Display(board, console, lambda: self.now)

    def after(self, seconds: float) -> list[str]:
        """The screen after so many seconds more."""
        self.display.look()
        self.now += seconds
        self.display.look()
        return screen(self.file.getvalue())


def test_patience() -> None:
    """A bar comes only after half a second, says what and how far, and goes without a trace."""
    board = ProgressBoard()
    on = Shown(board)
    task = Task("counting", 4)
    board.begin(task)
    assert on.after(SECONDS_BEFORE_SHOWN - 0.01) == []
    assert on.file.getvalue() == ""
    task.done = 1
    (line,) = on.after(64)
    assert line.startswith("counting ")
    assert line.split()[-2:] == ["25%", "1:04"]
    board.end(task)
    assert on.after(0.1) == []
    on.display.close()
    assert screen(on.file.getvalue()) == []


def test_nested_bars() -> None:
    """Tasks stand one inside the other; one without an end is silent once something in it is told."""
    board = ProgressBoard()
    on = Shown(board)
    outer, vague, inner = Task("outer", 2), Task("vague"), Task("inner", 10)
    board.begin(outer)
    board.begin(vague)
    assert [line.split()[0] for line in on.after(1)] == ["outer", "vague"]
    board.begin(inner)
    # Until the inner one has been there for long enough, nothing moves.
    assert [line.split()[0] for line in on.after(0.1)] == ["outer", "vague"]
    shown_now = on.after(1)
    assert [line.split()[0] for line in shown_now] == ["outer", "inner"]
    assert shown_now[1].startswith("  inner")
    board.end(inner)
    assert [line.split()[0] for line in on.after(0.1)] == ["outer", "vague"]
    on.display.close()
    assert screen(on.file.getvalue()) == []


@pytest.mark.parametrize(
    "name", ["[bold]x[/bold]", "a\0b", "two\nlines", "\x1b[2Jx", "x" * 500, "統計" * 60, ""], ids=range(7)
)
def test_hostile_names(name: str) -> None:
    """A name is one line of printable signs that fits, whatever it holds."""
    board = ProgressBoard()
    on = Shown(board)
    board.begin(Task(name, 2))
    (line,) = on.after(1)
    assert line.isprintable()
    assert cell_len(line) <= 80
    assert "0%" in line
    if "bold" in name:
        assert "[bold]x[/bold]" in line
    on.display.close()
    assert screen(on.file.getvalue()) == []


class Terminal(io.StringIO):
    """Standard error that says it is a terminal."""

    def isatty(self) -> bool:
        """It is."""
        return True


@contextmanager
def terminal(kind: str = "xterm", stream: io.StringIO | None = None) -> Iterator[io.StringIO]:
    """A terminal in the place of standard error."""
    stream = stream or Terminal()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        patch.setenv("TERM", kind)
        yield stream


def test_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """Long work is shown on standard error while it lasts, and on standard output never."""
    with terminal() as stream, shown("working"):
        for _ in track(range(10), "counting"):
            time.sleep(0.1)
    written = stream.getvalue()
    assert "counting" in written
    assert "%" in written
    assert screen(written) == []
    assert written.count("\x1b[?25l") == written.count("\x1b[?25h") == 1  # the cursor is back
    assert capsys.readouterr().out == ""


def interrupted() -> None:
    """Work that somebody stops."""
    with shown("waiting"):
        time.sleep(0.8)
        raise KeyboardInterrupt


def test_error_leaves_no_trace() -> None:
    """An error goes through, and takes the bars along."""
    with terminal() as stream, pytest.raises(KeyboardInterrupt):
        interrupted()
    assert "waiting" in stream.getvalue()
    assert screen(stream.getvalue()) == []


def test_one_display() -> None:
    """A display within a display is the outer one; what is done soon writes nothing."""
    with terminal() as stream, shown("working"):
        outer = progress._board.get()
        assert outer is not None
        with shown("working"):
            assert progress._board.get() is outer
        assert progress._board.get() is outer
    assert progress._board.get() is None
    assert stream.getvalue() == ""


@pytest.mark.parametrize("why", ["quiet", "pipe", "dumb"])
def test_not_shown(why: str) -> None:
    """Nothing is told where that is asked for, or where no terminal could show it."""
    kind, given = "dumb" if why == "dumb" else "xterm", io.StringIO() if why == "pipe" else None
    with terminal(kind, given) as stream, shown("working", quiet=why == "quiet"):
        assert progress._board.get() is None
    assert stream.getvalue() == ""


def test_no_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program without standard error has nothing to show progress on."""
    monkeypatch.setattr(sys, "stderr", None)
    with shown("working"):
        assert progress._board.get() is None


class Nothing(Result):
    """A result of nothing."""


def test_commands_are_watched() -> None:
    """Every command of a study is watched while it works, under its name, and not with --quiet."""
    seen: list[list[str] | None] = []

    def ask(given: dict[str, Any]) -> Result:
        board = progress._board.get()
        seen.append(None if board is None else [task.what for task in board.tasks])
        if given["fails"]:
            raise UsageError("no")
        return Nothing(study="", signature=None)  # type: ignore[arg-type]

    command = StudyCommand("count", [], ask)
    with terminal():
        command.ask({"quiet": False, "fails": False})
        command.ask({"quiet": True, "fails": False})
        with pytest.raises(UsageError):
            command.ask({"quiet": False, "fails": True})
    assert seen == [["karat count"], None, ["karat count"]]
    assert progress._board.get() is None


SCRIPT = """
import sys, time
from karat.cli import shown
from karat.progress import track
with shown("working"):
    for _ in track(range(10), "counting"):
        time.sleep(0.1)
print("the result")
"""


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no pseudo-terminals here")
def test_on_a_terminal() -> None:
    """On a real terminal the bar is gone when the result is there."""
    import pty  # here: not everywhere

    child, end = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm"
        os.execv(sys.executable, [sys.executable, "-c", SCRIPT])
    written = b""
    while True:
        try:
            part = os.read(end, 65536)
        except OSError:  # how Linux says that the other side has closed
            break
        if not part:
            break
        written += part
    assert os.waitpid(child, 0)[1] == 0
    text = written.decode()
    assert "counting" in text
    assert screen(text) == ["the result"]

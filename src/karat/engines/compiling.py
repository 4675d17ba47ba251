"""`python -m karat.engines.compiling`: compile the loops of all engines for every process to come.

Started in the background by the first process that needs them. It answers the examples with each engine, as a run
would, so that every loop is compiled for the very types that runs call it with.
"""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from karat import examples, read_pairs
from karat.engines.answering import Answerer
from karat.engines.batch import chunks_of
from karat.engines.knowledge import load_knowledge
from karat.engines.model import fit
from karat.kernels.compiled import COMPILER, compiled_mark
from karat.labels import THREE

ENGINES = ("overlap", "aligner", "linguistic", "edit-distance", "edit-distance(preset=faithful)")
POLITE = 10
"""How far it stands back for others: whoever started it is at work."""


def compile_all() -> None:
    """Answer the examples with every engine, and say that it is done."""
    pairs, knowledge = read_pairs(examples.PAIRS), load_knowledge()
    for engine in ENGINES:
        answerer = Answerer(fit(engine, pairs, THREE, knowledge=knowledge), justify=True, knowledge=knowledge)
        for chunk in chunks_of(pairs):
            answerer.answer(chunk)
    done = compiled_mark()
    if done is not None:
        done.touch()


def still_here(begun: Path) -> None:
    """Say every minute that somebody compiles; end once the folder for compiled code is gone, as after an update."""
    while begun.exists():
        os.utime(begun)
        time.sleep(60)
    os._exit(1)


if __name__ == "__main__":
    os.nice(POLITE)
    begun = Path(os.environ[COMPILER])
    threading.Thread(target=still_here, args=(begun,), daemon=True).start()
    try:
        compile_all()
    finally:
        begun.unlink(missing_ok=True)

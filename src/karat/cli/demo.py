"""`karat demo`: the main job on the examples that come with karat."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from karat.examples import BALLOTS, PAIRS, RUNS
from karat.formats import read_ballots, read_pairs, read_runs
from karat.report.text import show
from karat.studies.agree.study import agree
from karat.studies.base import StudyResult
from karat.studies.check import check
from karat.studies.compare.study import compare
from karat.studies.items import items
from karat.studies.score.study import evaluate
from karat.studies.swap.study import swap


def run(folder: str) -> None:
    """Check, score and analyse; leave the pages where they can be looked at."""
    console = Console(width=None if Console().is_terminal else 200)
    for sentence in check(PAIRS, [RUNS]).findings():
        console.print(f"[bold]karat check[/bold]: {sentence}")
    key = read_pairs(PAIRS)
    runs = read_runs(RUNS, key)
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    results: dict[str, StudyResult] = {
        "score": evaluate(key, runs, way="both", by=["task"]),
        "items": items(key, runs),
        "agree": agree(read_ballots(BALLOTS, key)),
        "compare": compare(key, runs),
        "swap": swap(key, runs),
    }
    for name, result in results.items():
        console.rule(f"karat {name}")
        show(result, console)
        (target / f"{name}.html").write_text(result.render("html"), encoding="utf-8")
    console.rule()
    pages = ", ".join(f"{target}/{name}.html" for name in results)
    console.print(f"Written: {pages}. Open them in any browser.", soft_wrap=True)


command = click.Command(
    "demo",
    params=[click.Option(["--folder"], default="karat-demo", show_default=True, help="where the pages go")],
    callback=run,
)

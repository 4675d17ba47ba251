"""`karat demo`: the main job on the examples that come with karat."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from karat.examples import PAIRS, RUNS
from karat.formats import read_pairs, read_runs
from karat.report.text import show
from karat.studies.check import check
from karat.studies.items import items
from karat.studies.score.study import evaluate


def run(folder: str) -> None:
    """Check, score and analyse; leave the pages where they can be looked at."""
    console = Console(width=None if Console().is_terminal else 200)
    for sentence in check(PAIRS, [RUNS]).findings():
        console.print(f"[bold]karat check[/bold]: {sentence}")
    key = read_pairs(PAIRS)
    runs = read_runs(RUNS, key)
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for name, result in (
        ("score", evaluate(key, runs, way="both", by=["task"])),
        ("items", items(key, runs)),
    ):
        console.rule(f"karat {name}")
        show(result, console)
        (target / f"{name}.html").write_text(result.render("html"), encoding="utf-8")
    console.rule()
    console.print(f"Written: {target}/score.html and {target}/items.html. Open them in any browser.")


command = click.Command(
    "demo",
    params=[click.Option(["--folder"], default="karat-demo", show_default=True, help="where the pages go")],
    callback=run,
)

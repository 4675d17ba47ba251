"""`karat demo`: every study on the examples that come with karat."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console

from karat import examples
from karat.errors import Problems
from karat.formats.ballots import read_ballots
from karat.formats.decomposed import read_decomposition
from karat.formats.judge_table import read_judges
from karat.formats.justification_ratings import read_justifications
from karat.formats.question_reading import read_matches, read_nuggets
from karat.formats.question_set import QuestionFiles, read_question_set
from karat.formats.reading import read_pairs, read_runs
from karat.report.text import show
from karat.studies.ablate.study import ablate
from karat.studies.agree.study import agree
from karat.studies.base import StudyResult
from karat.studies.check import check
from karat.studies.compare.study import compare
from karat.studies.diagnose.study import diagnose
from karat.studies.items import items
from karat.studies.judge.study import judge
from karat.studies.justify.study import justify
from karat.studies.keys.study import keys
from karat.studies.nuggets.study import nuggets
from karat.studies.qa.study import qa
from karat.studies.report.study import report
from karat.studies.run.study import run as run_engine
from karat.studies.score.study import evaluate
from karat.studies.size.study import size
from karat.studies.swap.study import swap

PARTS = ("wordnet", "structure", "negation", "number", "name")
SHOWN = ("score", "compare")
"""Studies whose tables are printed; of the others, what they found. All are written as pages."""


def question_series() -> StudyResult:
    """The question series with judgments, nuggets and patterns."""
    folder = examples.QUESTIONS
    files = QuestionFiles(
        judgments=str(folder / "judgments.tsv"),
        nuggets=str(folder / "nuggets.tsv"),
        matches=(str(folder / "matches.tsv"),),
        patterns=str(folder / "patterns.txt"),
        target_types=str(folder / "target-types.txt"),
    )
    problems = Problems()
    found = read_question_set(folder / "questions.xml", folder / "runs", files, problems)
    problems.raise_errors()
    return qa(found.questions, found.answers, **found.nouns())


def studies() -> dict[str, Callable[[], StudyResult]]:
    """Every study, on what there is for it."""
    key = read_pairs(examples.PAIRS)
    runs = read_runs(examples.RUNS, key)
    ballots = read_ballots(examples.BALLOTS, key)
    decomposition = read_decomposition(examples.DECOMPOSED)
    ratings, judges = read_justifications(examples.RATINGS), read_judges(examples.JUDGES)
    return {
        "run": lambda: run_engine("linguistic", key, train=decomposition.pairs, justify=True),
        "ablate": lambda: ablate("linguistic", decomposition.pairs, folds=4, without=PARTS, by="category"),
        "score": lambda: evaluate(key, runs, way="both", by=["task"]),
        "compare": lambda: compare(key, runs),
        "items": lambda: items(key, runs),
        "diagnose": lambda: diagnose(decomposition, read_runs(examples.DECOMPOSED_RUNS, decomposition.pairs)),
        "qa": question_series,
        "nuggets": lambda: nuggets(
            read_matches(examples.RAG / "assignments", read_nuggets(examples.RAG / "nuggets.jsonl"))
        ),
        "justify": lambda: justify(ratings, key=key, runs=runs, judges=judges, group="training"),
        "agree": lambda: agree(ballots),
        "keys": lambda: keys(key, ballots, runs),
        "judge": lambda: judge(read_ballots(examples.JUDGED, key), automatic=["auto"], key=key, runs=runs),
        "swap": lambda: swap(key, runs),
        "size": lambda: size(key, runs),
        "report": lambda: report(
            key,
            runs,
            ballots=ballots,
            decomposed=decomposition,
            decomposed_runs=read_runs(examples.DECOMPOSED_RUNS, decomposition.pairs),
            ratings=ratings,
            title="The examples of karat",
        ),
    }


def run(folder: str) -> None:
    """Check, then every study; leave the pages where they can be looked at."""
    console = Console(width=None if Console().is_terminal else 200)
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for sentence in check(examples.PAIRS, [examples.RUNS]).findings():
        console.print(f"[bold]karat check[/bold]: {sentence}")
    pages = []
    for name, study in studies().items():
        result = study()
        console.rule(f"karat {name}")
        if name in SHOWN:
            show(result, console)
        elif not result.chapters():
            for sentence in result.findings():
                console.print(f"• {sentence}", markup=False)
        page = target / f"{name}.html"
        page.write_text(result.render("html"), encoding="utf-8")
        pages.append(str(page))
    console.rule()
    console.print(f"Written: {', '.join(pages)}.", soft_wrap=True)
    console.print(f"Open {pages[-1]} in any browser: everything on one page.", soft_wrap=True)
    console.print(f"The examples are in {examples.HERE}.", soft_wrap=True)


command = click.Command(
    "demo",
    params=[click.Option(["--folder"], default="karat-demo", show_default=True, help="where the pages go")],
    callback=run,
)

"""The words that karat does not use, each with the one it uses instead: the other half of the glossary."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from tools.examples import ARGUMENTS, EVERYTHING, result_of
from tools.make_docs import ROOT, cli_page

from karat.catalogue import CATALOGUE
from karat.data.charts import Chart
from karat.studies.base import StudyResult

INSTEAD = {
    r"(told|tells?|telling) \w*\s?apart|can be told from|not? separated|separates \w+ from": "significantly different",
    r"tells? how surely|shown to be off|claims (more|less) than it delivers": "significant; overconfident",
    r"(held|holds?|holding) \w*\s?against": "compared with",
    r"chang(e|es|ing|ed) places|swap(s|ped)? places": "swap ranks",
    r"\btrivial (system|baseline)s?": "baseline",
    r"\bplaces? by\b|\bplaces as\b": "rank",
    r"\b(a|one) (row|line|column|panel|mark|point|colour) an? ": "one row per run",
    r"\d a (unit|line|pair|question)\b|\bballots? a unit|assessors a unit": "per unit",
    r"\bmend(s|ed|ing)?\b": "fix, correct",
    r"careful end": "upper end of its interval",
    r"as sure as right|too sure of itself": "perfectly calibrated",
    r"(?<!F)\d %|% interval|\d% intervals?\b": "95%, 95% CI",
    r"\bby luck\b": "expected by chance",
    r"\bholm correction\b|after Holm\b": "Holm correction",
    r"Monte-Carlo": "Monte Carlo",
    r"goes for \d|the same goes for": "this also applies to",
    r"worked? out anew|\banew\b": "again",
    r"never unfolds?": "has only two labels",
    r"takes two to tell|nothing tells|tells? (of|nothing of|little of) ": "cannot be estimated; says little about",
    r"stands? alone\b": "are not clustered; do not belong to a series",
    r"\bis no (number|folder|prior|measure|regular expression|sample)\b": "is not a",
    r"\bas β goes\b|as choices vary": "by β; under alternative settings",
    r"\bone (run|pair|label|unit|value|number) only\b": "only one",
    r"beside the (baselines|leader)": "with baselines for comparison",
    r"\b(is|are) worth its place|does harm\b": "significantly raises accuracy; lowers accuracy",
    r"\bless (that|the mean|accuracy)\b": "minus",
    r"\b1 (runs|pairs|units|questions|answers|judges|assessors|ballots|labels|texts|topics) ": "1 run",
    r"\b1 (run|pair|unit|question|answer|judge|assessor|ballot|label|text|topic) (are|have|were|differ) ": "1 run is",
}
"""What is not said, as a regular expression, and what is said instead."""
BANNED = {re.compile(pattern, re.IGNORECASE if pattern.islower() else 0): word for pattern, word in INSTEAD.items()}
COMMANDS = [*ARGUMENTS, "everything"]
ROOMS = ("studies", "cli", "align", "data", "formats", "measures", "render", "statistics")


def offences(text: str) -> list[str]:
    """The words in a text that should be others, each with what to write."""
    return [f"{found[0]!r}: write {word!r}" for banned, word in BANNED.items() if (found := banned.search(text))]


def words_of(result: StudyResult) -> Iterator[str]:
    """Everything that a result says: findings, tables, figures, method, and why numbers are undefined."""
    yield from result.findings()
    yield result.METHOD
    sheets = list(result.sheets())
    for sheet in sheets:
        yield from (sheet.title, *sheet.notes)
        for column in sheet.columns:
            yield from (column.name, column.note)
    for chart in result.charts():
        yield from _of_chart(chart)
    yield from (one.reason for one in result.undefined)


def _of_chart(chart: Chart) -> Iterator[str]:
    yield from (chart.title, chart.note, getattr(chart, "axis", "") or "", *(getattr(chart, "axes", ()) or ()))
    yield from (one.name for one in (*getattr(chart, "series", ()), *getattr(chart, "lines", ())))


@pytest.mark.parametrize("command", COMMANDS)
def test_results(command: str) -> None:
    """What a command says about the examples."""
    result = result_of("report", EVERYTHING) if command == "everything" else result_of(command)
    said = [f"{text}: {one}" for text in words_of(result) for one in offences(text)]
    assert said == []


def test_help() -> None:
    """The help of every command, with the captions of the figures."""
    assert [f"{line}: {one}" for line in cli_page().splitlines() for one in offences(line)] == []


def test_problems() -> None:
    """What every problem expects, and how to fix it."""
    texts = [text for kind in CATALOGUE.values() for text in (kind.expected, kind.fix)]
    assert [f"{text}: {one}" for text in texts for one in offences(text)] == []


@pytest.mark.parametrize("page", sorted(ROOT.glob("docs/*.md")), ids=lambda page: page.name)
def test_documentation(page: object) -> None:
    """Every page of the documentation, and the README."""
    text = (ROOT / str(page)).read_text(encoding="utf-8")
    assert [f"{line}: {one}" for line in text.splitlines() for one in offences(line)] == []


@pytest.mark.parametrize("room", ROOMS)
def test_strings(room: str) -> None:
    """Every other sentence: reasons, errors and notes that the examples do not show; docstrings are for programmers."""
    said = []
    for file in sorted((ROOT / "src" / "karat" / room).rglob("*.py")):
        nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
                said += [f"{file.name}:{node.lineno}: {one}" for one in offences(node.value)]
    assert said == []


def test_it_finds_them() -> None:
    """A planted word is found, and a sentence as it should be is not."""
    planted = {
        "careful and ranked are not told apart.": 1,
        "The scores are held against the key; two runs change places.": 2,
        "A row a run, with the trivial systems.": 2,
        "95 % interval": 1,
        "1 runs are below it": 1,
        "1 run are below it": 1,
        "Its lead over ranked is not statistically significant (95% CI 70.1% to 78.8%).": 0,
        "1 run is below the best baseline; two runs swap ranks.": 0,
    }
    assert {text: len(offences(text)) for text in planted} == planted

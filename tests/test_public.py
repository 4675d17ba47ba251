"""At the door of every public name: a wrong call is a `UsageError` that says what was expected, and nothing else."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from mypy import api as mypy_api
from tools.stubs import is_study

import karat
from karat.data.fields import Missing
from karat.data.provenance import IN_MEMORY, BallotReading, PreferenceReading, RatingReading, Reading, ScoreReading
from karat.errors import NO_VALUE, OPTION, DataError, UsageError
from karat.examples import BALLOTS, DECOMPOSED, JUDGED, JUDGES, PAIRS, PREFERENCES, QUESTIONS, RATINGS, REJUDGED, RUNS
from karat.studies.base import studies
from karat.studies.run import RunParameters

REFUSED = (UsageError, DataError)
SCORES = karat.Scores(("a", "b"), ("1", "2", "3"), np.array([[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]]))
NOTHING = np.zeros(0, dtype=np.int32)


@cache
def nouns() -> dict[str, Any]:
    """One of each noun, from the examples."""
    pairs = karat.read_pairs(PAIRS)
    questions = karat.read_questions(QUESTIONS / "questions.xml")
    listed = karat.read_nuggets(QUESTIONS / "nuggets.tsv")
    return {
        "pairs": pairs,
        "runs": karat.read_runs([RUNS / "careful.jsonl", RUNS / "confident.jsonl"], pairs),
        "scores": SCORES,
        "ballots": karat.read_ballots(BALLOTS, pairs),
        "judgments": karat.read_judgments([REJUDGED / "people.csv", REJUDGED / "program.csv"]),
        "judged": karat.read_ballots(JUDGED, pairs),
        "questions": questions,
        "answers": karat.read_answers(QUESTIONS / "runs", questions),
        "verdicts": karat.read_verdicts(QUESTIONS / "judgments.tsv", questions),
        "patterns": karat.read_patterns(QUESTIONS / "patterns.txt", questions),
        "nuggets": listed,
        "support": karat.read_support(QUESTIONS / "rag" / "citations.tsv", QUESTIONS / "rag" / "runs"),
        "matches": karat.read_matches(QUESTIONS / "matches.tsv", listed),
        "ratings": karat.read_justifications(RATINGS),
        "preferences": karat.read_preferences(PREFERENCES),
        "decomposed": karat.read_decomposition(DECOMPOSED),
        "model": karat.learn("always-entailment", None),
    }


CALLS: dict[str, tuple[Any, ...]] = {
    "Answers": (("a",), ("1",), NOTHING, NOTHING, (), ()),
    "Ballots": (("1",), ("a",), "scale", NOTHING, NOTHING, NOTHING),
    "Decomposition": ("=pairs", NOTHING, (), NOTHING),
    "Judges": (("a",),),
    "Judgments": (("a", "b"), (SCORES, SCORES)),
    "Matches": (("a",), "=nuggets", NOTHING, NOTHING, NOTHING),
    "Model": (),
    "Nuggets": ((), NOTHING, (), (), NOTHING, (), ()),
    "Pairs": ((), (), (), NOTHING, None, IN_MEMORY),
    "Patterns": ((), ()),
    "Preferences": ((), NOTHING, NOTHING, NOTHING),
    "Questions": ((),),
    "Ratings": ((), (), (), (), NOTHING, NOTHING, NOTHING, NOTHING),
    "Responses": ("=pairs", (), NOTHING),
    "Scores": (("a",), ("1",), np.ones((1, 1))),
    "Support": ("=answers", (), np.zeros((0, 0), dtype=np.int8)),
    "Table": ([[1, 2], [3, 4]],),
    "Verdicts": ((), NOTHING, (), (), NOTHING, ()),
    "ablate": ("overlap", "=pairs"),
    "adjudicate": ("=ballots",),
    "agree": ("=ballots",),
    "blind": ("=pairs",),
    "check": (PAIRS, [RUNS]),
    "compare": ("=runs",),
    "diagnose": ("=runs",),
    "score": ("=runs",),
    "items": ("=runs",),
    "judge": ("=judged",),
    "justify": ("=ratings",),
    "keys": ("=runs", "=ballots"),
    "learn": ("overlap", "=pairs"),
    "lint": ("Because.", "a text", "a hypothesis", "ENTAILMENT"),
    "load_model": ("model.json", "overlap"),
    "meta": ("=judgments",),
    "nuggets": ("=matches",),
    "prefer": ("=preferences",),
    "qa": ("=questions", "=answers"),
    "read_accepted": ("accepted.tsv", "=questions"),
    "read_answers": (QUESTIONS / "runs", "=questions"),
    "read_ballots": (BALLOTS, "=pairs"),
    "read_decomposition": (DECOMPOSED,),
    "read_judges": (JUDGES,),
    "read_judgments": ([REJUDGED / "people.csv", REJUDGED / "program.csv"],),
    "read_justifications": (RATINGS,),
    "read_matches": (QUESTIONS / "matches.tsv", "=nuggets"),
    "read_nuggets": (QUESTIONS / "nuggets.tsv",),
    "pair_files": (PAIRS,),
    "read_pairs": (PAIRS,),
    "read_patterns": (QUESTIONS / "patterns.txt", "=questions"),
    "read_preferences": (PREFERENCES,),
    "read_questions": (QUESTIONS / "questions.xml",),
    "read_rag_metrics": ("metrics.jsonl",),
    "read_ratings": (QUESTIONS / "ratings.tsv",),
    "read_runs": ([RUNS], "=pairs"),
    "read_scores": ("scores.csv",),
    "read_support": (QUESTIONS / "rag" / "citations.tsv", QUESTIONS / "rag" / "runs"),
    "read_verdicts": (QUESTIONS / "judgments.tsv", "=questions"),
    "read_weights": ("weights.txt", "=pairs"),
    "report": ("=runs",),
    "responses": (["entailment", "neutral"], ["entailment", "neutral"]),
    "run": ("overlap", "=pairs"),
    "sample": ("=runs",),
    "sensitivity": ("=runs",),
    "sheet": ("=pairs",),
    "size": ("=runs",),
    "support": ("=support",),
    "swap": ("=runs",),
    "write_answers": ("=answers", "answers.tsv"),
    "write_matches": ("=matches", "matches.tsv"),
    "write_nuggets": ("=nuggets", "nuggets.tsv"),
    "write_pairs": ("=pairs", "pairs.xml"),
    "write_questions": ("=questions", "questions.tsv"),
    "write_run": ("=runs", "careful", "run.txt"),
    "write_scores": ("=scores", "scores.csv"),
    "write_verdicts": ("=verdicts", "verdicts.tsv"),
}
"""A right call of every public name; `=pairs` stands for a noun."""
STUDIES = {name for name in CALLS if is_study(name)}
WRONG = {"nothing": None, "a text": "x", "a number": 3, "an empty list": [], "an object": object(), "a noun": SCORES}
RIGHT = {
    "nothing": "Pairs learn read_ballots size",
    "a text": "check lint pair_files " + " ".join(name for name in CALLS if name.startswith("write_")),
    "a number": "write_run",
    "an empty list": (
        "Answers Ballots Decomposition Judges Matches Nuggets Pairs Patterns Preferences Questions Ratings Responses "
        "Verdicts check"
    ),
    "an object": "",
    "a noun": "compare report sensitivity size swap write_scores",
}
"""Where one of them is right after all: what may be left out, any text or sequence; `check` reports what it reads."""


def arguments(name: str) -> list[Any]:
    """The arguments of a right call."""
    return [nouns()[one[1:]] if isinstance(one, str) and one.startswith("=") else one for one in CALLS[name]]


def call(name: str, *positional: Any, **named: Any) -> Any:
    """The public name, called."""
    function: Callable[..., Any] = getattr(karat, name)
    return function(*positional, **named)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is written is written to a folder of its own."""
    monkeypatch.chdir(tmp_path)


def test_every_public_name_is_walked() -> None:
    """A name added to karat without a call here fails; errors are raised, and measures are a module."""
    errors = {name for name in karat.__all__ if name.endswith("Error")}
    assert set(CALLS) == set(karat.__all__) - errors - {"measures"}


@pytest.mark.parametrize("name", CALLS)
def test_wrong_arguments(name: str) -> None:
    """Whatever stands in the place of an argument, the error is one of karat's, and names what was expected."""
    for place in range(len(CALLS[name])):
        for wrong, value in WRONG.items():
            given = arguments(name)
            given[place] = value
            try:
                call(name, *given)
            except REFUSED:
                continue
            assert name in RIGHT[wrong].split(), f"{name} takes {wrong} as its argument {place}"


@pytest.mark.parametrize("name", CALLS)
def test_wrong_calls(name: str) -> None:
    """No argument, one too few, too many, a keyword that is not there: an error in words, never a TypeError."""
    needed = [
        one for one in inspect.signature(getattr(karat, name)).parameters.values()
        if one.default is one.empty and one.kind not in (one.VAR_KEYWORD,)
    ]  # fmt: skip
    given = arguments(name)
    if needed:
        with pytest.raises(REFUSED):
            call(name)
    with pytest.raises(REFUSED):
        call(name, *given, *[object()] * 20)
    with pytest.raises(REFUSED, match=r"nonsense|missing"):
        call(name, *given, nonsense=1)


def options() -> Iterator[tuple[str, str]]:
    """Every study with every noun and option that it takes by name."""
    for name in CALLS:
        function = getattr(karat, name)
        filed = [entry for entry in list(studies) if entry.function is function]
        wrapped = inspect.signature(inspect.unwrap(function)).parameters.values() if filed else ()
        yield from ((name, one.name) for one in wrapped if one.kind is one.KEYWORD_ONLY)
        yield from ((name, option) for entry in filed for option in entry.facts["parameters"].__struct_fields__)


@pytest.mark.parametrize(("name", "option"), list(options()))
def test_wrong_options(name: str, option: str) -> None:
    """An option that is no number, no name and no noun is refused in words."""
    given = arguments(name)
    for value in (object(), SCORES, [object()]):
        with pytest.raises(REFUSED):
            call(name, *given, **{option: value})


def test_what_the_errors_say() -> None:
    """What was given, what was expected, and where it comes from."""
    pairs, runs = nouns()["pairs"], nouns()["runs"]
    wrong_calls: dict[str, Callable[[], Any]] = {
        "compare: runs is 'x'; expected Responses (from read_runs) or Scores (from read_scores)": (
            lambda: karat.compare("x")  # type: ignore[arg-type]
        ),
        "keys: missing a required argument: 'ballots'; write keys(runs, ballots, …)": (
            lambda: karat.keys(runs)  # type: ignore[call-arg]
        ),
        "swap: runs is of type Pairs; expected Responses": lambda: karat.swap(pairs),
        "write_scores: scores is of type Pairs; expected Scores (from read_scores)": (
            lambda: karat.write_scores(pairs, "scores.csv")
        ),
        "run: jobs is -1; expected a whole number (at least 1, at most 1024) or None": lambda: karat.run(
            "overlap", pairs, jobs=-1
        ),
        "no run is called 'carful'; did you mean 'careful'": lambda: karat.write_run(runs, "carful", "run.txt"),
        "there is no run 2: 2 runs in all, counted from 0": lambda: karat.write_run(runs, 2, "run.txt"),
        "no run is called 'carful'": lambda: karat.compare(runs, versus="carful"),
        "read_runs: paths is 3; expected a path or a list, each element a path (at least 1 of them)": (
            lambda: karat.read_runs(3, pairs)  # type: ignore[arg-type]
        ),
        "read_runs: paths is an empty list; expected a path or a list": lambda: karat.read_runs([], pairs),
        "scores of 1 runs on 1 units have the shape (1, 1)": lambda: karat.Scores(("a",), ("1",), np.ones((2, 2))),
        "rows of numbers, all of one length": lambda: karat.Table([[1, 2], [3]]),
    }
    for told, wrong in wrong_calls.items():
        with pytest.raises(UsageError) as caught:
            wrong()
        assert told in str(caught.value)


STRUCTS = {name: studies[name].facts["parameters"] for name in sorted(set(CALLS) & STUDIES)} | {
    "learn": RunParameters,
    "read_ballots": BallotReading,
    "read_decomposition": Reading,
    "read_judgments": ScoreReading,
    "read_justifications": RatingReading,
    "read_preferences": PreferenceReading,
    "read_pairs": Reading,
    "read_runs": Reading,
    "read_scores": ScoreReading,
}


def test_no_hidden_keywords() -> None:
    """No public function hides its keywords."""
    hidden = inspect.Parameter.VAR_KEYWORD
    functions = (name for name in karat.__all__ if inspect.isfunction(getattr(karat, name)))
    shown = {name: inspect.signature(getattr(karat, name)).parameters.values() for name in functions}
    assert [name for name, of in shown.items() if any(one.kind is hidden for one in of)] == []


@pytest.mark.parametrize("name", STRUCTS)
def test_true_signatures(name: str) -> None:
    """A study or reader shows every parameter as a keyword, with its type and the default that it has."""
    kind = STRUCTS[name]
    shown = inspect.signature(getattr(karat, name)).parameters
    for field in msgspec.structs.fields(kind):
        assert shown[field.name].kind is inspect.Parameter.KEYWORD_ONLY
        assert shown[field.name].annotation is not inspect.Parameter.empty
        assert f"\n    {field.name}: " in (getattr(karat, name).__doc__ or ""), "help says what it means"
        assert msgspec.convert({}, kind) == kind(**{field.name: shown[field.name].default})
    assert not {"args", "kwargs", "given", "subjects", "asked", "reading"} & set(shown)


@pytest.mark.nightly
def test_types_are_checked(tmp_path: Path) -> None:
    """A type checker knows the keywords of studies and readers, and what comes back."""
    file = tmp_path / "calls.py"
    file.write_text(
        "import karat\n"
        "runs = karat.read_runs('runs', karat.read_pairs('key.xml'))\n"
        "letters: list[str | None] = [row.letters for row in karat.compare(runs, test='exact').runs]\n"
        "karat.compare(runs, tset='exact')\n"
        "karat.compare(runs, test='chi')\n"
        "karat.score('runs')\n"
        "karat.read_pairs('key.xml', reeder='rte')\n"
    )
    found = mypy_api.run([str(file), "--no-incremental", "--cache-dir", str(tmp_path), "--follow-imports=silent"])[0]
    assert [line.split(":")[1] for line in found.splitlines() if ": error:" in line] == ["4", "5", "6", "7"], found


def test_errors_speak_the_callers_language() -> None:
    """One message: options on the command line, keywords in Python; what is quoted stays as it is."""
    error = UsageError("--not-asked zero: give --judges FILE, not '--way', and pip install --no-deps x")
    assert str(error) == "not_asked='zero': give judges=…, not '--way', and pip install --no-deps x"
    assert error.on_command_line.startswith("--not-asked zero: give --judges FILE")
    error = UsageError("say it (--label SPELLING=LABEL); `karat run … --model-out FILE` writes a model")
    assert str(error) == "say it (label=…); `karat run … --model-out FILE` writes a model"
    error = UsageError("--way 2, or --prior 1: one of --run-columns a,b, --run-column id=NAME --run-column label=NAME")
    assert str(error) == (
        "way='2', or prior=1: one of run_columns=['a', 'b'], run_column={'id': 'NAME', 'label': 'NAME'}"
    )


def test_problems_speak_the_callers_language(tmp_path: Path) -> None:
    """Errors of data, warnings and reasons too; what stands in a file is quoted as it is."""
    key, run = tmp_path / "key.tsv", tmp_path / "run.tsv"
    key.write_text("id\tlabel\n1\tYES\n2\tNO\n3\tYES\n")
    run.write_text("id\tlabel\n1\tYES\n2\t--missing wrong\n")
    with pytest.raises(karat.DataError) as caught:
        karat.read_runs(str(run), karat.read_pairs(str(key)))
    told = "partial runs are refused unless {}"
    assert told.format("missing='wrong'") in str(caught.value)
    assert "label '--missing wrong'" in str(caught.value)
    assert told.format("--missing wrong") in caught.value.on_command_line
    assert any(told.format("missing='wrong'") in str(one) for one in caught.value.problems)
    compared = karat.compare(SCORES)
    (reason,) = {one.reason for one in compared.undefined if "equivalence" in one.reason}
    assert reason == "no margin was given (--equivalence), so equivalence was not tested"
    assert repr(Missing(reason)) == "Missing('no margin was given (equivalence), so equivalence was not tested')"


VALUES = (
    "1 2 5 assessor bootstrap confidence_weighted csv drop entailment exact factoid here id interval json maxt "
    "nil_recall nominal none ordinal patterns pyramid randomisation ray response series_score system t "
    "text-classification token_f1 unit unknown wrong zero"
).split()


def test_options_of_messages_have_values_that_exist() -> None:
    """The word after an option is its value only if it can be one: otherwise `--cluster names …` would be quoted."""
    found: set[str] = set()
    for file in Path(karat.__file__).parent.rglob("*.py"):
        if not {"cli", "server"} & set(file.parts):
            texts = [one.value for one in ast.walk(ast.parse(file.read_text())) if isinstance(one, ast.Constant)]
            found |= {one[8] for text in texts if isinstance(text, str) for one in OPTION.finditer(text) if one[8]}
    words = {word for value in found - NO_VALUE for word in value.split("|")}
    assert words <= {*VALUES}, words - {*VALUES}
    assert not {*VALUES} & NO_VALUE

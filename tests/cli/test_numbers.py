"""Every number of every command, absurd but parseable: a result or a sentence, soon, and never a traceback."""

from __future__ import annotations

import time
from pathlib import Path

import click
import pytest

from karat.cli import load_command
from karat.data.parameters import LARGEST_AMOUNT, MOST_DRAWS, MOST_JOBS, SMALLEST_DIFFERENCE, TAIL, parameters
from karat.errors import UsageError
from karat.examples import HERE
from karat.studies.base import studies
from tests.cli.calls import karat
from tests.cli.test_warnings import CALLS, SOME_AT_NIGHT, call

ABSURD = ("inf", "nan", "1e-320", "1e308", "-1", "0", "1" + "0" * 30)
SECONDS = 20
COUNTS = {"replicates", "draws", "trials"}
SCORE = ("score", HERE / "pairs.xml", HERE / "runs" / "overlap.txt")


def takes_numbers(parameter: click.Parameter) -> bool:
    """Whether its values are numbers, one or several."""
    kind = parameter.type
    kinds = kind.types if isinstance(kind, click.Tuple) else [kind]
    numbers = all(isinstance(one, click.types.IntParamType | click.types.FloatParamType) for one in kinds)
    return isinstance(parameter, click.Option) and (numbers or parameter.name == "difference")


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize(("name", "place"), SOME_AT_NIGHT)
def test_absurd_numbers(tmp_path: Path, name: str, place: int) -> None:
    """Exit status 0, 1 or 2; where it is not 0, with a message."""
    words, _ = call(name, place, tmp_path)
    words += ["--format", "json", *(["--on", "here"] if name == "run" else [])]
    for option in filter(takes_numbers, load_command(name).params):
        flag, start = option.opts[0], words.index(option.opts[0]) if option.opts[0] in words else len(words)
        others = [*words[:start], *words[start + 2 :]]
        for value in ABSURD:
            began = time.monotonic()
            done = karat(*others, "--quiet", flag, *[value] * option.nargs)
            assert done.returncode in (0, 1, 2), (flag, value)
            assert done.stdout or done.stderr.strip(), (flag, value)
            assert "Traceback" not in done.stderr, (flag, value)
            assert time.monotonic() - began < SECONDS, (flag, value)


def test_numbers_are_found() -> None:
    """The walk sees whole numbers, fractions and several at once, and no words."""
    seen = {name: [one.name for one in load_command(name).params if takes_numbers(one)] for name in CALLS}
    assert {"replicates", "trials", "bin_width", "interval", "seed"} <= set(seen["swap"])
    assert "weights" in seen["qa"]
    assert "difference" in seen["size"]
    planted = [click.Option([flag], type=kind) for flag, kind in (("--x", float), ("--y", str), ("--z", (int, int)))]
    assert [takes_numbers(one) for one in planted] == [True, False, True]


@pytest.mark.parametrize("name", CALLS)
def test_counts_are_bounded(name: str) -> None:
    """Of everything that can be drawn again and again, a million and one is refused with the limit."""
    for option in COUNTS & {one.name for one in load_command(name).params}:
        with pytest.raises(
            UsageError, match=rf"^{option} is 1000001; expected a whole number \(.*at most {MOST_DRAWS}\)$"
        ):
            parameters(studies[name].facts["parameters"], {option: MOST_DRAWS + 1})


@pytest.mark.parametrize(
    ("spelling", "told"),
    [
        ("decided_f(weight=abc)", "decided_f: weight is 'abc'; expected a number"),
        ("decided_f(weight=inf)", "decided_f: weight is 'inf'; expected a number"),
        ("decided_f(weight=1e400)", "decided_f: weight is inf; expected a number"),
        ("decided_f(weight=1e308/1e-320)", "expected a number"),
        ("decided_f(weight=nan)", "expected a number"),
    ],
)
def test_arguments_of_measures(spelling: str, told: str) -> None:
    """A measure's own numbers are numbers."""
    done = karat(*SCORE, "--measure", spelling)
    assert done.returncode == 2
    assert told in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["swap", *SCORE[1:], "--bin-width", "inf"],
            f"--bin-width is inf; expected a number (more than 0, at most {LARGEST_AMOUNT})",
        ),
        ([*SCORE, "--interval", "1e-320"], f"--interval is 1e-320; expected a number (at least {TAIL}, "),
        ([*SCORE, "--interval", "0.9999999999999999"], f"expected a number (at least {TAIL}, at most {1 - TAIL})"),
        (
            ["size", *SCORE[1:], "--difference", "1e-9"],
            f"--difference is 1e-09; expected a number (at least {SMALLEST_DIFFERENCE})",
        ),
        (["compare", *SCORE[1:], "--equivalence", "1e308"], f"above 0 and at most {LARGEST_AMOUNT:g}, not 1e+308"),
        (["run", "overlap", SCORE[1], "--jobs", "1000000000"], f"1<=x<={MOST_JOBS}"),
    ],
)
def test_limits_are_told(words: list[str], told: str) -> None:
    """The sentence says what would be right."""
    done = karat(*words)
    assert done.returncode == 2
    assert told in done.stderr

"""Reproducible: text is the same everywhere, JSON to nine digits, and threads change nothing."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest
from tools.examples import ARGUMENTS, result_of

from karat.data.charts import Dots, Series
from karat.data.fields import rounded
from karat.data.result import Column
from karat.render.figures import document
from tests.portable import differences, older_processor, one_thread

Made = Mapping[str, Mapping[str, str]]


def made(environment: Mapping[str, str]) -> Made:
    """Text, JSON and CSV of every example, by a process of its own."""
    done = subprocess.run([sys.executable, "-m", "tests.portable"], env=environment, capture_output=True, check=True)
    outputs: Made = json.loads(done.stdout)
    return outputs


@cache
def made_here() -> Made:
    """As this machine makes them."""
    return made(os.environ)


def test_threads_change_nothing() -> None:
    """On one machine every byte of every output is the same, whatever the number of threads."""
    assert made(one_thread()) == made_here()


@pytest.mark.nightly  # `make portable`, a part of every build, asks for most of this
@pytest.mark.skipif(platform.machine() != "x86_64", reason="knows how to make only an x86-64 processor older")
def test_an_older_processor_changes_little() -> None:
    """Text is the same on a processor without AVX, and JSON is to nine digits."""
    there = made(older_processor())
    assert {command: one["text"] for command, one in there.items()} == {
        command: one["text"] for command, one in made_here().items()
    }
    assert {command: differences(made_here()[command]["json"], there[command]["json"]) for command in ARGUMENTS} == {
        command: [] for command in ARGUMENTS
    }


@pytest.mark.parametrize("form", ["json", "csv"])
@pytest.mark.parametrize("command", ARGUMENTS)
def test_no_more_than_twelve_digits(command: str, form: str) -> None:
    """No number is written with digits that mean nothing."""
    text = re.sub(r'"(?:[^"\\]|\\.)*"', "", result_of(command).render(form))
    digits = [found.lstrip("-0.").replace(".", "").rstrip("0") for found in re.findall(r"(?<![\w.-])-?\d+\.\d+", text)]
    assert [found for found in digits if len(found) > 12] == []


def test_differences_are_found() -> None:
    """Nine digits are compared, what cancels counts as 0, and anything that is not a number must be equal."""
    assert differences('{"a": [0.12345678912, 1e-17, "x"]}', '{"a": [0.12345678913, 0.0, "x"]}') == []
    assert differences('{"a": 0.123456789}', '{"a": 0.123456799}') == ["/a: 0.123456789 and 0.123456799"]
    for one, other in [('{"a": 1}', '{"a": 2}'), ('{"a": 1}', '{"b": 1}'), ("[1.0]", "[]"), ('["x"]', '["y"]')]:
        assert len(differences(one, other)) == 1


@pytest.mark.parametrize("value", [0.00125, 0.12345, 2.5, 1e-7, 123456.78125, 0.1171875])
def test_ties_do_not_hang_on_the_last_digit(value: float) -> None:
    """A number just below a tie, just above it and on it reads the same, in a table and in the name of a figure."""
    near = [value, float(np.nextafter(value, 0)), float(np.nextafter(value, 1e9))]
    for digits in range(8):
        assert len({Column("x", near, digits).text(one) for one in near}) == 1
    charts = [Dots(title="t", labels=("a",), series=(Series("s", (one,)),)) for one in near]
    assert len({re.findall(r"chart-\w+", document(chart))[0] for chart in charts}) == 1
    assert len({rounded(one) for one in near}) == 1

"""`karat diagnose` as a user meets it: two files, one file, any attribute."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.calls import as_json, karat
from tests.formats.test_decomposed import GOOD, HEADER, ORIGINALS, OTHER
from tests.undefined import json_explained

Write = Callable[[str, str], Path]
RUN = "o1 CONTRADICTION\no2 UNKNOWN\nm1 CONTRADICTION\nm2 ENTAILMENT\n"


@pytest.fixture
def files(write: Write) -> tuple[str, str, str]:
    """Originals, monothematic pairs and a run."""
    return (
        str(write("originals.tsv", ORIGINALS)),
        str(write("mono.tsv", HEADER + GOOD + OTHER)),
        str(write("run.txt", RUN)),
    )


def test_originals_and_mono(files: tuple[str, str, str]) -> None:
    """The promised fields; every null has its reason; all files are signed."""
    told = as_json("diagnose", *files)
    json_explained(told)
    (row,) = told["overall"]
    assert {"accuracy", "interval", "n", "correlation_index", "deviation_index"} <= set(row)
    assert (row["accuracy"], row["n"], row["correlation_index"]) == (1.0, 2, 0.5)
    for part in ("categories", "phenomena", "judgments"):
        assert {"accuracy", "interval", "n", "correlation_index", "deviation_index"} <= set(told[part][0])
    assert [pair["correlation_index"] for pair in told["pairs"]] == [1.0, 0.0]
    assert {Path(one["name"]).name for one in told["signature"]["files"]} == {"originals.tsv", "mono.tsv", "run.txt"}


def test_relevance(files: tuple[str, str, str], write: Write) -> None:
    """Weights enter the accuracy on monothematic pairs, and the signature."""
    wrong = RUN.replace("m2 ENTAILMENT", "m2 UNKNOWN")
    relevance = write("relevance.txt", "semantic-opposition 3\nmodifier 1\n")
    told = as_json("diagnose", *files[:2], str(write("other.txt", wrong)), "--relevance", str(relevance))
    assert told["overall"][0]["accuracy"] == 0.75
    assert any(one["name"].endswith("relevance.txt") for one in told["signature"]["files"])


def test_by_attribute(files: tuple[str, str, str], write: Write) -> None:
    """Any attribute plays the phenomenon, without originals."""
    run = write("mono-run.txt", "m1 CONTRADICTION\nm2 UNKNOWN\n")
    told = as_json("diagnose", files[1], str(run), "--by", "phenomenon", "--way", "2")
    json_explained(told)
    assert [(row["name"], row["accuracy"]) for row in told["phenomena"]] == [
        ("semantic-opposition", 1.0),
        ("syntactic:modifier", 0.0),
    ]
    assert told["pairs"] == [] == told["categories"]


def test_wrong_calls(files: tuple[str, str, str]) -> None:
    """A run that is missing, an attribute that is not there, a set without monothematic pairs."""
    for arguments, told in (
        (files[:2], "no run was given"),
        (files[:1], "has no monothematic pairs"),
        (files[::2], "run.txt does not contain such pairs"),
        ((files[1], files[0], files[2]), "name the file of the originals before it"),
        ((files[1], files[2], "--by", "phenomenom"), "did you mean 'phenomenon'"),
        ((*files, "--way", "both"), "is not one of"),
    ):
        done = karat("diagnose", *arguments)
        assert done.returncode == 2, done.stderr
        assert told in done.stderr


def test_problems(files: tuple[str, str, str], write: Write) -> None:
    """Exit status 1, with file and line."""
    bad = write("bad.tsv", HEADER + GOOD.replace("\to1\t", "\to9\t") + OTHER)
    done = karat("diagnose", files[0], str(bad), files[2])
    assert done.returncode == 1
    assert f"{bad}:2:1: orphan: pair 'm1' is made from 'o9', which is not there; expected" in done.stderr


def test_a_picture_and_words(files: tuple[str, str, str]) -> None:
    """Findings and all charts, in text and in HTML."""
    text, page = (karat("diagnose", *files, "--format", form).stdout for form in ("text", "html"))
    assert "Correlation index of each original" in text
    assert "• run: " in text
    assert page.count("<svg") == 2 * 5  # each for a desk and for a phone

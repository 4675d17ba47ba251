"""Tests of how a file finds its reader."""

from __future__ import annotations

import pytest

from karat.errors import Problems, UsageError
from karat.formats.documents import document_of
from karat.formats.registry import Formats, find_format, pair_formats, run_formats
from karat.formats.sniffing import Fit
from tests.files import codes_of, key_of, key_problems, read_key, read_run, run_problems, three_way
from tests.formats.samples import PAIRS, RUNS

SAMPLES = [(pair_formats, *sample) for sample in PAIRS] + [(run_formats, *sample) for sample in RUNS]
NAMES = [f"{registry.kind}-{name}" for registry, _, name, _ in SAMPLES]


@pytest.mark.parametrize(("registry", "wanted", "name", "data"), SAMPLES, ids=NAMES)
def test_every_sample_is_recognised(registry: Formats, wanted: str, name: str, data: bytes) -> None:
    """Each format's own sample is found to be that format, and no problem is told."""
    problems = Problems()
    document = document_of(name, data, problems)
    assert document is not None
    entry = find_format(registry, document, None, problems)
    assert entry is not None
    assert entry.name == wanted
    assert list(problems) == []


@pytest.mark.parametrize(("registry", "wanted", "name", "data"), SAMPLES, ids=NAMES)
def test_at_most_one_format_is_certain(registry: Formats, wanted: str, name: str, data: bytes) -> None:
    """No sample is claimed with certainty by a format that is not its own."""
    document = document_of(name, data, Problems())
    assert document is not None
    best = max(registry.fits(document).values())
    certain = {entry.name for entry, fit in registry.fits(document).items() if fit is best >= Fit.CERTAIN}
    assert certain <= {wanted}


@pytest.mark.parametrize("registry", [pair_formats, run_formats], ids=["pairs", "runs"])
def test_every_format_has_a_sample(registry: Formats) -> None:
    """A format added without a sample here fails."""
    sampled = {name for kind, name, _, _ in SAMPLES if kind is registry}
    assert sampled == {entry.name for entry in registry}


@pytest.mark.parametrize(("wanted", "name", "data"), PAIRS, ids=[sample[1] for sample in PAIRS])
def test_a_named_reader_is_taken(wanted: str, name: str, data: bytes) -> None:
    """Naming the reader gives the same pairs as letting it be found."""
    assert read_key(data, name, reader=wanted).ids == read_key(data, name).ids


def test_an_ambiguous_file_names_the_candidates() -> None:
    """Where two formats are certain the problem names both and the option that decides."""
    both = "index\tpairID\tgold_label\theuristic\tuid\ttags\tcontext\tstatement\tsentence1\tsentence2\n"
    (problem,) = key_problems(both + "0\t1\tYES\th\tu\tt\tc\ts\ta\tb\n", "key.tsv")
    assert problem.code == "format"
    assert "hans" in problem.found
    assert "anli-tags" in problem.found
    assert "--reader NAME" in problem.fix


def test_an_unknown_key_names_the_formats_and_the_way_out() -> None:
    """A file of no known form is answered with the formats there are and the options; nothing of it is quoted."""
    (problem,) = key_problems("colour;shape\nred;round\n", "key.csv")
    assert problem.code == "format"
    assert "colour" not in str(problem)
    assert "rte, fracas" in problem.expected or "rte" in problem.expected
    assert "--reader NAME" in problem.fix
    assert "--column" in problem.fix


def test_a_key_given_as_run_is_told_apart() -> None:
    """XML is no run, and the sentence names the option for runs."""
    (problem,) = run_problems("<?xml version='1.0'?><entailment-corpus/>", three_way(), "run.xml")
    assert problem.code == "format"
    assert "--run-reader" in problem.fix


@pytest.mark.parametrize("content", ["", " \n\t\n"])
def test_an_empty_file_is_told_as_such(content: str) -> None:
    """Nothing, or blanks alone, is not guessed at."""
    assert codes_of(key_problems(content)) == ["empty-file"]
    assert codes_of(run_problems(content, three_way())) == ["empty-file"]


def test_an_unknown_reader_is_a_wrong_call() -> None:
    """A reader that does not exist is answered with the nearest that does."""
    with pytest.raises(UsageError, match="did you mean 'rte'"):
        read_key("<a/>", reader="rtee")
    with pytest.raises(UsageError, match=r"no run format is called 'zzzz'\. Known: batch-output"):
        read_run("1 YES", key_of("YES"), run_reader="zzzz")

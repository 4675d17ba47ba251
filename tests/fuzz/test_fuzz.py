"""Whatever becomes of a file, karat answers with a sentence, soon, in little memory; and what it reads, it reads right.

`make test` runs some thousand cases, always the same; `make nightly` runs 60,000. `KARAT_FUZZ` is another number of
cases. A case that fails is named by its sample and its number, from which `damaged` makes the file again.
"""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path
from random import Random

import pytest

import karat.formats as formats
from karat.formats.registry import FILE_FORMATS
from tests.fuzz.cases import Failure, attempt, by_command_line, damaged, limit
from tests.fuzz.files import Sample, samples

CASES = int(os.environ.get("KARAT_FUZZ", "0"))
DAY, NIGHT = CASES or 9000, CASES or 60_000
GROWTH = 1 << 20
"""Kibibytes by which a process may grow."""
SAMPLES = samples()


def test_every_reader_has_a_sample() -> None:
    """Every format; and no function reads files of another kind."""
    sampled = {sample.reader for sample in SAMPLES}
    registered = {f"{kind.holds}/{entry.name}" for kind in FILE_FORMATS for entry in kind}
    assert registered <= sampled
    source = Path(formats.__file__).parent
    functions = {
        line.partition("(")[0].removeprefix("def ")
        for file in source.glob("*.py")
        for line in file.read_text(encoding="utf-8").split("\n")
        if line.startswith("def read_")
    }
    of_registries = (
        "pairs runs ballots scores weights decomposition relevance justifications judges questions answers verdicts "
        "patterns nuggets matches ratings rag_metrics accepted preferences support judgments"
    )
    inner = (
        "document documents one rows parquet workbook probabilities layout columns key langpro excitement assignments "
        "question_set leading_decomposition lines ranked list other grades qrels rag "
        "ballot_parts run_parts score_parts scores_in_parts table"
    )
    assert functions <= {f"read_{name}" for name in f"{of_registries} {inner}".split()}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.id)
def test_undamaged(sample: Sample, tmp_path: Path) -> None:
    """Every sample is read, scored by its command, and seen alike by a plain reader."""
    assert attempt(sample, sample.data, tmp_path), "refused"
    assert not sample.command or by_command_line(sample, tmp_path / sample.name) == 0


def walk(sample: Sample, cases: range, folder: Path) -> None:
    """The cases of a sample, each on its own; all that fail are told."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    failures = []
    for case in cases:
        data = damaged(sample, case)
        start = time.process_time()
        try:
            with limit():
                attempt(sample, data, folder, by_command=bool(sample.command) and case % 8 == 0)
        except Exception as error:
            failures.append(f"{sample.id} {case}: {type(error).__name__}: {str(error)[:300]}")
        if time.process_time() - start > 5:
            failures.append(f"{sample.id} {case}: {time.process_time() - start:.1f} s")
    assert not failures, f"{len(failures)} of {len(cases)}:\n" + "\n".join(failures[:20])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < GROWTH


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.id)
def test_damaged(sample: Sample, tmp_path: Path) -> None:
    """Exit 0, 1 or 2 with a message; nothing accepted that a plain reader reads otherwise, or refuses."""
    walk(sample, range(DAY // len(SAMPLES)), tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.id)
def test_damaged_all_night(sample: Sample, tmp_path: Path) -> None:
    """The same with more of them."""
    share = DAY // len(SAMPLES)
    walk(sample, range(share, share + NIGHT // len(SAMPLES) + 1), tmp_path)


def test_what_the_test_finds(tmp_path: Path) -> None:
    """A reader that raises, one that hangs, and one that reads something else are found."""
    sample = next(sample for sample in SAMPLES if sample.id == "pair/rte key.xml")

    def fails(path: Path) -> None:
        raise KeyError(path)

    def hangs(_: Path) -> None:
        time.sleep(10)

    for read, error in ((fails, KeyError), (hangs, TimeoutError)):
        with pytest.raises(error), limit(1):
            attempt(Sample(sample.reader, sample.name, sample.data, read), sample.data, tmp_path)
    turned = sample.data.replace(b'"YES"', b'"NO"')
    read_wrong = Sample(
        sample.reader,
        sample.name,
        sample.data,
        lambda _: sample.read(_swap(tmp_path, turned)),
        "",
        sample.facts,
        sample.plain,
    )
    with pytest.raises(Failure, match="otherwise"):
        attempt(read_wrong, sample.data, tmp_path)
    assert damaged(sample, 7) == damaged(sample, 7) != damaged(sample, 8)
    assert Random("a").random() == Random("a").random()


def _swap(folder: Path, data: bytes) -> Path:
    path = folder / "other.xml"
    path.write_bytes(data)
    return path

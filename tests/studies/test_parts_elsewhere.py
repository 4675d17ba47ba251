"""Parts that are counted in other processes, or on a ray cluster: the same bytes as here."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from karat.formats.run_parts import read_run_parts
from karat.formats.score_parts import read_score_parts
from karat.studies.agree.study import agree
from karat.studies.base import StudyResult
from karat.studies.compare.study import compare
from karat.studies.judge.study import judge
from karat.studies.score.study import score
from tests.studies import test_agree_parts, test_compare_parts, test_score_parts


def _score(folder: Path, on: str) -> StudyResult:
    found = read_run_parts(test_score_parts.written(folder, test_score_parts.table()), least=0, rows_at_once=7, on=on)
    assert found is not None
    return score(found)


def _compare(folder: Path, on: str) -> StudyResult:
    found = read_score_parts(test_compare_parts.written(folder), least=0, rows_at_once=7, on=on)
    assert found is not None
    return compare(found)


def _agree(folder: Path, on: str) -> StudyResult:
    path = test_agree_parts.written(folder, test_agree_parts.rows())
    return agree(test_agree_parts.in_parts_of(path, 7, on=on))


def _judge(folder: Path, on: str) -> StudyResult:
    path = test_agree_parts.written(folder, test_agree_parts.rows())
    return judge(test_agree_parts.in_parts_of(path, 7, on=on), automatic=("judge 0",), fewest=5)


STUDIES: dict[str, Callable[[Path, str], StudyResult]] = {
    "score": _score,
    "compare": _compare,
    "agree": _agree,
    "judge": _judge,
}


@pytest.mark.parametrize("study", STUDIES)
def test_processes(tmp_path: Path, study: str) -> None:
    """Counted by two processes, a study has the same bytes."""
    assert STUDIES[study](tmp_path, "processes").render("json") == STUDIES[study](tmp_path, "here").render("json")


@pytest.mark.nightly
@pytest.mark.skipif(not find_spec("ray"), reason="ray is not installed")
def test_ray(tmp_path: Path) -> None:
    """On a real cluster of this machine as well; in a process of its own, which ray leaves as it likes."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.studies.test_parts_elsewhere", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=500,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert (done.returncode, done.stdout.split()) == (0, list(STUDIES)), done.stdout + done.stderr


if __name__ == "__main__":
    for name, study in STUDIES.items():
        there, here = (study(Path(sys.argv[1]), on).render("json") for on in ("ray", "here"))
        assert there == here, name
        print(name)

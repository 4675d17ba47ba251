"""`pip install karat`: the wheel in an empty environment scores, compares, reports, and names the extras it misses."""

from __future__ import annotations

import shutil
import tomllib
import venv
from pathlib import Path

import pytest

from karat.examples import HERE
from tests.server.test_wheel import ROOT, build_wheel, run

pytestmark = pytest.mark.nightly
MOST_BYTES = 300_000_000
TOOLS = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence.pth")
"""What is in an empty environment."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and what it requires, nothing of which is compiled here."""
    folder = tmp_path_factory.mktemp("installed")
    wheel = build_wheel(folder)
    venv.create(folder / "env", with_pip=True)
    pip = [folder / "env/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = run(*pip, "--only-binary=:all:", wheel, check=False)
    if done.returncode:
        assert "onnect" in done.stderr or "No matching distribution" in done.stderr, done.stderr[-2000:]
        pytest.skip("the packages that karat requires are not to be had")
    network = shutil.copytree(HERE, folder / "examples") / "network"
    network.mkdir()
    (network / "config.json").write_text('{"id2label": {"0": "entailment", "1": "neutral", "2": "contradiction"}}')
    (network / "model.onnx").touch()
    return folder


def karat(place: Path, words: str, status: int = 0) -> str:
    """What the installed command says, in a copy of the examples."""
    command = f'cd "{place / "examples"}" && exec "{place / "env/bin/karat"}" {words}'
    done = run("sh", "-c", command, check=False)
    assert done.returncode == status, f"{words}\n{done.stdout[-1000:]}{done.stderr[-3000:]}"
    return done.stdout + done.stderr


def test_it_is_small(place: Path) -> None:
    """Less than 300 MB, compiled bytecode included, and little less than the documentation says."""
    (site,) = place.glob("env/lib/python*/site-packages")
    files = [one for one in site.rglob("*") if one.is_file() and not one.is_symlink()]
    ours = [one for one in files if not one.relative_to(site).parts[0].startswith(TOOLS)]
    size = sum(one.stat().st_size for one in ours)
    assert size < MOST_BYTES
    said = (ROOT / "README.md").read_text("utf-8")
    assert "about 250 MB" in said
    assert size == pytest.approx(250_000_000, rel=0.15)


def test_scoring_comparing_reporting(place: Path) -> None:
    """The main commands, with no extra: a report without figures describes them in words."""
    assert "78.8" in karat(place, "score pairs.xml runs")
    assert "10 of 45 pairs of runs differ significantly" in karat(place, "compare pairs.xml runs")
    assert "The check fails" in karat(place, "compare pairs.xml runs --versus careful --fail-if-worse", 1)
    assert "2,043" in karat(place, "size --difference 0.02 --discordance 0.1")
    karat(place, "agree ballots.tsv")
    karat(place, "score pairs.xml runs -o scores.csv")
    karat(place, "report pairs.xml runs --ballots ballots.tsv -o report.html")
    page = (place / "examples/report.html").read_text("utf-8")
    assert "careful" in page
    assert "pip install &#x27;karat[figures]&#x27;" in page


MISSED = {
    "figures": "figure groups pairs.xml runs -o groups.svg",
    "tables": "score pairs.xml runs --scores-out scores.parquet",
    "excel": "sheet pairs.xml --assessor anna -o sheets --ending xlsx",
    "server": "serve --example",
    "neural": "run \"neural(model='network')\" pairs.xml",
    "cluster": "run overlap pairs.xml --train pairs.xml --on ray",
}


@pytest.mark.parametrize("extra", MISSED)
def test_extras_are_named_where_they_are_missed(place: Path, extra: str) -> None:
    """The message has the command that installs what is missing."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert extra in declared
    assert f"pip install 'karat[{extra}]'" in karat(place, MISSED[extra], 2)

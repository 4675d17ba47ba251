"""The wheel, installed in an environment of its own, without a network, serves every page."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.surroundings import surroundings

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.nightly


def run(*command: object, check: bool = True, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program outside this project."""
    around = {name: value for name, value in surroundings().items() if name != "PYTHONPATH"} | environment
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, env=around, timeout=600, cwd="/", check=False)
    assert done.returncode == 0 or not check, done.stdout[-2000:] + done.stderr[-4000:]
    return done


def build_wheel(folder: Path) -> Path:
    """The wheel, built from this project."""
    built = run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, ROOT, check=False)
    if built.returncode and "hatchling" in built.stderr:
        pytest.skip("what builds a wheel is neither installed nor to be had")
    assert built.returncode == 0, built.stderr
    (made,) = folder.glob("karat-*.whl")
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel."""
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and what a server needs, and nothing else if that can be had."""
    folder = tmp_path_factory.mktemp("installed") / "env"
    venv.create(folder, with_pip=True)
    pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if run(*pip, f"{wheel}[server]", check=False).returncode:
        # Without a network: the dependencies of this environment, but not the karat that is in it.
        (site,) = folder.glob("lib/python*/site-packages")
        (site / "borrowed.pth").write_text(sysconfig.get_paths()["purelib"])
        run(*pip, "--no-deps", wheel)
    where = run(folder / "bin" / "python", "-c", "import karat; print(karat.__file__)").stdout
    assert where.startswith(str(folder))
    return folder


def test_the_wheel_is_complete(wheel: Path) -> None:
    """Every template, static file, migration and example that the project has is in the wheel, byte for byte."""
    listed = subprocess.run(
        ["git", "ls-files", "src/karat"], capture_output=True, text=True, cwd=ROOT, check=True
    ).stdout
    files = [ROOT / line for line in listed.splitlines()]
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
        for file in files:
            name = str(file.relative_to(ROOT / "src"))
            assert name in names
            assert archive.read(name) == file.read_bytes()
    kinds = {part for file in files for part in file.parts}
    assert {"templates", "static", "migrations", "examples"} <= kinds


def test_it_serves_every_page_without_a_network(installed: Path, tmp_path: Path) -> None:
    """Every page that the host, a team and an assessor can reach is there, with its style, script and picture."""
    script = shutil.copy(Path(__file__).parent / "walking.py", tmp_path / "walking.py")
    walk = [installed / "bin" / "python", script, installed / "bin" / "karat", tmp_path / "home"]
    alone = ["unshare", "--net"]
    possible = shutil.which("unshare") is not None and run(*alone, "true", check=False).returncode == 0
    done = run(*(alone if possible else []), *walk, *(["alone"] if possible else []))
    walked = json.loads(done.stdout)
    for eyes, pages in walked.items():
        assert {path: status for path, status in pages.items() if status != 200} == {}, eyes
        assert "/c/example/" in pages
        kinds = {path.rpartition(".")[2] for path in pages if path.startswith("/static/")}
        assert {"css", "js", "svg"} <= kinds
    assert len(walked["organiser"]) > max(len(walked["team"]), len(walked["assessor"]))
    assert min(map(len, walked.values())) > 5

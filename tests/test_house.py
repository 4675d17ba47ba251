"""The house stands as it is drawn: imports go down, starting up is cheap, files are short."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from tools.rooms import LEVELS, imports, room_of

from karat.engines.engine import HOMES

PROJECT = Path(__file__).parent.parent
SOURCE = PROJECT / "src" / "karat"
RANK = {room: level for level, rooms in enumerate(LEVELS) for room in rooms}
FILES = sorted(SOURCE.rglob("*.py"))


def upward(file: Path, root: Path) -> list[str]:
    """Imports of a file that go up or sideways."""
    room = room_of(file, root)
    if room not in RANK:
        return []
    return [f"{room} imports {other}" for other in imports(file) if other != room and RANK.get(other, -1) >= RANK[room]]


def test_imports_go_down() -> None:
    """No room imports from a room above it or beside it."""
    assert {str(file): found for file in FILES if (found := upward(file, SOURCE))} == {}


def test_planted_import(tmp_path: Path) -> None:
    """The test of imports finds one that goes up and one that goes sideways."""
    (tmp_path / "data").mkdir()
    planted = tmp_path / "data" / "planted.py"
    planted.write_text("from karat.studies import check\nfrom karat import labels\n")
    assert upward(planted, tmp_path) == ["data imports studies"]
    (tmp_path / "formats").mkdir()
    sideways = tmp_path / "formats" / "planted.py"
    sideways.write_text("def f():\n    import karat.render.text\n")
    assert upward(sideways, tmp_path) == ["formats imports render"]


def test_tools_need_no_tests() -> None:
    """Tests may use what the tools write, but no tool needs a test."""
    uses = re.compile(r"^\s*(from|import) tests\b", re.MULTILINE)
    tools = sorted((PROJECT / "tools").rglob("*.py"))
    assert tools
    assert [file.name for file in tools if uses.search(file.read_text(encoding="utf-8"))] == []


def test_files_are_short() -> None:
    """A file past 400 lines wants splitting."""
    lengths = {str(file): len(file.read_text(encoding="utf-8").splitlines()) for file in FILES}
    assert {file: length for file, length in lengths.items() if length > 400} == {}


def loaded(code: str) -> set[str]:
    """The modules loaded after running some code in a fresh interpreter."""
    code += "\nimport sys; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def named_twice(files: Iterable[Path]) -> dict[str, list[str]]:
    """Public classes of one name in several modules, with these modules."""
    homes: dict[str, list[str]] = {}
    for file in files:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(file))
    return {name: where for name, where in homes.items() if len(where) > 1}


def test_one_meaning_a_name() -> None:
    """A class has a name of its own; the record of a campaign and the tables of the server name their own things."""
    assert named_twice(file for file in FILES if room_of(file, SOURCE) not in ("campaign", "server")) == {}


def test_planted_name(tmp_path: Path) -> None:
    """The test of names finds a class that is defined twice, and no private one."""
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text("class Entry:\n    pass\n\n\nclass _Own:\n    pass\n")
    assert list(named_twice(sorted(tmp_path.iterdir()))) == ["Entry"]


HEAVY = {"numpy", "polars", "scipy", "matplotlib", "django", "rich"}


def test_import_is_lazy() -> None:
    """`import karat` loads nothing heavy, and a name loads what it needs."""
    assert not loaded("import karat") & (HEAVY | {"click", "msgspec"})
    assert "numpy" in loaded("import karat; karat.Table")
    assert not loaded("import karat; karat.score") & {"polars", "scipy", "matplotlib"}


def test_help_is_light() -> None:
    """`karat --help` loads no numpy, polars or scipy."""
    code = "from karat.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass"
    assert not loaded(code) & HEAVY


@pytest.mark.parametrize("name", {home: name for name, home in HOMES.items()}.values())
def test_one_engine_loads_no_other(name: str) -> None:
    """What is asked for is loaded, and what it is made of."""
    found = loaded(f"import karat; karat.run; from karat.engines.engine import engines; engines[{name!r}]")
    assert HOMES[name] in found
    rooms = {home.split(".")[2] for home in HOMES.values()}
    assert {one.split(".")[2] for one in found if one.startswith("karat.engines.")} & rooms == {
        HOMES[name].split(".")[2]
    }


def test_one_kind_of_file_loads_no_other(tmp_path: Path) -> None:
    """Reading scores loads neither the formats of runs nor those of questions."""
    (tmp_path / "s.csv").write_text("run,u1,u2\none,1,0\ntwo,0,1\n")
    found = loaded(f"import karat; karat.read_scores({str(tmp_path / 's.csv')!r})")
    assert "karat.formats.scores" in found
    assert not found & {f"karat.formats.{name}" for name in ("plain", "nugget_table", "verdict_table", "pair_table")}


def test_every_public_name() -> None:
    """Each name in `karat.__all__` is there, and no other is."""
    import karat

    for name in karat.__all__:
        assert getattr(karat, name) is not None
    assert set(karat.__all__) <= set(dir(karat))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        karat.nonsense  # type: ignore[attr-defined]  # noqa: B018


IDIOM = re.compile(r"\b(?:a|one) (?:row|line|column|panel|mark|file|section|table|ballot|score|bar|box|point) an? \w+")


def test_one_row_per_run() -> None:
    """Nothing that people read says "a row a run": the pattern finds it, and finds it nowhere."""
    assert IDIOM.search("a row a run")
    files = [*FILES, *(PROJECT / "docs").rglob("*.md"), *PROJECT.glob("*.md")]
    found = {str(file): IDIOM.findall(file.read_text(encoding="utf-8")) for file in files}
    assert {file: phrases for file, phrases in found.items() if phrases} == {}

"""Results name files, and do not say where they lie."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.calls import karat
from tests.cli.test_warnings import ENGINE, EVERY_CALL, MADE, call


@pytest.mark.parametrize("form", ["json", "html", "text", "latex"])
@pytest.mark.parametrize(("name", "place"), EVERY_CALL)
def test_no_result_has_a_whole_path(tmp_path: Path, name: str, place: int, form: str) -> None:
    """Not in the signature, the warnings, the title or the tables."""
    words, given = call(name, place, tmp_path)
    done = karat(*words, "--format", form, "--verbose")
    assert done.stdout, done.stderr
    assert str(tmp_path) not in done.stdout
    assert any(one in done.stdout for one in given) or name == "run"  # whose text is the run itself


def test_models_and_engines(tmp_path: Path) -> None:
    """Nor does a model say where its parses and what it learnt from lie, or a run."""
    for name in ("small.tsv", "parses.conllu"):
        (tmp_path / name).write_text(MADE[name])
    small, model = tmp_path / "small.tsv", tmp_path / "model.json"
    words: list[str | Path] = [
        "run",
        ENGINE,
        small,
        "--train",
        small,
        "--trees",
        tmp_path / "parses.conllu",
        "--model-out",
        model,
    ]
    done = karat(*words, "--format", "json")
    assert done.returncode == 0, done.stderr
    assert str(tmp_path) not in done.stdout
    assert str(tmp_path) not in model.read_text()


def test_a_model_names_nothing_to_read_or_run(tmp_path: Path) -> None:
    """What a model file says of files and programs is not used: whoever runs it names them."""
    for name in ("small.tsv", "parses.conllu"):
        (tmp_path / name).write_text(MADE[name])
    small, model, mark = tmp_path / "small.tsv", tmp_path / "model.json", tmp_path / "mark"
    done = karat("run", ENGINE, small, "--train", small, "--trees", tmp_path / "parses.conllu", "--model-out", model)
    assert done.returncode == 0, done.stderr
    made = json.loads(model.read_text())
    model.write_text(json.dumps(made | {"trees": str(tmp_path / "parses.conllu")}))
    done = karat("run", ENGINE, small, "--model", model)
    assert "give those of these pairs, --trees FILE" in done.stderr
    assert karat("run", ENGINE, small, "--model", model, "--trees", tmp_path / "parses.conllu").returncode == 0
    for engine in (f"outside(command='touch {mark}')", f"neural(model='{tmp_path}')"):
        model.write_text(json.dumps(made | {"engine": engine, "trees": "chunker"}))
        done = karat("run", engine.partition("(")[0], small, "--model", model)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert not mark.exists()

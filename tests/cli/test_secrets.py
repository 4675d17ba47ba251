"""Nothing of a file that is not what was expected is quoted: every file of every command, given some other file."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from karat.cli import load_command
from karat.errors import Problems, summary
from tests.cli.calls import karat
from tests.cli.test_warnings import CALLS, ENGINE, MADE, SOME_AT_NIGHT, read_parameters

SECRETS = {
    "passwords": "root:$6$SECRETa$hash:19000:0:99999:7:::\nSECRETdaemon:*:19000:0:99999:7:::\n",
    "hosts": "127.0.0.1 SECRETlocalhost\n10.0.0.7 SECRETdb.internal SECRETalias\n# SECRETcomment here\n",
    "environment": "SECRETKEY=SECRETvalue1\nPASSWORD=SECRETpw with blanks\n",
    "settings": "[SECRETsection]\npassword = SECRETpw\nuser=SECRETuser\n",
    "an object": '{"SECRETkey": "SECRETvalue", "b": ["SECRETlist"]}\n',
    "a list": '["SECRETa", "SECRETb"]\n',
    "a document": '{\n "SECRETkey": "SECRETvalue"\n}\n',
    "a table": "SECRETname\tSECRETstreet\nSECRETann\tSECRETroad\n",
    "a key": "-----BEGIN SECRETKEY-----\nSECRETMIIE\n-----END-----\n",
    "markup": '<?xml version="1.0"?>\n<SECRETroot SECRETattr="SECRETv"><SECRETchild id="1">SECRETtext</SECRETchild>\n',
    "a token": "SECRETtoken SECRETtwo\n",
}


@pytest.mark.parametrize(("name", "place"), SOME_AT_NIGHT)
def test_secrets_are_kept(tmp_path: Path, name: str, place: int) -> None:
    """Each file in turn is some file of the machine; the message says where, what was expected and what to do."""
    files, more = CALLS[name][place]
    command = load_command(name)
    parameters = read_parameters(command)
    paths: dict[str, list[Path]] = {}
    for parameter in parameters:
        named = files.get(parameter.name or "", [])
        for file in named if isinstance(named, list) else [named]:
            path = tmp_path / f"{parameter.name}-{Path(file).name}"
            path.write_bytes(file.read_bytes() if isinstance(file, Path) else MADE[file].encode())
            paths.setdefault(parameter.name or "", []).append(path)
    for target in paths:
        for secret in SECRETS.values():
            strange = tmp_path / "strange"
            strange.write_text(secret)
            words = [ENGINE for one in command.params if one.name == "engine"] + more.split()
            for one in parameters:
                given = [strange] if one.name == target else paths.get(one.name or "", [])
                for path in given:
                    words += [one.opts[0], str(path)] if isinstance(one, click.Option) else [str(path)]
            done = karat(name, *words, "--format", "text")
            assert "SECRET" not in done.stdout + done.stderr, (target, secret)
            assert done.returncode, (target, secret)
            assert strange.name in done.stdout + done.stderr


def test_a_model_is_not_quoted(tmp_path: Path, small: Path) -> None:
    """Nor what is given as a model, or as rules."""
    strange = tmp_path / "strange"
    for secret in SECRETS.values():
        strange.write_text(secret)
        for engine, more in (
            ("overlap", ["--model", str(strange)]),
            (f"{ENGINE}(rules={str(strange)!r})", list[str]()),
        ):
            done = karat("run", engine, small, *more)
            assert done.returncode
            assert "SECRET" not in done.stdout + done.stderr


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Pairs to answer."""
    path = tmp_path / "small.tsv"
    path.write_text(MADE["small.tsv"])
    return path


def test_problems_of_a_stranger() -> None:
    """The first is told without its contents; once the file is recognised, all are, those before included."""
    problems = Problems()
    problems.suspect("f")
    problems.add("carriage-return", "1 carriage return", file="f", line=1)
    problems.add("label-outside-task", "label 'x'", file="f", line=2, labels="A, B", spelled="x")
    problems.add("label-outside-task", "label 'y'", file="f", line=3, labels="A, B", spelled="y")
    told = summary(problems)
    assert "1 carriage return" in told
    assert "f:2: label-outside-task: something else" in told
    assert "'x'" not in told
    assert "--label …=LABEL" in told
    assert "f:3" not in told
    problems.recognise("f")
    told = summary(problems)
    assert "label 'x'" in told
    assert "--label y=LABEL" in told

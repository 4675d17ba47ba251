"""The JSON Schemas: current, true of every example and of results full of nulls, and strict."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from tools.examples import EVERYTHING, result_of
from tools.schemas import FOLDER, Schema, commands, schema

from karat.cli import COMMANDS, OF_THE_SERVER
from karat.studies.report.study import SECTIONS
from tests.studies.test_undefined import OF_SCORES

EACH = pytest.mark.parametrize("command", commands())


BESIDE: Registry[Schema] = Registry().with_resources(
    (file.name, Resource.from_contents(json.loads(file.read_text(encoding="utf-8")))) for file in FOLDER.iterdir()
)
"""The files as they lie in their folder, where one names another."""


@cache
def validator(command: str, part: str = "") -> Draft202012Validator:
    """What looks at a command's output, or at one part of it."""
    file = f"{command}.json"
    return Draft202012Validator({"$ref": f"{file}#/$defs/{part}" if part else file}, registry=BESIDE)


@cache
def example(command: str) -> str:
    """The example of the documentation."""
    return (FOLDER.parent / f"{command}.json").read_text(encoding="utf-8")


def found(part: Schema, value: Any, parts: dict[str, Schema]) -> Iterator[tuple[str, Any]]:
    """Every object in a value that is of a named part, with the part's name."""
    if "$ref" in part:
        file, _, name = part["$ref"].partition("#/$defs/")
        if not file:  # else it is of another command, and is looked at there
            yield name, value
            yield from found(parts[name], value, parts)
        return
    for choice in part.get("anyOf", ()):
        if Draft202012Validator({**choice, "$defs": parts}, registry=BESIDE).is_valid(value):
            yield from found(choice, value, parts)
    if isinstance(value, list) and part.get("items"):
        for one in value:
            yield from found(part["items"], one, parts)
    elif isinstance(value, dict):
        for name, one in value.items():
            inside = part.get("properties", {}).get(name) or part.get("additionalProperties")
            yield from found(inside or {}, one, parts)


def wrong(value: Any) -> Any:
    """A value of another type, whatever is allowed where this one stands."""
    return "strange" if isinstance(value, list | dict) else [[]]


def slips(value: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """An object with a field dropped, of a wrong type, or too many."""
    for name in value:
        yield f"without {name}", {other: one for other, one in value.items() if other != name}
        yield f"{name} of a wrong type", value | {name: wrong(value[name])}
    yield "a field too many", value | {"strange": 1}


def test_every_command_that_prints_json_has_a_schema() -> None:
    """Commands without one print no result: one draws, one writes pages, some are of the server, which has its own."""
    assert set(COMMANDS) - set(commands()) == {"demo", "figure", *OF_THE_SERVER}
    assert sorted(file.stem for file in FOLDER.iterdir()) == sorted(commands())


@EACH
def test_is_a_schema(command: str) -> None:
    """Each file is a schema by the rules of its dialect, and names no file that is not there."""
    text = (FOLDER / f"{command}.json").read_text(encoding="utf-8")
    Draft202012Validator.check_schema(json.loads(text))
    named = {reference.partition("#")[0] for reference in re.findall(r'"\$ref": "(.*)"', text)} - {""}
    assert named <= {file.name for file in FOLDER.iterdir()}
    assert bool(named) == (command == "report")


@EACH
def test_true_of_the_example(command: str) -> None:
    """The documented example of a command is valid."""
    assert [error.message for error in validator(command).iter_errors(json.loads(example(command)))] == []


@pytest.mark.parametrize("name", OF_SCORES)
def test_true_of_nulls(name: str) -> None:
    """Results with hardly a number in them are valid: every number may be null."""
    told = json.loads(OF_SCORES[name]().render("json"))
    assert [error.message for error in validator(told["study"]).iter_errors(told)] == []


@EACH
def test_slips_are_found(command: str) -> None:
    """In no part of an example can a field be dropped, be of another type, or be one too many."""
    parts = schema(command)["$defs"]
    seen: dict[str, Any] = {}
    for name, value in found(schema(command), json.loads(example(command)), parts):
        seen.setdefault(name, value)
    assert "Signature" in seen
    for name, value in seen.items():
        assert validator(command, name).is_valid(value)
        assert [slip for slip, broken in slips(value) if validator(command, name).is_valid(broken)] == [], name


@pytest.mark.parametrize(
    ("field", "value"),
    [("run", None), ("run", 7), ("value", "0.5"), ("interval", [0.1]), ("interval", [0.1, 0.2, 0.3]), ("units", 1.5)],
)
def test_slips_deep_inside_are_found(field: str, value: object) -> None:
    """A word is never null, a number never a word, an interval has two ends, and a count is whole."""
    told = json.loads(example("compare"))
    assert validator("compare").is_valid(told)
    told["runs"][0][field] = value
    assert not validator("compare").is_valid(told)


def test_a_number_may_be_null() -> None:
    """Undefined is null, in an interval too."""
    told = json.loads(example("compare"))
    told["runs"][0] |= {"value": None, "interval": [None, None]}
    assert validator("compare").is_valid(told)


def test_of_another_command() -> None:
    """The output of one command is not valid as that of another, even where both list what is registered."""
    assert not validator("formats").is_valid(json.loads(example("measures")))
    assert not validator("score").is_valid(json.loads(example("compare")))


def test_a_report_holds_whole_results() -> None:
    """A section of a report is looked at as the study's own output is, whichever it is."""
    told = json.loads(result_of("report", EVERYTHING).render("json"))
    assert [error.message for error in validator("report").iter_errors(told)] == []
    assert {section["name"] for section in told["sections"]} == set(SECTIONS)
    for section in told["sections"]:
        del section["result"]["signature"]["seed"]
        assert not validator("report").is_valid(told | {"sections": [section]}), section["name"]


def test_fields_have_words() -> None:
    """What the source says below a field is its description, and what a class says of itself the class's."""
    parts = schema("compare")["$defs"]
    assert parts["Comparison"]["properties"]["groups"]["description"].startswith("None, like the letters")
    assert parts["Signature"]["description"].startswith("All that a number depends on")

"""JSON Schemas of what `--format json` prints, from the result dataclasses: docs/json/schema/COMMAND.json.

Strict: every field is there and no other, and only numbers can be null, for which `undefined` has the reason. What a
class or a field says of itself in the source is its description.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
import typing
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import inspect as types

from karat.cli import COMMANDS, load_command
from karat.data.result import Result
from karat.studies.base import StudyResult, studies
from karat.studies.report.study import SECTIONS

FOLDER = Path(__file__).parent.parent / "docs" / "json" / "schema"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]


def commands() -> list[str]:
    """The commands that print a result of their own, in the order of the overview."""
    for name in COMMANDS:
        load_command(name)  # which files its study
    filed = {entry.name for entry in studies}
    return [name for name in COMMANDS if name in filed]


def result_class(study: str) -> type[StudyResult]:
    """What a study returns."""
    found: type[StudyResult] = typing.get_type_hints(studies[study].function)["return"]
    return found


def schema(command: str) -> Schema:
    """What a command prints: a schema that stands alone, but for a report, whose sections are described beside it."""
    parts = Parts()
    whole = parts.named(types.type_info(result_class(command)))
    head = {"$schema": DIALECT, "title": f"karat {command}", "description": COMMANDS[command]}
    return {**head, **whole, "properties": {"study": {"const": command}}, "$defs": parts.made}


def page(command: str) -> str:
    """The same as the text of a file."""
    return json.dumps(schema(command), indent=2, ensure_ascii=False) + "\n"


@cache
def field_words(kind: type) -> dict[str, str]:
    """What the source says below each field of a class."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(tree, ast.ClassDef)
    words = {}
    for line, below in zip(tree.body, tree.body[1:], strict=False):
        told = below.value if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) else None
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and told:
            words[line.target.id] = " ".join(str(told.value).split())
    return words


class Parts:
    """The classes that a result is made of, a definition each."""

    def __init__(self) -> None:
        self.made: dict[str, Schema] = {}
        self._names: dict[type, str] = {}

    def of(self, kind: types.Type) -> Schema:
        """What JSON may hold where a type stands."""
        match kind:
            case types.AnyType():
                return {}
            case types.NoneType():
                return {"type": "null"}
            case types.BoolType():
                return {"type": "boolean"}
            case types.IntType():
                return {"type": "integer"}
            case types.FloatType():  # NaN and infinity are null
                return {"type": ["number", "null"]}
            case types.StrType():
                return {"type": "string"}
            case types.LiteralType():
                return {"enum": list(kind.values)}
            case types.ListType() | types.VarTupleType():
                return {"type": "array", "items": self.of(kind.item_type)}
            case types.TupleType():
                each = [self.of(one) for one in kind.item_types]
                return {"type": "array", "prefixItems": each, "items": False, "minItems": len(each)}
            case types.DictType():
                return {"type": "object", "additionalProperties": self.of(kind.value_type)}
            case types.UnionType():
                return _either([self.of(one) for one in kind.types])
            case types.DataclassType() if kind.cls in (Result, StudyResult):  # a report holds results of any study
                return {"anyOf": [{"$ref": f"{name}.json"} for name in commands() if name in SECTIONS]}
            case types.DataclassType():
                return self.named(kind)
        raise TypeError(f"no schema for {kind}: say here what JSON has in its place")

    def named(self, kind: types.Type) -> Schema:
        """A reference to a class, which is defined where it is met for the first time."""
        assert isinstance(kind, types.DataclassType)
        if kind.cls not in self._names:
            self._names[kind.cls] = name = self._free_name(kind.cls)
            self.made[name] = {}  # its place: a class may hold itself
            self.made[name] = self._definition(kind)
        return {"$ref": f"#/$defs/{self._names[kind.cls]}"}

    def _free_name(self, kind: type) -> str:
        """The name of a class; of a second one of that name, with the study it is of."""
        return kind.__name__ if kind.__name__ not in self.made else f"{kind.__module__.split('.')[-2]}.{kind.__name__}"

    def _definition(self, kind: types.DataclassType) -> Schema:
        held = {one.name: one.type for one in kind.fields}
        told = [parent for parent in reversed(kind.cls.__mro__) if parent not in (Result, StudyResult, object)]
        words = {name: sentence for parent in told for name, sentence in field_words(parent).items()}
        properties = {}
        for one in fields(kind.cls):  # in the order in which they are printed
            properties[one.name] = self.of(held[one.name])
            if one.name in words:
                properties[one.name]["description"] = words[one.name]
        if issubclass(kind.cls, StudyResult):
            made_by = sorted(entry.name for entry in studies if result_class(entry.name) is kind.cls)
            properties["study"] = {"enum": made_by}
        return {
            "description": inspect.getdoc(kind.cls) or "",
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }


def _either(choices: list[Schema]) -> Schema:
    """One of several; plain types are told as a list of them."""
    if all(set(one) == {"type"} for one in choices):
        named = [name for one in choices for name in ([one["type"]] if isinstance(one["type"], str) else one["type"])]
        return {"type": list(dict.fromkeys(named))}
    return {"anyOf": choices}


def main() -> None:
    """Write every schema."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for command in commands():
        (FOLDER / f"{command}.json").write_text(page(command), encoding="utf-8")


if __name__ == "__main__":
    main()

"""The types of everything public, for editors and type checkers: studies with every keyword that they take."""

from __future__ import annotations

import inspect
import subprocess
import sys
import typing
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin, get_type_hints

import karat
from karat.studies.base import studies

HEAD = '''"""karat: evaluate systems that understand language, and evaluate the evaluation. Written by `make docs`."""
'''


def stub_page() -> str:
    """The stub of the package: what is loaded lazily is named here once more, with its types."""
    imports = {f"from {home} import {name} as {name}" for name, home in homes().items() if not takes_keywords(name)}
    imports |= {"import typing", "from collections.abc import Sequence", "from karat import measures as measures"}
    imports -= {"from karat.measures import measures as measures"}
    functions = []
    for name in sorted(filter(takes_keywords, homes())):
        function = getattr(karat, name)
        signature, hints = inspect.signature(function), get_type_hints(inspect.unwrap(function))
        seen = {one.name: one.annotation for one in signature.parameters.values()}
        hints = {**seen, **hints, **{name: hint for name, hint in seen.items() if not isinstance(hint, str)}}
        imports |= set(imported(hints[one] for one in (*signature.parameters, "return")))
        told = inspect.cleandoc(function.__doc__ or "").splitlines()[0]
        functions.append(
            f'def {name}({parameters(signature, hints)}) -> {written(hints["return"])}:\n    """{told}"""\n'
        )
    body = "\n".join([HEAD, *sorted(imports), "__version__: str\n__all__: list[str]", *functions])
    for command in (["check", "--select", "I", "--fix"], ["format"]):
        words = [sys.executable, "-m", "ruff", *command, "--quiet", "--stdin-filename", "karat.pyi", "-"]
        body = subprocess.run(words, input=body, check=True, capture_output=True, text=True).stdout
    return body


def homes() -> dict[str, str]:
    """The module of every public name."""
    return dict(vars(karat)["_HOMES"])


def takes_keywords(name: str) -> bool:
    """Whether a name is that of a function whose keywords are the fields of a struct: a study, most readers."""
    return name != "measures" and "__signature__" in vars(getattr(karat, name))


def is_study(name: str) -> bool:
    """Whether a name is that of a study."""
    return name in homes() and homes()[name].startswith("karat.studies") and getattr(karat, name) in _functions()


def _functions() -> list[Any]:
    return [entry.function for entry in studies]


def parameters(signature: inspect.Signature, hints: Mapping[str, Any]) -> str:
    """What stands between the brackets; of a default that is an object there is only a hint."""
    made: list[str] = []
    for one in signature.parameters.values():
        if one.kind is one.KEYWORD_ONLY and "*" not in made:
            made.append("*")
        plain = isinstance(one.default, str | int | float | tuple | None)
        default = "" if one.default is one.empty else f" = {one.default!r}" if plain else " = ..."
        made.append(f"{one.name}: {written(hints[one.name])}{default}")
    return ", ".join(made)


def written(hint: Any) -> str:
    """An annotation in source code; a tuple of any length may be any sequence."""
    inside = get_args(hint)
    if hint is None or hint is type(None):
        return "None"
    if hint is typing.Any:
        return "typing.Any"
    if get_origin(hint) is None:
        return getattr(hint, "__name__", str(hint))
    name = str(getattr(get_origin(hint), "__name__", hint))
    if name in ("Union", "UnionType"):
        return " | ".join(map(written, sorted(inside, key=lambda one: one is type(None))))
    if name == "Literal" or "Literal" in str(get_origin(hint)):
        return f"typing.Literal[{', '.join(map(repr, inside))}]"
    if name == "Annotated":
        return written(inside[0])
    if name == "tuple" and Ellipsis in inside:
        return f"Sequence[{written(inside[0])}]"
    return f"{name}[{', '.join(map(written, inside))}]"


def imported(hints: Iterator[Any]) -> Iterator[str]:
    """The imports that annotations need."""
    for hint in hints:
        yield from imported(iter(get_args(hint)))
        origin = get_origin(hint) or hint
        module = getattr(origin, "__module__", "builtins")
        if isinstance(origin, type) and module.startswith(("karat", "os", "collections")):
            again = f" as {origin.__name__}" if module.startswith("karat") else ""  # karat's own are passed on
            yield f"from {module} import {origin.__name__}{again}"

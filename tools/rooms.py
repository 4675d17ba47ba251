"""The rooms of the house, which docs/map.md draws and a test keeps: a room imports from those above it in this list."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

LEVELS = (
    ("catalogue",),
    ("errors", "progress"),
    ("places",),
    ("arrays", "files", "labels"),
    ("registry",),
    ("kernels",),
    ("data",),
    ("align",),
    ("formats", "render"),
    ("measures", "statistics"),
    ("engines",),
    ("studies",),
    ("campaign",),
    ("client", "server"),
    ("cli",),
)


def room_of(file: Path, root: Path) -> str:
    """The room a file belongs to: its folder, or its own name at the top."""
    return file.relative_to(root).parts[0].removesuffix(".py")


def imports(file: Path) -> Iterator[str]:
    """The rooms of karat that a file imports from, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{file}: a relative import"
            if node.module == "karat":
                yield from (alias.name for alias in node.names)
            elif node.module and node.module.startswith("karat."):
                yield node.module.split(".")[1]
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[1] for alias in node.names if alias.name.startswith("karat."))

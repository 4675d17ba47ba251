"""No regular expression of our own takes more than linear time: each is held against the inputs that could make it.

Every call of `re` in the source is found, with the way it is called, and given long inputs made from the pattern
itself: what stands before a repeat, then what is repeated, many times, then something that does not fit.
"""

from __future__ import annotations

import ast
import importlib
import re
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

parser: Any = importlib.import_module("re._parser")
SOURCE = Path(__file__).parents[1] / "src" / "karat"
MADE = {
    "{words}": r"\W*?(YES|NO)(?!\w|\.\d)",
    "{roots}": r"<(entailment-corpus|devset|testset)[\s>]",
    "{ENDLESS": r"[^\W_]{31,}",
    "{CUT}": r".{15}(?=.)",
    "{wanted}": r"(an\s+answer\s+of\s+four)",  # the words of an answer, found in a document
    "re.escape(run)": r"(?<![^\s(,;:])a\.b(?=[\s,;:)]|'s|\*|\.(\s|$)|$)",
    "_pattern(self.path": r"a\.[^.]*\.b",
    "for spelled in why": r"(a\.[^.]*\.b)|(c\.[^.]*)",
    "pattern": r'\A\s*\{\s*"table"\s*:\s*\[',  # what formats say that their files begin with
}
"""Patterns that are put together where they are used: an example of each, by a piece of its source."""
METHODS: dict[str, Callable[[re.Pattern[Any], Any], object]] = {
    "search": lambda pattern, text: pattern.search(text),
    "match": lambda pattern, text: pattern.match(text),
    "fullmatch": lambda pattern, text: pattern.fullmatch(text),
    "findall": lambda pattern, text: pattern.findall(text),
    "finditer": lambda pattern, text: list(pattern.finditer(text)),
    "split": lambda pattern, text: pattern.split(text),
    "sub": lambda pattern, text: pattern.sub(text[:0], text),
}
PALETTE = " \n\x0bxA0.,:;-_'\"“‘<>/#&*[](){}=!?`\\|$%é"
LENGTHS = (500, 8000, 32_000)
LIMIT = 0.15
"""Seconds: linear time is far below it at any of these lengths, quadratic time far above it."""
Use = tuple[str, re.Pattern[Any], str]


def uses(file: Path) -> Iterator[Use]:
    """Where, which pattern, and the method it is called by; a pattern that is compiled counts once for each method."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    where = str(file.relative_to(SOURCE))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") and node.args:
            function = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            if function not in (*METHODS, "compile"):
                continue
            flags = next((ast.unparse(one.value) for one in node.keywords if one.arg == "flags"), None)
            place = 1 if function == "compile" else 3 if function == "sub" else 2
            flags = flags or (ast.unparse(node.args[place]) if len(node.args) > place else "0")
            pattern = re.compile(_spelled(node.args[0], file), eval(flags, {"re": re}))
            name = f"{where}:{node.lineno} {pattern.pattern!r}"[:100]
            yield from ((name, pattern, one) for one in ([function] if function in METHODS else _methods(tree, node)))


def _spelled(node: ast.expr, file: Path) -> Any:
    """The pattern as a call spells it: a constant, one of the module's own, or an example."""
    if isinstance(node, ast.Constant):
        return node.value
    source = ast.unparse(node)
    for made, example in MADE.items():
        if made in source:
            return example
    module = importlib.import_module(".".join(file.relative_to(SOURCE.parent).with_suffix("").parts))
    return eval(source, vars(module))


def _methods(tree: ast.AST, call: ast.Call) -> list[str]:
    """How what a call compiles is used, here or where it is imported; in every way if that cannot be told."""
    names = [
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and node.value is call
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    if not names:
        return list(METHODS)
    called, first_lines = _called(ast.unparse(tree) if names[0].startswith("_") else "\n".join(TEXTS))
    used = [method for method in METHODS if (names[0], method) in called]
    return used + ["match"] * (names[0] in first_lines) or list(METHODS)


@cache
def _called(text: str) -> tuple[set[tuple[str, str]], set[str]]:
    """Names with the methods that are called on them, and names of patterns for first lines."""
    called = re.findall(rf"\b(\w+)\.({'|'.join(METHODS)})\b", text)
    return set(called), {
        name for given in re.findall(r"has_first_line\(([^)]*)", text) for name in re.findall(r"\w+", given)
    }


FILES = sorted(SOURCE.rglob("*.py"))
TEXTS = [file.read_text(encoding="utf-8") for file in FILES]


def attacks(pattern: re.Pattern[Any], length: int) -> Iterator[Any]:
    """Long inputs that repeat what the pattern repeats, after what it wants before it."""
    seen = set()
    for before, unit in _repeats(parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG), ""):
        for text in (before + unit, unit, before):
            if text:
                seen.add((before if text == unit else "", text))
    for start, unit in sorted(seen):
        long = start + unit * (length // len(unit))
        for end in ("", "\n", "\0", "x", "x x"):
            yield (long + end).encode() if isinstance(pattern.pattern, bytes) else long + end


def _repeats(tree: Any, before: str) -> Iterator[tuple[str, str]]:
    """What stands before each repeat without end, and what is repeated, in a few ways each."""
    for operator, argument in tree:
        name = str(operator)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            _, most, inner = argument
            if most > 100:
                yield from ((before, unit) for unit in _ways(inner))
            yield from _repeats(inner, before)
        elif name == "SUBPATTERN":
            yield from _repeats(argument[3], before)
        elif name == "BRANCH":
            for branch in argument[1]:
                yield from _repeats(branch, before)
        elif name in ("ASSERT", "ASSERT_NOT"):
            yield from _repeats(argument[1], before)
        before += next(iter(_ways([(operator, argument)])), "")


def _ways(tree: Any) -> list[str]:
    """A few strings that fit."""
    found = [""]
    for operator, argument in tree:
        name, more = str(operator), [""]
        if name == "LITERAL":
            more = [chr(argument)]
        elif name in ("IN", "NOT_LITERAL", "ANY"):
            more = [one for one in PALETTE if _fits(name, argument, one)][:4]
        elif name == "SUBPATTERN":
            more = _ways(argument[3])
        elif name == "BRANCH":
            more = [way for branch in argument[1] for way in _ways(branch)][:6]
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            more = [way * max(argument[0], 1) for way in _ways(argument[2])]
        found = [one + way for one in found for way in more or [""]][:6]
    return found


def _fits(name: str, argument: Any, character: str) -> bool:
    if name == "ANY":
        return character != "\n"
    if name == "NOT_LITERAL":
        return ord(character) != argument
    kinds = {"CATEGORY_SPACE": r"\s", "CATEGORY_WORD": r"\w", "CATEGORY_DIGIT": r"\d"}
    negated, found = False, False
    for operator, value in argument:
        match str(operator):
            case "NEGATE":
                negated = True
            case "LITERAL":
                found |= ord(character) == value
            case "RANGE":
                found |= value[0] <= ord(character) <= value[1]
            case "CATEGORY":
                kind = str(value).replace("_NOT_", "_").replace("_UNI_", "_")
                found |= bool(re.match(kinds[kind], character)) != ("_NOT_" in str(value))
    return found != negated


def _seconds(pattern: re.Pattern[Any], method: str, text: str) -> float:
    start = time.process_time()
    METHODS[method](pattern, text)
    return time.process_time() - start


def slowest(pattern: re.Pattern[Any], method: str) -> tuple[float, str]:
    """The longest time that an attack took, and its beginning; none after one that is too slow."""
    worst = 0.0, ""
    for length in LENGTHS:
        for text in attacks(pattern, length):
            taken = _seconds(pattern, method, text)
            for _ in range(2 if taken > LIMIT else 0):  # a machine that has much to do is slow once, a pattern always
                taken = min(taken, _seconds(pattern, method, text))
            worst = max(worst, (taken, f"{text[:30]!r}… {len(text)}"))
            if worst[0] > LIMIT:
                return worst
        if length == LENGTHS[1] and worst[0] < LIMIT / (LENGTHS[2] / length) ** 3:
            break  # even in cubic time the longest texts would stay below the limit
    return worst


def test_linear() -> None:
    """No input takes a pattern longer than its length; every call of `re` is looked at."""
    found = [use for file, text in zip(FILES, TEXTS, strict=True) if "re." in text for use in uses(file)]
    calls = sum(len(re.findall(rf"\bre\.(?:{'|'.join(METHODS)}|compile)\(", text)) for text in TEXTS)
    assert len({name for name, _, _ in found}) == calls
    slow = []
    for name, pattern, method in found:
        seconds, text = slowest(pattern, method)
        if seconds > LIMIT:
            slow.append(f"{name}: {method} takes {seconds:.1f} s on {text}")
    assert slow == []


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"\s*\n\s*", "sub"),
        (r"ranked:\s*(\S*)\s*$", "match"),
        (r"#\s*(\S.*?)\s*", "fullmatch"),
        (r"“([^”]*)”", "findall"),
    ],
)
def test_planted_pattern(pattern: str, method: str) -> None:
    """The test finds patterns that are quadratic."""
    assert slowest(re.compile(pattern), method)[0] > LIMIT


def test_no_other_way_to_a_pattern() -> None:
    """Nobody imports names from `re`, or another module of the kind."""
    assert not [text for text in TEXTS if re.search(r"^(from re import|import regex)", text, re.MULTILINE)]

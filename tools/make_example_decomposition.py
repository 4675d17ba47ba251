"""Writes src/karat/examples/decomposed.xml and decomposed-runs: example pairs taken apart, and systems on them.

Rules, left and right sides and judgments are written by hand in decomposition.toml; here the hypotheses are composed
from them. The run `overlap` is computed; the others are simulated from the probabilities in decomposition.toml: a
system solves each monothematic pair or does not, by its phenomenon, and has to put the parts together for the original.
`--check` says whether the files are still what this writes.

    python tools/make_example_decomposition.py            write the files, print a table
    python tools/make_example_decomposition.py --check    exit 1 if a file is not as written
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from string import ascii_lowercase
from typing import Any
from xml.sax.saxutils import escape, quoteattr

TOOLS = Path(__file__).resolve().parent
EXAMPLES = TOOLS.parent / "src" / "karat" / "examples"
SEED = 2010
ENOUGH = 0.65
"""The share of H's words in T from which `overlap` says ENTAILMENT."""
OPPOSITES = (("bought", "stolen"), ("fell", "rose"), ("high", "low"), ("rejected", "adopted"))
ENTAILMENT, CONTRADICTION, UNKNOWN = "ENTAILMENT", "CONTRADICTION", "UNKNOWN"
JUDGED = {"entailed": (ENTAILMENT, "⇒"), "contradicted": (CONTRADICTION, "⇎"), "unknown": (UNKNOWN, "⇏")}
"""The judgment of each list in decomposition.toml, and the arrow that its rules must have."""
Labels = dict[str, str]


@dataclass(frozen=True)
class Pair:
    """An original, or a monothematic pair, which names its original and its phenomenon."""

    attributes: Mapping[str, str]
    text: str
    hypothesis: str

    @property
    def id(self) -> str:
        """Its id."""
        return self.attributes["id"]

    @property
    def key(self) -> str:
        """Its judgment."""
        return self.attributes["entailment"]

    @property
    def xml(self) -> str:
        """Its lines in the file."""
        inside = " ".join(f"{name}={quoteattr(value)}" for name, value in self.attributes.items())
        body = f"\t\t<t>{escape(self.text)}</t>\n\t\t<h>{escape(self.hypothesis)}</h>\n"
        return f"\t<pair {inside}>\n{body}\t</pair>\n"


def read_pairs(path: Path) -> dict[str, Pair]:
    """The pairs of a test set by id, with the attributes that an original keeps."""
    kept = ("id", "entailment", "task")
    found = ElementTree.parse(path).getroot().iter("pair")
    pairs = (
        Pair({name: one.attrib[name] for name in kept}, one.findtext("t", ""), one.findtext("h", "")) for one in found
    )
    return {pair.id: pair for pair in pairs}


def compose(text: str, lhs: str, rhs: str) -> str:
    """The text with the right side in the place of the left, which it has once."""
    if text.count(lhs) != 1:
        raise ValueError(f"{lhs!r} is {text.count(lhs)} times in {text!r}; a left side is there once")
    return text.replace(lhs, rhs)


def take_apart(original: Pair, written: Mapping[str, Any], rules: Mapping[str, Sequence[str]]) -> Iterator[Pair]:
    """The monothematic pairs of an original, in the order they are written."""
    rows = [(name, row) for name in JUDGED for row in written.get(name, ())]
    for letter, (name, (rule, lhs, rhs, *rewritten)) in zip(ascii_lowercase, rows, strict=False):
        label, arrow = JUDGED[name]
        phenomenon, pattern, constraint = rules[rule]
        if f" {arrow} " not in pattern:
            raise ValueError(f"pair {original.id}: the rule {rule!r} is {pattern!r}, which is not {name}")
        composed = compose(original.text, lhs, rhs)
        category, _, plain = phenomenon.partition(":")
        attributes = {
            "id": f"{original.id}-{letter}",
            "entailment": label,
            "original": original.id,
            "phenomenon": plain,
            "category": category,
            "pattern": pattern,
            "constraint": constraint,
            "lhs": lhs,
            "rhs": rhs,
            "composed": "rewrite" if rewritten else "substitution",
        }
        yield Pair(attributes, original.text, rewritten[0] if rewritten else composed)


def decompose(source: Mapping[str, Any]) -> list[Pair]:
    """Every original followed by its monothematic pairs."""
    pairs = read_pairs(EXAMPLES / "pairs.xml")
    made: list[Pair] = []
    for written in source["original"]:
        original = pairs[written["id"]]
        made += [original, *take_apart(original, written, source["rules"])]
    return made


def words(text: str) -> set[str]:
    """The words and numbers of a text."""
    return set(re.findall(r"\d+(?:[.,]\d+)*|\w+", text.casefold()))


def overlap(pair: Pair) -> str:
    """ENTAILMENT where H has few words of its own and no opposite, else CONTRADICTION: it knows two answers."""
    mine, theirs = words(pair.hypothesis), words(pair.text)
    opposed = any(left in theirs - mine and right in mine - theirs for left, right in OPPOSITES)
    return ENTAILMENT if not opposed and len(mine & theirs) >= ENOUGH * len(mine) else CONTRADICTION


def chance(right: Mapping[str, float], pair: Pair) -> float:
    """The probability of being right on a monothematic pair: by phenomenon where that is named, else by category."""
    category, phenomenon = pair.attributes["category"], pair.attributes["phenomenon"]
    names = (f"{category}:{phenomenon}", phenomenon, category)
    return right[next(name for name in names if name in right)]


def slip(pair: Pair, rng: Random) -> str:
    """A wrong answer: what T says is taken for more, or for less, than it says."""
    if pair.key == ENTAILMENT:
        return UNKNOWN if rng.random() < 0.8 else CONTRADICTION
    return ENTAILMENT if pair.key == UNKNOWN or rng.random() < 0.75 else UNKNOWN


def simulate(pairs: Sequence[Pair], name: str, system: Mapping[str, Any]) -> Labels:
    """The labels of a system that solves parts by chance, and puts together those it has solved by chance too."""
    dice = {pair.id: Random(f"{SEED} {name} {pair.id}") for pair in pairs}
    parts = [pair for pair in pairs if "original" in pair.attributes]
    solved = {pair.id: dice[pair.id].random() < chance(system["right"], pair) for pair in parts}
    for pair in pairs:
        if "original" not in pair.attributes:
            own = [solved[part.id] for part in parts if part.attributes["original"] == pair.id]
            likely = system["combine"] ** (len(own) - 1) if all(own) else system["luck"]
            solved[pair.id] = dice[pair.id].random() < likely
    return {pair.id: pair.key if solved[pair.id] else slip(pair, dice[pair.id]) for pair in pairs}


def runs(pairs: Sequence[Pair], source: Mapping[str, Any]) -> dict[str, Labels]:
    """The labels of every system."""
    return {"overlap": {pair.id: overlap(pair) for pair in pairs}} | {
        name: simulate(pairs, name, system) for name, system in source["systems"].items()
    }


def files(source: Mapping[str, Any]) -> dict[Path, str]:
    """What is written, by path."""
    pairs = decompose(source)
    body = "".join(pair.xml for pair in pairs)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    written = {EXAMPLES / "decomposed.xml": f"{head}<entailment-corpus>\n{body}</entailment-corpus>\n"}
    for name, labels in runs(pairs, source).items():
        lines = (f"{id_} {label}\n" for id_, label in labels.items())
        written[EXAMPLES / "decomposed-runs" / f"{name}.txt"] = "".join(lines)
    return written


def table(source: Mapping[str, Any]) -> str:
    """How often each system is right, on originals and monothematic pairs, positive and negative apart."""
    pairs = decompose(source)
    groups = [
        [pair for pair in pairs if ("original" in pair.attributes) is mono and (pair.key == ENTAILMENT) is positive]
        for mono in (False, True)
        for positive in (True, False)
    ]
    rows = [f"{'run':16}{'originals +':>14}{'originals -':>14}{'mono +':>14}{'mono -':>14}"]
    for name, labels in runs(pairs, source).items():
        cells = (f"{sum(labels[p.id] == p.key for p in group)}/{len(group)}" for group in groups)
        rows.append(f"{name:16}" + "".join(f"{cell:>14}" for cell in cells))
    return "\n".join(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files, or check them; the exit status."""
    parser = argparse.ArgumentParser(description="Write the example decomposition and its runs.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 on any difference")
    options = parser.parse_args(arguments)
    source = tomllib.loads((TOOLS / "decomposition.toml").read_text(encoding="utf-8"))
    written = files(source)
    if options.check:
        stale = [path for path, text in written.items() if not path.is_file() or path.read_bytes() != text.encode()]
        for path in stale:
            print(f"{path}: not what this script writes", file=sys.stderr)
        return 1 if stale else 0
    for path, text in written.items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    print(table(source))
    return 0


if __name__ == "__main__":
    sys.exit(main())

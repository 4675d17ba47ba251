"""Decomposed test sets made up for tests: from counts, or at random, with runs that are right where they are told."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from karat.align.columns import Columns
from karat.align.decomposition import align_decomposition
from karat.align.pairs import make_pairs
from karat.data.decomposition import Decomposition
from karat.data.pairs import Pairs
from karat.data.provenance import AS_IS, Source
from karat.data.responses import Responses, Run, RunInfo
from karat.errors import DataError, Problem, Problems
from karat.formats.weights import read_relevance
from karat.labels import THREE
from karat.studies.diagnose.result import Diagnosis
from karat.studies.diagnose.study import diagnose

E, U, C = THREE.labels


@dataclass(frozen=True)
class Part:
    """One pair of a made-up set: an original where `phenomenon` is None."""

    id: str
    label: str
    original: str | None = None
    phenomenon: str | None = None
    right: tuple[bool, ...] = ()
    """Whether each run is right on it."""


def pairs_of(parts: Sequence[Part], problems: Problems, last: Mapping[str, str] | None = None) -> Pairs:
    """The pairs; what the last of them says beside is in `last`, its text too."""
    further = {name: [*[None] * (len(parts) - 1), value] for name, value in (last or {}).items() if name != "text"}
    texts = [f"text {one.original or one.id}" for one in parts]
    attributes = {name: [getattr(one, name) for one in parts] for name in ("original", "phenomenon")} | further
    values = {
        "id": [one.id for one in parts],
        "text": [*texts[:-1], (last or {}).get("text", texts[-1])],
        "hypothesis": [f"hypothesis {one.id}" for one in parts],
        "label": [one.label for one in parts],
    }
    source, lines = Source("made up", "0" * 64), range(1, len(parts) + 1)
    columns = Columns(source, values, lines, {"attributes": attributes}, lambda row, _: (row + 1, 1))
    return make_pairs(columns, AS_IS, problems)


def decomposition_of(parts: Sequence[Part]) -> Decomposition:
    """The pairs as a decomposition; phenomena are named with their category."""
    problems = Problems()
    made = align_decomposition(pairs_of(parts, problems), problems)
    problems.raise_errors()
    return made


def runs_of(decomposition: Decomposition, right: Mapping[str, Sequence[bool]]) -> Responses:
    """Runs that give the key's label where they are right, and the next one where they are wrong."""
    key = decomposition.pairs.labels
    made = []
    for name, row in right.items():
        codes = np.where(np.array(row, dtype=bool), key, (key + 1) % 3).astype(np.int8)
        info = RunInfo(name, THREE, Source(name, "1" * 64))
        made.append(Run(info, codes, np.arange(len(key), dtype=np.int32), None, None, None))
    return Responses.of(decomposition.pairs, made)


def world(parts: Sequence[Part], names: Sequence[str]) -> tuple[Decomposition, Responses]:
    """A decomposition and its runs."""
    made = decomposition_of(parts)
    return made, runs_of(made, {name: [one.right[at] for one in parts] for at, name in enumerate(names)})


def told(*parts: Part, **attributes: str) -> list[Problem]:
    """What is said of a decomposition whose last pair has further attributes."""
    problems = Problems()
    align_decomposition(pairs_of(parts, problems, attributes), problems)
    return list(problems)


def told_of_relevance(text: str) -> list[Problem]:
    """What is said of a relevance file for two phenomena."""
    made = decomposition_of([WHOLE, MONO, replace(MONO, id="n", phenomenon="lexical:acronymy")])
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "relevance.txt").write_text(text)
        try:
            return list(read_relevance(Path(folder) / "relevance.txt", made).warnings)
        except DataError as error:
            return list(error.problems)


WHOLE, MONO = Part("o", E), Part("m", E, "o", "lexical:synonymy")
BAD_DECOMPOSITIONS: dict[str, Callable[[], list[Problem]]] = {
    "orphan": lambda: told(WHOLE, replace(MONO, original="p")),
    "original-monothematic": lambda: told(WHOLE, MONO, replace(MONO, id="n", original="m")),
    "no-phenomenon": lambda: told(WHOLE, replace(MONO, phenomenon=None)),
    "category": lambda: told(WHOLE, replace(MONO, phenomenon="syntactic:synonymy")),
    "left-side": lambda: told(WHOLE, MONO, lhs="elsewhere"),
    "composition": lambda: told(WHOLE, MONO, lhs="text", rhs="word", composed="substitution"),
    "composed": lambda: told(WHOLE, MONO, composed="substituted"),
    "near-phenomenon": lambda: told(WHOLE, replace(MONO, phenomenon="lexical:synonimy")),
    "rule-and-label": lambda: told(WHOLE, MONO, pattern="x ⇎ y"),
    "no-rewrite": lambda: told(WHOLE, MONO, text="text m", lhs="text", rhs="hypothesis", composed="rewrite"),
    "parts-and-whole": lambda: told(replace(WHOLE, label=C), MONO),
    "other-text": lambda: told(WHOLE, Part("p", E), replace(MONO, original="p"), text="another"),
    "not-decomposed": lambda: told(WHOLE, Part("p", E), MONO),
    "relevance": lambda: told_of_relevance("nonsense 1\n"),
    "no-relevance": lambda: told_of_relevance("synonymy 1\n"),
}
"""Files and pairs that are wrong, by the code that they are told under."""
PHENOMENA = (
    "lexical:synonymy",
    "lexical:acronymy",
    "syntactic:apposition",
    "discourse:apposition",
    "reasoning:quantity",
)


def random_parts(seed: int, originals: int = 25, runs: int = 2) -> list[Part]:
    """Originals with one to four parts each, and runs of different skill; some are right on no part of an original."""
    random = np.random.default_rng(seed)
    skill = random.uniform(0.3, 0.95, size=runs)

    def right() -> tuple[bool, ...]:
        return tuple((random.random(runs) < skill).tolist())

    made = [Part(f"o{at}", str(random.choice([E, U, C])), right=right()) for at in range(originals)]
    for at in range(originals):
        for part in range(int(random.integers(1, 5))):
            label, phenomenon = str(random.choice([E, E, C, U])), str(random.choice(PHENOMENA))
            made.append(Part(f"m{at}-{part}", label, f"o{at}", phenomenon, right()))
    return made


def counted_parts(
    originals: tuple[int, int], right: tuple[int, int], mono: tuple[int, int], mono_right: tuple[int, int]
) -> list[Part]:
    """So many positive and negative originals and parts, of each side the first so many right; parts go round."""
    made = [
        Part(f"o{side}{at}", (E, C)[side], right=(at < right[side],))
        for side in (0, 1)
        for at in range(originals[side])
    ]
    whole = [one.id for one in made]
    number = 0
    for side in (0, 1):
        for at in range(mono[side]):
            home = whole[number % len(whole)]
            made.append(Part(f"m{side}{at}", (E, C)[side], home, "lexical:synonymy", (at < mono_right[side],)))
            number += 1
    return made


def diagnosis_of(decomposition: Decomposition, runs: Responses, **options: Any) -> Diagnosis:
    """The diagnosis of a world."""
    return diagnose(runs, decomposition=decomposition, **options)

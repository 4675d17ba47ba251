"""How an edit distance is reckoned: presets, what may be said after one, and what goes with what."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

import msgspec
from msgspec import Meta

from karat.engines.edits.schemes import Scheme
from karat.errors import UsageError

Given = str | float | Fraction
"""An argument as it is spelled; the empty word stands for what the preset says."""

TREE, OVERLAP = "tree", "overlap"
PRICED = ("token", "lemma", TREE)
"""Distances that have costs of deleting, inserting and substituting."""
WINDOWED = ("token", "lemma", OVERLAP)
"""Distances that can be taken from the best stretch of the text."""
DISTANCES = (*PRICED, OVERLAP, "cosine", "jaccard", "lcs", "rouge_l", "rouge_s", "rouge_w", "jaro_winkler", "ngram")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be said of an edit distance."""

    distance: str = "lemma"
    delete: float = 0.0
    insert: float = 1.0
    substitute: float = 1.0
    substitution: str = "price"
    """price: what a substitution costs; sum: the share of deleting the one word and inserting the other (EDITS 3)."""
    weights: str = "uniform"
    """What each word's cost is multiplied by: uniform, idf, or a scheme such as `STOPWORD * (1 + 2 * IDF + NOUN)`."""
    normalise: str = "default"
    """What costs are divided by; see `NORMALISATIONS` in `distances`."""
    stop_words: str = "pos"
    ignore_case: bool = True
    matcher: str = ""
    """When two words are the same; empty: by form for tokens, by lemma for lemmas, by either for all else (EDITS 3)."""
    word_distance: bool = False
    """Words that are not the same are as far apart as their letters."""
    dictionary: str = "none"
    """boolean: synonyms and hypernyms of the same part of speech are the same; graded: by how strong a relation is."""
    rules: str = ""
    window: int = 0
    """Words of the stretch of T that is looked at, stop words not counted; 0: all."""
    outside: float = 0.0
    """What a word beyond the stretch is still worth to an overlap."""
    threshold: str = "sweep"
    per_setting: bool = False
    optimise: str = "none"


CHOICES: dict[str, tuple[str, ...]] = {
    "distance": DISTANCES,
    "substitution": ("price", "sum"),
    "normalise": ("default", "long", "edits3", "hypothesis"),
    "stop_words": ("none", "pos", "list", "both"),
    "matcher": ("form", "lemma", "form_or_lemma", "form_and_lemma"),
    "dictionary": ("none", "boolean", "graded"),
    "threshold": ("sweep", "edits3", "eop"),
    "optimise": ("none", "swarm"),
}

WORDS: dict[str, str] = {
    "distance": "what is reckoned",
    "delete": "cost of leaving out a word of T",
    "insert": "cost of a word of H that T has not",
    "substitute": "cost of one word for another",
    "substitution": "price: as `substitute` says; sum: a share of deleting and inserting",
    "weights": "what each word's costs are multiplied by",
    "normalise": "what costs are divided by",
    "stop_words": "which words are left out beforehand",
    "ignore_case": "capitals do not matter",
    "matcher": "when two words are the same",
    "word_distance": "words that differ are as far apart as their letters",
    "dictionary": "whether related words match, and whether by strength",
    "rules": "rules of your own: lhs, rhs, part of speech, probability, source",
    "window": "words of the stretch of T that is looked at; 0: all",
    "outside": "what a word beyond the stretch is worth to an overlap",
    "threshold": "how the threshold is learnt",
    "per_setting": "a threshold for each setting that has enough pairs",
    "optimise": "whether costs are sought by a particle swarm",
}
"""What each is, for `karat engines`."""
VALUES: dict[str, str] = {
    "delete": "a number",
    "insert": "a number",
    "substitute": "a number",
    "weights": "uniform | idf | a scheme such as `IDF * (1 + NOUN)`",
    "ignore_case": "yes | no",
    "word_distance": "yes | no",
    "rules": "a .tsv file, its path in quotes: rules='r.tsv'",
    "window": "a whole number",
    "outside": "from 0 to 1",
    "per_setting": "yes | no",
}
"""What those take that are no choice between names."""


def said(name: str) -> Meta:
    """The words beside a parameter, and the values it takes."""
    return Meta(description=WORDS[name], examples=[VALUES.get(name) or " | ".join(CHOICES[name])])


Preset = Literal["best", "faithful"]
PRESETS: dict[Preset, Settings] = {
    "best": Settings(
        distance=OVERLAP,
        substitution="sum",
        weights="IDF ** 0.5",
        normalise="hypothesis",
        stop_words="list",
        dictionary="graded",
        window=8,
        outside=0.5,
    ),
    "faithful": Settings(threshold="eop"),
}
"""best: chosen by cross-validation on the development sets of RTE-1, 2, 3 and 5; faithful: EDITS as the Excitement
platform ships it (FixedWeightLemmaEditDistance; numbers are stop words there)."""


def settings(preset: Preset, given: Mapping[str, Given]) -> Settings:
    """A preset, with what was given beside it in its place."""
    named = {name: value for name, value in given.items() if value != ""}
    base = PRESETS[preset]
    made = msgspec.structs.replace(base, **{name: _read(name, value, base) for name, value in named.items()})
    if not made.matcher:
        usual = {"token": "form", "lemma": "lemma"}.get(made.distance, "form_or_lemma")
        made = msgspec.structs.replace(made, matcher=usual)
    return _fitting(made, named)


def _read(name: str, value: Given, base: Settings) -> str | float | bool | int:
    """One argument, as what it must be."""
    was = getattr(base, name)
    if isinstance(was, bool):
        spelled = str(value).lower()
        if spelled not in ("true", "yes", "false", "no"):
            raise UsageError(f"edit-distance: {name} is {value}; expected yes or no")
        return spelled in ("true", "yes")
    if isinstance(was, str):
        spelled = str(value).replace("-", "_") if name in CHOICES else str(value)
        if name in CHOICES and spelled not in CHOICES[name]:
            raise UsageError.unknown(f"{name} of edit-distance", str(value), CHOICES[name])
        return spelled
    if isinstance(value, str) or value < 0:
        raise UsageError(f"edit-distance: {name} is {value}; expected a number that is not negative")
    if isinstance(was, int):
        if value != int(value):
            raise UsageError(f"edit-distance: {name} is {value}; expected a whole number of tokens")
        return int(value)
    return float(value)


def _fitting(made: Settings, named: Mapping[str, Given]) -> Settings:
    """Refuse what was named but does not go with the distance; what only the preset says is dropped."""
    if made.outside > 1:
        raise UsageError(f"edit-distance: outside is {made.outside}; expected a share from 0 to 1")
    if made.window and made.distance not in WINDOWED:
        if "window" in named:
            raise UsageError(f"edit-distance: a window goes with {', '.join(WINDOWED)}, not with {made.distance}")
        made = msgspec.structs.replace(made, window=0)
    if made.optimise == "swarm" and made.distance not in PRICED:
        raise UsageError(f"edit-distance: costs are optimised of {', '.join(PRICED)}; {made.distance} has none")
    Scheme(made.weights)  # told now, not when the first pair is answered
    return made

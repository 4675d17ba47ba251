"""How an edit distance is reckoned: presets, what may be said after one, and what goes with what."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Literal, get_args, get_type_hints

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


def _said(what: str, *values: str) -> Meta:
    """What a setting is and which values it takes, for `karat engines`; one of several values is a choice."""
    return Meta(description=what, examples=[" | ".join(values)], extra={"values": values})


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be said of an edit distance."""

    distance: Annotated[str, _said("what is reckoned", *DISTANCES)] = "lemma"
    delete: Annotated[float, _said("cost of leaving out a word of T", "a number")] = 0.0
    insert: Annotated[float, _said("cost of a word of H that T has not", "a number")] = 1.0
    substitute: Annotated[float, _said("cost of one word for another", "a number")] = 1.0
    substitution: Annotated[
        str, _said("price: as `substitute` says; sum: a share of deleting and inserting", "price", "sum")
    ] = "price"
    """price: what a substitution costs; sum: the share of deleting the one word and inserting the other (EDITS 3)."""
    weights: Annotated[
        str, _said("what each word's costs are multiplied by", "uniform | idf | a scheme such as `IDF * (1 + NOUN)`")
    ] = "uniform"
    normalise: Annotated[str, _said("what costs are divided by", "default", "long", "edits3", "hypothesis")] = "default"
    """See `NORMALISATIONS` in `distances`."""
    stop_words: Annotated[str, _said("which words are left out beforehand", "none", "pos", "list", "both")] = "pos"
    ignore_case: Annotated[bool, _said("capitals do not matter", "yes | no")] = True
    matcher: Annotated[
        str, _said("when two words are the same", "form", "lemma", "form_or_lemma", "form_and_lemma")
    ] = ""
    """Empty: by form for tokens, by lemma for lemmas, by either for all else (EDITS 3)."""
    word_distance: Annotated[bool, _said("words that differ are as far apart as their letters", "yes | no")] = False
    dictionary: Annotated[
        str, _said("whether related words match, and whether by strength", "none", "boolean", "graded")
    ] = "none"
    """boolean: synonyms and hypernyms of the same part of speech are the same; graded: by how strong a relation is."""
    rules: Annotated[
        str,
        _said(
            "rules of your own: lhs, rhs, part of speech, probability, source",
            "a .tsv file, its path in quotes: rules='r.tsv'",
        ),
    ] = ""
    window: Annotated[int, _said("words of the stretch of T that is looked at; 0: all", "a whole number")] = 0
    outside: Annotated[float, _said("what a word beyond the stretch is worth to an overlap", "from 0 to 1")] = 0.0
    threshold: Annotated[str, _said("how the threshold is learnt", "sweep", "edits3", "eop")] = "sweep"
    per_setting: Annotated[bool, _said("a threshold for each setting that has enough pairs", "yes | no")] = False
    optimise: Annotated[str, _said("whether costs are sought by a particle swarm", "none", "swarm")] = "none"


SAID: dict[str, Meta] = {
    name: get_args(hint)[1] for name, hint in get_type_hints(Settings, include_extras=True).items()
}
CHOICES: dict[str, tuple[str, ...]] = {
    name: values for name, said in SAID.items() if said.extra and len(values := said.extra["values"]) > 1
}
"""The values of those that are a choice between names."""


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

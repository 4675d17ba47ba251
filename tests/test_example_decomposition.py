"""The shipped decomposition, its runs and the ratings of justifications are what they say, and made by scripts."""

from __future__ import annotations

import csv
import json
import tomllib
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import krippendorff
import numpy as np
import pytest
from scipy.stats import rankdata
from tools import make_example_decomposition, make_example_ratings

import karat
from karat.data.phenomena import CATEGORIES, PHENOMENA
from karat.examples import HERE, PAIRS
from karat.formats.decomposed import read_decomposition
from karat.formats.judge_table import read_judges
from karat.formats.justification_ratings import read_justifications

ROOT = Path(__file__).parent.parent
DECOMPOSED = HERE / "decomposed.xml"
SYSTEMS = ("compositional", "overlap", "piecewise", "surface")
ARROWS = {"ENTAILMENT": " ⇒ ", "CONTRADICTION": " ⇎ ", "UNKNOWN": " ⇏ "}


class Pair(NamedTuple):
    """A pair as it stands in a file, read here without the library."""

    of: dict[str, str]
    text: str
    hypothesis: str


def read(path: Path) -> list[Pair]:
    """The pairs of an RTE file."""
    found = ElementTree.parse(path).getroot().iter("pair")
    return [Pair(dict(one.attrib), one.findtext("t", ""), one.findtext("h", "")) for one in found]


@cache
def originals() -> dict[str, Pair]:
    """The originals by id."""
    return {pair.of["id"]: pair for pair in read(DECOMPOSED) if "original" not in pair.of}


@cache
def parts() -> list[Pair]:
    """The monothematic pairs."""
    return [pair for pair in read(DECOMPOSED) if "original" in pair.of]


@cache
def rated() -> list[dict[str, str]]:
    """The rows of ratings.tsv."""
    with (HERE / "ratings.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def share(system: str, pairs: list[Pair]) -> float:
    """How often a system is right on these pairs."""
    lines = (HERE / "decomposed-runs" / f"{system}.txt").read_text(encoding="utf-8").splitlines()
    said = dict(line.split() for line in lines)
    return mean(said[pair.of["id"]] == pair.of["entailment"] for pair in pairs)


def indices(system: str) -> tuple[float, float, float]:
    """The correlation index over all, over positive and over negative pairs."""
    whole, made = list(originals().values()), parts()

    def ratio(labels: set[str]) -> float:
        chosen = [[pair for pair in group if pair.of["entailment"] in labels] for group in (whole, made)]
        return share(system, chosen[0]) / share(system, chosen[1])

    return ratio(set(ARROWS)), ratio({"ENTAILMENT"}), ratio({"CONTRADICTION", "UNKNOWN"})


def test_how_much_there_is() -> None:
    """At least 40 originals and 110 parts, 25 of them negative, over five categories and 20 phenomena."""
    labels = Counter(pair.of["entailment"] for pair in parts())
    phenomena = {(pair.of["category"], pair.of["phenomenon"]) for pair in parts()}
    assert len(originals()) >= 40
    assert len(parts()) >= 110
    assert labels["CONTRADICTION"] + labels["UNKNOWN"] >= 25
    assert len(phenomena) >= 20
    assert {category for category, _ in phenomena} == set(CATEGORIES)


def test_the_readme_counts() -> None:
    """The README says the numbers that the file has."""
    text = " ".join((HERE / "README.md").read_text(encoding="utf-8").split())
    whole = Counter(pair.of["entailment"] for pair in originals().values())
    made = Counter(pair.of["entailment"] for pair in parts())
    phenomena = {(pair.of["category"], pair.of["phenomenon"]) for pair in parts()}
    counted = ", ".join(f"{whole[label]} {label}" for label in ARROWS)
    assert f"{len(originals())} of the pairs ({counted})" in text
    assert f"{len(parts())}, of {len(phenomena)} phenomena" in text
    assert ", ".join(f"{made[label]} {label}" for label in ARROWS) in text


def test_originals_are_those_of_the_test_set() -> None:
    """Id, key, setting, text and hypothesis of an original are those of pairs.xml."""
    shipped = {pair.of["id"]: pair for pair in read(PAIRS)}
    for id_, pair in originals().items():
        assert pair.of == {name: shipped[id_].of[name] for name in ("id", "entailment", "task")}
        assert pair[1:] == shipped[id_][1:]


def test_ids_are_unique_and_parts_follow_their_original() -> None:
    """No id twice; a part is named after the original it stands behind; every original has a part."""
    ids = [pair.of["id"] for pair in read(DECOMPOSED)]
    assert len(set(ids)) == len(ids)
    last = ""
    letters: dict[str, str] = defaultdict(str)
    for pair in read(DECOMPOSED):
        if "original" not in pair.of:
            last = pair.of["id"]
            continue
        number, _, letter = pair.of["id"].partition("-")
        assert number == pair.of["original"] == last
        letters[number] += letter
    assert set(letters) == set(originals())
    assert all(found == "abcdefgh"[: len(found)] for found in letters.values())


def test_no_part_is_made_twice() -> None:
    """No two pairs have the same text and hypothesis, and no hypothesis is its text."""
    assert len({pair[1:] for pair in read(DECOMPOSED)}) == len(read(DECOMPOSED))
    assert all(pair.text != pair.hypothesis for pair in parts())


@pytest.mark.parametrize("part", parts(), ids=lambda part: part.of["id"])
def test_a_part_keeps_its_promise(part: Pair) -> None:
    """Text of the original, left side once in it, hypothesis composed as said, known phenomenon, arrow as judged."""
    of = part.of
    assert part.text == originals()[of["original"]].text
    assert part.text.count(of["lhs"]) == 1
    assert of["rhs"]
    substituted = part.text.replace(of["lhs"], of["rhs"])
    if of["composed"] == "substitution":
        assert part.hypothesis == substituted
    else:
        assert of["composed"] == "rewrite"
        assert part.hypothesis != substituted
        assert of["rhs"].casefold() in part.hypothesis.casefold()
    assert of["phenomenon"] in PHENOMENA[of["category"]]
    assert ARROWS[of["entailment"]] in of["pattern"]
    assert of["constraint"].endswith(")")
    assert part.hypothesis[0].isupper()
    assert part.hypothesis.endswith(".")
    assert not any(slip in part.hypothesis for slip in ("  ", " ,", " .", ",,", ",."))


def test_the_judgments_of_parts_fit_their_original() -> None:
    """ENTAILMENT has only such parts; the others have one of their own, and UNKNOWN none that contradicts."""
    own = defaultdict(set)
    for pair in parts():
        own[pair.of["original"]].add(pair.of["entailment"])
    for id_, pair in originals().items():
        label = pair.of["entailment"]
        assert label in own[id_]
        assert label != "ENTAILMENT" or own[id_] == {"ENTAILMENT"}
        assert label != "UNKNOWN" or "CONTRADICTION" not in own[id_]


def test_several_phenomena_go_both_ways() -> None:
    """At least eight phenomena have positive and negative parts, and both ways of composing are there."""
    ways = defaultdict(set)
    for pair in parts():
        ways[pair.of["category"], pair.of["phenomenon"]].add(pair.of["entailment"] == "ENTAILMENT")
    assert sum(len(found) == 2 for found in ways.values()) >= 8
    assert {pair.of["composed"] for pair in parts()} == {"substitution", "rewrite"}


def test_every_rule_is_used() -> None:
    """No rule in decomposition.toml lies idle."""
    source = tomllib.loads((ROOT / "tools/decomposition.toml").read_text(encoding="utf-8"))
    used = {
        row[0] for one in source["original"] for name in make_example_decomposition.JUDGED for row in one.get(name, ())
    }
    assert used == set(source["rules"])


def test_the_library_reads_it_all() -> None:
    """Pairs, runs, ratings and judges are read without a complaint, and every run answers every pair."""
    key = karat.read_pairs(DECOMPOSED)
    runs = karat.read_runs(HERE / "decomposed-runs", key)
    assert not key.warnings
    assert sorted(runs.names) == sorted(SYSTEMS)
    assert (runs.codes >= 0).all()
    made = read_decomposition(DECOMPOSED)
    assert not made.warnings
    assert (len(made.originals), made.mono.sum()) == (len(originals()), len(parts()))
    ratings = read_justifications(HERE / "ratings.tsv")
    assert not ratings.warnings
    assert sorted(ratings.assessors) == sorted(read_judges(HERE / "judges.tsv").names)


def test_the_systems_are_of_different_characters() -> None:
    """Missing correlation, one near 1, and the bias of word overlap to what looks alike."""
    assert indices("piecewise")[0] < 0.65
    assert share("piecewise", parts()) > 0.9
    whole, positive, negative = indices("compositional")
    assert all(0.85 < index < 1.15 for index in (whole, positive, negative))
    whole, positive, negative = indices("overlap")
    assert positive < 0.7
    assert negative > 1.3
    assert negative - positive > 1
    weak = [pair for pair in parts() if pair.of["category"] == "reasoning" or pair.of["phenomenon"] == "negation"]
    assert share("surface", weak) < 0.55
    assert share("surface", [pair for pair in parts() if pair not in weak]) > 0.85


def test_piecewise_fails_where_several_phenomena_meet() -> None:
    """It is the worse the more parts an original has."""
    count = Counter(pair.of["original"] for pair in parts())
    few, many = (
        [pair for id_, pair in originals().items() if (count[id_] > 2) is several] for several in (False, True)
    )
    assert share("piecewise", few) > share("piecewise", many) + 0.1


def test_who_rated_what() -> None:
    """Six judges, two with mathematical training; all runs that justify, on the same 24 pairs, each once."""
    with (HERE / "judges.tsv").open(encoding="utf-8", newline="") as file:
        training = {row["judge"]: row["training"] for row in csv.DictReader(file, delimiter="\t")}
    justifying = {path.stem for path in (HERE / "runs").glob("*.jsonl") if '"justification"' in path.read_text("utf-8")}
    units = {row["unit"] for row in rated()}
    cells = Counter((pair.of["task"], pair.of["length"]) for pair in read(PAIRS) if pair.of["id"] in units)
    assert Counter(training.values())["mathematical"] == 2
    assert len(training) == 6
    assert set(cells.values()) == {3}
    assert len(units) == 24
    assert Counter((row["run"], row["unit"], row["judge"]) for row in rated()) == Counter(
        (run, unit, judge) for run in justifying for unit in units for judge in training
    )


def test_ratings_follow_the_condition() -> None:
    """Scores from 1 to 5; the second one exactly where the first is 3 or more; a pair is skipped as a whole."""
    skipped = defaultdict(set)
    for row in rated():
        first, second = row["understandable"], row["compelling"]
        skipped[row["judge"], row["unit"]].add(first == "skip")
        assert first in {"1", "2", "3", "4", "5", "skip"}
        assert second in ({"1", "2", "3", "4", "5"} if first in {"3", "4", "5"} else {""})
    assert all(len(found) == 1 for found in skipped.values())
    assert {True} in skipped.values()


def test_all_judges_see_the_runs_of_a_pair_in_one_order() -> None:
    """The order differs between pairs, never between judges, and pairs do not mix."""
    seen: dict[tuple[str, str], tuple[str, ...]] = {}
    for start in range(0, len(rated()), 3):
        three = rated()[start : start + 3]
        assert len({(row["judge"], row["unit"]) for row in three}) == 1
        seen[three[0]["judge"], three[0]["unit"]] = tuple(row["run"] for row in three)
    orders = defaultdict(set)
    for (_, unit), order in seen.items():
        orders[unit].add(order)
    assert all(len(found) == 1 for found in orders.values())
    assert len(set.union(*orders.values())) > 3


def test_wrong_decisions_fare_worse() -> None:
    """A wrong decision never gets 5, and in every run it is less compelling than a right one."""
    keys = {pair.of["id"]: pair.of["entailment"] for pair in read(PAIRS)}
    scores = defaultdict(list)
    for run in {row["run"] for row in rated()}:
        lines = (HERE / "runs" / f"{run}.jsonl").read_text(encoding="utf-8").splitlines()
        said = {row["id"]: row["label"] for row in map(json.loads, lines)}
        for row in rated():
            if row["run"] == run and row["understandable"] != "skip":
                scores[run, said[row["unit"]] == keys[row["unit"]]].append(int(row["compelling"] or 0))
    for run in {run for run, _ in scores}:
        assert max(scores[run, False]) < 5
        assert mean(scores[run, False]) < mean(scores[run, True])


def test_good_prose_is_better_understood_by_all_but_one() -> None:
    """`careful` before `terse` and `chatty` to five judges; `ivo` sees it the other way round."""
    scores = defaultdict(list)
    for row in rated():
        if row["understandable"] != "skip":
            scores[row["judge"], row["run"]].append(int(row["understandable"]))
    for judge in {row["judge"] for row in rated()}:
        careful, terse, chatty = (mean(scores[judge, run]) for run in ("careful", "terse", "chatty"))
        assert (careful > terse > chatty) is (judge != "ivo")


@pytest.mark.parametrize("scale", ["understandable", "compelling"])
def test_judges_agree_moderately(scale: str) -> None:
    """Kendall's W of the judges' rankings of the runs, and the ordinal alpha of their scores, are from .3 to .6."""
    judges, runs, units = (list(dict.fromkeys(row[name] for row in rated())) for name in ("judge", "run", "unit"))
    scores = np.full((len(judges), len(runs), len(units)), np.nan)
    for row in rated():
        if row["understandable"] != "skip":
            cell = judges.index(row["judge"]), runs.index(row["run"]), units.index(row["unit"])
            scores[cell] = int(row[scale] or 0)
    ranks = rankdata(-np.nanmean(scores, axis=2), axis=1)
    spread = ((ranks.sum(axis=0) - ranks.sum() / len(runs)) ** 2).sum()
    assert 0.3 <= 12 * spread / (len(judges) ** 2 * (len(runs) ** 3 - len(runs))) <= 0.6
    alpha = krippendorff.alpha(scores.reshape(len(judges), -1), level_of_measurement="ordinal")
    assert 0.3 <= alpha <= 0.6


@pytest.mark.parametrize("maker", [make_example_decomposition, make_example_ratings])
def test_they_come_from_the_scripts(maker: object) -> None:
    """The files are what the scripts write."""
    assert maker.main(["--check"]) == 0  # type: ignore[attr-defined]


def test_a_left_side_that_is_not_there_once_is_refused() -> None:
    """The script composes nothing from a left side that T has twice or not at all."""
    with pytest.raises(ValueError, match="2 times"):
        make_example_decomposition.compose("a cat and a dog", "a ", "the ")
    with pytest.raises(ValueError, match="0 times"):
        make_example_decomposition.compose("a cat", "dog", "hound")

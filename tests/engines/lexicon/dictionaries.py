"""Small dictionaries in WordNet's own format, written by the tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

LETTERS = "nvar"
ENDINGS = ("noun", "verb", "adj", "adv")
CONVERSE = {"@": "~", "@i": "~i", "#p": "%p", "#m": "%m", "!": "!", "&": "&", "+": "+", "$": "$", "=": "="}
LICENCE = "  1 This is no WordNet 0.1 but a few lines in its format.  \n"


@dataclass
class Synset:
    """Words of one part of speech, and pointers: (symbol, synset, word here, word there), words from 1, 0 for all."""

    part: int
    words: list[str]
    pointers: list[tuple[str, int, int, int]] = field(default_factory=list)
    lexicographer: int = 3


def point(synsets: Sequence[Synset], symbol: str, here: int, there: int, word: int = 0, other: int = 0) -> None:
    """Add a pointer and, where WordNet has one, its converse."""
    synsets[here].pointers.append((symbol, there, word, other))
    if symbol in CONVERSE:
        synsets[there].pointers.append((CONVERSE[symbol], here, other, word))


def write_dictionary(
    folder: Path,
    synsets: Sequence[Synset],
    counts: dict[tuple[str, int, int], int],
    exceptions: Sequence[str] = ("",) * 4,
) -> Path:
    """Write the files; senses are numbered as they come, and counted by (lemma, part, number)."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, ending in enumerate(ENDINGS):
        data, senses = [LICENCE], dict[str, list[int]]()
        for number, synset in enumerate(synsets):
            if synset.part != part:
                continue
            words = " ".join(f"{word} 0" for word in synset.words)
            pointers = " ".join(
                f"{symbol} {to:08d} {LETTERS[synsets[to].part]} {here:02x}{there:02x}"
                for symbol, to, here, there in synset.pointers
            )
            data.append(
                f"{number:08d} {synset.lexicographer:02d} {LETTERS[part]} {len(synset.words):02x} {words} "
                f"{len(synset.pointers):03d} {pointers} | glossed; @ here\n"
            )
            for word in synset.words:
                senses.setdefault(word.lower().split("(")[0], []).append(number)
        index = [LICENCE] + [
            f"{lemma} {LETTERS[part]} {len(at)} 2 @ ~ {len(at)} 0 {' '.join(f'{one:08d}' for one in at)}  \n"
            for lemma, at in sorted(senses.items())
        ]
        (folder / f"data.{ending}").write_text("".join(data))
        (folder / f"index.{ending}").write_text("".join(index))
        (folder / f"{ending}.exc").write_text(exceptions[part])
    keys = [f"{lemma}%{part + 1}:03:00:: {number} {count}\n" for (lemma, part, number), count in counts.items()]
    (folder / "cntlist.rev").write_text("".join(sorted(keys)))
    return folder


def write_small(folder: Path) -> Path:
    """A dozen or so synsets that have every kind of relation once."""
    names = "entity thing animal dog paris france europe city hot cold scorching snore sleep buy purchaser great_dane"
    places = {name: place for place, name in enumerate(names.split())}
    synsets = [
        Synset(0, ["entity"]),
        Synset(0, ["thing"]),
        Synset(0, ["animal", "beast"]),
        Synset(0, ["dog", "domestic_dog"]),
        Synset(0, ["Paris"]),
        Synset(0, ["France"]),
        Synset(0, ["Europe"]),
        Synset(0, ["city"], lexicographer=15),
        Synset(2, ["hot"]),
        Synset(2, ["cold(a)", "frigid"]),
        Synset(2, ["scorching"]),
        Synset(1, ["snore"], lexicographer=29),
        Synset(1, ["sleep"], lexicographer=29),
        Synset(1, ["buy", "purchase"], lexicographer=40),
        Synset(0, ["purchaser", "buyer"], lexicographer=18),
        Synset(0, ["great_Dane"]),
        Synset(0, ["corgi"]),
        Synset(1, ["sing"]),
        Synset(1, ["singe"]),
        Synset(0, ["goose"]),
        Synset(0, ["box"]),
        Synset(0, ["boxful"]),
        Synset(3, ["hotly"]),
    ]
    lines = """@ thing entity; @ animal thing; @ dog animal; @ great_dane dog; @i paris city; @ city thing;
        #p paris france; #p france europe; ! hot cold 1 1; & scorching hot; * snore sleep;
        + buy purchaser 1 2; + buy purchaser 2 1"""
    for line in lines.split(";"):
        symbol, here, there, *words = line.split()
        point(synsets, symbol, places[here], places[there], *map(int, words))
    point(synsets, "@", 16, places["dog"])
    point(synsets, "\\", 22, places["hot"], 1, 1)
    counts = {("sing", 1, 1): 9, ("dog", 0, 1): 30, ("hot", 2, 1): 3}
    return write_dictionary(folder, synsets, counts, ("geese goose\n", "sang sing\nsung sing\n", "", ""))


def write_random(folder: Path, seed: int) -> Path:
    """Synsets, pointers and counts by chance, so that words are ambiguous and paths meet."""
    random = np.random.default_rng(seed)
    vocabulary = [f"w{number}" for number in range(9)]
    synsets = [
        Synset(
            int(random.choice(4, p=[0.5, 0.25, 0.15, 0.1])),
            random.choice(vocabulary, int(random.integers(1, 4)), replace=False).tolist(),
            lexicographer=int(random.choice([3, 5, 15])),
        )
        for _ in range(14)
    ]
    symbols = ["@", "@i", "!", "*", ">", "&", "^", "$", "+", "\\", "<", "=", "#p", "#m"]
    for _ in range(26):
        symbol = str(random.choice(symbols, p=[0.3, *[0.7 / 13] * 13]))
        here, there = sorted(random.choice(14, 2, replace=False).tolist())
        if symbol.startswith("@") and synsets[here].part != synsets[there].part:
            continue
        lexical = symbol in "!+\\<" or (symbol in "^$" and random.random() < 0.5)
        words = [int(random.integers(1, len(synsets[one].words) + 1)) if lexical else 0 for one in (here, there)]
        point(synsets, symbol, there, here, *reversed(words))
    counts = {
        (word, part, number): int(random.choice([1, 2, 10, 60]))
        for word in vocabulary
        for part in range(4)
        for number in range(1, 6)
        if random.random() < 0.4
    }
    return write_dictionary(folder, synsets, counts)

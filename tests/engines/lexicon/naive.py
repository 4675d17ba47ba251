"""What follows from one word, found by walking the dictionary's lines from it: the slow twin of the arrays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from karat.engines.lexicon import expanding as worth
from karat.engines.lexicon.relations import Relation

ENDINGS = ("noun", "verb", "adj", "adv")
Key = tuple[int, str]


class Naive:
    """A dictionary as Python's own dictionaries."""

    def __init__(self, folder: Path) -> None:
        self.words: dict[Key, list[str]] = {}
        self.fields: dict[Key, int] = {}
        self.pointers: dict[Key, list[tuple[str, Key, str, str]]] = {}
        self.senses: dict[str, list[tuple[int, int, Key]]] = defaultdict(list)
        self.pointed: dict[Key, list[tuple[str, Key, str, str]]] = defaultdict(list)
        self.counts: dict[tuple[str, int, int], int] = {}
        raw: dict[Key, list[str]] = {}
        for part, ending in enumerate(ENDINGS):
            for line in self._lines(folder / f"data.{ending}"):
                cells = line.split(" | ")[0].split()
                raw[part, cells[0]] = cells
                number = int(cells[3], 16)
                words = [word.split("(")[0].lower().replace("_", " ") for word in cells[4 : 4 + 2 * number : 2]]
                self.words[part, cells[0]], self.fields[part, cells[0]] = words, int(cells[1])
            for line in self._lines(folder / f"index.{ending}"):
                cells = line.split()
                for number, offset in enumerate(cells[-int(cells[2]) :], 1):
                    self.senses[cells[0].replace("_", " ")].append((part, number, (part, offset)))
        for key, cells in raw.items():
            rest = cells[5 + 2 * int(cells[3], 16) :]
            found = self.pointers[key] = []
            while rest and not rest[0].isdigit() and len(rest) > 3:
                symbol, offset, letter, both = rest[:4]
                rest = rest[4:]
                if symbol == "+" and len(both) != 4:
                    break  # a verb's frames
                to = ("nvar".index("a" if letter == "s" else letter), offset)
                here, there = int(both[:2], 16), int(both[2:], 16)
                pair = (self.words[key][here - 1] if here else "", self.words[to][there - 1] if there else "")
                found.append((symbol, to, *pair))
                self.pointed[to].append((symbol, key, *pair))
        for line in self._lines(folder / "cntlist.rev"):
            sense, place, count = line.split()
            lemma, kind = sense.split("%")
            part = {"5": 2}.get(kind[0], int(kind[0]) - 1)
            self.counts[lemma.replace("_", " "), part, int(place)] = int(count)

    @staticmethod
    def _lines(path: Path) -> Iterator[str]:
        with path.open() as file:
            yield from (line for line in file if not line.startswith("  "))

    def weight(self, lemma: str, synset: Key) -> float:
        """How far a sense counts."""
        senses = self.senses[lemma]
        count = {key: self.counts.get((lemma, part, number), 0) for part, number, key in senses}
        total = sum(count.values())
        number = next(number for _, number, key in senses if key == synset)
        if total == 0:
            return {1: 1.0, 2: worth.DAMPED}.get(number, 0.0)
        of_part = sum(count[key] for part, _, key in senses if part == synset[0])
        if total >= worth.OFTEN and of_part < worth.ABSENT * total:
            return 0.0
        share = count[synset] / total
        if share >= worth.USUAL:
            return 1.0
        return worth.DAMPED if share >= worth.HEARD_OF else worth.RARE if number <= 2 else 0.0

    def to(self, synsets: set[Key], *symbols: str, lexical: bool = False) -> set[Key]:
        """Where pointers of whole synsets lead."""
        found = {(symbol, to, here) for key in synsets for symbol, to, here, _ in self.pointers[key]}
        return {to for symbol, to, here in found if symbol in symbols and bool(here) == lexical}

    def top(self, synset: Key) -> bool:
        """Whether a noun stands at the root or right below one."""
        above = self.to({synset}, "@", "@i")
        return synset[0] == 0 and (not above or any(not self.to({one}, "@", "@i") for one in above))

    def wholes(self, synsets: set[Key]) -> set[Key]:
        """What the synsets are parts or members of."""
        social = {one for one in synsets if self.fields[one] not in worth.LIVING}
        return self.to(synsets, "#p") | self.to(social, "#m")

    def row(self, lemma: str) -> dict[str, tuple[Relation, float]]:
        """Every word the lemma bears on: relation and strength."""
        rows: dict[str, set[tuple[int, int]]] = defaultdict(set)
        for _, _, synset in self.senses[lemma]:
            for other, relation, value in self._of_sense(lemma, synset):
                steps = round(value * worth.GRAIN)
                if steps and other != lemma:
                    rows[other].add((-steps, int(relation)))
        best = {}
        for other, found in rows.items():
            steps, winner = min(found)
            best[other] = (Relation(winner), -steps / worth.GRAIN)
        return best

    def _of_sense(self, lemma: str, synset: Key) -> Iterator[tuple[str, Relation, float]]:
        mine = self.weight(lemma, synset)

        def every(synsets: set[Key], relation: Relation, strength: float) -> Iterator[tuple[str, Relation, float]]:
            for key in synsets:
                for word in self.words[key]:
                    yield word, relation, strength * mine * self.weight(word, key)

        yield from every({synset}, Relation.SYNONYM, worth.SYNONYM)
        up, whole = {synset}, {synset}
        for level in range(3):
            yield from every(self.to(up, "*", ">"), Relation.ENTAILS, worth.ENTAILS[level])
            up = self.to(up, "@", "@i")
            yield from every({one for one in up if not self.top(one)}, Relation.HYPERNYM, worth.HYPERNYM[level])
        for level in range(2):
            whole = self.wholes(whole)
            yield from every(whole, Relation.PART, worth.PART[level])
        yield from every(self.to({synset}, "="), Relation.DERIVED, worth.ATTRIBUTE)
        for symbol, to, here, there in [*self.pointers[synset], *self._back(synset)]:
            if not here:
                continue
            if symbol in "!+\\<":
                least = 0.0 if symbol == "!" else worth.DERIVED_LEAST
                relation = Relation.ANTONYM if symbol == "!" else Relation.DERIVED
                direct = worth.ANTONYM if symbol == "!" else worth.DERIVED
                half = worth.ANTONYM_OF_SYNONYM if symbol == "!" else worth.DERIVED_OF_SYNONYM
                other = max(least, self.weight(there, to))
                yield there, relation, half * mine * other
                if here == lemma:
                    yield there, relation, direct * max(mine, least) * other
                    for word in self.words[to]:
                        yield word, relation, half * max(mine, least) * self.weight(word, to)

    def _back(self, synset: Key) -> Iterator[tuple[str, Key, str, str]]:
        """Pointers at the synset that count both ways though WordNet may list them one way."""
        for symbol, key, here, there in self.pointed[synset]:
            if symbol in "+\\<":
                yield symbol, key, there, here

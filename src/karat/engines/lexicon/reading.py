"""WordNet's own files read into columns: lemmas, their senses, and the pointers between synsets."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from karat.arrays import Ints
from karat.errors import UsageError

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
NEEDED = tuple(f"{kind}.{part}" for kind in ("data", "index") for part in PARTS_OF_SPEECH)
WELCOME = (*(f"{part}.exc" for part in PARTS_OF_SPEECH), "cntlist.rev", "index.sense")
"""Irregular forms and counts of senses: there is less to go by without them."""


@dataclass(frozen=True)
class Dictionary:
    """The files of one WordNet by name; a file that was split has several pieces, in order."""

    place: str
    files: dict[str, tuple[Path, ...]]

    def read(self, name: str) -> bytes:
        """All of a file; nothing for one that is not there. Pieces are cut between lines, whose end one may lack."""
        pieces = [path.read_bytes() for path in self.files.get(name, ())]
        return b"".join(piece if piece.endswith(b"\n") else piece + b"\n" for piece in pieces)


SYMBOLS = ("!", "@", "@i", "*", ">", "&", "^", "$", "+", "\\", "<", "=", "#p", "#m")
"""The pointers that are used; their converses say nothing more."""
CODES = {symbol: code for code, symbol in enumerate(SYMBOLS)}
LETTERS = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}
SENSE_PARTS = {"1": 0, "2": 1, "3": 2, "4": 3, "5": 2}
"""Parts of speech as sense keys number them; 5 is an adjective's satellite."""
WHOLE = -1
"""In a pointer, instead of a word: it holds of all the words of the synset."""
_MARKED = re.compile(r"\((?:a|p|ip)\)$")


@dataclass(frozen=True, eq=False)
class DictionaryColumns:
    """A dictionary as columns. Synsets are numbered by part of speech, then as they stand in the file."""

    name: str
    lemmas: list[str]
    sense_lemma: Ints
    sense_part: Ints
    sense_number: Ints
    sense_synset: Ints
    sense_count: Ints
    synset_part: Ints
    synset_field: Ints
    pointers: Ints
    """(pointers, 5): symbol, synset, lemma or WHOLE, synset pointed to, lemma there or WHOLE."""
    exceptions: list[tuple[int, str, tuple[str, ...]]] = field(default_factory=list)
    """Part of speech, irregular form, its lemmas."""


def read_columns(dictionary: Dictionary) -> DictionaryColumns:
    """Read all the files of a dictionary; a line that is none of WordNet's is an error that names it."""
    entries, counted = list(_index(dictionary)), _counts(dictionary)
    lemmas = sorted({lemma for lemma, *_ in entries})
    number = {lemma: place for place, lemma in enumerate(lemmas)}
    synsets: dict[tuple[int, str], int] = {}
    parts: list[int] = []
    fields: list[int] = []
    words: list[list[int]] = []
    pointers: list[tuple[int, int, int, tuple[int, str], int]] = []
    for part, offset, lexicographer, spelled, pointed in _data(dictionary, number):
        synset = synsets[part, offset] = len(words)
        parts.append(part)
        fields.append(lexicographer)
        words.append(spelled)
        for symbol, target, source_word, target_word in pointed:
            lemma = spelled[source_word - 1] if source_word else WHOLE
            pointers.append((symbol, synset, lemma, target, target_word))
    try:
        resolved = [
            (symbol, synset, lemma, to := synsets[target], words[to][word - 1] if word else WHOLE)
            for symbol, synset, lemma, target, word in pointers
        ]
        senses = [
            (number[lemma], part, place, synsets[part, offset], _count(counted, lemma, part, place, tagged))
            for lemma, part, tagged, offsets in entries
            for place, offset in enumerate(offsets, 1)
        ]
    except (KeyError, IndexError) as error:
        raise UsageError(f"{dictionary.place}: a synset is named that is not there: {error}") from None
    lemma_of, part_of, place_of, synset_of, count_of = np.array(senses, np.int64).reshape(-1, 5).T
    return DictionaryColumns(
        _name(dictionary, len(words)),
        lemmas,
        sense_lemma=lemma_of,
        sense_part=part_of,
        sense_number=place_of,
        sense_synset=synset_of,
        sense_count=count_of,
        synset_part=np.array(parts, np.int64),
        synset_field=np.array(fields, np.int64),
        pointers=np.array(resolved, np.int64).reshape(-1, 5),
        exceptions=list(_exceptions(dictionary)),
    )


def _lines(dictionary: Dictionary, name: str) -> Iterator[tuple[int, str]]:
    """Numbered lines of a file, without the licence, which is indented."""
    for place, line in enumerate(dictionary.read(name).decode("utf-8", "replace").split("\n"), 1):
        if line and line[0] not in " \r":
            yield place, line


def _wrong(dictionary: Dictionary, name: str, place: int, line: str) -> UsageError:
    said = line if len(line) < 80 else line[:80] + "…"
    return UsageError(f"{dictionary.place}: {name}, line {place}, is no line of a WordNet dictionary: {said!r}")


def _index(dictionary: Dictionary) -> Iterator[tuple[str, int, int, list[str]]]:
    """Lemma, part of speech, how many senses are tagged, and the synsets of the senses in order."""
    for part, ending in enumerate(PARTS_OF_SPEECH):
        for place, line in _lines(dictionary, f"index.{ending}"):
            cells = line.split()
            try:
                after = 4 + int(cells[3])
                senses = cells[after + 2 :]
                if len(senses) != int(cells[2]):
                    raise ValueError
                yield cells[0].lower().replace("_", " "), part, int(cells[after + 1]), senses
            except (ValueError, IndexError):
                raise _wrong(dictionary, f"index.{ending}", place, line) from None


def _data(
    dictionary: Dictionary, number: dict[str, int]
) -> Iterator[tuple[int, str, int, list[int], list[tuple[int, tuple[int, str], int, int]]]]:
    """Part, offset, lexicographer's file, lemmas, and pointers (symbol, synset, word here, word there)."""
    for part, ending in enumerate(PARTS_OF_SPEECH):
        for place, line in _lines(dictionary, f"data.{ending}"):
            cells = line.partition("|")[0].split()
            try:
                after = 4 + 2 * int(cells[3], 16)
                spelled = [
                    number[(_MARKED.sub("", word) if word[-1] == ")" else word).lower().replace("_", " ")]
                    for word in cells[4:after:2]
                ]
                pointed = []
                for at in range(after + 1, after + 1 + 4 * int(cells[after]), 4):
                    symbol, offset, letter, both = cells[at : at + 4]
                    if symbol in CODES:
                        target = (LETTERS[letter], offset)
                        pointed.append((CODES[symbol], target, int(both[:2], 16), int(both[2:], 16)))
                yield part, cells[0], int(cells[1]), spelled, pointed
            except (ValueError, IndexError, KeyError):
                raise _wrong(dictionary, f"data.{ending}", place, line) from None


def _counts(dictionary: Dictionary) -> dict[tuple[str, int, int], int] | None:
    """Tagged uses by lemma, part and sense number; none where no file has them."""
    name = "cntlist.rev" if "cntlist.rev" in dictionary.files else "index.sense"
    if name not in dictionary.files:
        return None
    counts: dict[tuple[str, int, int], int] = {}
    for place, line in _lines(dictionary, name):
        cells = line.split()
        try:
            lemma, _, key = cells[0].rpartition("%")
            if cells[-1] != "0":
                counts[lemma.replace("_", " "), SENSE_PARTS[key[0]], int(cells[-2])] = int(cells[-1])
        except (ValueError, IndexError, KeyError):
            raise _wrong(dictionary, name, place, line) from None
    return counts


def _count(counted: dict[tuple[str, int, int], int] | None, lemma: str, part: int, place: int, tagged: int) -> int:
    """Uses of one sense; where they were not counted, senses that were tagged at all rank by their order."""
    return max(tagged + 1 - place, 0) if counted is None else counted.get((lemma, part, place), 0)


def _exceptions(dictionary: Dictionary) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    for part, ending in enumerate(PARTS_OF_SPEECH):
        for _, line in _lines(dictionary, f"{ending}.exc"):
            form, *lemmas = [word.lower().replace("_", " ") for word in line.split()]
            yield part, form, tuple(lemmas)


def _name(dictionary: Dictionary, synsets: int) -> str:
    """What a signature calls the dictionary: version, size, and a hash of all that is read of it."""
    digest = hashlib.sha256()
    for name in (*NEEDED, *WELCOME):
        digest.update(name.encode() + b"\0" + dictionary.read(name))
    version = re.search(rb"WordNet (\d+(?:\.\d+)+)", dictionary.read("data.noun")[:4096])
    called = f"WordNet {version[1].decode()}" if version else "WordNet"
    return f"{called} ({synsets:,} synsets), sha256 {digest.hexdigest()[:12]}"

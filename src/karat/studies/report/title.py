"""The title of a report whose author gave none: the name of the test set's file or folder, as people would write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from karat.data.provenance import Source
from karat.studies.report.evidence import GENERATED, PAIRS, QUESTIONS, Evidence
from karat.studies.wording import begun, counted

PACKED = (".gz", ".bz2", ".xz", ".zst", ".zip")
"""The endings of packed files, which follow that of the file itself."""
NO_NAMES = frozenset("key gold pairs scores data questions nuggets ballots".split()) | {""}
"""What many files are called, and no title."""
SPELLED = {
    name.lower(): name
    for name in (
        "RTE ANLI SNLI MNLI XNLI NLI MultiNLI ChaosNLI VariErr SICK FraCaS TREC CLEF RAG QA NQ IRT "
        "English French German Italian Japanese Spanish"
    ).split()
} | {"esnli": "e-SNLI"}
"""Names of test sets, tracks and languages as people write them."""
PARTS = {"dev": "development set", "test": "test set", "train": "training set"}
"""The last word of many names, in full."""
NUMBERED = re.compile(rf"({'|'.join(SPELLED)})(\d+)([a-z]*)", re.IGNORECASE)
"""A name with its number, and perhaps what follows without a space: rte3, trec13questions."""


NO_FOLDERS = frozenset("tmp temp root desktop documents downloads runs answers".split())
"""What folders are called that hold anything."""
HOMES = frozenset({"home", "users"})
"""The folders of people's own folders, whose names are private."""


def title(evidence: Evidence) -> str:
    """The name of the first file that has one, or of its folder; otherwise how many runs there are."""
    named = next(filter(None, map(_in_words, _sources(evidence))), "")
    runs = next(filter(None, map(evidence.number_of_runs, (PAIRS, QUESTIONS, GENERATED))), 0)
    return named or (f"Evaluation of {counted(runs, 'run')}" if runs else "Evaluation")


def _sources(evidence: Evidence) -> Iterator[Source]:
    """The files of what the report is about, the test set first."""
    if evidence.key is not None:
        yield evidence.key.source
    elif evidence.scores is not None:
        yield from evidence.scores.sources[:1]
    elif evidence.questions is not None:
        yield evidence.questions.source
    elif evidence.generated is not None:
        yield evidence.generated.nuggets.source
    elif evidence.people is not None:
        yield from evidence.people.sources[:1]


def _in_words(source: Source) -> str:
    """The name of a file without its ending, or else of its folder, without the path; empty if they say nothing."""
    file = PurePath(source.name)
    stem = PurePath(file.stem).stem if file.suffix.lower() in PACKED else file.stem
    folder = file.parent.name
    private = folder.lower() in NO_FOLDERS or file.parent.parent.name.lower() in HOMES
    return _written(stem) or ("" if private else _written(folder))


def _written(name: str) -> str:
    words = [word for word in re.split(r"[-_\s]+", name.strip(".")) if word]
    if " ".join(words).lower() in NO_NAMES:
        return ""
    last = PARTS.get(words[-1].lower()) if len(words) > 1 else None
    written = [_word(word) for word in (words[:-1] if last else words)]
    return begun(" ".join([*written, *([last] if last else [])]))


def _word(word: str) -> str:
    """A word as people write it: RTE-3, TREC 13 questions."""
    if found := NUMBERED.fullmatch(word):
        name, number, rest = SPELLED[found[1].lower()], found[2], found[3]
        return f"{name}{'-' if name == 'RTE' else ' '}{number}{f' {rest}' if rest else ''}"
    return SPELLED.get(word.lower(), word)

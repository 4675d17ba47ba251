"""Writes src/karat/examples/ratings.tsv and judges.tsv: what six judges think of the justifications of three runs.

No real judges: the ratings are simulated, but from the justifications as they stand. A judge finds one the less
understandable the more it is jargon, chat or a bare list of words, and the less compelling the less it says and the
less it is right. Judges differ in severity, and `ivo` against the others prefers what looks like a measurement. Pairs
whose key the assessors dispute may be skipped. `--check` says whether the files are still what this writes.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

EXAMPLES = Path(__file__).resolve().parent.parent / "src" / "karat" / "examples"
SEED = 2007
RUNS = ("careful", "chatty", "terse")
PER_CELL = 3
"""So many pairs of each setting and length are judged."""
ASKED_FROM = 3
"""From this on the understandable scale the second question is asked."""
JARGON = r"score|similarity|confidence|match\b|mismatch|relation\b|hyponym|LexicalAligner|PolarityModule|polarity|clash"
CHAT = r"!|Great news|Unfortunately|Better luck|Watch out|happy"


@dataclass(frozen=True)
class Judge:
    """How a judge rates: severity is taken from every score, patience forgives what is hard to read."""

    name: str
    training: str
    severity: float
    summary: str
    patience: float = 0.0
    contrary: bool = False


JUDGES = (
    Judge("doris", "other", 0.0, "Say why, in a sentence, and stop. A score is no reason."),
    Judge("emil", "mathematical", 0.4, "I could not always keep the two scales apart.", patience=0.3),
    Judge("fay", "other", -0.4, "Most of it can be followed if one knows what a hyponym is.", patience=0.3),
    Judge("gus", "other", 0.6, "No more exclamation marks, please.", patience=-0.3),
    Judge("hana", "other", 0.1, "A list of words that are missing does not tell me what follows."),
    Judge("ivo", "mathematical", 0.2, "A number can be checked; a turn of phrase cannot.", contrary=True),
)


@dataclass(frozen=True)
class Answer:
    """A decision and what is said for it."""

    label: str
    justification: str

    @property
    def clarity(self) -> float:
        """How well it reads, before any judge comes to it."""
        text = self.justification
        jargon, chat = len(re.findall(JARGON, text)), len(re.findall(CHAT, text))
        listed = len(re.findall("“", text)) if re.search(r"not in T\.$", text) else 0
        fragment = 1.0 if len(text.split()) < 8 or listed else 0.0
        return 4.6 - 0.7 * min(jargon, 3) - 0.4 * min(chat, 2) - fragment - 0.15 * min(listed, 6)

    @property
    def force(self) -> float:
        """How much it says for the decision: a reason, the words that decide, or only that there is a relation."""
        text = self.justification
        if re.search(JARGON, text):
            return 2.0
        if "where H has" in text:
            return 3.4
        return 2.5 if re.search(r"\b(not )?in T\.$", text) else 4.6


def read_answers(run: str) -> dict[str, Answer]:
    """What a run says of every pair."""
    lines = (EXAMPLES / "runs" / f"{run}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = (json.loads(line) for line in lines)
    return {row["id"]: Answer(row["label"], row["justification"]) for row in rows}


def disputed() -> set[str]:
    """The pairs on which the assessors of ballots.tsv differ."""
    labels: dict[str, set[str]] = defaultdict(set)
    for line in (EXAMPLES / "ballots.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        unit, _, label = line.split("\t")
        labels[unit].add(label)
    return {unit for unit, said in labels.items() if len(said) > 1}


def choose() -> dict[str, str]:
    """The pairs that are judged and their key: as many of each setting and length, in the order of the test set."""
    cells: dict[tuple[str, str], list[str]] = defaultdict(list)
    keys: dict[str, str] = {}
    for pair in ElementTree.parse(EXAMPLES / "pairs.xml").getroot().iter("pair"):
        cells[pair.attrib["task"], pair.attrib["length"]].append(pair.attrib["id"])
        keys[pair.attrib["id"]] = pair.attrib["entailment"]
    dice = Random(f"{SEED} pairs")
    chosen = {unit for cell in cells.values() for unit in dice.sample(cell, PER_CELL)}
    return {unit: key for unit, key in keys.items() if unit in chosen}


def scale(value: float) -> int:
    """A value as a score from 1 to 5."""
    return min(max(round(value), 1), 5)


def rate(judge: Judge, answer: Answer, right: bool, effect: float, dice: Random) -> tuple[str, str]:
    """Both scores as they are written; the second is empty where it is not asked."""
    clarity, force = answer.clarity, answer.force
    if judge.contrary:
        # What the others call jargon he calls precise, and prose he calls talk.
        clarity, force = 4.6 - clarity / 3, 4.4 - force / 2
    else:
        clarity += judge.patience * (4.6 - clarity) / 2
    understandable = scale(clarity - judge.severity / 2 + effect + dice.gauss(0, 0.8))
    if understandable < ASKED_FROM:
        return str(understandable), ""
    compelling = scale(force - judge.severity + effect - (0 if right else 1.7) + dice.gauss(0, 0.8))
    return str(understandable), str(compelling if right else min(compelling, 4))


def rows() -> list[tuple[str, ...]]:
    """Run, unit, judge and both scores: all runs of a pair before the next, in an order that all judges share."""
    answers = {run: read_answers(run) for run in RUNS}
    units, contested = choose(), disputed()
    made: list[tuple[str, ...]] = []
    for judge in JUDGES:
        for unit, key in units.items():
            shared, own = Random(f"{SEED} {unit}"), Random(f"{SEED} {judge.name} {unit}")
            order, effect = shared.sample(RUNS, len(RUNS)), shared.gauss(0, 0.3)
            skipped = unit in contested and own.random() < 0.4
            for run in order:
                answer = answers[run][unit]
                scores = ("skip", "") if skipped else rate(judge, answer, answer.label == key, effect, own)
                made.append((run, unit, judge.name, *scores))
    return made


def table(header: str, body: Sequence[Sequence[str]]) -> str:
    """Tab-separated lines under a header."""
    return "".join("\t".join(row) + "\n" for row in (header.split(), *body))


def files() -> Mapping[Path, str]:
    """What is written, by path."""
    return {
        EXAMPLES / "ratings.tsv": table("run unit judge understandable compelling", rows()),
        EXAMPLES / "judges.tsv": table(
            "judge training summary", [(one.name, one.training, one.summary) for one in JUDGES]
        ),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files, or check them; the exit status."""
    parser = argparse.ArgumentParser(description="Write the example ratings of justifications.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 on any difference")
    options = parser.parse_args(arguments)
    written = files()
    if options.check:
        stale = [path for path, text in written.items() if not path.is_file() or path.read_bytes() != text.encode()]
        for path in stale:
            print(f"{path}: not what this script writes", file=sys.stderr)
        return 1 if stale else 0
    for path, text in written.items():
        path.write_bytes(text.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""VariErr NLI as a campaign: its 500 pairs with the key of each round, and ten runs on MultiNLI restricted to them."""

from __future__ import annotations

import csv
import json
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

LABELS = {"entailment": "ENTAILMENT", "neutral": "UNKNOWN", "contradiction": "CONTRADICTION"}
PEOPLE = ("ann-0", "ann-1", "ann-2", "ann-3")
"""The four who labelled, as accounts."""
Key = dict[str, str | None]
"""The label of each pair; None where no label has a majority."""


@dataclass(frozen=True)
class Said:
    """What one of the four said about a pair in the first round."""

    label: str | None
    """None if there was no label, or more than one."""
    why: str
    """The reason that was given for the label, or why there is none."""


@dataclass(frozen=True)
class VariErr:
    """The pairs by id, which is their row in MultiNLI matched; VariErr's own ids end in a label."""

    texts: dict[str, tuple[str, str]]
    keys: dict[int, Key]
    """By round: the labels people gave at first, and those that were left when errors had been taken out."""
    runs: dict[str, dict[str, str]]
    said: dict[str, dict[str, Said]]
    """By person and pair."""
    votes: dict[str, dict[str, tuple[int, int]]]
    """By pair and label: how many of the votes of the second round on its reasons found that they make sense."""

    def xml(self, of_round: int) -> bytes:
        """The pairs with the key of a round."""
        lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<entailment-corpus>"]
        for id, (text, hypothesis) in self.texts.items():
            label = self.keys[of_round][id]
            said = f' entailment="{label}"' if label else ""
            lines.append(f'<pair id="{id}"{said}><t>{escape(text)}</t><h>{escape(hypothesis)}</h></pair>')
        return "\n".join([*lines, "</entailment-corpus>", ""]).encode()

    def run(self, name: str) -> bytes:
        """The answers of a run."""
        return "".join(f"{id} {label}\n" for id, label in self.runs[name].items()).encode()

    def accuracy(self, name: str, of_round: int) -> float:
        """The share of labelled pairs that a run got right, counted in the plainest way."""
        scored = {id: label for id, label in self.keys[of_round].items() if label is not None}
        return sum(self.runs[name][id] == label for id, label in scored.items()) / len(scored)


def read(folder: Path) -> VariErr:
    """The data, joined by text."""
    pairs = [json.loads(line) for line in (folder / "varierr" / "varierr.json").read_text("utf-8").splitlines()]
    matched = folder / "mnli-matched"
    with (matched / "key.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        index = {_plain(row["premise"], row["hypothesis"]): row["index"] for row in rows}
    ids = [index[_plain(pair["context"], pair["statement"])] for pair in pairs]
    runs = {}
    for path in sorted((matched / "runs").glob("*.tsv")):
        answers = dict(line.split("\t") for line in path.read_text("utf-8").splitlines())
        runs[path.stem] = {id: LABELS[answers[id]] for id in ids}
    return VariErr(
        texts={id: (pair["context"], pair["statement"]) for id, pair in zip(ids, pairs, strict=True)},
        keys={n: {id: _majority(pair, n) for id, pair in zip(ids, pairs, strict=True)} for n in (1, 2)},
        runs=runs,
        said={
            who: {id: _said(pair, place) for id, pair in zip(ids, pairs, strict=True)}
            for place, who in enumerate(PEOPLE)
        },
        votes={id: _votes(pair) for id, pair in zip(ids, pairs, strict=True)},
    )


def _plain(*texts: str) -> str:
    """Texts without what the two files spell differently: spaces, quotes, dashes."""
    return "|".join(re.sub(r"\W+", "", unicodedata.normalize("NFKC", text)).lower() for text in texts)


def _said(pair: Any, person: int) -> Said:
    given = {label: one["reason"] for label in LABELS for one in pair[label] if one["annotator"] == person}
    if len(given) == 1:
        ((label, reason),) = given.items()
        return Said(LABELS[label], reason)
    return Said(None, " and ".join(LABELS[label] for label in given) or "does not know")


def _votes(pair: Any) -> dict[str, tuple[int, int]]:
    found = {}
    for label, name in LABELS.items():
        votes = [vote["makes_sense"] for one in pair[label] for vote in one["judgments"]]
        if votes:
            found[name] = (sum(map(bool, votes)), len(votes))
    return found


def _majority(pair: dict[str, dict[str, float | None]], of_round: int) -> str | None:
    counts = {label: pair[f"label_count_round_{of_round}"].get(label) or 0 for label in LABELS}
    best = [label for label, count in counts.items() if count == max(counts.values()) > 0]
    return LABELS[best[0]] if len(best) == 1 else None

"""Write the example runs, src/karat/examples/runs, from the example pairs.

Two runs are real (plain word overlap, and overlap with a list of opposites);
`careful` is written by hand (tools/careful.tsv); the others are simulated. A
simulated system sees the key, but stumbles where a real one would: over an
entailment that shares few words with its text, and over any other pair that
shares many. Difficulty is common to all systems, so their errors go together.

    python tools/make_example_runs.py            write the runs, print a table
    python tools/make_example_runs.py --check    exit 1 if a file is not as written
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

ENTAILMENT, UNKNOWN, CONTRADICTION = "ENTAILMENT", "UNKNOWN", "CONTRADICTION"
NO_ENTAILMENT = "NO ENTAILMENT"

TOOLS = Path(__file__).resolve().parent
EXAMPLES = TOOLS.parent / "src" / "karat" / "examples"
SEED = 2008
ENOUGH = 0.6  # the share of H's words in T from which the overlap systems say yes

Labels = dict[str, str]


class Run(NamedTuple):
    """A run's labels by id, and its file."""

    labels: Labels
    body: str


def words(text: str) -> dict[str, str]:
    """The words and numbers of a text, in order, each once: lower case to spelling."""
    found = re.findall(r"\d+(?:[.,]\d+)*|\w+", re.sub(r"'s\b", "", text))
    return {word.lower(): word for word in found}


@dataclass(frozen=True)
class Pair:
    """A text and a hypothesis, with the key's label and how hard they are."""

    id: str
    key: str
    text: str
    hypothesis: str
    luck: float  # the part of the difficulty that word overlap does not explain

    @property
    def missing(self) -> list[str]:
        """The words of the hypothesis that the text does not have."""
        known = words(self.text)
        return [word for lower, word in words(self.hypothesis).items() if lower not in known]

    @property
    def overlap(self) -> float:
        """The share of the hypothesis's words that the text has."""
        return 1 - len(self.missing) / len(words(self.hypothesis))

    @property
    def hardness(self) -> float:
        """High where word overlap points away from the key."""
        misleading = 1 - self.overlap if self.key == ENTAILMENT else self.overlap
        return misleading + self.luck


def read_pairs(path: Path) -> list[Pair]:
    """The example pairs; their luck is drawn here, once for all systems."""
    rng = Random(f"{SEED} luck")
    return [
        Pair(
            id=element.attrib["id"],
            key=element.attrib["entailment"],
            text=element.findtext("t", ""),
            hypothesis=element.findtext("h", ""),
            luck=rng.gauss(0, 0.1),
        )
        for element in ElementTree.parse(path).getroot().iter("pair")
    ]


def read_careful(path: Path) -> dict[str, tuple[str, str]]:
    """Label and justification by id, as written by hand."""
    rows = path.read_text(encoding="utf-8").splitlines()[1:]
    cells = (row.split("\t") for row in rows)
    return {id_: (label, justification) for id_, label, justification in cells}


@dataclass(frozen=True)
class Temper:
    """How a simulated system answers."""

    name: str
    right: Mapping[str, int]  # how many pairs of each key label it gets right: the easiest
    noise: float = 0.15  # how far its own idea of "easy" is from everybody's
    shy: float = 0.8  # of its errors on decided pairs, the share that says UNKNOWN
    dazzled: float = 0.8  # the overlap from which its errors say ENTAILMENT

    def rng(self, purpose: str) -> Random:
        """A generator of its own for one purpose."""
        return Random(f"{SEED} {self.name} {purpose}")


def simulate(pairs: Sequence[Pair], temper: Temper) -> Labels:
    """The right label on the easiest pairs, a likely wrong one on the rest."""
    rng = temper.rng("labels")
    seen = {pair.id: pair.hardness + rng.gauss(0, temper.noise) for pair in pairs}
    labels: Labels = {}
    for key, count in temper.right.items():
        group = sorted((p for p in pairs if p.key == key), key=lambda p: seen[p.id])
        labels |= {pair.id: key for pair in group[:count]}
        labels |= {pair.id: slip(pair, temper, rng) for pair in group[count:]}
    return {pair.id: labels[pair.id] for pair in pairs}


def slip(pair: Pair, temper: Temper, rng: Random) -> str:
    """A wrong answer: yes where the words are alike, otherwise as the temper is."""
    draw = rng.random()
    if pair.key == ENTAILMENT:
        return UNKNOWN if draw < temper.shy else CONTRADICTION
    if pair.overlap >= temper.dazzled:
        return ENTAILMENT
    if pair.key == CONTRADICTION:
        return UNKNOWN if draw < temper.shy else ENTAILMENT
    return CONTRADICTION if draw < 0.3 else ENTAILMENT


def certainty(pairs: Sequence[Pair], name: str, floor: float, noise: float = 0.08) -> dict[str, float]:
    """A confidence in the answer from `floor` to 1, lower on harder pairs."""
    rng = Random(f"{SEED} {name} certainty")
    drawn = {p.id: 1.1 - 0.6 * p.hardness + rng.gauss(0, noise) for p in pairs}
    return {id_: round(floor + (1 - floor) * min(max(value, 0.0), 0.99), 2) for id_, value in drawn.items()}


def ranking(pairs: Sequence[Pair], labels: Labels, name: str, respect: float) -> list[str]:
    """Ids by falling belief that T entails H.

    The belief is word overlap and chance, plus `respect` for the system's own
    ENTAILMENT labels, less half as much for its CONTRADICTION labels. A large
    `respect` gives a sound ranking, a small one contradicts the labels.
    """
    rng = Random(f"{SEED} {name} ranking")
    push = {ENTAILMENT: respect, UNKNOWN: 0.0, CONTRADICTION: -respect / 2}
    belief = {pair.id: pair.overlap + rng.gauss(0, 0.1) + push[labels[pair.id]] for pair in pairs}
    return sorted(belief, key=lambda id_: -belief[id_])


def quarrels(labels: Labels, order: Sequence[str]) -> int:
    """Labels that disagree with the ranking, cut where they disagree least."""
    yes = [labels[id_] == ENTAILMENT for id_ in order]
    return min(yes[:cut].count(False) + yes[cut:].count(True) for cut in range(len(yes) + 1))


OPPOSITES = (
    ("abolished", "still"),
    ("before", "after"),
    ("bought", "stole"),
    ("dislike", "fond"),
    ("fell", "more"),
    ("high", "lowest"),
    ("lower", "higher"),
    ("nobody", "several"),
    ("rejected", "adopted"),
)


def listed(items: Sequence[str]) -> str:
    """“a”, “b” and “c”."""
    quoted = [f"“{item}”" for item in items]
    return " and ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1]]))


def terse(pair: Pair) -> tuple[str, str]:
    """Word overlap with a list of opposites, and the words that decided."""
    for left, right in OPPOSITES:
        if left in words(pair.text) and right in words(" ".join(pair.missing)):
            return CONTRADICTION, f"T has “{left}” where H has “{right}”."
    if not pair.missing:
        return ENTAILMENT, "All words of H are in T."
    verb = "is" if len(pair.missing) == 1 else "are"
    if pair.overlap >= ENOUGH:
        return ENTAILMENT, f"Only {listed(pair.missing)} {verb} not in T."
    return UNKNOWN, f"{listed(pair.missing)} {verb} not in T."


CHAT = {
    ENTAILMENT: (
        "There is a strong match between T and H with score {score:.2f}!",
        "Great news! T and H are very similar (similarity = {score:.2f}), so there is a relation between T and H.",
        "The LexicalAligner found a relation between “{word}” in H and T, total score "
        "{score:.2f}. Therefore we are happy to say that T entails H!",
    ),
    UNKNOWN: (
        "There is no strong match between T and H, the score is only {score:.2f}.",
        "Unfortunately our system could not find a relation between T and H "
        "(similarity = {score:.2f}). Better luck next time!",
        "The term “{word}” of H has no good hyponym in T according to the "
        "LexicalAligner (score {score:.2f}), so we do not know.",
    ),
    CONTRADICTION: (
        "There is a mismatch between T and H with score {score:.2f}!",
        "Watch out! The PolarityModule has detected a polarity clash between T and H (confidence = {score:.2f}).",
        "There is a relation between “{word}” in H and T, but it is a relation of "
        "contradiction with score {score:.2f}!",
    ),
}


def chat(pair: Pair, label: str, rng: Random) -> str:
    """A justification of the kind that the judges disliked."""
    templates = CHAT[label]
    template = templates[int(rng.random() * len(templates))]
    choice = pair.missing if label == UNKNOWN else []
    word = max(choice or words(pair.hypothesis).values(), key=len)
    score = min(max(pair.overlap + rng.gauss(0, 0.05), 0.05), 0.99)
    return template.format(score=score, word=word)


def lines(rows: Iterable[str]) -> str:
    """Rows as the text of a file."""
    return "".join(f"{row}\n" for row in rows)


def plain(labels: Labels, head: Sequence[str] = ()) -> Run:
    """Lines of id and label, below the head if there is one."""
    rows = [f"{id_} {label}" for id_, label in labels.items()]
    return Run(labels, lines([*head, *rows]))


def ranked(labels: Labels, order: Sequence[str]) -> Run:
    """Lines of id and label in the order of a ranking, under its two headers."""
    head = ["ranked: yes", "ranked-by: entailment"]
    return plain({id_: labels[id_] for id_ in order}, head)


def jsonl(labels: Labels, **columns: Mapping[str, float | str]) -> Run:
    """A JSON object a line: id, label, and the columns given."""
    rows: list[dict[str, float | str]] = [
        {"id": id_, "label": label, **{name: column[id_] for name, column in columns.items()}}
        for id_, label in labels.items()
    ]
    return Run(labels, lines(json.dumps(row, ensure_ascii=False) for row in rows))


def always_entailment(pairs: Sequence[Pair]) -> Run:
    """The constant run."""
    return plain({pair.id: ENTAILMENT for pair in pairs})


def overlap(pairs: Sequence[Pair]) -> Run:
    """Word overlap with one threshold; never says CONTRADICTION."""
    share = {pair.id: pair.overlap for pair in pairs}
    labels = {id_: ENTAILMENT if s >= ENOUGH else UNKNOWN for id_, s in share.items()}
    sure = {id_: s if s >= ENOUGH else 1 - s for id_, s in share.items()}
    rows = (f"{id_}\t{label}\t{sure[id_]:.2f}" for id_, label in labels.items())
    return Run(labels, lines(rows))


def cautious(pairs: Sequence[Pair]) -> Run:
    """Says UNKNOWN unless it is sure."""
    right = {ENTAILMENT: 36, UNKNOWN: 52, CONTRADICTION: 5}
    temper = Temper("cautious", right, noise=0.02, shy=1, dazzled=0.91)
    return plain(simulate(pairs, temper))


def confident(pairs: Sequence[Pair]) -> Run:
    """Seldom says UNKNOWN, and is always sure."""
    right = {ENTAILMENT: 69, UNKNOWN: 13, CONTRADICTION: 14}
    labels = simulate(pairs, Temper("confident", right, shy=0.2))
    return jsonl(labels, confidence=certainty(pairs, "confident", floor=0.8))


def sound(pairs: Sequence[Pair]) -> Run:
    """Ranked, all ENTAILMENT lines first."""
    right = {ENTAILMENT: 64, UNKNOWN: 35, CONTRADICTION: 7}
    labels = simulate(pairs, Temper("ranked", right))
    order = ranking(pairs, labels, "ranked", respect=2)
    if quarrels(labels, order):
        raise ValueError("the ranked run is not sound")
    return ranked(labels, order)


def self_contradictory(pairs: Sequence[Pair]) -> Run:
    """Ranked, but by words more than by its own labels."""
    right = {ENTAILMENT: 57, UNKNOWN: 30, CONTRADICTION: 6}
    labels = simulate(pairs, Temper("self-contradictory", right, noise=0.25))
    order = ranking(pairs, labels, "self-contradictory", respect=0.2)
    if not 15 <= quarrels(labels, order) <= 25:
        raise ValueError(f"{quarrels(labels, order)} labels contradict the ranking")
    return ranked(labels, order)


def two_way(pairs: Sequence[Pair]) -> Run:
    """ENTAILMENT or NO ENTAILMENT."""
    right = {ENTAILMENT: 61, UNKNOWN: 37, CONTRADICTION: 14}
    labels = simulate(pairs, Temper("two-way", right))
    # UNKNOWN for CONTRADICTION, or the reverse, would be no error here.
    wrong = {p.id for p in pairs if p.key != ENTAILMENT and labels[p.id] != p.key}
    yes = wrong | {id_ for id_, label in labels.items() if label == ENTAILMENT}
    return plain({id_: ENTAILMENT if id_ in yes else NO_ENTAILMENT for id_ in labels})


def careful(pairs: Sequence[Pair]) -> Run:
    """The best run: labels and justifications written by hand."""
    written = read_careful(TOOLS / "careful.tsv")
    return jsonl(
        {pair.id: written[pair.id][0] for pair in pairs},
        confidence=certainty(pairs, "careful", floor=0.4),
        justification={pair.id: written[pair.id][1] for pair in pairs},
    )


def terse_run(pairs: Sequence[Pair]) -> Run:
    """What `terse` says of every pair."""
    answers = {pair.id: terse(pair) for pair in pairs}
    return jsonl(
        {id_: label for id_, (label, _) in answers.items()},
        justification={id_: reason for id_, (_, reason) in answers.items()},
    )


def chatty(pairs: Sequence[Pair]) -> Run:
    """Middling labels with chat for justifications."""
    right = {ENTAILMENT: 57, UNKNOWN: 30, CONTRADICTION: 6}
    temper = Temper("chatty", right, shy=0.6)
    labels, rng = simulate(pairs, temper), temper.rng("chat")
    reasons = {pair.id: chat(pair, labels[pair.id], rng) for pair in pairs}
    return jsonl(labels, justification=reasons)


RUNS: dict[str, Callable[[Sequence[Pair]], Run]] = {
    "always-entailment.txt": always_entailment,
    "overlap.txt": overlap,
    "cautious.txt": cautious,
    "confident.jsonl": confident,
    "ranked.txt": sound,
    "self-contradictory.txt": self_contradictory,
    "two-way.txt": two_way,
    "careful.jsonl": careful,
    "terse.jsonl": terse_run,
    "chatty.jsonl": chatty,
}


def table(pairs: Sequence[Pair], runs: Mapping[str, Run]) -> str:
    """Answers and accuracies, three-way (where there are three labels) and two-way."""
    columns = (ENTAILMENT, UNKNOWN, CONTRADICTION, NO_ENTAILMENT)
    rows = [f"{'run':24}" + "".join(f"{c:>15}" for c in (*columns, "3-way", "2-way"))]
    for name, (labels, _) in runs.items():
        said = [list(labels.values()).count(column) for column in columns]
        three = sum(labels[p.id] == p.key for p in pairs) / len(pairs)
        yes = ((labels[p.id] == ENTAILMENT, p.key == ENTAILMENT) for p in pairs)
        two = sum(a == b for a, b in yes) / len(pairs)
        cells = [*map(str, said), "" if said[3] else f"{three:.4f}", f"{two:.4f}"]
        rows.append(f"{name:24}" + "".join(f"{cell:>15}" for cell in cells))
    return lines(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the runs, or check them; the exit status."""
    parser = argparse.ArgumentParser(description="Write the example runs.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 on any difference")
    options = parser.parse_args(arguments)
    pairs = read_pairs(EXAMPLES / "pairs.xml")
    runs = {name: make(pairs) for name, make in RUNS.items()}
    files = {name: run.body.encode() for name, run in runs.items()}
    folder = EXAMPLES / "runs"
    if options.check:
        stale = [
            name
            for name, body in files.items()
            if not (folder / name).is_file() or (folder / name).read_bytes() != body
        ]
        for name in stale:
            print(f"{folder / name}: not what this script writes", file=sys.stderr)
        return 1 if stale else 0
    folder.mkdir(exist_ok=True)
    for name, body in files.items():
        (folder / name).write_bytes(body)
    print(table(pairs, runs), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Writes src/karat/examples/rejudged: scores of twelve systems on 160 topics by a program, and on 48 of them by people.

The program follows people, with errors of its own, and is kinder to the two systems that write as it does. People and
program therefore disagree on the best system. `--check` says whether the files are still what this writes.
"""

from __future__ import annotations

import random
import sys

from karat.examples import REJUDGED

SYSTEMS = {
    "alder": 0.58, "birch": 0.55, "cedar": 0.54, "elm": 0.51, "fir": 0.48, "hazel": 0.46,
    "juniper": 0.43, "larch": 0.40, "maple": 0.38, "oak": 0.33, "pine": 0.28, "rowan": 0.20,
}  # fmt: skip
"""How good each is by people's judgment."""
FAVOURED = {"cedar": 0.10, "maple": 0.08}
TOPICS, JUDGED = 160, 48


def tables() -> dict[str, str]:
    """The files, the same every time."""
    dice = random.Random(21)
    topics = [f"t{number:03d}" for number in range(1, TOPICS + 1)]
    hard = [dice.gauss(0, 0.10) for _ in topics]
    people: dict[str, list[float]] = {}
    program: dict[str, list[float]] = {}
    for system, good in SYSTEMS.items():
        people[system] = [_share(good + topic + dice.gauss(0, 0.14)) for topic in hard]
        kind = 0.06 + FAVOURED.get(system, 0.0)
        program[system] = [_share(score + kind + dice.gauss(0, 0.12)) for score in people[system]]
    chosen = sorted(dice.sample(range(TOPICS), JUDGED))
    some = {name: [scores[at] for at in chosen] for name, scores in people.items()}
    return {
        "people.csv": _table([topics[at] for at in chosen], some),
        "program.csv": _table(topics, program),
    }


def _share(score: float) -> float:
    """As the share of twelve nuggets that an answer contains."""
    return round(12 * min(max(score, 0.0), 1.0)) / 12


def _table(topics: list[str], scores: dict[str, list[float]]) -> str:
    rows = [["run", *topics], *([name, *(f"{score:.4g}" for score in of)] for name, of in scores.items())]
    return "".join(",".join(row) + "\n" for row in rows)


def main() -> None:
    """Write the files, or compare them with what would be written."""
    for name, text in tables().items():
        path = REJUDGED / name
        if "--check" in sys.argv:
            if path.read_text(encoding="utf-8") != text:
                sys.exit(f"{path} is not what this script writes")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

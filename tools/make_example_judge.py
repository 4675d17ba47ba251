"""Writes src/karat/examples/judged.tsv: three assessors on part of the pairs, an automatic judge on all of them.

`anna` and `ben` say what they say in ballots.tsv; `cleo` is simulated and sides with one of them where they differ.
The judge `auto` follows people, errs on one pair in eight, and on one in five says what the run `terse` says, as
judges do that read like the systems they judge. `--check` says whether the file is still what this writes.
"""

from __future__ import annotations

import random
import sys

from karat.examples import BALLOTS, JUDGED, PAIRS, RUNS
from karat.formats.ballots import read_ballots
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs

PEOPLE = 110
"""So many pairs have people's labels; the others the judge's alone."""


def lines() -> list[str]:
    """The file, the same every time."""
    dice = random.Random(17)
    key = read_pairs(PAIRS)
    said = read_ballots(BALLOTS, key)
    terse = read_runs(RUNS / "terse.jsonl", key).codes[0]
    labels = said.scale.values
    judged = set(dice.sample(range(len(key)), PEOPLE))
    made = ["unit\tassessor\tlabel"]
    for unit, name in enumerate(key.ids):
        pair = said.matrix()[:, unit].tolist()
        if unit in judged:
            third = dice.choice(pair) if dice.random() < 0.9 else dice.randrange(3)
            people = dict(zip((*said.assessors, "cleo"), (*pair, third), strict=True))
            made += [f"{name}\t{person}\t{labels[code]}" for person, code in people.items()]
        chance = dice.random()
        code = dice.randrange(3) if chance < 0.125 else int(terse[unit]) if chance < 0.325 else dice.choice(pair)
        made.append(f"{name}\tauto\t{labels[code]}")
    return made


def main() -> None:
    """Write the file, or hold it against what would be written."""
    text = "\n".join(lines()) + "\n"
    if "--check" in sys.argv:
        sys.exit(0 if JUDGED.read_text(encoding="utf-8") == text else f"{JUDGED} is not what this script writes")
    JUDGED.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Writes src/karat/examples/qa/preferences.tsv: which of two answers to OTHER questions three assessors prefer.

Every two runs of `qa/runs` are compared on every OTHER question by two of the three, with the sides drawn at random.
There were no real assessors: verdicts are simulated from a strength of each run, which varies from question to
question. `ben` prefers the answer on the left, and `cleo` likes the long answers of `verbose`. `--check` says whether
the file is still what this writes.
"""

from __future__ import annotations

import math
import random
import sys
from itertools import combinations

from karat.examples import PREFERENCES, QUESTIONS
from karat.formats.question_table import read_questions

STRENGTHS = {
    "steady": 0.9,
    "careful": 0.5,
    "verbose": 0.3,
    "lister": 0.1,
    "middling": 0.0,
    "sloppy": -0.6,
    "guesser": -1.2,
}
ASSESSORS = ("anna", "ben", "cleo")
BY_QUESTION, LEFT, LIKED, TIE, BOTH_BAD = 0.4, 1.2, 2.4, -0.3, 0.25
"""How much strengths vary; what it is worth to be on the left for ben, and to be verbose for cleo; how likely ties are,
and which share of them are between two bad answers."""


def lines() -> list[str]:
    """The file, the same every time."""
    dice = random.Random(29)
    asked = [one.id for one in read_questions(QUESTIONS / "questions.xml").questions if one.type == "OTHER"]
    made = ["qid\tleft\tright\tassessor\tpreference"]
    for question in asked:
        here = {run: strength + dice.gauss(0, BY_QUESTION) for run, strength in STRENGTHS.items()}
        for pair in combinations(STRENGTHS, 2):
            for assessor in dice.sample(ASSESSORS, 2):
                left, right = dice.sample(pair, 2)
                gap = here[left] - here[right] + LEFT * (assessor == "ben")
                gap += LIKED * (assessor == "cleo") * ((left == "verbose") - (right == "verbose"))
                odds = [math.exp(gap / 2), math.exp(-gap / 2), math.exp(TIE)]
                (said,) = dice.choices(("left", "right", "tie"), odds)
                if said == "tie" and dice.random() < BOTH_BAD:
                    said = "both bad"
                made.append(f"{question}\t{left}\t{right}\t{assessor}\t{said}")
    return made


def main() -> None:
    """Write the file, or hold it against what would be written."""
    text = "\n".join(lines()) + "\n"
    if "--check" in sys.argv:
        sys.exit(0 if PREFERENCES.read_text(encoding="utf-8") == text else f"{PREFERENCES} is not what this writes")
    PREFERENCES.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Accepted answers in plain words, and answers compared with them as SQuAD does."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from karat.data.answers import NIL, Answers
from karat.data.patterns import Pattern, Patterns
from karat.data.question_counts import TokenCounts

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalised(answer: str) -> str:
    """An answer in lower case, without ASCII punctuation, English articles and superfluous white space."""
    return " ".join(_ARTICLES.sub(" ", answer.lower().translate(_PUNCTUATION)).split())


@dataclass(frozen=True)
class AcceptedAnswer(Pattern):
    """One accepted answer, which accepts what is the same after normalisation."""

    def accepts(self, answer: str) -> bool:
        """Exact match."""
        return normalised(answer) == self.plain

    @cached_property
    def plain(self) -> str:
        """The answer, normalised."""
        return normalised(self.spelled)

    @cached_property
    def tokens(self) -> Counter[str]:
        """Its words, each as often as it occurs."""
        return Counter(self.plain.split())


NOTHING = AcceptedAnswer(-1, "")


def token_counts(accepted: Patterns, answers: Answers) -> TokenCounts:
    """The words of each run's first answer to each question, and of the accepted answer that it shares most with.

    NIL has no words, nor has the accepted answer to a question without a known answer.
    """
    counts = np.full((3, len(answers.runs), len(answers.units)), np.nan)
    for row in np.flatnonzero(answers.rank == 1).tolist():
        question = int(answers.question[row])
        if not accepted.covered[question]:
            continue
        said = "" if answers.documents[row] == NIL else answers.strings[row]
        counts[:, answers.run[row], question] = _nearest(accepted, question, said)
    return TokenCounts(*counts)


def tokens_of(accepted: Patterns, said: Sequence[tuple[int, str]]) -> TokenCounts:
    """The same for answers, each given with the place of its question, which accepted answers cover."""
    counts = np.array([_nearest(accepted, *one) for one in said], dtype=np.float64).reshape(len(said), 3)
    return TokenCounts(*counts.T)


def _nearest(accepted: Patterns, question: int, said: str) -> tuple[int, int, int]:
    """The words that an answer shares with the accepted answer nearest to it, its own, and those of the other."""
    words = Counter(normalised(said).split())
    known = [one for _, one in accepted.of_question[question] if isinstance(one, AcceptedAnswer)]
    each = [((one.tokens & words).total(), words.total(), one.tokens.total()) for one in known or [NOTHING]]
    # Of two empty ones, all words are shared.
    return max(each, key=lambda one: 2 * one[0] / (one[1] + one[2]) if one[1] + one[2] else 1.0)

"""Under what each word of a text stands: denied or not, and as a fact or as something open.

One walk over the tokens of a sentence. A negation turns what follows round, a word with a clause under it does what its
signature says, a modal leaves what follows open; each reaches as far as the next verb and what belongs to it, and none
reaches past the end of its clause.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from karat.arrays import Bools, Bytes, Int32s, Ints, Singles
from karat.engines.kernels.word_match import Grid
from karat.kernels.compiled import compiled

NEGATES, POSSIBLE, FUTURE, SUPPOSES, ENDS_CLAUSE, CARRIES_ON, LETS_OFF, DENIES_TOO = 1, 2, 3, 4, 5, 6, 7, 8
"""Kinds of words: negations, modals, will, if, clause ends, to and that, words that take a negation before them away
(not *only*), and a negation that carries another on (neither … *nor*)."""
ASKS, OPENS = 1, 2
"""Question marks, and marks that open brackets or quotes."""
PLAIN, MAYBE, COMING, ATTITUDE, CONDITION, QUESTION = 0, 1, 2, 3, 4, 5
"""Moods: a fact, possible, to come, only said or wanted or thought, under a condition, asked."""
KEEPS, TURNS, OPEN, SAYS_SO, SAYS_NOT = 1, 2, 3, 4, 5
"""What a word does to the polarity of the clause under it."""
BELIEVED_FOR = 12
"""Tokens after which a word's influence is not believed any more."""


class Contexts(NamedTuple):
    """Polarity (1, -1) and mood of every token, and where in its text the words stand that make them so (-1: none)."""

    polarity: Bytes
    mood: Bytes
    turned: Int32s
    moved: Int32s


@compiled
def _find_question(sentences: Int32s, questions: Bytes, first: int, end: int) -> tuple[int, int]:
    """From which token of a sentence on it asks, and the last question mark; -1 for none.

    A question in brackets or quotes asks nothing of what stands before them.
    """
    asked, mark, opener, row = -1, -1, first, first
    while row < end and sentences[row] == sentences[first]:
        if questions[row] == OPENS:
            opener = row
        elif questions[row] == ASKS:
            asked, mark = opener if asked < 0 else asked, row
        row += 1
    return asked, mark


@compiled
def scan_contexts(
    starts: Ints, sentences: Int32s, kinds: Bytes, asserted: Bytes, denied: Bytes, verbs: Bytes, questions: Bytes
) -> Contexts:
    """Under what each word of a text stands.

    `kinds` are the kinds of words above; `asserted` and `denied` what a word with a clause under it does to that clause
    (0: it has none); `verbs` is 2 for main verbs, 1 for auxiliaries; `questions` is ASKS for question marks, OPENS for
    marks that open brackets or quotes.
    """
    many = len(kinds)
    polarity, mood = np.ones(many, dtype=np.int8), np.zeros(many, dtype=np.int8)
    turned, moved = np.full(many, -1, dtype=np.int32), np.full(many, -1, dtype=np.int32)
    for text in range(len(starts) - 1):
        begin, end = starts[text], starts[text + 1]
        base, base_cue = PLAIN, -1
        sign, state, sign_cue, state_cue = 1, PLAIN, -1, -1
        left, until, previous, asked, mark = 0, 0, -1, -1, -1
        for row in range(begin, end):
            if sentences[row] != previous:
                previous = sentences[row]
                base, base_cue = PLAIN, -1
                sign, state, sign_cue, state_cue, left = 1, base, -1, base_cue, 0
                asked, mark = _find_question(sentences, questions, row, end)
            if row == asked:
                base, base_cue = QUESTION, mark - begin
                sign, state, sign_cue, state_cue, left = 1, base, -1, base_cue, 0
            kind = kinds[row]
            spent = verbs[row] > 0 and left <= 0
            if row > until or spent or kind == ENDS_CLAUSE:
                if sign < 0 or state != base:
                    sign, state, sign_cue, state_cue = 1, base, -1, base_cue
                left = 0
            polarity[row], mood[row], turned[row], moved[row] = sign, state, sign_cue, state_cue
            if verbs[row] == 2:
                left -= 1
            if kind == NEGATES:
                if row + 1 < end and kinds[row + 1] == LETS_OFF:
                    continue
                # Could not, will not: it is the negation that counts.
                if state in (MAYBE, COMING) and state_cue == row - 1 - begin:
                    state, state_cue = base, base_cue
                sign, sign_cue = -sign, row - begin
                left, until = max(left, 1), row + BELIEVED_FOR
            elif kind == DENIES_TOO:
                sign, sign_cue = -1, row - begin
                left, until = max(left, 1), row + BELIEVED_FOR
            elif kind in (POSSIBLE, FUTURE):
                state, state_cue = (MAYBE if kind == POSSIBLE else COMING), row - begin
                left, until = max(left, 1), row + BELIEVED_FOR
            elif kind == SUPPOSES:
                base, base_cue = CONDITION, row - begin
                state, state_cue = base, base_cue
            elif kind == CARRIES_ON:
                left = max(left, 1)
            act = asserted[row] if sign > 0 else denied[row]
            if act > 0:
                if act == TURNS or (act == SAYS_NOT and sign > 0):
                    sign, sign_cue = -sign, row - begin
                elif act == SAYS_SO:
                    sign, sign_cue = 1, -1
                elif act == OPEN:
                    state, state_cue = ATTITUDE, row - begin
                left, until = max(left, 1), row + BELIEVED_FOR
    return Contexts(polarity, mood, turned, moved)


@compiled
def compare_contexts(
    grid: Grid,
    support: Singles,
    least: float,
    asked: Bools,
    aligned: Int32s,
    t_contexts: Contexts,
    h_contexts: Contexts,
) -> tuple[Bytes, Int32s]:
    """How the context of each H word that is asked about differs from that of every T word that best stands for it.

    The first array is -1 where polarities differ, the mood of T where only T is open, 0 where some T word agrees or
    none stands for it; the second is the place of the T word, the aligned one if it is among them.
    """
    t_starts, h_starts, blocks = grid
    t_polarity, t_mood, h_polarity, h_mood = t_contexts.polarity, t_contexts.mood, h_contexts.polarity, h_contexts.mood
    differs = np.zeros(h_starts[-1], dtype=np.int8)
    place = np.full(h_starts[-1], -1, dtype=np.int32)
    for pair in range(len(t_starts) - 1):
        many_h = h_starts[pair + 1] - h_starts[pair]
        first = t_starts[pair]
        for h in range(many_h):
            row = h_starts[pair] + h
            if not asked[row]:
                continue
            best = least
            for t in range(t_starts[pair + 1] - first):
                best = max(best, support[blocks[pair] + t * many_h + h])
            for t in range(t_starts[pair + 1] - first):
                if support[blocks[pair] + t * many_h + h] < best:
                    continue
                if t_mood[first + t] != PLAIN:
                    found = t_mood[first + t] if h_mood[row] == PLAIN else 0
                elif t_polarity[first + t] != h_polarity[row] and h_mood[row] in (PLAIN, COMING):
                    found = -1
                else:
                    found = 0
                if found == 0:
                    differs[row], place[row] = 0, -1
                    break
                if place[row] < 0 or t == aligned[row]:
                    differs[row], place[row] = found, t
    return differs, place

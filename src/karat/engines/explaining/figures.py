"""Numbers and dates of H that are in T too: whether they are of the same thing there."""

from __future__ import annotations

from karat.engines.explaining.phrases import noun_phrase
from karat.engines.explaining.quoting import Pair
from karat.engines.kernels.grammar import Tag
from karat.engines.text.vocabulary import Flag

BOUNDS = frozenset("than least most about nearly almost over under below above up".split())
"""Words before a number that make it another number."""


def counting(pair: Pair) -> list[int]:
    """Numbers of H that count something: no dates, no 28th Street, no one of many."""
    h = pair.h
    counts = [row for row in pair.content if h.flags[row] & Flag.NUMBER and not h.flags[row] & Flag.ORDINAL]
    counts = [row for row in counts if h.forms[row].lower() != "one"]
    return [row for row in counts if not h.is_date(row) and not any(map(h.is_name, range(row, min(row + 2, len(h)))))]


def same_count(pair: Pair, row: int, seen: dict[int, int]) -> bool:
    """Whether a number counts in T what it counts in H: the noun after it."""
    head = noun_phrase(pair.h, row)[1]
    phrase_in_t = noun_phrase(pair.t, seen[row])
    if any(
        form.lower() in BOUNDS and form not in pair.h.forms for form in pair.t.forms[max(seen[row] - 2, 0) : seen[row]]
    ):
        return False  # higher than 90% is not 90%
    # One year after: no time that anything lasts.
    after = pair.t.forms[phrase_in_t[1] + 1 : phrase_in_t[1] + 2]
    if after and after[0].lower() in ("after", "before", "ago", "later") and after[0] not in pair.h.forms:
        return False
    return head == row or (head in seen and phrase_in_t[0] <= seen[head] <= phrase_in_t[1])


def same_day(pair: Pair, row: int, seen: dict[int, int]) -> bool:
    """Whether a date is in T that of what H says: no other verb stands between it and H's verb, or nearest word."""
    verbs = [seen[one] for one in seen if pair.h.tags[one] == Tag.VERB]
    near = verbs or [place for one, place in seen.items() if not pair.h.is_date(one)]
    if not near:
        return False
    other = min(near, key=lambda place: (abs(place - seen[row]), place))
    between = range(min(other, seen[row]) + 1, max(other, seen[row]))
    return not any(pair.t.tags[place] == Tag.VERB for place in between)

"""Why T says that H: the place where it does, how its words bear on those of H, and what of H is inferred."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from karat.engines.explaining.cues import Doubts
from karat.engines.explaining.kinship import certain, decisive, kinship
from karat.engines.explaining.phrases import glued, name, noun_phrase, phrase
from karat.engines.explaining.quoting import Pair, Quotes, Range
from karat.engines.explaining.stretches import best_stretch, less_than_all
from karat.engines.explaining.wording import listed
from karat.engines.kernels.grammar import Tag
from karat.engines.lexicon.relations import Relation
from karat.engines.text.vocabulary import Flag


def less_than_h(pair: Pair, run: Range, row: int) -> Range:
    """A run, or its one word where the run is all of H."""
    return run if run[1] - run[0] + 2 < len(pair.h) else glued(pair.h, (row, row))


SECOND = 9
"""Words in a second stretch."""
BOTH = 28
"""Words in two stretches."""
ROLE = 10
MOST_WORDS = 42
"""Words in a justification, before one more is said of how words are related."""


@dataclass(frozen=True, eq=False)
class Found:
    """The stretch of T that says most of H, and a second one where one does not do."""

    pair: Pair
    run: Range
    second: Range | None
    others: list[tuple[int, int]]
    """Words of T, and the other words that H has for them, what most needs saying first."""
    missing: list[int]
    """The H words that T has not, or of which that cannot be told as a fact."""
    elsewhere: list[int]
    """The H words that T has in neither stretch."""
    doubted: bool
    """Whether T denies, or only supposes, what it speaks of there."""


def say_entailed(pair: Pair, quotes: Quotes, doubts: Doubts) -> str:
    """One or two sentences on why T says that H."""
    found = _find(pair, doubts)
    if found is None:
        return f"{_inferred(pair, pair.content, quotes)} from the text as a whole"
    for shape in SHAPES:
        said = shape(found, quotes)
        if said is not None:
            return said
    raise AssertionError("the last shape fits everything")


def _find(pair: Pair, doubts: Doubts) -> Found | None:
    pair = _sure_of(pair)
    run = best_stretch(pair.t, pair.hits)
    if run is None:
        return None
    run = less_than_all(pair.t, run, pair.hits)
    seen = pair.seen_in(run)
    rest = {place: left for place, rows in pair.hits.items() if (left := [row for row in rows if row not in seen])}
    second = best_stretch(pair.t, rest, SECOND) if rest and pair.t.size(run) + SECOND <= BOTH else None
    if second and second[0] <= run[1] + 1 and run[0] <= second[1] + 1:
        second = None
    shown = pair.seen_in(second) | seen if second else seen
    has = {row for rows in pair.hits.values() for row in rows}
    missing = [row for row in pair.content if row not in has]
    elsewhere = [row for row in pair.content if row in has and row not in shown]
    doubted = doubts.on(pair, run) or (second is not None and doubts.on(pair, second))
    everywhere = pair.seen_in((0, len(pair.t) - 1)) | shown
    return Found(pair, run, second, decisive(pair, everywhere), missing, elsewhere, doubted)


def _sure_of(pair: Pair) -> Pair:
    """The pair with only those words taken to be in T of which that can be told as a fact.

    For a word that T has itself no other word of T is held to stand.
    """
    itself = {row for rows in pair.hits.values() for row, (how, _) in rows.items() if how is Relation.SAME}
    sure = {
        place: told
        for place, rows in pair.hits.items()
        if (
            told := {
                row: how
                for row, how in rows.items()
                if (how[0] is Relation.SAME or row not in itself) and certain(pair, place, row)
            }
        )
    }
    return replace(pair, hits=sure)


def _word_for_word(found: Found, quotes: Quotes) -> str | None:
    pair = found.pair
    h = [form.lower() for form in pair.h.forms]
    while len(h) > 1 and h[-1] in (".", "!", "?"):
        h.pop()
    t = [form.lower() for form in pair.t.forms]
    # As strings, in which a search takes one pass however often the first word of H stands in T.
    before, found_there, _ = f" {' '.join(t)} ".partition(f" {' '.join(h)} ")
    if not found_there:
        return None
    start = len(before.split())
    quotes.note((start, start + len(h) - 1))
    return "The text says exactly this" if len(t) - len(h) <= 1 else "The text says this in the same words"


def _described(found: Found, quotes: Quotes) -> str | None:
    """H says what somebody or something is, and T names it so in passing."""
    pair, h = found.pair, found.pair.h
    be = next((place for place, form in enumerate(h.forms) if form.lower() in ("is", "was", "are", "were")), 0)
    if not be or found.missing or any(tag == Tag.VERB for tag in h.tags):
        return None
    seen = pair.seen_in(found.run)
    left = [place for row, place in seen.items() if row < be]
    right = [place for row, place in seen.items() if row > be]
    if not left or not right or len(left) + len(right) < len(pair.content):
        return None
    subject = name(pair.t, max(left)) if pair.t.is_name(max(left)) else phrase(pair.t, max(left))
    role = phrase(pair.t, min(right))[0], phrase(pair.t, max(right))[1]
    if role[0] <= subject[1] and subject[0] <= role[1]:
        return None
    between = range(min(subject[1], role[1]) + 1, max(subject[0], role[0]))
    busy = any(pair.t.tags[place] in (Tag.VERB, Tag.AUX, Tag.ADP, Tag.CCONJ) for place in between)
    inside = any(pair.t.tags[place] in (Tag.VERB, Tag.AUX, Tag.PUNCT) for place in range(role[0], role[1] + 1))
    if busy or inside or len(between) > 2 or pair.t.size(role) > ROLE:
        return None
    return _related(found, f"The text describes {quotes.t(subject)} as {quotes.t(role)}", quotes)


def _related(found: Found, said: str, quotes: Quotes) -> str:
    """What is said, and how the words of T bear on other words of H, as long as that is short."""
    clauses: list[str] = []
    for word in found.others:
        evidence = list(quotes.evidence)
        clause = kinship(found.pair, *word, quotes)
        if len(f"{said} {' '.join(clauses)} {clause}".split()) > MOST_WORDS:
            quotes.evidence[:] = evidence
            break
        clauses.append(clause)
    return f"{said}, and {listed(clauses)}" if clauses else said


def _bridged(found: Found, quotes: Quotes) -> str | None:
    """Some of H is said in other words, or follows from what T says."""
    if not found.others and not found.missing:
        return None
    said = _opening(found, quotes)
    if found.missing:
        said = f"{said}; {_inferred(found.pair, found.missing, quotes)} from this"
    return _related(found, said, quotes)


def _inferred(pair: Pair, missing: list[int], quotes: Quotes) -> str:
    """What of H stands in other words, or in none, in T: one or two phrases that are inferred."""
    runs: list[Range] = []
    for row in sorted(missing, key=lambda row: (not pair.h.is_name(row), pair.h.tags[row] != Tag.VERB, row)):
        run = _verb(pair, row) if pair.h.tags[row] == Tag.VERB else less_than_h(pair, phrase(pair.h, row), row)
        if all(run[1] < other[0] or other[1] < run[0] for other in runs):
            runs.append(run)
    named = [quotes.h(run) for run in sorted(runs[:2])]
    return f"{listed(named)} {'is' if len(named) == 1 else 'are'} inferred"


def _verb(pair: Pair, row: int) -> Range:
    """A verb of H with its auxiliaries and the preposition that belongs to it."""
    first, last = glued(pair.h, (row, row))
    while first > 0 and pair.h.tags[first - 1] in (Tag.AUX, Tag.PART):
        first -= 1
    after = last + 1
    if after < len(pair.h) and pair.h.tags[after] == Tag.ADP and pair.h.forms[after].lower() != "of":
        last = after
    return first, last


def _two_places(found: Found, quotes: Quotes) -> str | None:
    """No one stretch of T says it, two do."""
    if found.second is None or found.missing or found.others or found.elsewhere:
        return None
    first, second = sorted((found.run, found.second))
    return f"The hypothesis draws on two places in the text: {quotes.t(first)} and {quotes.t(second)}"


def _turned_round(found: Found, quotes: Quotes) -> str | None:
    """H says who did it and T what was done by whom, or the other way about."""
    pair = found.pair
    seen = pair.seen_in(found.run)
    verbs = [row for row in pair.content if pair.h.tags[row] == Tag.VERB and row in seen]
    if found.missing or found.elsewhere or not verbs or pair.t.tags[seen[verbs[0]]] != Tag.VERB:
        return None
    verb, at = verbs[0], seen[verbs[0]]
    one_by = _by_after(pair.h.forms, verb) != _by_after(pair.t.forms, at)
    # Who stands before the verb in H must stand after it in T, and the other way about.
    crossed = any(row < verb and place > at for row, place in seen.items()) and any(
        row > verb and place < at for row, place in seen.items()
    )
    if not one_by or not crossed:
        return None
    return f"The text says {quotes.t(found.run)}; the hypothesis only turns the sentence round"


def _by_after(forms: list[str], place: int) -> bool:
    return any(form.lower() == "by" for form in forms[place + 1 : place + 5])


def _same_figures(found: Found, quotes: Quotes) -> str | None:
    """A number or a date of H is in T too, and of the same thing."""
    pair = found.pair
    if found.missing or found.elsewhere:
        return None
    seen = pair.seen_in(found.run)
    dates = [row for row in pair.content if pair.h.is_date(row)]
    if dates and all(_same_day(pair, row, seen) for row in dates):
        return f"The text gives the same date: {quotes.t(found.run)}"
    numbers = _numbers(pair)
    if numbers and not dates and all(_same_count(pair, row, seen) for row in numbers):
        return f"The text gives the same figure: {quotes.t(found.run)}"
    return None


def _numbers(pair: Pair) -> list[int]:
    """Numbers of H that count something: no dates, no 28th Street."""
    h = pair.h
    counts = [row for row in pair.content if h.flags[row] & Flag.NUMBER and not h.flags[row] & Flag.ORDINAL]
    return [row for row in counts if not h.is_date(row) and not any(map(h.is_name, range(row, min(row + 2, len(h)))))]


def _same_count(pair: Pair, row: int, seen: dict[int, int]) -> bool:
    """Whether a number counts in T what it counts in H: the noun after it."""
    head = noun_phrase(pair.h, row)[1]
    phrase_in_t = noun_phrase(pair.t, seen[row])
    # One year after: no time that anything lasts.
    after = pair.t.forms[phrase_in_t[1] + 1 : phrase_in_t[1] + 2]
    if after and after[0].lower() in ("after", "before", "ago", "later") and after[0] not in pair.h.forms:
        return False
    return head == row or (head in seen and phrase_in_t[0] <= seen[head] <= phrase_in_t[1])


def _same_day(pair: Pair, row: int, seen: dict[int, int]) -> bool:
    """Whether a date is in T that of what H says: no other verb stands between it and H's verb, or nearest word."""
    verbs = [seen[one] for one in seen if pair.h.tags[one] == Tag.VERB]
    near = verbs or [place for one, place in seen.items() if not pair.h.is_date(one)]
    if not near:
        return False
    other = min(near, key=lambda place: (abs(place - seen[row]), place))
    between = range(min(other, seen[row]) + 1, max(other, seen[row]))
    return not any(pair.t.tags[place] == Tag.VERB for place in between)


def _plainly(found: Found, quotes: Quotes) -> str:
    """All words of H are in T as they are."""
    pair = found.pair
    if found.elsewhere:
        runs = sorted([found.run] if found.second is None else [found.run, found.second])
        parts = listed([quotes.t(run) for run in runs])
        return f"What the hypothesis speaks of is found in parts of the text, above all in {parts}"
    seen = pair.seen_in(found.run)
    places = list(seen.values())
    among = set(places)
    inner = range(min(places), max(places))
    between = [place for place in inner if place not in among and pair.t.says_something(place)]
    # What another verb or an “and” stands between may be said of two different things.
    joint = any(pair.t.tags[place] == Tag.CCONJ for place in inner) and Tag.CCONJ not in pair.h.tags
    # One of the members is a member; somebody named along with the members need not be.
    joint = joint or any(pair.t.forms[place].lower() != pair.h.forms[row].lower() for row, place in seen.items())
    apart = joint or any(pair.t.tags[place] == Tag.VERB for place in between) or len(between) > len(places)
    if places != sorted(places) or apart or not all(_same_count(pair, row, seen) for row in _numbers(pair)):
        return f"All that the hypothesis speaks of is found in {quotes.t(found.run)}"
    if not between:
        return f"The text states this directly: {quotes.t(found.run)}"
    return f"The text says {quotes.t(found.run)}; the hypothesis takes its words from this, in their order"


def _doubted(found: Found, quotes: Quotes) -> str | None:
    """T has the words, but denies or only supposes what they say: nothing is said of whether it is so."""
    if not found.doubted:
        return None
    if found.second:
        first, second = sorted((found.run, found.second))
        said = f"The text speaks of this in {quotes.t(first)} and in {quotes.t(second)}"
    else:
        said = f"The text speaks of this in {quotes.t(found.run)}"
    if found.missing:
        return f"{said}; {_inferred(found.pair, found.missing, quotes)} from it"
    return said


def _opening(found: Found, quotes: Quotes) -> str:
    """What T says in one place, or in two."""
    runs = sorted([found.run] if found.second is None else [found.run, found.second])
    verbs = ["says" if _has_verb(found, run) else "mentions" for run in runs]
    if len(runs) == 1 or verbs[0] == verbs[1]:
        return f"The text {verbs[0]} {listed([quotes.t(run) for run in runs])}"
    return f"The text {verbs[0]} {quotes.t(runs[0])} and {verbs[1]} {quotes.t(runs[1])}"


def _has_verb(found: Found, run: Range) -> bool:
    return any(tag in (Tag.VERB, Tag.AUX) for tag in found.pair.t.tags[run[0] : run[1] + 1])


Shape = Callable[[Found, Quotes], str | None]
SHAPES: tuple[Shape, ...] = (
    _doubted,
    _word_for_word,
    _described,
    _bridged,
    _two_places,
    _turned_round,
    _same_figures,
    _plainly,
)
"""Ways to say it, in the order they are tried: the first that fits is said."""

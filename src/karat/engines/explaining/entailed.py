"""Why T says that H: the place where it does, and the one relation between words that decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from karat.engines.explaining.grammar import listed
from karat.engines.explaining.kinship import certain, decisive, kinship
from karat.engines.explaining.phrases import name, phrase, verb_phrase
from karat.engines.explaining.stretches import best_stretch, less_than_all
from karat.engines.explaining.words import Pair, Quotes, Range
from karat.engines.lexicon.relations import Relation
from karat.engines.text.tags import Tag
from karat.engines.text.vocabulary import Flag

SECOND = 9
"""Words in a second stretch."""
BOTH = 28
"""Words in two stretches."""
ROLE = 10
_LITTLE = 0.4


@dataclass(frozen=True, eq=False)
class Found:
    """The stretch of T that says most of H, and a second one where one does not do."""

    pair: Pair
    run: Range
    second: Range | None
    word: tuple[int, int] | None
    """A word of T, and the other word that H has for it."""
    missing: list[int]
    """The H words that T has not, or of which that cannot be told as a fact."""
    elsewhere: list[int]
    """The H words that T has in neither stretch."""

    @property
    def share(self) -> float:
        """How much of H is in T."""
        return 1 - len(self.missing) / len(self.pair.content)


def say_entailed(pair: Pair, quotes: Quotes) -> str:
    """One or two sentences on why T says that H."""
    found = _find(pair)
    if found is None:
        rest = _part_of_h(pair)
        return f"The text as a whole makes {quotes.h(rest)} likely" if rest else "The text as a whole makes this likely"
    for shape in SHAPES:
        said = shape(found, quotes)
        if said is not None:
            return said
    raise AssertionError("the last shape fits everything")


def _find(pair: Pair) -> Found | None:
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
    return Found(pair, run, second, decisive(pair, seen), missing, elsewhere)


def _sure_of(pair: Pair) -> Pair:
    """The pair with only those words taken to be in T of which that can be told as a fact."""
    sure = {
        place: told
        for place, rows in pair.hits.items()
        if (told := {row: how for row, how in rows.items() if certain(pair, place, row)})
    }
    return replace(pair, hits=sure)


def _word_for_word(found: Found, quotes: Quotes) -> str | None:
    """H itself stands in T."""
    pair = found.pair
    h = [form.lower() for form in pair.h.forms]
    while len(h) > 1 and h[-1] in (".", "!", "?"):
        h.pop()
    t = [form.lower() for form in pair.t.forms]
    starts = [place for place, form in enumerate(t) if form == h[0] and t[place : place + len(h)] == h]
    if not starts:
        return None
    quotes.note((starts[0], starts[0] + len(h) - 1))
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
    said = f"The text describes {quotes.t(subject)} as {quotes.t(role)}"
    return said if found.word is None else f"{said}, and {kinship(pair, *found.word, quotes)}"


def _by_another_word(found: Found, quotes: Quotes) -> str | None:
    """One word of T is another than H's, and the dictionary knows both."""
    pair = found.pair
    if found.word is None or found.share < _LITTLE:
        return None
    opening, tail = _opening(found, quotes), kinship(pair, *found.word, quotes)
    if pair.bears(*found.word)[0] is Relation.DERIVED and "the hypothesis" in tail:
        said = f"{opening}, where {tail}"
    else:
        said = f"{opening}, and {tail}"
    return said if not found.missing else f"{said}. {_enough(found, quotes, 'This')}"


def _two_places(found: Found, quotes: Quotes) -> str | None:
    """No one stretch of T says it, two do."""
    if found.second is None or found.missing:
        return None
    first, second = sorted((found.run, found.second))
    if _has_verb(found, first) or _has_verb(found, second):
        return f"Two places in the text give this together: {quotes.t(first)} and {quotes.t(second)}"
    return f"The text brings {quotes.t(first)} together with {quotes.t(second)}"


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
    """A number or a date of H is in T too."""
    pair = found.pair
    if found.missing or found.elsewhere:
        return None
    if any(pair.h.is_date(row) for row in pair.content):
        return f"The text gives the same date: {quotes.t(found.run)}"
    if any(pair.h.flags[row] & Flag.NUMBER for row in pair.content):
        return f"The text gives the same figure: {quotes.t(found.run)}"
    return None


def _plainly(found: Found, quotes: Quotes) -> str | None:
    """All words of H are in T."""
    pair = found.pair
    if found.missing:
        return None
    if found.elsewhere:
        return f"The text says this in parts, above all in {quotes.t(found.run)}"
    places = list(pair.seen_in(found.run).values())
    if places == sorted(places):
        return f"The text states this directly: {quotes.t(found.run)}"
    return f"The text has all of this in {quotes.t(found.run)}"


def _with_gaps(found: Found, quotes: Quotes) -> str:
    """Words of H are missing from T: no more is claimed than that T makes H likely."""
    if found.share < _LITTLE:
        return f"The closest the text comes is {quotes.t(found.run)}, which makes the hypothesis likely"
    if found.second:
        first, second = sorted((found.run, found.second))
        one, other = ("says" if _has_verb(found, run) else "mentions" for run in (first, second))
        also = f"{other} {quotes.t(second)}" if one != other else f"also {quotes.t(second)}"
        return f"The text {one} {quotes.t(first)} and {also}. {_enough(found, quotes, 'This')}"
    if len(found.missing) == 1 and found.pair.h.tags[found.missing[0]] == Tag.VERB and not found.elsewhere:
        return f"From {quotes.t(found.run)} it is a small step to {quotes.h(_verb_run(found))}"
    return f"{_opening(found, quotes)}, {_enough(found, quotes, 'which')}"


def _opening(found: Found, quotes: Quotes) -> str:
    """What T says, or what it mentions where the stretch is no sentence."""
    return f"The text {'says' if _has_verb(found, found.run) else 'mentions'} {quotes.t(found.run)}"


def _has_verb(found: Found, run: Range) -> bool:
    return any(tag in (Tag.VERB, Tag.AUX) for tag in found.pair.t.tags[run[0] : run[1] + 1])


def _enough(found: Found, quotes: Quotes, this: str) -> str:
    """That what was quoted makes the rest of H likely."""
    pair, h = found.pair, found.pair.h
    if any(h.tags[row] == Tag.VERB for row in found.missing):
        return f"{this} is enough to take {quotes.h(_verb_run(found))} as true"
    runs: list[Range] = []
    for row in found.missing:
        run = _less_than_h(pair, phrase(h, row), row)
        if not runs or run[0] > runs[-1][1]:
            runs.append(run)
    first = found.missing[0]
    if h.is_surely_name(first):
        return f"{this} makes it likely that {quotes.h(runs[0])} is meant"
    if h.flags[first] & Flag.NUMBER:
        return f"{this} makes {quotes.h(runs[0])} likely"
    return f"{this} is enough to speak of {listed([quotes.h(run) for run in runs[:2]])}"


def _verb_run(found: Found) -> Range:
    """The first verb of H that T has not, with what belongs to it."""
    row = next(row for row in found.missing if found.pair.h.tags[row] == Tag.VERB)
    return _less_than_h(found.pair, verb_phrase(found.pair.h, row), row)


def _less_than_h(pair: Pair, run: Range, row: int) -> Range:
    return run if run[1] - run[0] + 2 < len(pair.h) else (row, row)


def _part_of_h(pair: Pair) -> Range | None:
    if not pair.content:
        return None
    row = next((row for row in pair.content if pair.h.tags[row] == Tag.VERB), pair.content[-1])
    run = verb_phrase(pair.h, row) if pair.h.tags[row] == Tag.VERB else phrase(pair.h, row)
    return _less_than_h(pair, run, row)


Shape = Callable[[Found, Quotes], str | None]
SHAPES: tuple[Shape, ...] = (
    _word_for_word,
    _described,
    _two_places,
    _by_another_word,
    _turned_round,
    _same_figures,
    _plainly,
    _with_gaps,
)
"""Ways to say it, in the order they are tried: the first that fits is said."""

"""Why T says that H: where its words are, how other words bear on those of H, and what of H is only assumed.

No more is said than what can be seen: that words are in T, unless they also hang together there as in H.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from karat.engines.checks.likeness import find_alike, initials
from karat.engines.explaining.cues import Doubts
from karat.engines.explaining.figures import counting, same_count, same_day
from karat.engines.explaining.kinship import certain, decisive, kinship
from karat.engines.explaining.phrases import glued, name, phrase
from karat.engines.explaining.quoting import Pair, Quotes, Range
from karat.engines.explaining.stretches import best_stretch, less_than_all
from karat.engines.explaining.wording import LIGHT_WORDS, listed
from karat.engines.kernels.grammar import Dependency, Tag
from karat.engines.lexicon.relations import Relation

SECOND = 9
"""Words in a second stretch."""
BOTH = 28
"""Words in two stretches."""
ROLE, MOST_MISSING = 10, 3
MOST_WORDS = 42
"""Words in a justification, before one more is said of how words are related."""
_STATING = frozenset((Dependency.ROOT, Dependency.CONJ, Dependency.ACL_RELCL, Dependency.CCOMP))
"""Where a verb stands that says what is so, and not under what condition, or when."""
_BE = frozenset(("is", "was", "are", "were"))


@dataclass(frozen=True, eq=False)
class Found:
    """The stretch of T that has most of H, and a second one where one does not do."""

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

    @property
    def runs(self) -> list[Range]:
        """The stretches, in the order of T."""
        return [self.run] if self.second is None else sorted((self.run, self.second))


def say_entailed(pair: Pair, quotes: Quotes, doubts: Doubts) -> str:
    """One or two sentences on why T says that H."""
    found = _find(pair, doubts)
    if found is None:
        return f"{_assumed(pair, pair.content, quotes)} from the text as a whole"
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
    if second:
        second = _one_phrase(pair, second, rest)
        only_verb = second[0] == second[1] and pair.t.tags[second[0]] == Tag.VERB
        if only_verb or (second[0] <= run[1] + 1 and run[0] <= second[1] + 1):
            second = None
    shown = pair.seen_in(second) | seen if second else seen
    has = {row for rows in pair.hits.values() for row in rows}
    missing = [row for row in pair.content if not (row in has or _light(pair, row) or _in_letters(pair, row))]
    elsewhere = [row for row in pair.content if row in has and row not in shown]
    doubted = doubts.on(pair, run) or (second is not None and doubts.on(pair, second))
    everywhere = pair.seen_in((0, len(pair.t) - 1)) | shown
    return Found(pair, run, second, decisive(pair, everywhere), missing, elsewhere, doubted)


def _one_phrase(pair: Pair, run: Range, rest: dict[int, list[int]]) -> Range:
    """A stretch, or only the phrase in it that has all of what is wanted there."""
    wanted = [place for place in range(run[0], run[1] + 1) if place in rest]
    if pair.t.tags[wanted[0]] == Tag.VERB:
        return run
    inner = phrase(pair.t, wanted[0])
    return inner if run[0] <= inner[0] and inner[1] <= run[1] and wanted[-1] <= inner[1] else run


def _light(pair: Pair, row: int) -> bool:
    """Whether an H word says nothing beside what it leads to: located in, the name of, take place."""
    return pair.h.forms[row].lower() in LIGHT_WORDS


def _in_letters(pair: Pair, row: int) -> bool:
    """Whether T has an H word in the letters of a name, or the name of its letters: United States and U.S."""
    h = pair.h
    if not h.is_name(row):
        return False
    if initials(h.forms[row]):
        return find_alike(h.forms[row], pair.t.forms) >= 0
    if not (row and h.is_name(row - 1)):
        return False
    return any(row - 1 in rows and h.forms[row][0] in initials(pair.t.forms[at]) for at, rows in pair.hits.items())


def _sure_of(pair: Pair) -> Pair:
    """The pair with only those words taken to be in T of which that can be told as a fact.

    For a word that T has itself no other word of T is held to stand, nor one of the same root for one that T has in
    another word of its kind.
    """
    sure: dict[int, dict[int, tuple[Relation, float]]] = {}
    best: dict[int, int] = {}
    mixed = False
    t_forms, h_forms, tags = pair.t.forms, pair.h.forms, pair.h.tags
    for place, rows in pair.hits.items():
        told = {}
        for row, how in rows.items():
            plain = t_forms[place] == h_forms[row] and tags[row] != Tag.ADJ and t_forms[place - 1] != "-"
            if plain or certain(pair, place, row):
                told[row] = how
                rank = _RANK[how[0]]
                known = best.setdefault(row, rank)
                if rank != known:
                    mixed, best[row] = True, min(rank, known)
        if told:
            sure[place] = told
    if mixed:
        kept = {
            place: {row: how for row, how in rows.items() if _RANK[how[0]] == best[row]} for place, rows in sure.items()
        }
        sure = {place: rows for place, rows in kept.items() if rows}
    return replace(pair, hits=sure)


_RANK = dict.fromkeys(Relation, 1) | {Relation.SAME: 0, Relation.DERIVED: 2, Relation.PART: 3}


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
    if start and t[start - 1] == "-":  # non-domestic fires
        return None
    quotes.note((start, start + len(h) - 1))
    return "The text says exactly this" if len(t) - len(h) <= 1 else "The text says this in the same words"


def _described(found: Found, quotes: Quotes) -> str | None:
    """H says what somebody or something is, and T names it so in passing."""
    pair, h = found.pair, found.pair.h
    be = next((place for place, form in enumerate(h.forms) if form.lower() in _BE), 0)
    if not be or found.missing or any(tag == Tag.VERB for tag in h.tags) or Tag.ADP in h.tags[be + 1 : be + 2]:
        return None
    seen = pair.seen_in(found.run)
    left = [place for row, place in seen.items() if row < be]
    right = [place for row, place in seen.items() if row > be]
    if not left or not right or len(left) + len(right) < len(pair.content):
        return None
    whole = min(*left, *right), max(*left, *right)
    if max(right) < min(left) and _is_title(pair, whole):
        # The Norwegian newspaper Dagbladet.
        return _related(found, f"The text speaks of {quotes.t(glued(pair.t, whole))}", quotes)
    subject = name(pair.t, max(left)) if pair.t.is_name(max(left)) else phrase(pair.t, max(left))
    if pair.t.begins_sentence(subject[0]) and pair.t.forms[subject[0]] not in h.forms and subject[0] < subject[1]:
        subject = subject[0] + 1, subject[1]  # Ask Andy Grove, the chairman
    role = phrase(pair.t, min(right))[0], phrase(pair.t, max(right))[1]
    if role[0] <= subject[1] and subject[0] <= role[1]:
        return None
    between = range(min(subject[1], role[1]) + 1, max(subject[0], role[0]))
    busy = any(pair.t.tags[place] in (Tag.VERB, Tag.AUX, Tag.ADP, Tag.CCONJ) for place in between)
    inside = any(pair.t.tags[place] in (Tag.VERB, Tag.AUX, Tag.PUNCT) for place in range(role[0], role[1] + 1))
    if busy or inside or len(between) > 2 or pair.t.size(role) > ROLE:
        return None
    if pair.t.is_name(role[1]) and not pair.t.is_name(subject[1]):
        subject, role = role, subject
    return _related(found, f"The text describes {quotes.t(subject)} as {quotes.t(role)}", quotes)


_IN_TITLE = frozenset((Tag.NOUN, Tag.PROPN, Tag.ADJ))


def _is_title(pair: Pair, run: Range) -> bool:
    """Whether a run of T is what somebody is, and then the name: nouns and adjectives, and nothing that is theirs."""
    after = pair.t.forms[run[1] + 1 : run[1] + 2]
    return all(pair.t.tags[at] in _IN_TITLE for at in range(run[0], run[1] + 1)) and after not in (["'s"], ["’s"])


def _related(found: Found, said: str, quotes: Quotes) -> str:
    """What is said, and how the words of T bear on other words of H, as long as that is short."""
    clauses: list[str] = []
    for word in found.others:
        evidence = list(quotes.evidence)
        clause = kinship(found.pair, *word, quotes)
        if clause in clauses:
            continue
        if len(f"{said} {' '.join(clauses)} {clause}".split()) > MOST_WORDS:
            quotes.evidence[:] = evidence
            break
        clauses.append(clause)
    return f"{said}, and {listed(clauses)}" if clauses else said


def _bridged(found: Found, quotes: Quotes) -> str | None:
    """Some of H is said in other words, or is not said and assumed."""
    if not found.others and not found.missing:
        return None
    said = _opening(found, quotes)
    if found.missing:
        how = "inferred from this" if _may_be_meant(found) else "assumed"
        said = f"{said}; {_assumed(found.pair, found.missing, quotes, how)}"
    return _related(found, said, quotes)


def _may_be_meant(found: Found) -> bool:
    """Whether the nouns and verbs that T lacks may stand in other words where T has all the rest of H.

    Of names, numbers and adjectives that is not said: non-domestic fires are none in homes.
    """
    tags = {found.pair.h.tags[row] for row in found.missing}
    return tags <= {Tag.NOUN, Tag.VERB} and found.second is None and not found.elsewhere


def _assumed(pair: Pair, missing: list[int], quotes: Quotes, how: str = "assumed") -> str:
    """What of H stands in other words, or in none, in T: a few phrases that the answer infers or assumes."""
    runs: list[Range] = []
    for row in sorted(missing, key=lambda row: (not pair.h.is_name(row), pair.h.tags[row] != Tag.VERB, row)):
        run = _verb(pair, row) if pair.h.tags[row] == Tag.VERB else _missing_part(pair, row, missing)
        if all(run[1] < other[0] or other[1] < run[0] for other in runs):
            runs.append(run)
    merged: list[Range] = []
    for run in sorted(runs):
        joins = merged and merged[-1][1] + 1 == run[0] and pair.h.tags[merged[-1][1]] == Tag.VERB
        if joins and pair.h.tags[run[0]] != Tag.DET and run[1] - merged[-1][0] + 3 < len(pair.h):
            merged[-1] = merged[-1][0], run[1]  # took place
        else:
            merged.append(run)
    named = [quotes.h(run) for run in merged[:MOST_MISSING]]
    return f"{listed(named)} {'is' if len(named) == 1 else 'are'} {how}"


def _verb(pair: Pair, row: int) -> Range:
    """A verb of H with its auxiliaries and the preposition that belongs to it."""
    first, last = glued(pair.h, (row, row))
    while first > 0 and pair.h.tags[first - 1] in (Tag.AUX, Tag.PART):
        first -= 1
    after = last + 1
    if after < len(pair.h) and pair.h.tags[after] == Tag.ADP and pair.h.forms[after].lower() != "of":
        last = after
    return first, last


def _missing_part(pair: Pair, row: int, missing: list[int]) -> Range:
    """The words beside an H word, in its phrase, that T has not either, with their article; never all of H."""
    inside = phrase(pair.h, row)
    first, last = row, row
    while first > inside[0] and first - 1 in missing:
        first -= 1
    while last < inside[1] and last + 1 in missing:
        last += 1
    if inside[0] < first and last == inside[1] and pair.h.tags[first - 1] == Tag.DET:
        first -= 1
    run = glued(pair.h, (first, last))
    return run if run[1] - run[0] + 2 < len(pair.h) else glued(pair.h, (row, row))


def _two_places(found: Found, quotes: Quotes) -> str | None:
    """No one stretch of T has it all, two have: that is all that is said of them."""
    if found.second is None and not found.elsewhere:
        return None
    most = "Most of the main words" if found.elsewhere else "The main words"
    return f"{most} of the hypothesis are in {listed([quotes.t(run) for run in found.runs])}"


def _same_figures(found: Found, quotes: Quotes) -> str | None:
    """A number or a date of H is in T too, and of the same thing."""
    pair = found.pair
    seen = pair.seen_in(found.run)
    if list(seen.values()) != sorted(seen.values()):
        return None
    dates = [row for row in pair.content if pair.h.is_date(row)]
    if dates and all(row in seen and same_day(pair, row, seen) for row in dates):
        return f"The text gives the same date: {quotes.t(found.run)}"
    counted = counting(pair)
    if counted and not dates and all(row in seen and same_count(pair, row, seen) for row in counted):
        return f"The text gives the same figure: {quotes.t(found.run)}"
    return None


def _stated(found: Found, quotes: Quotes) -> str | None:
    """The words of H follow each other in T, with nothing between them, in a clause that says what is so."""
    pair = found.pair
    seen = pair.seen_in(found.run)
    places = list(seen.values())
    among = set(places)
    inner = range(min(places), max(places))
    between = [place for place in inner if place not in among and pair.t.says_something(place)]
    # What an “and” stands between may be said of two different things.
    joint = any(pair.t.tags[place] == Tag.CCONJ for place in inner) and Tag.CCONJ not in pair.h.tags
    # One of the members is a member; somebody named along with the members need not be.
    joint = joint or any(pair.t.forms[place].lower() != pair.h.forms[row].lower() for row, place in seen.items())
    if places != sorted(places) or joint or between:
        return None
    verbs = [row for row, tag in enumerate(pair.h.tags) if tag == Tag.VERB]
    if not all(row in seen for row in verbs) or any(pair.t.is_mark(place) for place in inner):
        return None
    if pair.t.tags[found.run[0]] in (Tag.ADP, Tag.SCONJ) and found.run[0] not in among:
        return None  # by the time it was so
    start = pair.batch.t.starts[pair.place]
    verbs = [seen[row] for row in verbs] or [place for place in inner if pair.t.tags[place] == Tag.AUX]
    stating = [int(pair.batch.t_trees.dependencies[start + place]) in _STATING for place in verbs]
    return f"The text states this directly: {quotes.t(found.run)}" if verbs and all(stating) else None


def _plainly(found: Found, quotes: Quotes) -> str:
    """All words of H are in one stretch of T."""
    return f"The main words of the hypothesis are in {quotes.t(found.run)}"


def _doubted(found: Found, quotes: Quotes) -> str | None:
    """T has the words, but denies or only supposes what they say: nothing is said of whether it is so."""
    if not found.doubted:
        return None
    said = f"The text speaks of this in {' and in '.join([quotes.t(run) for run in found.runs])}"
    return f"{said}; {_assumed(found.pair, found.missing, quotes)}" if found.missing else said


def _opening(found: Found, quotes: Quotes) -> str:
    """What T says in one place, or in two."""
    runs = found.runs
    verbs = ["says" if _has_verb(found, run) else "mentions" for run in runs]
    if len(runs) == 1 or verbs[0] == verbs[1]:
        return f"The text {verbs[0]} {listed([quotes.t(run) for run in runs])}"
    return f"The text {verbs[0]} {quotes.t(runs[0])} and {verbs[1]} {quotes.t(runs[1])}"


def _has_verb(found: Found, run: Range) -> bool:
    """Whether something is said in a run: it has an auxiliary, or a verb that is no participle in -ing."""
    t = found.pair.t
    return any(
        t.tags[at] == Tag.AUX or (t.tags[at] == Tag.VERB and not t.forms[at].endswith("ing"))
        for at in range(run[0], run[1] + 1)
    )


Shape = Callable[[Found, Quotes], str | None]
SHAPES: tuple[Shape, ...] = (
    _doubted,
    _word_for_word,
    _described,
    _bridged,
    _two_places,
    _same_figures,
    _stated,
    _plainly,
)
"""Ways to say it, in the order they are tried: the first that fits is said."""

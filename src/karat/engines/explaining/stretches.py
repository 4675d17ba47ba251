"""Which stretch of T to quote: the clause or clauses with the words that matter, cut where a reader would cut."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping

from karat.engines.explaining.phrases import glued, noun_phrase
from karat.engines.explaining.quoting import Range, SideWords
from karat.engines.kernels.grammar import Tag

STRETCH_WORDS = 20
"""Words in a quoted stretch."""
TOKENS = 3 * STRETCH_WORDS
"""The same with marks, of which a text may have any number."""
WORDY = STRETCH_WORDS
"""A text of more words is not quoted whole."""

_ENDS = frozenset('!?:;"“”`«»…') | {"..."}
"""No stretch goes across these."""
_SINGLE = frozenset("'‘’")
_BREAKS = frozenset(",()[]—–|")
_DASH = "-"
_OPENERS = frozenset("which who whom whose that but because although though while whereas when where if unless".split())
_LOOSE_FRONT = frozenset(
    "and or but that which who whom whose nor yet so because although though said says 's ’s".split()
)
_LOOSE_BACK = frozenset(
    "and or but that which who whom whose nor yet the a an of in on at by with from to into for as than its his her "
    "their is are was were be has have had will would not when where while if because said says 's ’s".split()
)


def best_stretch(words: SideWords, hits: Mapping[int, Iterable[int]], longest: int = STRETCH_WORDS) -> Range | None:
    """The shortest stretch of whole clauses that speaks for the most; none where nothing does.

    `hits` has, for places of T, what the word there speaks for.
    """
    places = sorted(hits)
    wanted = set(places)
    best: Range | None = None
    merit = (0, 0)
    for block in _blocks(words, places):
        for run in _runs(words, block, hits, longest):
            within = places[bisect_left(places, run[0]) : bisect_right(places, run[1])]
            inside = len({row for place in within for row in hits[place]})
            found = (inside, -words.count(run))
            if inside and (best is None or found > merit):
                best, merit = run, found
    return None if best is None else trimmed(words, best, wanted)


def less_than_all(words: SideWords, run: Range, hits: Mapping[int, Iterable[int]]) -> Range:
    """A stretch that is not the whole of a long text: from its first to its last word that matters, or less."""
    whole = words.before[-1] - words.before[0]
    if whole <= WORDY or words.count(run) < whole:
        return run
    inside = _needed([place for place in sorted(hits) if run[0] <= place <= run[1]], hits) or [run[1]]
    shorter = trimmed(words, (inside[0], inside[-1]), set(inside))
    if words.count(shorter) < whole:
        return shorter
    # It begins and ends with words that matter: what follows the first comma or, failing that, the first word.
    begin = next((place + 1 for place in range(run[0], run[1]) if words.forms[place] in _BREAKS), run[0] + 1)
    while begin < run[1] and glued(words, (begin, run[1]))[0] <= run[0]:
        begin += 1
    return trimmed(words, (begin, run[1]), set(inside))


def _needed(places: list[int], hits: Mapping[int, Iterable[int]]) -> list[int]:
    """Places up to the one by which all has been spoken for that any of them speaks for."""
    told = {row for place in places for row in hits[place]}
    seen: set[int] = set()
    for number, place in enumerate(places):
        seen.update(hits[place])
        if seen == told:
            return places[: number + 1]
    return places


def trimmed(words: SideWords, run: Range, wanted: set[int]) -> Range:
    """A stretch without loose words and marks at its ends, cutting no written word in two."""
    first, last = run
    while first < last and first not in wanted and _loose(words, first, _LOOSE_FRONT):
        if _opens_quote(words, first, last):
            break
        first += 1
    while last > first and last not in wanted and (_leads_up(words, last) or _loose(words, last, _LOOSE_BACK)):
        last -= 1
    whole = glued(words, _with_nouns(words, glued(words, (first, last))))
    return whole if _balanced(words, whole) else (first, last)


MORE = 3
"""Words by which a stretch may grow at either end, so that it cuts no noun phrase in two."""
_NAMING = frozenset((Tag.NOUN, Tag.PROPN, Tag.ADJ, Tag.NUM))


def _with_nouns(words: SideWords, run: Range) -> Range:
    """A stretch with the rest of the noun phrases at its ends: “unconfirmed case”, “Liberty pin set”, “last year's”."""
    first, last = run
    front, end = max(first - MORE, 0), min(last + MORE, len(words.forms) - 1)
    while first > front and words.tags[first] in _NAMING and words.tags[first - 1] in _NAMING and _joined(words, first):
        first -= 1
    # A written word such as “rabies-like” may have any tag.
    hyphened = last > 0 and words.forms[last - 1] == _DASH and _hyphen(words, last - 1)
    while last < end and _joined(words, last + 1):
        named = words.is_name(last) and words.is_name(last + 1)  # Little League
        if not (named or words.tags[last + 1] == Tag.NOUN):
            break
        if not (hyphened or words.tags[last] in _NAMING):
            break
        last += 1
    after = words.forms[last + 1 : last + 3]
    if after and after[0] in ("'s", "’s"):
        # Green's offer is no Green.
        had = last + 1
        while had + 1 < len(words.forms) and words.tags[had + 1] in _NAMING and had - last <= MORE:
            had += 1
        if had > last + 1 or len(after) == 1 or words.is_mark(last + 2):
            last = had
    return first, last


def _joined(words: SideWords, place: int) -> bool:
    """Whether a word belongs to the sentence of the word before it."""
    return words.sentences[place] == words.sentences[place - 1]


def _blocks(words: SideWords, places: list[int]) -> list[Range]:
    """The parts of T between hard ends that have a wanted word."""
    blocks: list[Range] = []
    for place in places:
        if blocks and place <= blocks[-1][1]:
            continue
        first = last = place
        sentence = words.sentences[place]
        while first > 0 and words.sentences[first - 1] == sentence and words.forms[first - 1] not in _ENDS:
            first -= 1
        while (
            last + 1 < len(words.forms) and words.sentences[last + 1] == sentence and words.forms[last + 1] not in _ENDS
        ):
            last += 1
        blocks.append((first, last))
    return blocks


def _runs(words: SideWords, block: Range, hits: Mapping[int, Iterable[int]], longest: int) -> list[Range]:
    """Stretches of a block that may be quoted: clauses in a row, or a part of a clause that is too long."""
    pieces = _pieces(words, block)
    places = sorted(hits)
    hit = [bisect_left(places, first) < bisect_right(places, last) for first, last in pieces]
    runs: list[Range] = []
    for begin, (first, last) in enumerate(pieces):
        if not hit[begin]:
            continue
        if words.count((first, last)) > longest:
            runs += _windows(words, (first, last), hits, longest)
        for end in range(begin, len(pieces)):
            run = first, pieces[end][1]
            if words.count(run) > longest or run[1] - run[0] > TOKENS:
                break
            if hit[end] and _balanced(words, run):
                runs.append(run)
    return runs or _windows(words, block, hits, longest)


def _pieces(words: SideWords, block: Range) -> list[Range]:
    """A block cut at commas, brackets, dashes and before words that open a clause."""
    pieces, begin = [], block[0]
    for place in range(block[0], block[1] + 1):
        form = words.forms[place]
        if form == "," and block[0] < place < block[1]:
            if words.tags[place - 1] == words.tags[place + 1] == Tag.ADJ:
                continue  # an old, empty mill
            if words.is_date(place + 1) and words.tags[place - 1] in (Tag.NUM, Tag.PROPN):
                continue  # August 6, 1945
        if form in _BREAKS or (form == _DASH and not _hyphen(words, place)):
            pieces.append((begin, place))
            begin = place + 1
        elif place > begin and form.lower() in _OPENERS and words.tags[place] != Tag.DET:
            pieces.append((begin, place - 1))
            begin = place
    pieces.append((begin, block[1]))
    return [piece for piece in pieces if piece[0] <= piece[1]]


def _windows(words: SideWords, piece: Range, hits: Mapping[int, Iterable[int]], longest: int) -> list[Range]:
    """Parts of a long clause, from one wanted word to another, with the phrases those are in: those that have most."""
    places = [place for place in range(piece[0], piece[1] + 1) if place in hits]
    spans: list[tuple[int, Range]] = []
    end = 0
    for start, first in enumerate(places):
        end = max(start, end)
        while end + 1 < len(places) and words.count((first, places[end + 1])) <= longest:
            end += 1
        spans.append((len({row for place in places[start : end + 1] for row in hits[place]}), (first, places[end])))
    most = max(spans, default=(0, piece))[0]
    return [_widened(words, piece, run, longest) for many, run in spans if many == most]


def _widened(words: SideWords, piece: Range, run: Range, longest: int) -> Range:
    """A part of a clause to the beginning or the end of the clause where that fits, else to the edges of phrases."""
    phrases = noun_phrase(words, run[0])[0], noun_phrase(words, run[1])[1]
    for wider in ((piece[0], phrases[1]), (phrases[0], piece[1]), phrases, run):
        inside = max(wider[0], piece[0]), min(wider[1], piece[1])
        if inside[0] <= inside[1] and words.count(inside) <= longest and _balanced(words, inside):
            return inside
    return run[0], run[0]


def _hyphen(words: SideWords, place: int) -> bool:
    if not 0 < place < len(words.forms) - 1:
        return False
    begin, end = words.spans[place]
    return (
        words.spans[place - 1][1] == begin
        and words.spans[place + 1][0] == end
        and (words.forms[place - 1][-1].isalnum() and words.forms[place + 1][0].isalnum())
    )


def _balanced(words: SideWords, run: Range) -> bool:
    """Whether every bracket of a run is opened and closed in it, in this order."""
    brackets = [form for form in words.forms[run[0] : run[1] + 1] if form in "()[]"]
    while brackets:
        closing = next((at for at, form in enumerate(brackets) if form in ")]"), 0)
        if not closing or brackets[closing - 1] + brackets[closing] not in ("()", "[]"):
            return False
        del brackets[closing - 1 : closing + 1]
    return True


def _leads_up(words: SideWords, last: int) -> bool:
    """Whether a word belongs to what follows it: an article, or a preposition before a mark."""
    before_mark = last + 1 < len(words.forms) and words.is_mark(last + 1)
    return words.tags[last] == Tag.DET or (words.tags[last] == Tag.ADP and before_mark)


def _opens_quote(words: SideWords, place: int, last: int) -> bool:
    """Whether a single quotation mark has its partner in what follows: 'gonzo' style."""
    return words.forms[place] in _SINGLE and any(form in _SINGLE for form in words.forms[place + 1 : last + 1])


def _loose(words: SideWords, place: int, loose: frozenset[str]) -> bool:
    form = words.forms[place]
    if form.lower() in loose:
        return True
    return words.is_mark(place) and form not in ("$", "£", "€", "%", ")", "]", "(", "[")

"""One pair as plain lists, for writing about it: words, where they stand, and what each H word stands for in T."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from karat.arrays import Bools
from karat.engines.batch import LEAST_ALIGNED, Batch
from karat.engines.checks.base import LIKE, view
from karat.engines.checks.marks import Marks
from karat.engines.engine import Span
from karat.engines.explaining.wording import leads_on
from karat.engines.kernels.grammar import Tag
from karat.engines.lexicon.relations import SUPPORTS, Relation
from karat.engines.text.trees import Side, Tokens, Trees, find_spans
from karat.engines.text.vocabulary import EMPTY, Flag

Range = tuple[int, int]
"""A run of words: the places of the first and the last."""

_CAPITAL, _MARK, _KNOWN, _DATE, _MULTIPLIER = (
    int(one) for one in (Flag.CAPITAL, Flag.PUNCTUATION, Flag.KNOWN, Flag.DATE, Flag.MULTIPLIER)
)
"""As plain integers: enumerations are slow to combine."""
_APOSTROPHES = "'’"
_YEAR = 4
_CENTURIES = ("15", "16", "17", "18", "19", "20")
_ELIDED = 2
"""Where the capital stands in d'Ivoire."""
_TITLES = Marks("mr mrs ms dr mr. mrs. ms. dr.".split(), "spelling")
_WON, _US = 1, 2
_FEW = Marks({"won": _WON, "us": _US}, "spelling")
_ROMAN = Marks({form: value for value, form in enumerate("ii iii iv v vi vii viii ix".split(), 2)}, "spelling")
_MARKS = frozenset('"“”')
_RELATIONS = tuple(Relation)


@dataclass(frozen=True, eq=False)
class SideWords:
    """The words of T or of H."""

    side: Side
    text: str
    forms: list[str]
    tags: list[int]
    flags: list[int]
    lemmas: list[int]
    sentences: list[int]
    before: list[int]
    """How many words that are no punctuation marks stand before each place, and before the end, from some beginning."""
    values: list[float]
    """What each number word counts to, also of Elizabeth II."""
    telling: list[bool]
    """Whether each word has a meaning of its own: no article, preposition, auxiliary or punctuation mark."""

    def __len__(self) -> int:
        return len(self.forms)

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each word stands in its text, in characters; worked out for what is quoted."""
        return find_spans(self.text, self.forms)

    def says_something(self, place: int) -> bool:
        """Whether a word has a meaning of its own: no article, preposition, auxiliary or punctuation mark."""
        return self.telling[place]

    def is_name(self, place: int) -> bool:
        """Whether a word is, or is part of, a name."""
        form = self.forms[place]
        if self.tags[place] == Tag.PROPN and self.flags[place] & _CAPITAL:
            # The Non of “Non-profit clubs” is none.
            ahead = self.forms[place + 1 : place + 3]
            return not (len(ahead) > 1 and ahead[0] == "-" and ahead[1].islower() and self.begins_sentence(place))
        return len(form) > _ELIDED and form[1] in _APOSTROPHES and form[_ELIDED].isupper()

    def begins_sentence(self, place: int) -> bool:
        """Whether a word is the first of its sentence, where a capital says nothing."""
        return place == 0 or self.sentences[place - 1] != self.sentences[place]

    def is_surely_name(self, place: int) -> bool:
        """Whether a word is part of a name, and not merely a common word at the beginning of a sentence."""
        if not self.is_name(place):
            return False
        common = self.begins_sentence(place) and self.flags[place] & _KNOWN
        return not common or (place + 1 < len(self.forms) and self.is_name(place + 1))

    def is_date(self, place: int) -> bool:
        """Whether a word is a month, a day of the week, or looks like a year."""
        form = self.forms[place].removesuffix("s")
        year = len(form) == _YEAR and form.isdigit() and form[:2] in _CENTURIES
        return year or bool(self.flags[place] & _DATE)

    def written(self, run: Range) -> str:
        """A run of words as it is printed, blanks and line breaks made single blanks."""
        return " ".join(self.text[self.spans[run[0]][0] : self.spans[run[1]][1]].split())

    def is_mark(self, place: int) -> bool:
        """Whether a token is a punctuation mark."""
        return bool(self.flags[place] & _MARK)

    def count(self, run: Range) -> int:
        """How many tokens of a run are no punctuation marks."""
        return self.before[run[1] + 1] - self.before[run[0]]

    def size(self, run: Range) -> int:
        """How many words a reader counts in a run."""
        return len(self.written(run).split())

    def span(self, run: Range) -> Span:
        """Where a run stands, in characters."""
        return Span(self.side, self.spans[run[0]][0], self.spans[run[1]][1])


@dataclass(frozen=True, eq=False)
class Pair:
    """T, H, and for each H word its place in T (-1 none) and the relation it is there by."""

    batch: Batch
    place: int
    t: SideWords
    h: SideWords
    to: list[int]
    relation: list[int]
    content: list[int]
    """The H words that say something."""
    hits: dict[int, dict[int, tuple[Relation, float]]]
    """For places of T, the H words that say something and that the word there speaks for, how and how strongly."""

    @property
    def covered(self) -> list[int]:
        """The H words that say something and stand in T."""
        return [row for row in self.content if self.to[row] >= 0]

    @property
    def missing(self) -> list[int]:
        """The H words that say something and do not stand in T."""
        return [row for row in self.content if self.to[row] < 0]

    def bears(self, place: int, row: int) -> tuple[Relation, float]:
        """How a word of T bears on a word of H that it speaks for, and how strongly."""
        return self.hits[place][row]

    def seen_in(self, run: Range) -> dict[int, int]:
        """For the H words that a run of T speaks for, the place of the word that does so best."""
        best: dict[int, tuple[float, int]] = {}
        first, last = run
        for place, rows in self.hits.items():  # in the order of T
            if first <= place <= last:
                for row, (_, strength) in rows.items():
                    if row not in best or strength > best[row][0]:
                        best[row] = strength, place
        return {row: place for row, (_, place) in sorted(best.items())}


class Quotes:
    """Quotes from a pair, which remember where each came from."""

    def __init__(self, pair: Pair) -> None:
        self._pair = pair
        self.evidence: list[Span] = []

    def t(self, run: Range) -> str:
        """A run of T in quotation marks."""
        return self._quote(self._pair.t, run)

    def h(self, run: Range) -> str:
        """A run of H in quotation marks."""
        return self._quote(self._pair.h, run)

    def note(self, run: Range) -> None:
        """A run of T that is meant without being quoted."""
        self.evidence.append(self._pair.t.span(run))

    def _quote(self, words: SideWords, run: Range) -> str:
        run = unclipped(words, _without_marks(words, run))
        span = words.span(run)
        if span not in self.evidence:
            self.evidence.append(span)
        return f'"{words.written(run)}"'


def read_pairs(batch: Batch, places: list[int]) -> Iterator[Pair]:
    """Some pairs of a batch, one after the other."""
    # Whole columns become lists at once: to take a few numbers out of an array, a pair at a time, is slow.
    t_side, h_side, alignment, seen = _Side("T", batch), _Side("H", batch), batch.alignment, view(batch)
    to_of, relation_of, t_row = alignment.to.tolist(), alignment.relation.tolist(), seen.t_row.tolist()
    like, bearing = (seen.strength == np.float32(LIKE)).tolist(), _Bearing(batch)
    for place in places:
        t, h = t_side.words(place), h_side.words(place)
        rows, begin = slice(h_side.starts[place], h_side.starts[place + 1]), t_side.starts[place]
        content = [row for row, telling in enumerate(h.telling) if telling]
        # Where nothing but small words is said (“It is what it is”), they are all there is.
        content = content or [row for row in range(len(h)) if not h.is_mark(row)]
        to, relation = to_of[rows], relation_of[rows]
        alike = []
        for row, there in enumerate(t_row[rows]):
            if there >= 0 > to[row]:  # a name or number in another spelling
                to[row], relation[row] = there - begin, int(Relation.SAME)
            if there >= 0 and like[rows.start + row]:
                alike.append((there - begin, row))
        alike += _same_numbers(t, h, to)
        content = _without_abbreviated(content, to, t, h)
        yield Pair(batch, place, t, h, to, relation, content, bearing.hits(place, len(h), set(content), alike))


def _same_numbers(t: SideWords, h: SideWords, to: list[int]) -> list[tuple[int, int]]:
    """Numbers of H that T has not, and the places in T where they count another way: seventh for 7, II for Second."""
    lacking = [row for row, there in enumerate(to) if there < 0 and h.values[row] > 0]
    return [(place, row) for row in lacking for place, value in enumerate(t.values) if value == h.values[row]]


def _without_abbreviated(content: list[int], to: list[int], t: SideWords, h: SideWords) -> list[int]:
    """The H words that say something, but for those that T has with a full stop or an s more or less: Ltd and Ltd.,
    card and cards, which the dictionary has as a word of its own. The letters of U. S. say nothing by themselves.
    """
    if all(to[row] >= 0 for row in content):
        return content
    forms = set(map(str.lower, t.forms))

    def says(row: int) -> bool:
        letter = len(h.forms[row]) == 1 and h.forms[row + 1 : row + 2] == ["."]
        short = h.forms[row].lower().removesuffix(".").removesuffix("s")
        # The 1990s are not 1990.
        return to[row] >= 0 or not (letter or forms & {short, f"{short}.", f"{short}s"}) or short[:1].isdigit()

    return [row for row in content if says(row)] or content


class _Bearing:
    """Which words of T speak for which of H, for every pair of a batch."""

    def __init__(self, batch: Batch) -> None:
        match, h = batch.match, batch.h
        cells = np.flatnonzero((match.strength >= LEAST_ALIGNED) & SUPPORTS[match.relation])
        # Most are of small words, which are left out at once: where H has no others, all of its words are kept.
        empty = ~_telling(batch, h, batch.h_trees)
        full = np.bincount(h.pair[~empty], minlength=len(batch)) > 0
        pairs = np.searchsorted(match.blocks, cells, side="right") - 1
        rows = h.starts[pairs] + (cells - match.blocks[pairs]) % np.maximum(np.diff(h.starts), 1)[pairs]
        cells = cells[~(empty[rows] & full[pairs])]
        self._cells, self._how, self._much = (
            cells.tolist(),
            match.relation[cells].tolist(),
            match.strength[cells].tolist(),
        )
        self._blocks, self._bounds = match.blocks.tolist(), np.searchsorted(cells, match.blocks).tolist()

    def hits(
        self, place: int, wide: int, content: set[int], alike: list[tuple[int, int]]
    ) -> dict[int, dict[int, tuple[Relation, float]]]:
        """What a pair has in `hits`, in the order of T; `alike` are names and numbers in another spelling."""
        hits: dict[int, dict[int, tuple[Relation, float]]] = {}
        for at, row in alike:
            if row in content:
                hits.setdefault(at, {})[row] = Relation.SAME, LIKE
        among = bool(hits)
        begin, one = self._blocks[place], slice(self._bounds[place], self._bounds[place + 1])
        for cell, how, much in zip(self._cells[one], self._how[one], self._much[one], strict=True):
            at, row = divmod(cell - begin, wide)
            if row in content:
                hits.setdefault(at, {})[row] = _RELATIONS[how], much
        return dict(sorted(hits.items())) if among else hits


def unclipped(words: SideWords, run: Range) -> Range:
    """A run that does not end on a word that leads on to the next, nor cuts a number from what multiplies it."""
    first, last = run
    while last > first and last + 1 < len(words.forms) and not words.is_mark(last + 1) and leads_on(words.forms[last]):
        last -= 1
    if last + 1 < len(words.forms) and words.forms[last][0].isdigit() and words.flags[last + 1] & _MULTIPLIER:
        last += 1
    return first, last


def _without_marks(words: SideWords, run: Range) -> Range:
    """The longest part of a run that has no quotation mark in it, which would end the quote too early."""
    marks = [place for place in range(run[0], run[1] + 1) if words.forms[place] in _MARKS]
    if not marks:
        return run
    edges = [run[0] - 1, *marks, run[1] + 1]
    parts = [(before + 1, after - 1) for before, after in pairwise(edges) if after - before > 1]
    return max(parts, key=lambda part: part[1] - part[0], default=run)


def _telling(batch: Batch, tokens: Tokens, trees: Trees) -> Bools:
    """Which words have a meaning of their own. Won is also half of won't, and US a pronoun in capitals."""
    flags, tags = batch.knowledge.vocabulary.table.flags[tokens.forms], trees.tags
    few, titles = _FEW.of(batch.knowledge, tokens.forms), _TITLES.of(batch.knowledge, tokens.forms) > 0
    named = (few == _US) & (tags == Tag.PROPN) & (flags & _CAPITAL > 0)
    return np.where(flags & EMPTY > 0, ((few == _WON) & (tags == Tag.VERB)) | named, (tags != Tag.PUNCT) & ~titles)


class _Side:
    """The words of all texts or all hypotheses of a batch."""

    def __init__(self, side: Side, batch: Batch) -> None:
        tokens, trees = (batch.t, batch.t_trees) if side == "T" else (batch.h, batch.h_trees)
        self._side: Side = side
        self._texts = batch.texts if side == "T" else batch.hypotheses
        self.starts = tokens.starts.tolist()
        self._forms = list(map(batch.knowledge.vocabulary.forms.__getitem__, tokens.forms.tolist()))
        flags = batch.knowledge.vocabulary.table.flags[tokens.forms]
        self._columns = [np.asarray(column).tolist() for column in (trees.tags, flags, trees.lemmas, trees.sentences)]
        romans = _ROMAN.of(batch.knowledge, tokens.forms) * (flags & _CAPITAL > 0)
        counts = flags & (Flag.NUMBER | Flag.ORDINAL) > 0
        values = np.where(counts, batch.knowledge.vocabulary.table.value[tokens.forms], romans)
        self._values = values.tolist()
        self._counted = [0, *np.cumsum(flags & _MARK == 0).tolist()]
        self.telling = _telling(batch, tokens, trees).tolist()

    def words(self, place: int) -> SideWords:
        """The words of one text."""
        first, last = self.starts[place], self.starts[place + 1]
        forms = self._forms[first:last]
        tags, flags, lemmas, sentences = [column[first:last] for column in self._columns]
        before, telling, values = self._counted[first : last + 1], self.telling[first:last], self._values[first:last]
        text = self._texts[place]
        return SideWords(self._side, text, forms, tags, flags, lemmas, sentences, before, values, telling)

"""What a check is, and what all checks begin with.

A check looks at all pairs of a batch at once and says of each whether it fires, how sure it is, and which token of T
and which of H decide. The linguistic engine asks them in the order of their `rank`; the aligner takes them as features
and answers CONTRADICTION only where one of that verdict fires; justifications take their words from `says`.

What they share of a batch is its `BatchView`: which T word each H word stands for, in what context both are, how well H
is covered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast, get_args

import numpy as np

from karat.arrays import Bools, Bytes, Int32s, Ints, Singles
from karat.engines.batch import Batch
from karat.engines.checks.likeness import TITLES, find_alike, find_rest
from karat.engines.checks.marks import CLAUSE_MARKS, IF_ASSERTED, IF_DENIED, Marks
from karat.engines.checks.quantities import agreed
from karat.engines.kernels.contexts import ASKS, CARRIES_ON, DENIES_TOO, NEGATES, OPENS, Contexts, scan_contexts
from karat.engines.kernels.grammar import Tag
from karat.engines.lexicon.relations import Part
from karat.engines.text import closed
from karat.engines.text.trees import Tokens, Trees, roles
from karat.engines.text.vocabulary import Flag
from karat.registry import Registered, Registry

Verdict = Literal["contradiction", "unknown"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

checks = Registry("check", "rank", "verdict", "says")
"""rank: its place in the order; verdict: what it speaks for; says: a sentence with {t} and {h}, the deciding spans."""

HALF_SURE = 0.5
"""The strength of a check that leaves open a part of H only, or something like it."""


@dataclass(frozen=True, eq=False)
class Cue:
    """What a check found: its strength for each pair (0: it does not fire), and the deciding places in T and H."""

    strength: Singles
    t: Int32s
    """The place in T of the deciding token; -1 where it does not fire or none is to be shown."""
    h: Int32s

    @property
    def fired(self) -> Bools:
        """Where the check fires."""
        return self.strength > 0


def silent(many: int) -> Cue:
    """A check that fires nowhere."""
    return Cue(np.zeros(many, dtype=np.float32), np.full(many, -1, dtype=np.int32), np.full(many, -1, dtype=np.int32))


def in_order() -> list[Registered]:
    """All checks by rank."""
    return sorted(checks, key=lambda entry: cast(int, entry.facts["rank"]))


def against(verdict: Verdict = "contradiction") -> list[Registered]:
    """The checks of a verdict, by rank."""
    return [entry for entry in in_order() if entry.facts["verdict"] == verdict]


def cue(batch: Batch, name: str) -> Cue:
    """What a check says of a batch, worked out once; nothing where it is switched off."""
    if name not in batch.cues:
        off = name in batch.knowledge.without
        function = cast(Callable[[Batch], Cue], checks[name].function)
        batch.cues[name] = silent(len(batch)) if off else function(batch)
    found: Cue = batch.cues[name]
    return found


COVERED = 0.6
"""The share of H that T must have before it can be about the same event, and so contradict it."""

FULL = 0.75
"""The share of H that a sentence of T must have to say all of it."""

TOGETHER = 2
"""Content words of H that a sentence of T must have to be about the same."""

LIKE = 0.9
"""How strongly a name stands for the same name spelled otherwise."""

_TITLES = Marks([title + dot for title in sorted(TITLES) for dot in ("", ".")], "spelling")
_KINDS = Marks(CLAUSE_MARKS, "spelling")
_ASSERTED, _DENIED = Marks(IF_ASSERTED), Marks(IF_DENIED)
_AUXILIARIES = Marks(closed.AUXILIARIES.keys())
_ALMOST = Marks(["almost", "nearly"], "spelling")
_HYPHEN = Marks(["-"], "spelling")
_RULE, _OUT = Marks(["rule"]), Marks(["out"], "spelling")
_QUESTION = Marks({"?": ASKS, **dict.fromkeys(("(", "[", "“", "``", '"'), OPENS)}, "spelling")

_VERBS = np.array([2 if tag is Tag.VERB else 1 if tag is Tag.AUX else 0 for tag in Tag], dtype=np.int8)


class SideView:
    """T or H of a batch as the checks look at it."""

    def __init__(self, batch: Batch, tokens: Tokens, trees: Trees) -> None:
        self._knowledge, self._tokens, self._trees = batch.knowledge, tokens, trees

    @cached_property
    def content(self) -> Bools:
        """Words that say something by themselves: no auxiliaries, no closed classes."""
        forms, trees, table = self._tokens.forms, self._trees, self._knowledge.vocabulary.table
        # Other engines go by spelling and tag alone, with which their parameters were chosen.
        verbs = (trees.tags == Tag.VERB) & (_AUXILIARIES.of(self._knowledge, trees.lemmas) == 0)
        return table.content(forms, trees.tags, verbs)

    @cached_property
    def roles(self) -> Bytes:
        """What each word is to its head."""
        return roles(self._tokens, self._trees)

    @cached_property
    def kinds(self) -> Bytes:
        """What each word does to the clause it is in; nothing where it is part of a name: Doctors Without Borders."""
        tokens, trees, knowledge = self._tokens, self._trees, self._knowledge
        kinds = _KINDS.of(knowledge, tokens.forms)
        # Who almost won did not win; almost all is another matter.
        verb_next = np.append(trees.tags[1:] == Tag.VERB, False)
        kinds[verb_next & (_ALMOST.of(knowledge, tokens.forms) > 0)] = NEGATES
        # What is ruled out will not be.
        out_next = np.append(_OUT.of(knowledge, tokens.forms)[1:] > 0, False)[: len(kinds)]
        kinds[out_next & (_RULE.of(knowledge, trees.lemmas) > 0)] = NEGATES
        table = knowledge.vocabulary.table
        capital = table.flags[tokens.forms] & Flag.CAPITAL > 0
        inside = np.zeros(len(kinds), dtype=bool)
        inside[1:-1] = capital[:-2] & capital[1:-1] & capital[2:]
        named = (trees.tags == Tag.PROPN) | (inside & (np.diff(trees.sentences, prepend=-1) == 0))
        return np.where(named & ((kinds == NEGATES) | (kinds == DENIES_TOO)), 0, kinds).astype(np.int8)

    @cached_property
    def context(self) -> Contexts:
        """Under what each word stands."""
        tokens, trees, knowledge = self._tokens, self._trees, self._knowledge
        kinds, named = self.kinds, trees.tags == Tag.PROPN
        carries = np.append(kinds[1:] == CARRIES_ON, False)
        follows = (np.diff(trees.sentences) == 0) & (np.diff(tokens.pair) == 0) & (trees.tags[1:] != Tag.PUNCT)
        # A verb may have its clause anywhere after it; a noun or adjective has one only if to or that follows.
        governs = (trees.tags == Tag.VERB) | (trees.tags == Tag.ADV) | (carries & ~named)
        marks = _QUESTION.of(knowledge, tokens.forms)
        return scan_contexts(
            tokens.starts,
            trees.sentences,
            kinds,
            np.where(governs, _ASSERTED.of(knowledge, trees.lemmas), 0).astype(np.int8),
            np.where(governs, _DENIED.of(knowledge, trees.lemmas), 0).astype(np.int8),
            _VERBS[trees.tags],
            # Where the sentence goes on in small letters, it is a letter that could not be printed (Par? and).
            np.where(np.append(follows, False)[: len(kinds)] & (marks == ASKS), 0, marks),
        )


class BatchView:
    """A batch as the checks look at it; everything is worked out once."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.knowledge = batch.knowledge
        self.t, self.h = SideView(batch, batch.t, batch.t_trees), SideView(batch, batch.h, batch.h_trees)
        self.pair, self.t_pair = batch.h.pair, batch.t.pair
        """The pair of each H row, and of each T row."""

    @cached_property
    def _stands_for(self) -> tuple[Ints, Singles]:
        """The alignment, and beside it numbers and names that are the same though spelled otherwise."""
        alignment = self.batch.alignment
        rows = np.where(alignment.to >= 0, self.batch.t.starts[self.pair] + alignment.to, -1)
        strength = alignment.strength.copy()
        h_rows, t_rows = agreed(self.batch)
        unsure = strength[h_rows] < LIKE
        rows[h_rows[unsure]], strength[h_rows[unsure]] = t_rows[unsure], LIKE
        forms = self.knowledge.vocabulary.forms
        known = (self.knowledge.vocabulary.table.flags[self.batch.h.forms] & Flag.KNOWN) > 0
        unmet = np.flatnonzero(self.h_names & (rows < 0))
        for pair in np.unique(self.pair[unmet]).tolist():
            start = int(self.batch.t.starts[pair])
            words = [forms[form] for form in self.batch.t.forms[self.batch.t.rows(pair)].tolist()]
            for row in unmet[self.pair[unmet] == pair].tolist():
                place = find_alike(forms[self.batch.h.forms[row]], words, bool(known[row]))
                if place < 0:
                    place = self._by_rest(row, words, rows, start)
                if place >= 0:
                    rows[row], strength[row] = start + place, LIKE
        return rows, strength

    def _by_rest(self, row: int, words: Sequence[str], rows: Ints, start: int) -> int:
        """The place in T of what stands for the whole name that an H row belongs to; -1 if there is none."""
        named, pair = self.h_names, self.pair
        first = last = row
        while first and named[first - 1] and pair[first - 1] == pair[row]:
            first -= 1
        while last + 1 < len(pair) and named[last + 1] and pair[last + 1] == pair[row]:
            last += 1
        name = [self.knowledge.vocabulary.forms[form] for form in self.batch.h.forms[first : last + 1].tolist()]
        tells = self._may_be_adjective(name[row - first])
        return find_rest(name, row - first, words, int(rows[last]) - start, tells)

    def _is_inflected(self, form: str) -> bool:
        """Whether a form that is no word of the dictionary is one of a word: Offers."""
        return max(self.knowledge.wordnet.readings(form.lower())) >= 0

    def _may_be_adjective(self, form: str) -> bool:
        wordnet = self.knowledge.wordnet
        return bool(wordnet.parts(wordnet.lemma_id(form.lower())) >> Part.ADJECTIVE & 1)

    @property
    def t_row(self) -> Ints:
        """The T row that each H row stands for, -1 if none."""
        return self._stands_for[0]

    @property
    def strength(self) -> Singles:
        """How strongly it stands for it."""
        return self._stands_for[1]

    @cached_property
    def h_names(self) -> Bools:
        """H words that are names, and not titles."""
        forms = self.batch.h.forms  # before the table, which holds the words met so far
        flags = self.knowledge.vocabulary.table.flags[forms]
        named = (self.batch.h_trees.tags == Tag.PROPN) & (flags & Flag.CAPITAL > 0) & (flags & Flag.FUNCTION == 0)
        # A word that begins a sentence has a capital anyway: what goes on in small letters after a hyphen (Non-profit),
        # or is an adjective or an inflected word, is a name only if one goes on.
        first = (np.diff(self.batch.h_trees.sentences, prepend=-1) != 0) | (self.batch.h.place == 0)
        small = (flags & Flag.CAPITAL == 0) & (self.batch.h_trees.tags != Tag.PUNCT)
        named[:-2] &= ~(first[:-2] & (_HYPHEN.of(self.knowledge, forms)[1:-1] > 0) & small[2:])
        goes_on = np.append((flags[1:] & Flag.CAPITAL > 0) & (np.diff(self.pair) == 0), False)[: len(flags)]
        for row in np.flatnonzero(named & first & ~goes_on).tolist():
            form, known = self.knowledge.vocabulary.forms[forms[row]], flags[row] & Flag.KNOWN > 0
            common = self._may_be_adjective(form) if known else self._is_inflected(form)
            named[row] = not common
        return named & (_TITLES.of(self.knowledge, forms) == 0)

    @cached_property
    def coverage(self) -> Singles:
        """The share of each hypothesis's content words that T has."""
        rows = self.h.content
        had = np.bincount(self.pair[rows], weights=self.strength[rows], minlength=len(self.batch))
        return (had / np.maximum(self._asked, 1)).astype(np.float32)

    @cached_property
    def _asked(self) -> Ints:
        """How many content words each hypothesis has."""
        return np.bincount(self.pair[self.h.content], minlength=len(self.batch))

    @cached_property
    def covered(self) -> Bools:
        """Pairs whose H is so well covered that both may be about the same event."""
        return self.coverage >= COVERED

    @cached_property
    def covered_beside(self) -> Bools:
        """H rows beside which T has enough of H to be about the same event: all content words but this one count."""
        own = np.where(self.h.content, self.strength, np.float32(0))
        asked = self._asked[self.pair] - self.h.content
        had = np.bincount(self.pair, weights=own, minlength=len(self.batch))[self.pair] - own
        return had >= COVERED * np.maximum(asked, 1)

    @cached_property
    def _shared(self) -> tuple[Ints, Ints]:
        """The sentence (numbered through the batch) of each T row, and how many H content words each sentence has."""
        sentences = self.batch.t_trees.sentences
        width = int(sentences.max(initial=0)) + 1
        rows = self.t_row[(self.t_row >= 0) & self.h.content]
        counts = np.bincount(self.t_pair[rows] * width + sentences[rows], minlength=len(self.batch) * width)
        return self.t_pair * width + sentences, counts

    @cached_property
    def t_about_h(self) -> Bools:
        """T rows in sentences that have at least two content words of H."""
        sentence, counts = self._shared
        return counts[sentence] >= TOGETHER

    @cached_property
    def t_about_rest(self) -> Bools:
        """T rows in sentences that have at least two content words of H, or all but one."""
        sentence, counts = self._shared
        return counts[sentence] >= np.clip(self._asked - 1, 1, TOGETHER)[self.t_pair]

    @cached_property
    def t_in_full(self) -> Bools:
        """T rows in sentences that have nearly all content words of H."""
        sentence, counts = self._shared
        return counts[sentence] >= np.ceil(FULL * self._asked)[self.t_pair]

    def fire(self, rows: Bools, t_place: Int32s, strength: Singles | float = 1.0, h_place: Int32s | None = None) -> Cue:
        """The cue of a check that fires on some H rows: each pair has its first; T places are by H row."""
        many = len(self.batch)
        fired = np.flatnonzero(rows)
        pairs, first = np.unique(self.pair[fired], return_index=True)
        chosen = fired[first]
        how, t, h = np.zeros(many, dtype=np.float32), np.full(many, -1, np.int32), np.full(many, -1, np.int32)
        how[pairs] = np.broadcast_to(np.asarray(strength, dtype=np.float32), rows.shape)[chosen]
        t[pairs] = t_place[chosen]
        h[pairs] = (self.batch.h.place if h_place is None else h_place)[chosen]
        return Cue(how, t, h)


def view(batch: Batch) -> BatchView:
    """The batch as the checks look at it."""
    if VIEW not in batch.cues:
        batch.cues[VIEW] = BatchView(batch)
    found: BatchView = batch.cues[VIEW]
    return found


VIEW = "(view)"
"""Where a batch keeps it: no check has such a name."""

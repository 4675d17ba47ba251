"""Where noun phrases hang: subjects, objects, predicates, members of lists, appositions, phrases with prepositions."""

from __future__ import annotations

from karat.arrays import Int32s
from karat.engines.kernels import chunking as u
from karat.engines.kernels import clauses as c
from karat.engines.kernels.clauses import hang, open_clause, pointer, set_subject, waiting
from karat.engines.kernels.grammar import Dependency, Kind, Sentence, Trait, WordKey
from karat.kernels.compiled import compiled


@compiled
def finite_after(unit: int, count: int, units: Int32s) -> int:
    """The finite verb group that a noun phrase may be the subject of, over adverbs and phrases; -1 if none."""
    at = unit + 1
    while at < count and (
        units[at, u.TYPE] in (u.ADVERBS, u.PREPS) or (units[at, u.TYPE] == u.NOUNS and units[at, u.PREP] >= 0)
    ):
        at += 1
    if at < count and units[at, u.TYPE] == u.VERBS and (units[at, u.SHAPE] & u.FINITE) != 0:
        return at
    return -1


@compiled
def ends_list(unit: int, count: int, units: Int32s) -> bool:
    """Whether noun phrases and commas from here on come to an *and* with one more noun phrase."""
    at = unit + 1
    while at + 1 < count:
        kind = units[at, u.TYPE]
        if kind == u.JOINS:
            return bool(units[at + 1, u.TYPE] == u.NOUNS)
        if kind != u.COMMAS and kind != u.NOUNS:
            return False
        at += 1
    return False


@compiled
def outermost(clause: int, clauses: Int32s) -> int:
    """The clause that a further main clause would be joined to: out of relative clauses and the like."""
    joined = (Dependency.CONJ, Dependency.CCOMP)
    while clauses[clause, c.PARENT] >= 0 and clauses[clause, c.RELATION] not in joined:
        clause = clauses[clause, c.PARENT]
    return clause


@compiled
def first_member(row: int, s: Sentence) -> int:
    """The first member of the list that a word is in."""
    while s.relations[row] == Dependency.CONJ and s.heads[row] >= 0:
        row = s.heads[row]
    return row


@compiled
def join_noun(row: int, to: int, joint: int, s: Sentence) -> None:
    """One more member of a list; `joint` is its *and*, -1 for a comma."""
    hang(row, first_member(to, s), Dependency.CONJ, s)
    if joint >= 0:
        hang(joint, row, Dependency.CC, s)


@compiled
def report_around(s: Sentence) -> int:
    """A clause of saying around what was read so far: `…, he said`."""
    inner = 0
    while s.clauses[inner, c.HOST] < -1:
        inner = -s.clauses[inner, c.HOST] - 2
    clause = open_clause(-1, Dependency.ROOT, -1, s)
    s.clauses[inner, c.HOST], s.clauses[inner, c.RELATION], s.clauses[inner, c.PARENT] = (
        pointer(clause),
        Dependency.CCOMP,
        clause,
    )
    return clause


@compiled
def place_noun(unit: int, count: int, s: Sentence) -> None:
    """Hang a noun phrase without a preposition."""
    row = s.units[unit, u.HEAD]
    current = s.memory[c.CURRENT]
    before = s.units[unit - 1, u.TYPE] if unit > 0 else 0
    has_verb = s.clauses[current, c.VERB] >= 0
    finite = finite_after(unit, count, s.units)
    last = s.memory[c.NOUN]
    if s.keys[s.units[unit, u.FIRST]] == WordKey.WHOSE and last >= 0:
        clause = open_clause(last, Dependency.ACL_RELCL, current, s)
        set_subject(clause, row, s)
    elif before == u.JOINS and last >= 0:
        joint = s.units[unit - 1, u.HEAD]
        if finite >= 0 and has_verb:
            main = outermost(current, s.clauses)
            clause = open_clause(pointer(main), Dependency.CONJ, s.clauses[main, c.PARENT], s)
            set_subject(clause, row, s)
            hang(joint, pointer(clause), Dependency.CC, s)
        else:
            join_noun(row, last, joint, s)
    elif before == u.COMMAS and unit >= 2 and _beside(unit, finite, s):
        other = s.units[unit - 2, u.HEAD]
        same = (s.kinds[row] == Kind.NAME) == (s.kinds[other] == Kind.NAME) or s.relations[other] == Dependency.CONJ
        if (same and ends_list(unit, count, s.units)) or s.relations[other] == Dependency.CONJ:
            join_noun(row, other, -1, s)
        else:
            hang(row, first_member(other, s), Dependency.APPOS, s)
            # The phrase that an apposition explains stays the one that matters.
    elif not has_verb:
        _before_verb(unit, finite, s)
    else:
        _after_verb(unit, finite, s)
    s.memory[c.NOUN], s.memory[c.NOUN_UNIT] = row, unit


@compiled
def _beside(unit: int, finite: int, s: Sentence) -> bool:
    """Whether a phrase after a comma stands beside the phrase before it, as an apposition or in a list."""
    if s.units[unit - 2, u.TYPE] != u.NOUNS:
        return False
    current = s.memory[c.CURRENT]
    if s.clauses[current, c.VERB] < 0:
        return bool(s.clauses[current, c.SUBJECT] >= 0)
    if (s.traits[s.units[unit, u.HEAD]] & Trait.TIME) != 0:
        return False
    return finite < 0 or waiting(s.clauses, current) >= 0


@compiled
def _before_verb(unit: int, finite: int, s: Sentence) -> None:
    row = s.units[unit, u.HEAD]
    current = s.memory[c.CURRENT]
    subject = s.clauses[current, c.SUBJECT]
    if subject < 0:
        if s.keys[row] == WordKey.EXISTS:
            hang(row, pointer(current), Dependency.EXPL, s)
        else:
            set_subject(current, row, s)
    elif (s.traits[subject] & Trait.TIME) != 0 and s.relations[subject] != Dependency.CONJ:
        s.relations[subject] = Dependency.OBL
        set_subject(current, row, s)
    elif (s.traits[row] & Trait.TIME) != 0:
        hang(row, pointer(current), Dependency.OBL, s)
    elif finite >= 0 and s.units[unit - 1, u.TYPE] == u.NOUNS:
        clause = open_clause(s.units[unit - 1, u.HEAD], Dependency.ACL_RELCL, current, s)
        set_subject(clause, row, s)
    else:
        hang(row, subject, Dependency.APPOS, s)


@compiled
def _after_verb(unit: int, finite: int, s: Sentence) -> None:
    row = s.units[unit, u.HEAD]
    current = s.memory[c.CURRENT]
    clause = s.clauses[current]
    before = s.units[unit - 1, u.TYPE]
    verb = clause[c.VERB]
    if finite >= 0 and before == u.COMMAS:
        outer = waiting(s.clauses, current)
        if outer >= 0:
            s.memory[c.CURRENT] = outer
            set_subject(outer, row, s)
        elif (s.traits[s.units[finite, u.HEAD]] & Trait.REPORT) != 0:
            set_subject(report_around(s), row, s)
        else:
            main = outermost(current, s.clauses)
            new = open_clause(pointer(main), Dependency.CONJ, s.clauses[main, c.PARENT], s)
            set_subject(new, row, s)
        return
    said = (s.traits[verb] & Trait.REPORT) != 0
    sure = finite == unit + 1 and (s.units[finite, u.SHAPE] & u.UNSURE) == 0 and waiting(s.clauses, current) < 0
    if finite >= 0 and (said or (before == u.VERBS and sure)):
        new = open_clause(pointer(current), Dependency.CCOMP, current, s)
        set_subject(new, row, s)
    elif finite >= 0 and before == u.NOUNS and s.units[finite, u.FIRST] == s.units[unit + 1, u.FIRST]:
        new = open_clause(s.units[unit - 1, u.HEAD], Dependency.ACL_RELCL, current, s)
        set_subject(new, row, s)
    elif (clause[c.STATE] & c.COPULA) != 0 and clause[c.PREDICATE] < 0:
        clause[c.TOP] = clause[c.PREDICATE] = row
    elif (s.traits[row] & Trait.TIME) != 0 or (s.traits[row] & Trait.MONTH) != 0:
        hang(row, pointer(current), Dependency.OBL, s)
    elif clause[c.OBJECT] < 0:
        if clause[c.SUBJECT] < 0 and clause[c.RELATION] == Dependency.ROOT and said and before == u.VERBS and unit >= 2:
            set_subject(current, row, s)
        elif (clause[c.STATE] & c.PASSIVE) != 0 or (s.traits[verb] & Trait.BECOME) != 0:
            hang(row, pointer(current), Dependency.XCOMP if (s.traits[verb] & Trait.BECOME) != 0 else Dependency.OBJ, s)
            clause[c.OBJECT] = row
        else:
            clause[c.OBJECT] = row
            hang(row, pointer(current), Dependency.OBJ, s)
    elif before == u.NOUNS and s.units[unit - 1, u.HEAD] == clause[c.OBJECT] and (s.traits[verb] & Trait.GIVE) != 0:
        s.relations[clause[c.OBJECT]] = Dependency.IOBJ
        clause[c.OBJECT] = row
        hang(row, pointer(current), Dependency.OBJ, s)
    else:
        hang(row, pointer(current), Dependency.OBL, s)


@compiled
def place_phrase(unit: int, count: int, s: Sentence) -> None:
    """Hang a noun phrase with a preposition, on the phrase before it or on the verb."""
    row, prep = s.units[unit, u.HEAD], s.units[unit, u.PREP]
    current = s.memory[c.CURRENT]
    clause = s.clauses[current]
    before = s.units[unit - 1, u.TYPE] if unit > 0 else 0
    beside = before == u.NOUNS
    last = s.memory[c.NOUN]
    opens = s.keys[prep] == WordKey.AFTER and unit + 1 < count and s.units[unit + 1, u.TYPE] == u.VERBS
    outer = waiting(s.clauses, current)
    free = outer < 0 or (outer == current and clause[c.SUBJECT] < 0)
    if opens and (s.units[unit + 1, u.SHAPE] & u.FINITE) != 0 and free:
        new = open_clause(pointer(current), Dependency.ADVCL, current, s)
        set_subject(new, row, s)
        hang(prep, pointer(new), Dependency.MARK, s)
    elif before == u.JOINS and unit >= 2 and s.units[unit - 2, u.TYPE] == u.NOUNS and s.units[unit - 2, u.PREP] >= 0:
        join_noun(row, last, s.units[unit - 1, u.HEAD], s)
    elif s.keys[prep] == WordKey.OF and beside:
        hang(row, last, Dependency.NMOD, s)
    elif s.keys[prep] == WordKey.BY and (clause[c.STATE] & c.PASSIVE) != 0 and clause[c.VERB] >= 0:
        hang(row, pointer(current), Dependency.OBL_AGENT, s)
    elif beside and clause[c.VERB] < 0 and not (s.units[unit - 1, u.PREP] >= 0 and clause[c.SUBJECT] < 0):
        hang(row, last, Dependency.NMOD, s)
    elif beside and s.units[unit - 1, u.PREP] >= 0:
        timed = (s.traits[row] & (Trait.TIME | Trait.MONTH)) != 0 or s.kinds[row] == Kind.NUMBER
        noun = (s.traits[prep] & Trait.OF_VERB) == 0 and not timed
        hang(row, last if noun else pointer(current), Dependency.NMOD if noun else Dependency.OBL, s)
    elif beside and ((s.traits[prep] & Trait.OF_OBJECT) != 0 or last == clause[c.PREDICATE]):
        hang(row, last, Dependency.NMOD, s)
    else:
        hang(row, pointer(current), Dependency.OBL, s)
    s.memory[c.NOUN], s.memory[c.NOUN_UNIT] = row, unit

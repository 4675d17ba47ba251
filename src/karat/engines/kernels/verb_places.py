"""Where verb groups hang: main clauses, relative clauses, complements, participles, infinitives."""

from __future__ import annotations

from karat.arrays import Int32s
from karat.engines.kernels import chunking as u
from karat.engines.kernels import clauses as c
from karat.engines.kernels.clauses import hang, open_clause, pointer, set_subject, set_verb, waiting
from karat.engines.kernels.grammar import Dependency, Sentence, Trait, WordKey
from karat.engines.kernels.noun_places import outermost, report_around
from karat.kernels.compiled import compiled


@compiled
def previous(unit: int, units: Int32s) -> int:
    """The unit before this one, over adverbs; -1 at the start."""
    at = unit - 1
    while at >= 0 and units[at, u.TYPE] == u.ADVERBS:
        at -= 1
    return at


@compiled
def finite_left(unit: int, count: int, units: Int32s, unsure: bool) -> bool:
    """Whether a finite verb comes later; one that may be a participle counts where `unsure` says so."""
    found = False
    for at in range(unit + 1, count):
        if units[at, u.TYPE] == u.VERBS and (units[at, u.SHAPE] & u.FINITE) != 0:
            found = found or unsure or (units[at, u.SHAPE] & u.UNSURE) == 0
    return found


@compiled
def place_verb(unit: int, count: int, s: Sentence) -> None:
    """Hang a verb group, and make its clause the one being read."""
    verb, shape = s.units[unit, u.HEAD], s.units[unit, u.SHAPE]
    current = s.memory[c.CURRENT]
    joint = previous(unit, s.units)
    before = s.units[joint, u.TYPE] if joint >= 0 else 0
    passive, copula = (shape & u.PASSIVE) != 0, (shape & u.COPULA) != 0
    outer = waiting(s.clauses, current)
    bare = (shape & u.REDUCED) != 0
    if (
        bare
        and before != u.COMMAS
        and outer >= 0
        and s.clauses[outer, c.SUBJECT] >= 0
        and not finite_left(unit, count, s.units, True)
    ):
        # A participle where a verb is wanted and none will come was a past.
        bare, passive = False, False
        shape = u.FINITE
    if (shape & u.FINITE) != 0:
        clause = _finite(unit, count, s)
        if clause < 0:
            bare, passive = True, True
        else:
            set_verb(clause, verb, passive, copula, s.clauses)
            s.memory[c.CURRENT] = clause
            return
    host, relation = _dependent(unit, bare, shape, s)
    if before == u.JOINS:
        if _joins(shape, s):
            host, relation = pointer(current), Dependency.CONJ
        hang(s.units[joint, u.HEAD], verb, Dependency.CC, s)
    if s.units[unit, u.PREP] >= 0:
        s.relations[s.units[unit, u.PREP]] = Dependency.MARK
    clause = open_clause(host, relation, current, s)
    set_verb(clause, verb, passive or bare, copula, s.clauses)


@compiled
def _joins(shape: int, s: Sentence) -> bool:
    """Whether an infinitive or participle after *and* is the second of its kind."""
    relation = s.clauses[s.memory[c.CURRENT], c.RELATION]
    same = relation in (Dependency.XCOMP, Dependency.ACL, Dependency.ADVCL, Dependency.CONJ)
    return bool(s.clauses[s.memory[c.CURRENT], c.VERB] >= 0 and (same or (shape & u.REDUCED) != 0))


@compiled
def _finite(unit: int, count: int, s: Sentence) -> int:
    """The clause that a finite verb belongs to; -1 where it can only be a participle."""
    verb, shape = s.units[unit, u.HEAD], s.units[unit, u.SHAPE]
    current = s.memory[c.CURRENT]
    joint = previous(unit, s.units)
    before = s.units[joint, u.TYPE] if joint >= 0 else 0
    has_verb = s.clauses[current, c.VERB] >= 0
    if not has_verb:
        unsure = (shape & u.UNSURE) != 0 and before == u.NOUNS and s.clauses[current, c.SUBJECT] < 0
        if before == u.JOINS:
            hang(s.units[joint, u.HEAD], verb, Dependency.CC, s)
        outermost_yet = s.clauses[current, c.PARENT] < 0
        return -1 if unsure and outermost_yet and finite_left(unit, count, s.units, False) else current
    if before == u.JOINS:
        clause = open_clause(pointer(current), Dependency.CONJ, s.clauses[current, c.PARENT], s)
        hang(s.units[joint, u.HEAD], pointer(clause), Dependency.CC, s)
        return clause
    outer = waiting(s.clauses, current)
    if outer >= 0:
        return outer
    if before == u.COMMAS and (s.traits[verb] & Trait.REPORT) != 0:
        return report_around(s)
    if before == u.NOUNS and (shape & u.UNSURE) != 0:
        return -1
    if before == u.NOUNS and s.memory[c.NOUN] == s.clauses[current, c.OBJECT]:
        # He said the company lost: what looked like an object was a subject.
        noun = s.memory[c.NOUN]
        s.clauses[current, c.OBJECT] = -1
        clause = open_clause(pointer(current), Dependency.CCOMP, current, s)
        set_subject(clause, noun, s)
        return clause
    main = outermost(current, s.clauses)
    relation = Dependency.CONJ if before == u.COMMAS else Dependency.DEP
    return open_clause(pointer(main), relation, s.clauses[main, c.PARENT], s)


@compiled
def _dependent(unit: int, bare: bool, shape: int, s: Sentence) -> tuple[int, int]:
    """What an infinitive, gerund or participle hangs on, and how."""
    current, noun = s.memory[c.CURRENT], s.memory[c.NOUN]
    here = pointer(current)
    before = s.units[unit - 1, u.TYPE] if unit > 0 else 0
    verb = s.clauses[current, c.VERB]
    if (shape & u.INFINITIVE) != 0:
        if before == u.NOUNS:
            if verb < 0 or (s.traits[noun] & Trait.PLAN) != 0:
                return noun, Dependency.ACL
            return here, Dependency.XCOMP if (s.traits[verb] & Trait.ORDER) != 0 else Dependency.ADVCL
        return here, Dependency.XCOMP if before in (u.VERBS, u.ADJECTIVES) else Dependency.ADVCL
    if s.units[unit, u.PREP] >= 0:
        if before == u.NOUNS and s.keys[s.units[unit, u.PREP]] == WordKey.OF:
            return noun, Dependency.ACL
        return here, Dependency.ADVCL
    if before == u.NOUNS:
        return noun, Dependency.ACL
    if before == u.COMMAS and bare and verb < 0 and unit >= 2 and s.units[unit - 2, u.TYPE] == u.NOUNS:
        return noun, Dependency.ACL
    return here, Dependency.XCOMP if before == u.VERBS else Dependency.ADVCL


@compiled
def place_relative(unit: int, count: int, s: Sentence) -> None:
    """Open a clause with who, which, that or what."""
    row, current, noun = s.units[unit, u.HEAD], s.memory[c.CURRENT], s.memory[c.NOUN]
    before = s.units[unit - 1, u.TYPE] if unit > 0 else 0
    beside = before == u.NOUNS or (before == u.COMMAS and unit >= 2 and s.units[unit - 2, u.TYPE] == u.NOUNS)
    if beside and noun >= 0:
        clause = open_clause(noun, Dependency.ACL_RELCL, current, s)
    elif unit == 0:
        clause = current
    else:
        clause = open_clause(pointer(current), Dependency.CCOMP, current, s)
    if s.units[unit, u.PREP] >= 0:
        hang(row, pointer(clause), Dependency.OBL, s)
    elif unit + 1 < count and s.units[unit + 1, u.TYPE] == u.NOUNS and s.units[unit + 1, u.PREP] < 0:
        hang(row, pointer(clause), Dependency.OBJ, s)
        s.clauses[clause, c.OBJECT] = row
    else:
        set_subject(clause, row, s)


@compiled
def place_mark(unit: int, count: int, s: Sentence) -> None:
    """Open a clause with that, if, because, when and the like."""
    row, current, noun = s.units[unit, u.HEAD], s.memory[c.CURRENT], s.memory[c.NOUN]
    before = s.units[unit - 1, u.TYPE] if unit > 0 else 0
    verb = s.clauses[current, c.VERB]
    host, relation = pointer(current), Dependency.ADVCL
    if s.keys[row] == WordKey.THAT:
        relation = Dependency.CCOMP
        if before == u.NOUNS and (verb < 0 or (s.traits[verb] & Trait.REPORT) == 0):
            host, relation = noun, Dependency.ACL
            if unit + 1 < count and s.units[unit + 1, u.TYPE] == u.VERBS:
                relation = Dependency.ACL_RELCL
    elif s.keys[row] == WordKey.WHEN and before == u.VERBS:
        relation = Dependency.CCOMP
    elif s.keys[row] == WordKey.WHEN and before == u.NOUNS and verb < 0:
        host, relation = noun, Dependency.ACL_RELCL
    clause = open_clause(host, relation, current, s)
    if before == u.JOINS:
        hang(s.units[unit - 1, u.HEAD], pointer(clause), Dependency.CC, s)
    if relation == Dependency.ACL_RELCL and s.keys[row] == WordKey.THAT:
        set_subject(clause, row, s)
    else:
        hang(row, pointer(clause), Dependency.ADVMOD if s.keys[row] == WordKey.WHEN else Dependency.MARK, s)

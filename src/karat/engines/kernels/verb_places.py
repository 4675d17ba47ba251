"""Where verb groups hang: main clauses, relative clauses, complements, participles, infinitives."""

from __future__ import annotations

from karat.arrays import Bytes, Int32s
from karat.engines.kernels import clauses as c
from karat.engines.kernels.chunking import ADJECTIVES, ADVERBS, COMMAS, HEAD, JOINS, NOUNS, PREP, SHAPE, TYPE, VERBS
from karat.engines.kernels.clauses import hang, open_clause, pointer, set_subject, set_verb, waiting
from karat.engines.kernels.grammar import Dependency, Key, Trait
from karat.engines.kernels.noun_places import outermost, report_around
from karat.engines.kernels.verb_groups import COPULA, FINITE, INFINITIVE, PASSIVE, REDUCED, UNSURE
from karat.kernels.compiled import compiled

CURRENT, NOUN = c.CURRENT, c.NOUN
HOST, RELATION, PARENT, SUBJECT, OBJECT, VERB, STATE, PREDICATE = (
    c.HOST,
    c.RELATION,
    c.PARENT,
    c.SUBJECT,
    c.OBJECT,
    c.VERB,
    c.STATE,
    c.PREDICATE,
)
OF, THAT, WHEN = int(Key.OF), int(Key.THAT), int(Key.WHEN)
REPORT, ORDER, PLAN = int(Trait.REPORT), int(Trait.ORDER), int(Trait.PLAN)
CONJ, CC, MARK, ADVMOD, OBJ, OBL, DEP = (
    int(Dependency.CONJ),
    int(Dependency.CC),
    int(Dependency.MARK),
    int(Dependency.ADVMOD),
    int(Dependency.OBJ),
    int(Dependency.OBL),
    int(Dependency.DEP),
)
ACL, ACL_RELCL, ADVCL, CCOMP, XCOMP = (
    int(Dependency.ACL),
    int(Dependency.ACL_RELCL),
    int(Dependency.ADVCL),
    int(Dependency.CCOMP),
    int(Dependency.XCOMP),
)


@compiled
def previous(unit: int, units: Int32s) -> int:
    """The unit before this one, over adverbs; -1 at the start."""
    at = unit - 1
    while at >= 0 and units[at, TYPE] == ADVERBS:
        at -= 1
    return at


@compiled
def finite_left(unit: int, count: int, units: Int32s, unsure: bool) -> bool:
    """Whether a finite verb comes later; one that may be a participle counts where `unsure` says so."""
    found = False
    for at in range(unit + 1, count):
        if units[at, TYPE] == VERBS and (units[at, SHAPE] & FINITE) != 0:
            found = found or unsure or (units[at, SHAPE] & UNSURE) == 0
    return found


@compiled
def place_verb(
    unit: int,
    count: int,
    units: Int32s,
    keys: Bytes,
    traits: Int32s,
    clauses: Int32s,
    memory: Int32s,
    heads: Int32s,
    relations: Bytes,
) -> None:
    """Hang a verb group, and make its clause the one being read."""
    verb, shape = units[unit, HEAD], units[unit, SHAPE]
    current = memory[CURRENT]
    joint = previous(unit, units)
    before = units[joint, TYPE] if joint >= 0 else 0
    passive, copula = (shape & PASSIVE) != 0, (shape & COPULA) != 0
    outer = waiting(clauses, current)
    bare = (shape & REDUCED) != 0
    if (
        bare
        and before != COMMAS
        and outer >= 0
        and clauses[outer, SUBJECT] >= 0
        and not finite_left(unit, count, units, True)
    ):
        # A participle where a verb is wanted and none will come was a past.
        bare, passive = False, False
        shape = FINITE
    if (shape & FINITE) != 0:
        clause = _finite(unit, count, units, traits, clauses, memory, heads, relations)
        if clause < 0:
            bare, passive = True, True
        else:
            set_verb(clause, verb, passive, copula, clauses)
            memory[CURRENT] = clause
            return
    host, relation = _dependent(unit, bare, shape, units, keys, traits, clauses, memory)
    if before == JOINS:
        if _joins(shape, clauses, memory):
            host, relation = pointer(current), CONJ
        hang(units[joint, HEAD], verb, CC, heads, relations)
    if units[unit, PREP] >= 0:
        relations[units[unit, PREP]] = MARK
    clause = open_clause(clauses, memory, host, relation, current)
    set_verb(clause, verb, passive or bare, copula, clauses)


@compiled
def _joins(shape: int, clauses: Int32s, memory: Int32s) -> bool:
    """Whether an infinitive or participle after *and* is the second of its kind."""
    relation = clauses[memory[CURRENT], RELATION]
    same = relation in (XCOMP, ACL, ADVCL, CONJ)
    return bool(clauses[memory[CURRENT], VERB] >= 0 and (same or (shape & REDUCED) != 0))


@compiled
def _finite(
    unit: int,
    count: int,
    units: Int32s,
    traits: Int32s,
    clauses: Int32s,
    memory: Int32s,
    heads: Int32s,
    relations: Bytes,
) -> int:
    """The clause that a finite verb belongs to; -1 where it can only be a participle."""
    verb, shape = units[unit, HEAD], units[unit, SHAPE]
    current = memory[CURRENT]
    joint = previous(unit, units)
    before = units[joint, TYPE] if joint >= 0 else 0
    has_verb = clauses[current, VERB] >= 0
    if not has_verb:
        unsure = (shape & UNSURE) != 0 and before == NOUNS and clauses[current, SUBJECT] < 0
        if before == JOINS:
            hang(units[joint, HEAD], verb, CC, heads, relations)
        return -1 if unsure and clauses[current, PARENT] < 0 and finite_left(unit, count, units, False) else current
    if before == JOINS:
        clause = open_clause(clauses, memory, pointer(current), CONJ, clauses[current, PARENT])
        hang(units[joint, HEAD], pointer(clause), CC, heads, relations)
        return clause
    outer = waiting(clauses, current)
    if outer >= 0:
        return outer
    if before == COMMAS and (traits[verb] & REPORT) != 0:
        return report_around(clauses, memory)
    if before == NOUNS and (shape & UNSURE) != 0:
        return -1
    if before == NOUNS and memory[NOUN] == clauses[current, OBJECT]:
        # He said the company lost: what looked like an object was a subject.
        noun = memory[NOUN]
        clauses[current, OBJECT] = -1
        clause = open_clause(clauses, memory, pointer(current), CCOMP, current)
        set_subject(clause, noun, clauses, heads, relations)
        return clause
    main = outermost(current, clauses)
    return open_clause(clauses, memory, pointer(main), CONJ if before == COMMAS else DEP, clauses[main, PARENT])


@compiled
def _dependent(
    unit: int, bare: bool, shape: int, units: Int32s, keys: Bytes, traits: Int32s, clauses: Int32s, memory: Int32s
) -> tuple[int, int]:
    """What an infinitive, gerund or participle hangs on, and how."""
    current, noun = memory[CURRENT], memory[NOUN]
    here = pointer(current)
    before = units[unit - 1, TYPE] if unit > 0 else 0
    verb = clauses[current, VERB]
    if (shape & INFINITIVE) != 0:
        if before == NOUNS:
            if verb < 0 or (traits[noun] & PLAN) != 0:
                return noun, ACL
            return here, XCOMP if (traits[verb] & ORDER) != 0 else ADVCL
        return here, XCOMP if before in (VERBS, ADJECTIVES) else ADVCL
    if units[unit, PREP] >= 0:
        if before == NOUNS and keys[units[unit, PREP]] == OF:
            return noun, ACL
        return here, ADVCL
    if before == NOUNS:
        return noun, ACL
    if before == COMMAS and bare and verb < 0 and unit >= 2 and units[unit - 2, TYPE] == NOUNS:
        return noun, ACL
    return here, XCOMP if before == VERBS else ADVCL


@compiled
def place_relative(
    unit: int, count: int, units: Int32s, clauses: Int32s, memory: Int32s, heads: Int32s, relations: Bytes
) -> None:
    """Open a clause with who, which, that or what."""
    row, current, noun = units[unit, HEAD], memory[CURRENT], memory[NOUN]
    before = units[unit - 1, TYPE] if unit > 0 else 0
    beside = before == NOUNS or (before == COMMAS and unit >= 2 and units[unit - 2, TYPE] == NOUNS)
    if beside and noun >= 0:
        clause = open_clause(clauses, memory, noun, ACL_RELCL, current)
    elif unit == 0:
        clause = current
    else:
        clause = open_clause(clauses, memory, pointer(current), CCOMP, current)
    if units[unit, PREP] >= 0:
        hang(row, pointer(clause), OBL, heads, relations)
    elif unit + 1 < count and units[unit + 1, TYPE] == NOUNS and units[unit + 1, PREP] < 0:
        hang(row, pointer(clause), OBJ, heads, relations)
        clauses[clause, OBJECT] = row
    else:
        set_subject(clause, row, clauses, heads, relations)


@compiled
def place_mark(
    unit: int,
    count: int,
    units: Int32s,
    keys: Bytes,
    traits: Int32s,
    clauses: Int32s,
    memory: Int32s,
    heads: Int32s,
    relations: Bytes,
) -> None:
    """Open a clause with that, if, because, when and the like."""
    row, current, noun = units[unit, HEAD], memory[CURRENT], memory[NOUN]
    before = units[unit - 1, TYPE] if unit > 0 else 0
    verb = clauses[current, VERB]
    host, relation = pointer(current), ADVCL
    if keys[row] == THAT:
        relation = CCOMP
        if before == NOUNS and (verb < 0 or (traits[verb] & REPORT) == 0):
            host, relation = noun, ACL
            if unit + 1 < count and units[unit + 1, TYPE] == VERBS:
                relation = ACL_RELCL
    elif keys[row] == WHEN and before == VERBS:
        relation = CCOMP
    elif keys[row] == WHEN and before == NOUNS and verb < 0:
        host, relation = noun, ACL_RELCL
    clause = open_clause(clauses, memory, host, relation, current)
    if before == JOINS:
        hang(units[unit - 1, HEAD], pointer(clause), CC, heads, relations)
    if relation == ACL_RELCL and keys[row] == THAT:
        set_subject(clause, row, clauses, heads, relations)
    else:
        hang(row, pointer(clause), ADVMOD if keys[row] == WHEN else MARK, heads, relations)

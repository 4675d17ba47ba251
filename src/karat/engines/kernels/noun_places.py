"""Where noun phrases hang: subjects, objects, predicates, members of lists, appositions, phrases with prepositions."""

from __future__ import annotations

from karat.arrays import Bytes, Int32s
from karat.engines.kernels import clauses as c
from karat.engines.kernels.chunking import ADVERBS, COMMAS, FIRST, HEAD, JOINS, NOUNS, PREP, PREPS, SHAPE, TYPE, VERBS
from karat.engines.kernels.clauses import hang, open_clause, pointer, set_subject, waiting
from karat.engines.kernels.grammar import Dependency, Key, Kind, Trait
from karat.engines.kernels.verb_groups import FINITE, UNSURE
from karat.kernels.compiled import compiled

CURRENT, COUNT, NOUN, NOUN_UNIT = c.CURRENT, c.COUNT, c.NOUN, c.NOUN_UNIT
TOP, HOST, RELATION, PARENT, SUBJECT, OBJECT = c.TOP, c.HOST, c.RELATION, c.PARENT, c.SUBJECT, c.OBJECT
VERB, STATE, PREDICATE, PASSIVE, COPULA = c.VERB, c.STATE, c.PREDICATE, c.PASSIVE, c.COPULA
DETERMINER, NAME, NUMBER = int(Kind.DETERMINER), int(Kind.NAME), int(Kind.NUMBER)
OF, BY, WHOSE, EXISTS, AFTER = int(Key.OF), int(Key.BY), int(Key.WHOSE), int(Key.EXISTS), int(Key.AFTER)
MARK = int(Dependency.MARK)
REPORT, GIVE, TIME, BECOME = int(Trait.REPORT), int(Trait.GIVE), int(Trait.TIME), int(Trait.BECOME)
OF_OBJECT, OF_VERB, MONTH = int(Trait.OF_OBJECT), int(Trait.OF_VERB), int(Trait.MONTH)
ROOT, DEP, OBJ, IOBJ, OBL = (
    int(Dependency.ROOT),
    int(Dependency.DEP),
    int(Dependency.OBJ),
    int(Dependency.IOBJ),
    int(Dependency.OBL),
)
OBL_AGENT, NMOD, APPOS, CONJ, CC = (
    int(Dependency.OBL_AGENT),
    int(Dependency.NMOD),
    int(Dependency.APPOS),
    int(Dependency.CONJ),
    int(Dependency.CC),
)
ACL, ACL_RELCL, ADVCL, CCOMP, XCOMP, EXPL = (
    int(Dependency.ACL),
    int(Dependency.ACL_RELCL),
    int(Dependency.ADVCL),
    int(Dependency.CCOMP),
    int(Dependency.XCOMP),
    int(Dependency.EXPL),
)


@compiled
def finite_after(unit: int, count: int, units: Int32s) -> int:
    """The finite verb group that a noun phrase may be the subject of, over adverbs and phrases; -1 if none."""
    at = unit + 1
    while at < count and (
        units[at, TYPE] == ADVERBS or units[at, TYPE] == PREPS or (units[at, TYPE] == NOUNS and units[at, PREP] >= 0)
    ):
        at += 1
    if at < count and units[at, TYPE] == VERBS and (units[at, SHAPE] & FINITE) != 0:
        return at
    return -1


@compiled
def ends_list(unit: int, count: int, units: Int32s) -> bool:
    """Whether noun phrases and commas from here on come to an *and* with one more noun phrase."""
    at = unit + 1
    while at + 1 < count:
        kind = units[at, TYPE]
        if kind == JOINS:
            return bool(units[at + 1, TYPE] == NOUNS)
        if kind != COMMAS and kind != NOUNS:
            return False
        at += 1
    return False


@compiled
def outermost(clause: int, clauses: Int32s) -> int:
    """The clause that a further main clause would be joined to: out of relative clauses and the like."""
    while clauses[clause, PARENT] >= 0 and clauses[clause, RELATION] != CONJ and clauses[clause, RELATION] != CCOMP:
        clause = clauses[clause, PARENT]
    return clause


@compiled
def first_member(row: int, heads: Int32s, relations: Bytes) -> int:
    """The first member of the list that a word is in."""
    while relations[row] == CONJ and heads[row] >= 0:
        row = heads[row]
    return row


@compiled
def join_noun(row: int, to: int, joint: int, heads: Int32s, relations: Bytes) -> None:
    """One more member of a list; `joint` is its *and*, -1 for a comma."""
    hang(row, first_member(to, heads, relations), CONJ, heads, relations)
    if joint >= 0:
        hang(joint, row, CC, heads, relations)


@compiled
def report_around(clauses: Int32s, memory: Int32s) -> int:
    """A clause of saying around what was read so far: `…, he said`."""
    inner = 0
    while clauses[inner, HOST] < -1:
        inner = -clauses[inner, HOST] - 2
    clause = open_clause(clauses, memory, -1, ROOT, -1)
    clauses[inner, HOST], clauses[inner, RELATION], clauses[inner, PARENT] = pointer(clause), CCOMP, clause
    return clause


@compiled
def place_noun(
    unit: int,
    count: int,
    units: Int32s,
    kinds: Bytes,
    keys: Bytes,
    traits: Int32s,
    clauses: Int32s,
    memory: Int32s,
    heads: Int32s,
    relations: Bytes,
) -> None:
    """Hang a noun phrase without a preposition."""
    row = units[unit, HEAD]
    current = memory[CURRENT]
    before = units[unit - 1, TYPE] if unit > 0 else 0
    has_verb = clauses[current, VERB] >= 0
    finite = finite_after(unit, count, units)
    last = memory[NOUN]
    if keys[units[unit, FIRST]] == WHOSE and last >= 0:
        clause = open_clause(clauses, memory, last, ACL_RELCL, current)
        set_subject(clause, row, clauses, heads, relations)
    elif before == JOINS and last >= 0:
        joint = units[unit - 1, HEAD]
        if finite >= 0 and has_verb:
            main = outermost(current, clauses)
            clause = open_clause(clauses, memory, pointer(main), CONJ, clauses[main, PARENT])
            set_subject(clause, row, clauses, heads, relations)
            hang(joint, pointer(clause), CC, heads, relations)
        else:
            join_noun(row, last, joint, heads, relations)
    elif before == COMMAS and unit >= 2 and _beside(unit, finite, units, traits, clauses, memory):
        other = units[unit - 2, HEAD]
        same = (kinds[row] == NAME) == (kinds[other] == NAME) or relations[other] == CONJ
        if (same and ends_list(unit, count, units)) or relations[other] == CONJ:
            join_noun(row, other, -1, heads, relations)
        else:
            hang(row, first_member(other, heads, relations), APPOS, heads, relations)
            # The phrase that an apposition explains stays the one that matters.
    elif not has_verb:
        _before_verb(unit, finite, units, keys, traits, clauses, memory, heads, relations)
    else:
        _after_verb(unit, finite, units, traits, clauses, memory, heads, relations)
    memory[NOUN], memory[NOUN_UNIT] = row, unit


@compiled
def _beside(unit: int, finite: int, units: Int32s, traits: Int32s, clauses: Int32s, memory: Int32s) -> bool:
    """Whether a phrase after a comma stands beside the phrase before it, as an apposition or in a list."""
    if units[unit - 2, TYPE] != NOUNS:
        return False
    current = memory[CURRENT]
    if clauses[current, VERB] < 0:
        return bool(clauses[current, SUBJECT] >= 0)
    if (traits[units[unit, HEAD]] & TIME) != 0:
        return False
    return finite < 0 or waiting(clauses, current) >= 0


@compiled
def _before_verb(
    unit: int,
    finite: int,
    units: Int32s,
    keys: Bytes,
    traits: Int32s,
    clauses: Int32s,
    memory: Int32s,
    heads: Int32s,
    relations: Bytes,
) -> None:
    row = units[unit, HEAD]
    current = memory[CURRENT]
    subject = clauses[current, SUBJECT]
    if subject < 0:
        if keys[row] == EXISTS:
            hang(row, pointer(current), EXPL, heads, relations)
        else:
            set_subject(current, row, clauses, heads, relations)
    elif (traits[subject] & TIME) != 0 and relations[subject] != CONJ:
        relations[subject] = OBL
        set_subject(current, row, clauses, heads, relations)
    elif (traits[row] & TIME) != 0:
        hang(row, pointer(current), OBL, heads, relations)
    elif finite >= 0 and units[unit - 1, TYPE] == NOUNS:
        clause = open_clause(clauses, memory, units[unit - 1, HEAD], ACL_RELCL, current)
        set_subject(clause, row, clauses, heads, relations)
    else:
        hang(row, subject, APPOS, heads, relations)


@compiled
def _after_verb(
    unit: int,
    finite: int,
    units: Int32s,
    traits: Int32s,
    clauses: Int32s,
    memory: Int32s,
    heads: Int32s,
    relations: Bytes,
) -> None:
    row = units[unit, HEAD]
    current = memory[CURRENT]
    clause = clauses[current]
    before = units[unit - 1, TYPE]
    verb = clause[VERB]
    if finite >= 0 and before == COMMAS:
        outer = waiting(clauses, current)
        if outer >= 0:
            memory[CURRENT] = outer
            set_subject(outer, row, clauses, heads, relations)
        elif (traits[units[finite, HEAD]] & REPORT) != 0:
            set_subject(report_around(clauses, memory), row, clauses, heads, relations)
        else:
            main = outermost(current, clauses)
            new = open_clause(clauses, memory, pointer(main), CONJ, clauses[main, PARENT])
            set_subject(new, row, clauses, heads, relations)
        return
    said = (traits[verb] & REPORT) != 0
    sure = finite == unit + 1 and (units[finite, SHAPE] & UNSURE) == 0 and waiting(clauses, current) < 0
    if finite >= 0 and (said or (before == VERBS and sure)):
        new = open_clause(clauses, memory, pointer(current), CCOMP, current)
        set_subject(new, row, clauses, heads, relations)
    elif finite >= 0 and before == NOUNS and units[finite, FIRST] == units[unit + 1, FIRST]:
        new = open_clause(clauses, memory, units[unit - 1, HEAD], ACL_RELCL, current)
        set_subject(new, row, clauses, heads, relations)
    elif (clause[STATE] & COPULA) != 0 and clause[PREDICATE] < 0:
        clause[TOP] = clause[PREDICATE] = row
    elif (traits[row] & TIME) != 0 or (traits[row] & MONTH) != 0:
        hang(row, pointer(current), OBL, heads, relations)
    elif clause[OBJECT] < 0:
        if clause[SUBJECT] < 0 and clause[RELATION] == ROOT and said and before == VERBS and unit >= 2:
            set_subject(current, row, clauses, heads, relations)
        elif (clause[STATE] & PASSIVE) != 0 or (traits[verb] & BECOME) != 0:
            hang(row, pointer(current), XCOMP if (traits[verb] & BECOME) != 0 else OBJ, heads, relations)
            clause[OBJECT] = row
        else:
            clause[OBJECT] = row
            hang(row, pointer(current), OBJ, heads, relations)
    elif before == NOUNS and units[unit - 1, HEAD] == clause[OBJECT] and (traits[verb] & GIVE) != 0:
        relations[clause[OBJECT]] = IOBJ
        clause[OBJECT] = row
        hang(row, pointer(current), OBJ, heads, relations)
    else:
        hang(row, pointer(current), OBL, heads, relations)


@compiled
def place_phrase(
    unit: int,
    count: int,
    units: Int32s,
    kinds: Bytes,
    keys: Bytes,
    traits: Int32s,
    clauses: Int32s,
    memory: Int32s,
    heads: Int32s,
    relations: Bytes,
) -> None:
    """Hang a noun phrase with a preposition, on the phrase before it or on the verb."""
    row, prep = units[unit, HEAD], units[unit, PREP]
    current = memory[CURRENT]
    clause = clauses[current]
    before = units[unit - 1, TYPE] if unit > 0 else 0
    beside = before == NOUNS
    last = memory[NOUN]
    opens = keys[prep] == AFTER and unit + 1 < count and units[unit + 1, TYPE] == VERBS
    outer = waiting(clauses, current)
    free = outer < 0 or (outer == current and clause[SUBJECT] < 0)
    if opens and (units[unit + 1, SHAPE] & FINITE) != 0 and free:
        new = open_clause(clauses, memory, pointer(current), ADVCL, current)
        set_subject(new, row, clauses, heads, relations)
        hang(prep, pointer(new), MARK, heads, relations)
    elif before == JOINS and unit >= 2 and units[unit - 2, TYPE] == NOUNS and units[unit - 2, PREP] >= 0:
        join_noun(row, last, units[unit - 1, HEAD], heads, relations)
    elif keys[prep] == OF and beside:
        hang(row, last, NMOD, heads, relations)
    elif keys[prep] == BY and (clause[STATE] & PASSIVE) != 0 and clause[VERB] >= 0:
        hang(row, pointer(current), OBL_AGENT, heads, relations)
    elif beside and clause[VERB] < 0 and not (units[unit - 1, PREP] >= 0 and clause[SUBJECT] < 0):
        hang(row, last, NMOD, heads, relations)
    elif beside and units[unit - 1, PREP] >= 0:
        timed = (traits[row] & (TIME | MONTH)) != 0 or kinds[row] == NUMBER
        noun = (traits[prep] & OF_VERB) == 0 and not timed
        hang(row, last if noun else pointer(current), NMOD if noun else OBL, heads, relations)
    elif beside and ((traits[prep] & OF_OBJECT) != 0 or last == clause[PREDICATE]):
        hang(row, last, NMOD, heads, relations)
    else:
        hang(row, pointer(current), OBL, heads, relations)
    memory[NOUN], memory[NOUN_UNIT] = row, unit

"""Clauses while a sentence is read: each has a verb or waits for it, and knows where it will hang.

What hangs on a clause is written as the number of the clause below -1 and becomes its head's place at the end, so that
a subject may come before its verb and a predicate may take the place of its copula.
"""

from __future__ import annotations

from karat.arrays import Bytes, Int32s
from karat.engines.kernels.grammar import Dependency
from karat.kernels.compiled import compiled

TOP, HOST, RELATION, PARENT, SUBJECT, OBJECT, VERB, STATE, PREDICATE = 0, 1, 2, 3, 4, 5, 6, 7, 8
"""Columns of a clause: its head, what it hangs on and how, the clause around it, subject, object, verb, state."""
WIDTH = 9
PASSIVE, COPULA = 1, 2
"""States of a clause."""
CURRENT, COUNT, NOUN, NOUN_UNIT, ADJECTIVE = 0, 1, 2, 3, 4
"""What is remembered: the clause being read, how many there are, the last noun phrase and its unit, last adjective."""
MEMORY = 5
NSUBJ, NSUBJ_PASS, EXPL = int(Dependency.NSUBJ), int(Dependency.NSUBJ_PASS), int(Dependency.EXPL)
DEP, ROOT, COP, PUNCT = int(Dependency.DEP), int(Dependency.ROOT), int(Dependency.COP), int(Dependency.PUNCT)
NOWHERE = -1


@compiled
def pointer(clause: int) -> int:
    """What stands for a clause's head until it is known."""
    return -clause - 2


@compiled
def open_clause(clauses: Int32s, memory: Int32s, host: int, relation: int, parent: int) -> int:
    """A new clause, which becomes the one being read."""
    clause = memory[COUNT]
    memory[COUNT] += 1
    memory[CURRENT] = clause
    row = clauses[clause]
    row[TOP] = row[SUBJECT] = row[OBJECT] = row[VERB] = row[PREDICATE] = -1
    row[HOST], row[RELATION], row[PARENT], row[STATE] = host, relation, parent, 0
    return clause


@compiled
def hang(row: int, on: int, relation: int, heads: Int32s, relations: Bytes) -> None:
    """Hang a token on a token or a clause."""
    heads[row], relations[row] = on, relation


@compiled
def set_subject(clause: int, row: int, clauses: Int32s, heads: Int32s, relations: Bytes) -> None:
    """The subject of a clause."""
    clauses[clause, SUBJECT] = row
    hang(row, pointer(clause), NSUBJ, heads, relations)


@compiled
def set_verb(clause: int, verb: int, passive: bool, copula: bool, clauses: Int32s) -> None:
    """The verb of a clause that waited for it."""
    clauses[clause, VERB] = clauses[clause, TOP] = verb
    clauses[clause, STATE] = (PASSIVE if passive else 0) | (COPULA if copula else 0)


@compiled
def waiting(clauses: Int32s, clause: int) -> int:
    """The nearest clause from this one outwards that has no verb, -1 if none."""
    while clause >= 0 and clauses[clause, VERB] >= 0:
        clause = clauses[clause, PARENT]
    return clause


@compiled
def close_sentence(first: int, last: int, clauses: Int32s, count: int, heads: Int32s, relations: Bytes) -> None:
    """Put heads in the place of clauses; one root, and no way round in a circle."""
    for clause in range(count):
        _find_top(clause, clauses, first, last, heads)
    for clause in range(count):
        top = clauses[clause, TOP]
        if top >= 0:
            heads[top], relations[top] = clauses[clause, HOST], clauses[clause, RELATION]
        verb, subject = clauses[clause, VERB], clauses[clause, SUBJECT]
        if verb >= 0 and verb != top:
            heads[verb], relations[verb] = top, COP
            for row in range(first, last):
                if heads[row] == verb and row != top:
                    heads[row] = top
        if subject >= 0 and subject != top and relations[subject] == NSUBJ and (clauses[clause, STATE] & PASSIVE) != 0:
            relations[subject] = NSUBJ_PASS
    for row in range(first, last):
        # An empty clause hands on to the one it would hang on.
        steps = 0
        while heads[row] < NOWHERE and steps <= count:
            clause = -heads[row] - 2
            heads[row] = clauses[clause, TOP] if clauses[clause, TOP] >= 0 else clauses[clause, HOST]
            steps += 1
        if heads[row] < NOWHERE or heads[row] == row:
            heads[row] = NOWHERE
    _one_root(first, last, clauses[0, TOP], heads, relations)


@compiled
def _find_top(clause: int, clauses: Int32s, first: int, last: int, heads: Int32s) -> None:
    """The head of a clause without a verb: its subject, or else the first word that hangs on it."""
    if clauses[clause, TOP] >= 0:
        return
    if clauses[clause, SUBJECT] >= 0:
        clauses[clause, TOP] = clauses[clause, SUBJECT]
        return
    for row in range(first, last):
        if heads[row] == pointer(clause):
            clauses[clause, TOP] = row
            return


@compiled
def _one_root(first: int, last: int, top: int, heads: Int32s, relations: Bytes) -> None:
    root = -1
    for row in range(first, last):
        if heads[row] == NOWHERE and relations[row] == ROOT and root < 0:
            root = row
    if root < 0:
        root = top if top >= 0 else first
    heads[root], relations[root] = NOWHERE, ROOT
    for row in range(first, last):
        if row == root:
            continue
        if heads[row] == NOWHERE:
            heads[row] = root
            if relations[row] == ROOT:
                relations[row] = DEP
        above, steps = heads[row], 0
        while above >= 0 and above != row and steps < last - first:
            above = heads[above]
            steps += 1
        if above >= 0:
            heads[row], relations[row] = root, DEP

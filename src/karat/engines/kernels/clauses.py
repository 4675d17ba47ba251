"""Clauses while a sentence is read: each has a verb or waits for it, and knows where it will hang.

What hangs on a clause is written as the number of the clause below -1 and becomes its head's place at the end, so that
a subject may come before its verb and a predicate may take the place of its copula.
"""

from __future__ import annotations

from karat.arrays import Int32s
from karat.engines.kernels.grammar import Dependency, Sentence
from karat.kernels.compiled import compiled

TOP, HOST, RELATION, PARENT, SUBJECT, OBJECT, VERB, STATE, PREDICATE = 0, 1, 2, 3, 4, 5, 6, 7, 8
"""Columns of a clause: its head, what it hangs on and how, the clause around it, subject, object, verb, state."""
WIDTH = 9
PASSIVE, COPULA = 1, 2
"""States of a clause."""
CURRENT, COUNT, NOUN, NOUN_UNIT, ADJECTIVE = 0, 1, 2, 3, 4
"""What is remembered: the clause being read, how many there are, the last noun phrase and its unit, last adjective."""
MEMORY = 5
NOWHERE = -1


@compiled
def pointer(clause: int) -> int:
    """What stands for a clause's head until it is known."""
    return -clause - 2


@compiled
def open_clause(host: int, relation: int, parent: int, s: Sentence) -> int:
    """A new clause, which becomes the one being read."""
    clause = s.memory[COUNT]
    s.memory[COUNT] += 1
    s.memory[CURRENT] = clause
    row = s.clauses[clause]
    row[TOP] = row[SUBJECT] = row[OBJECT] = row[VERB] = row[PREDICATE] = -1
    row[HOST], row[RELATION], row[PARENT], row[STATE] = host, relation, parent, 0
    return clause


@compiled
def hang(row: int, on: int, relation: int, s: Sentence) -> None:
    """Hang a token on a token or a clause."""
    s.heads[row], s.relations[row] = on, relation


@compiled
def set_subject(clause: int, row: int, s: Sentence) -> None:
    """The subject of a clause."""
    s.clauses[clause, SUBJECT] = row
    hang(row, pointer(clause), Dependency.NSUBJ, s)


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
def close_sentence(first: int, last: int, count: int, s: Sentence) -> None:
    """Put heads in the place of clauses; one root, and no way round in a circle."""
    for clause in range(count):
        _find_top(clause, first, last, s)
    for clause in range(count):
        top = s.clauses[clause, TOP]
        if top >= 0:
            s.heads[top], s.relations[top] = s.clauses[clause, HOST], s.clauses[clause, RELATION]
        verb, subject = s.clauses[clause, VERB], s.clauses[clause, SUBJECT]
        if verb >= 0 and verb != top:
            s.heads[verb], s.relations[verb] = top, Dependency.COP
            for row in range(first, last):
                if s.heads[row] == verb and row != top:
                    s.heads[row] = top
        passive = (s.clauses[clause, STATE] & PASSIVE) != 0
        if passive and subject >= 0 and subject != top and s.relations[subject] == Dependency.NSUBJ:
            s.relations[subject] = Dependency.NSUBJ_PASS
    for row in range(first, last):
        # An empty clause hands on to the one it would hang on.
        steps = 0
        while s.heads[row] < NOWHERE and steps <= count:
            clause = -s.heads[row] - 2
            s.heads[row] = s.clauses[clause, TOP] if s.clauses[clause, TOP] >= 0 else s.clauses[clause, HOST]
            steps += 1
        if s.heads[row] < NOWHERE or s.heads[row] == row:
            s.heads[row] = NOWHERE
    _one_root(first, last, s.clauses[0, TOP], s)


@compiled
def _find_top(clause: int, first: int, last: int, s: Sentence) -> None:
    """The head of a clause without a verb: its subject, or else the first word that hangs on it."""
    if s.clauses[clause, TOP] >= 0:
        return
    if s.clauses[clause, SUBJECT] >= 0:
        s.clauses[clause, TOP] = s.clauses[clause, SUBJECT]
        return
    for row in range(first, last):
        if s.heads[row] == pointer(clause):
            s.clauses[clause, TOP] = row
            return


@compiled
def _one_root(first: int, last: int, top: int, s: Sentence) -> None:
    root = -1
    for row in range(first, last):
        if s.heads[row] == NOWHERE and s.relations[row] == Dependency.ROOT and root < 0:
            root = row
    if root < 0:
        root = top if top >= 0 else first
    s.heads[root], s.relations[root] = NOWHERE, Dependency.ROOT
    for row in range(first, last):
        if row == root:
            continue
        if s.heads[row] == NOWHERE:
            s.heads[row] = root
            if s.relations[row] == Dependency.ROOT:
                s.relations[row] = Dependency.DEP
        above, steps = s.heads[row], 0
        while above >= 0 and above != row and steps < last - first:
            above = s.heads[above]
            steps += 1
        if above >= 0:
            s.heads[row], s.relations[row] = root, Dependency.DEP

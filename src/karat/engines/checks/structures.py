"""Who does what to whom: dependencies as a few roles that passives, appositions and genitives share."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from karat.arrays import Bytes
from karat.engines.text.tags import Dependency, Tag
from karat.engines.text.tokens import Tokens
from karat.engines.text.trees import Trees


class Role(IntEnum):
    """What a word is to the word it depends on."""

    NONE = 0
    SUBJECT = 1
    OBJECT = 2
    OBLIQUE = 3
    MODIFIER = 4
    BEING = 5
    """What something is said to be: by is, or by an apposition."""
    CLAUSE = 6


_ROLES = np.zeros(len(Dependency), dtype=np.int8)
for _role, _dependencies in {
    Role.SUBJECT: (Dependency.NSUBJ, Dependency.OBL_AGENT),
    Role.OBJECT: (Dependency.OBJ, Dependency.NSUBJ_PASS),
    Role.OBLIQUE: (Dependency.OBL, Dependency.IOBJ),
    Role.MODIFIER: (
        Dependency.NMOD, Dependency.NMOD_POSS, Dependency.AMOD, Dependency.ADVMOD, Dependency.COMPOUND,
        Dependency.NUMMOD, Dependency.FLAT,
    ),
    Role.BEING: (Dependency.APPOS,),
    Role.CLAUSE: (
        Dependency.ACL, Dependency.ACL_RELCL, Dependency.ADVCL, Dependency.CCOMP, Dependency.XCOMP, Dependency.CONJ,
    ),
}.items():  # fmt: skip
    _ROLES[list(_dependencies)] = _role
_EMPTY = np.isin(np.arange(len(Tag)), (Tag.PUNCT, Tag.DET, Tag.ADP, Tag.AUX, Tag.CCONJ, Tag.SCONJ, Tag.PART))


def roles(tokens: Tokens, trees: Trees) -> Bytes:
    """The role of each word; none where there is no tree."""
    made = _ROLES[trees.dependencies]
    made[_EMPTY[trees.tags] | (trees.heads < 0)] = Role.NONE
    over = np.where(trees.heads >= 0, tokens.starts[tokens.pair] + trees.heads, -1)
    copular = np.zeros(len(made) + 1, dtype=bool)
    copular[over[trees.dependencies == Dependency.COP]] = True
    copular[-1] = False
    made[(made == Role.SUBJECT) & copular[over]] = Role.BEING
    return made

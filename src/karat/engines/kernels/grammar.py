"""The codes of grammar: tags and relations, named as in Universal Dependencies, and kinds of words, which are finer."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from karat.arrays import Bytes, Int32s


class Tag(IntEnum):
    """What kind of word a token is."""

    X = 0
    NOUN = 1
    PROPN = 2
    VERB = 3
    AUX = 4
    ADJ = 5
    ADV = 6
    PRON = 7
    DET = 8
    ADP = 9
    CCONJ = 10
    SCONJ = 11
    PART = 12
    NUM = 13
    PUNCT = 14
    SYM = 15
    INTJ = 16


class Kind(IntEnum):
    """A tag with the form of a verb, the number of a noun, the case of a pronoun."""

    OTHER = 0
    NOUN = 1
    PLURAL = 2
    NAME = 3
    BASE = 4
    PRESENT = 5
    PAST = 6
    PARTICIPLE = 7
    ING = 8
    BE = 9
    HAVE = 10
    DO = 11
    MODAL = 12
    ADJECTIVE = 13
    ADVERB = 14
    SUBJECT = 15
    OBJECT = 16
    POSSESSIVE = 17
    PRONOUN = 18
    DETERMINER = 19
    PREPOSITION = 20
    TO = 21
    AND = 22
    MARK = 23
    RELATIVE = 24
    NUMBER = 25
    COMMA = 26
    STOP = 27
    PUNCTUATION = 28
    SYMBOL = 29
    NOT = 30
    GENITIVE = 31
    EXCLAMATION = 32


class Dependency(IntEnum):
    """How a token depends on its head."""

    DEP = 0
    ROOT = 1
    NSUBJ = 2
    NSUBJ_PASS = 3
    OBJ = 4
    IOBJ = 5
    OBL = 6
    OBL_AGENT = 7
    NMOD = 8
    NMOD_POSS = 9
    AMOD = 10
    ADVMOD = 11
    APPOS = 12
    AUX = 13
    AUX_PASS = 14
    COP = 15
    DET = 16
    CASE = 17
    MARK = 18
    CC = 19
    CONJ = 20
    COMPOUND = 21
    NUMMOD = 22
    ACL = 23
    ACL_RELCL = 24
    ADVCL = 25
    CCOMP = 26
    XCOMP = 27
    FLAT = 28
    EXPL = 29
    PUNCT = 30
    NEG = 31


class WordKey(IntEnum):
    """A word, or a few, that the chunker treats apart."""

    NONE = 0
    OF = 1
    BY = 2
    THAT = 3
    HYPHEN = 5
    BEING = 6
    """being, having: auxiliaries that begin no finite clause."""
    WHOSE = 8
    INCLUDING = 9
    """Spelled like a participle, used like a preposition."""
    PARTICLE = 10
    """up, out, off: part of the verb before it."""
    CURRENCY = 11
    WHEN = 12
    """when, where, why, how."""
    QUOTE = 15
    EXISTS = 16
    """there, which is no subject."""
    AFTER = 17
    """A preposition that opens a clause as well: after, before, until."""
    MORE = 18
    THAN = 19


class Trait(IntEnum):
    """How a word builds sentences; a word may have several, which are bits."""

    REPORT = 1
    """Takes a clause that says what is said or thought."""
    GIVE = 2
    """Takes two objects."""
    ORDER = 4
    """Takes an object and what it is to do."""
    TIME = 8
    """A noun that says when, with no preposition."""
    PLAN = 16
    """A noun that takes what is to be done."""
    OF_OBJECT = 32
    """A preposition that after an object belongs to it rather than to the verb."""
    OF_VERB = 64
    """A preposition that after another phrase belongs to the verb."""
    BECOME = 128
    """A verb with a predicate."""
    MONTH = 256
    DAY = 512
    """A noun that says which day and goes with no other: yesterday."""


class Sentence(NamedTuple):
    """What is known of a text's words, and what the chunker writes down while it reads one sentence of them."""

    kinds: Bytes
    keys: Bytes
    traits: Int32s
    heads: Int32s
    relations: Bytes
    units: Int32s
    clauses: Int32s
    memory: Int32s


NOMINAL = (Tag.NOUN, Tag.PROPN, Tag.PRON, Tag.NUM, Tag.SYM)

PART_OF = {Tag.NOUN: 0, Tag.PROPN: 0, Tag.VERB: 1, Tag.AUX: 1, Tag.ADJ: 2, Tag.ADV: 3}
"""The dictionary's part (noun, verb, adjective, adverb) that a tag is looked up in."""

TAG_OF: dict[Kind, Tag] = {
    Kind.OTHER: Tag.X,
    Kind.NOUN: Tag.NOUN,
    Kind.PLURAL: Tag.NOUN,
    Kind.NAME: Tag.PROPN,
    Kind.BASE: Tag.VERB,
    Kind.PRESENT: Tag.VERB,
    Kind.PAST: Tag.VERB,
    Kind.PARTICIPLE: Tag.VERB,
    Kind.ING: Tag.VERB,
    Kind.BE: Tag.AUX,
    Kind.HAVE: Tag.AUX,
    Kind.DO: Tag.AUX,
    Kind.MODAL: Tag.AUX,
    Kind.ADJECTIVE: Tag.ADJ,
    Kind.ADVERB: Tag.ADV,
    Kind.SUBJECT: Tag.PRON,
    Kind.OBJECT: Tag.PRON,
    Kind.POSSESSIVE: Tag.PRON,
    Kind.PRONOUN: Tag.PRON,
    Kind.DETERMINER: Tag.DET,
    Kind.PREPOSITION: Tag.ADP,
    Kind.TO: Tag.PART,
    Kind.AND: Tag.CCONJ,
    Kind.MARK: Tag.SCONJ,
    Kind.RELATIVE: Tag.PRON,
    Kind.NUMBER: Tag.NUM,
    Kind.COMMA: Tag.PUNCT,
    Kind.STOP: Tag.PUNCT,
    Kind.PUNCTUATION: Tag.PUNCT,
    Kind.SYMBOL: Tag.SYM,
    Kind.NOT: Tag.PART,
    Kind.GENITIVE: Tag.PART,
    Kind.EXCLAMATION: Tag.INTJ,
}

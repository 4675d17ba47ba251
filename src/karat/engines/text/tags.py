"""Parts of speech and grammatical relations, by the names of Universal Dependencies."""

from __future__ import annotations

from karat.engines.kernels.grammar import Dependency as Dependency
from karat.engines.kernels.grammar import Kind as Kind
from karat.engines.kernels.grammar import Tag as Tag

NOMINAL = (Tag.NOUN, Tag.PROPN, Tag.PRON, Tag.NUM, Tag.SYM)
CONTENT = (Tag.NOUN, Tag.PROPN, Tag.VERB, Tag.ADJ, Tag.ADV, Tag.NUM, Tag.SYM)
"""Words that say something by themselves."""

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

"""How much each relation is worth, and which senses of a word count: the constants of the lexicon, all of them."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats, Ints

# What a relation is worth between two words in their main senses; identity would be 1.
SYNONYM = 0.95  # one synset
ANTONYM = 1.0  # listed as opposites of each other: hot, cold
ANTONYM_OF_SYNONYM = 0.7  # a synonym of the one, against the other: increase, decrement
ANTONYM_OF_SIMILAR = 0.5  # by way of the adjective it is similar to: scorching, cold
DERIVED = 0.9  # one root, or an adjective or adverb of a word: buyer, buy; Chinese, China
DERIVED_OF_SYNONYM = 0.75  # a root, and a synonym of it: buyer, purchase
ATTRIBUTE = 0.5  # an adjective and what it is a value of: heavy, weight
HYPERNYM = (0.9, 0.81, 0.729)  # .9 a level; beyond three nearly everything is a kind of the same few things
ENTAILS = (0.85, 0.75, 0.65)  # entails or causes: itself, what it is a way to do, and what that is a way to do
SIMILAR = 0.7  # adjectives around one head, and verbs of one group
SEE_ALSO = 0.5  # the looser cross-reference
PART = (0.6, 0.5)  # part or member of, and once more: Paris is in France; what holds of a part may hold of the whole
HYPONYM = (0.4, 0.3)  # the hypothesis is more specific: seldom follows, but is about the same

# Damping by sense. All senses together over-generate badly: a dog would be a frankfurter and a villain.
USUAL = 0.25  # a sense with this share of a word's tagged uses counts in full
HEARD_OF = 0.05  # with this share it counts, damped; with less only if it is among the FIRST of its part of speech
FIRST = 2  # senses of a part of speech that always count: most words were never tagged
DAMPED = 0.9  # a sense that is heard of, or the first of an untagged word's senses but one
RARE = 0.8  # one of the first senses that hardly occurs
OFTEN = 20  # with so many tagged uses, a part of speech that has under ABSENT of them is no reading (to be, beryllium)
ABSENT = 0.02
DERIVED_LEAST = 0.8  # roots hold whatever the sense: a derivation is never damped below this, nor dropped

# Ancestors so near to the root of nouns say nothing: entity, abstraction, physical entity, thing.
TOP_DEPTH = 1

LIVING = (5, 20)
"""Lexicographers' files of animals and plants, whose members of larger kinds are left out."""
GRAIN = 4096
"""Strengths are kept in steps of 1/4096."""


def sense_weights(lemma: Ints, part: Ints, number: Ints, count: Ints) -> Floats:
    """How far each sense counts, from 0 (not at all) to 1, by its share of its word's tagged uses."""
    if not len(lemma):
        return np.zeros(0)
    of_part = lemma * 4 + part
    total = np.bincount(lemma, weights=count)[lemma]
    in_part = np.bincount(of_part, weights=count)[of_part]
    share = count / np.maximum(total, 1)
    first = number <= FIRST
    untagged = np.where(number == 1, 1.0, np.where(first, DAMPED, 0.0))
    tagged = np.where(share >= USUAL, 1.0, np.where(share >= HEARD_OF, DAMPED, np.where(first, RARE, 0.0)))
    tagged = np.where((total >= OFTEN) & (in_part < ABSENT * total), 0.0, tagged)
    return np.where(total > 0, tagged, untagged)

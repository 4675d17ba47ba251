"""Deciding from scores: thresholds, classifiers, searches over parameters, and how sure a decision is.

Everything here takes arrays and label codes (0 entailment, 1 unknown or merely not entailed, 2 contradiction), learns a
small frozen struct that JSON can hold, and takes a higher score for more entailed: distances come negated.
"""

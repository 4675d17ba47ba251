"""Blind: a test set without its key, and whether anything that is left gives the key away."""

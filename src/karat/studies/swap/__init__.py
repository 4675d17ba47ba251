"""Swap: how often a test set of this size misleads."""

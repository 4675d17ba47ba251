"""Swap: how often a test set of this size reverses two runs."""

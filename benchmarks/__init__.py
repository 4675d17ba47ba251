"""Ratios against the peers, in one run."""

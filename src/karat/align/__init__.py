"""Aligning: what readers found in files is checked against the key, and becomes a noun."""

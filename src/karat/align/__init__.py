"""Aligning: the columns found by readers are checked against the key and become data classes."""

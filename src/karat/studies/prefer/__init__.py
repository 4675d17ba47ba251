"""Prefer: which runs are preferred where answers are compared in pairs."""

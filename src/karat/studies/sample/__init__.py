"""A balanced, reproducible sample of pairs for judges."""

"""Compare: which differences between runs are real."""

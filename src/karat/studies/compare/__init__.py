"""Compare: which differences between runs are significant."""

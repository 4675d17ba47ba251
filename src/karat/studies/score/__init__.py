"""Score: every run measured, beside the trivial systems."""

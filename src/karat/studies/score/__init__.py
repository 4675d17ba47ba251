"""Score: every measure of every run, with baselines for comparison."""

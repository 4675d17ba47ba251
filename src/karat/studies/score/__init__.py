"""Score: every measure of every run, with trivial systems for comparison."""

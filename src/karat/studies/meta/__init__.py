"""Two judgments of the same runs: study, result and findings."""

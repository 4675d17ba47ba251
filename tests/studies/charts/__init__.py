"""Figures of studies: what they show is what the result says and what plain loops count."""

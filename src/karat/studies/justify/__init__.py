"""Justifications: ratings of the reasons that runs give."""

"""Judging: who judges what in which order, what is asked, what follows from it, and the files that come of it."""

"""Diagnose: strengths and weaknesses of runs by phenomenon."""

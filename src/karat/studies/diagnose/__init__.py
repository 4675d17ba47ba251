"""Diagnose: what a system can do and what not, phenomenon by phenomenon."""

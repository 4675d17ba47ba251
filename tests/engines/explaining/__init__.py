"""Tests of justifications and of their lint."""

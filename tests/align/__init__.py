"""Tests of karat.align."""

"""Tests of karat.measures."""

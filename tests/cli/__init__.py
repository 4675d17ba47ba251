"""Tests of karat.cli."""

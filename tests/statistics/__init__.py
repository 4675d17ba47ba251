"""Tests of karat.statistics."""

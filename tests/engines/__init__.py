"""Tests of karat.engines."""

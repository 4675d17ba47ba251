"""Tests of karat.render."""

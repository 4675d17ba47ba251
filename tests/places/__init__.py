"""Tests of karat.places."""

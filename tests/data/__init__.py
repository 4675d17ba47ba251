"""Tests of karat.data."""

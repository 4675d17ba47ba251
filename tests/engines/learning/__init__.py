"""Tests of karat.engines.learning."""

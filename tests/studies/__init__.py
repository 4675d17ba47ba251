"""Tests of karat.studies."""

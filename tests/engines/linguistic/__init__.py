"""Tests of the linguistic engine."""

"""Tests of the edit-distance suite."""

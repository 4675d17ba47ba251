"""Tests of the aligner."""

"""Tests of karat.report."""

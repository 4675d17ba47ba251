"""Tests of karat.kernels."""

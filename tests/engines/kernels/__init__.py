"""Tests of the engines' kernels, each against a plain twin."""

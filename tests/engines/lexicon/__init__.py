"""Tests of what the engines know about words."""

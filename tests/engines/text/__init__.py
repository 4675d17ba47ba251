"""Tests of tokens, tags and trees."""

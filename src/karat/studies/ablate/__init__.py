"""The worth of each part of an engine."""

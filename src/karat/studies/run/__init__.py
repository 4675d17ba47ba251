"""Run an engine on a test set."""

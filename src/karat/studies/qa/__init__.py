"""Question answering: factoid, list and other questions, by type and by series."""

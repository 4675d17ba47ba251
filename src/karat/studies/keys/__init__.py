"""Keys: how the ranking of runs changes under other keys."""

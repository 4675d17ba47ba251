"""Keys: would another key rank the runs otherwise."""

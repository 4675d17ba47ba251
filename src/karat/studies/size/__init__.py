"""Size: how many units are needed to detect a difference."""

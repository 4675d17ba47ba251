"""Size: how many units a difference needs."""

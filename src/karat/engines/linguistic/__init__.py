"""The linguistic engine: who does what to whom in H, found again in T, and ordered checks of what speaks against it."""

"""What each thing an engine knows is worth."""

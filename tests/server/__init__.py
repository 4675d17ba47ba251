"""The campaign server."""

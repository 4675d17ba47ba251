"""Tests on public data that the project does not ship."""

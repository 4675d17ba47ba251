"""What talks to servers."""

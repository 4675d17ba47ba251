"""What makes the examples and the documentation."""

"""Which pairs are judged: a sample that is balanced, reproducible and worth the judges' time."""

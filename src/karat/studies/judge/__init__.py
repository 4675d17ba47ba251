"""Judge: whether an automatic judge may replace a person."""

"""Judge: can an automatic judge stand in for a person."""

"""The figures of the source papers, as data."""

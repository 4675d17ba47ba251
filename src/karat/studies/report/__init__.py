"""Everything the data allow, as one page."""

"""From a text to tokens, tags and trees, as arrays of small integers."""

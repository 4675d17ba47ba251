"""What the engines know about words: WordNet where it is found, and rules of our own where it is not."""

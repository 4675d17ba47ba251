"""The edit-distance suite: how much it takes to turn the text into the hypothesis, after EDITS."""

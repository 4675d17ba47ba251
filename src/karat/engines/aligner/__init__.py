"""The aligner: features of how the words of the hypothesis stand in the text, and a classifier over them."""

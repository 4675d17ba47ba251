"""Studies: a user's question answered, one a file, with what it is made of beside it; each is loaded on its own."""

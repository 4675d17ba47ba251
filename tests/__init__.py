"""A mirror of src/karat, plus papers/ and real/."""

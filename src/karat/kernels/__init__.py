"""Functions from arrays to arrays, the only place with index tricks; each is tested against a naive version."""

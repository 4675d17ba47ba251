"""Arrays in, arrays out: the only place with index tricks. Each kernel has a naive twin in its test."""

"""The reference systems: what they know, how they decide, and where they run."""

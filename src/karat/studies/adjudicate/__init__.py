"""Adjudicate: from people's labels to a key, with its history."""

"""Lists of words, kept as text beside the code that knows what they mean.

A file has entries `name: word word …`; a line that begins with a blank goes on with the entry above it, and one that
begins with # is for people.
"""

from __future__ import annotations

from pathlib import Path


def read_lists(beside: str, name: str) -> dict[str, list[str]]:
    """The words of each entry of a file that lies beside a module."""
    entries: dict[str, list[str]] = {}
    words: list[str] = []
    for line in Path(beside).with_name(name).read_text(encoding="utf-8").splitlines():
        if line[:1] not in ("#", " ", ""):
            entry, _, line = line.partition(": ")
            words = entries[entry] = []
        if line[:1] != "#":
            words += line.split()
    return entries

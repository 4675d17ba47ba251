"""What is promised before submissions open: a hash of the test sets with their keys, and the seed that draws units."""

from __future__ import annotations

import hashlib

import msgspec

from karat.campaign.definition import Definition


def tests_of(files: dict[str, str], definition: Definition) -> dict[str, str]:
    """The SHA-256 of the test set of each task."""
    return {task.name: files[task.test] for task in definition.tasks}


def promise(nonce: str, tests: dict[str, str]) -> bytes:
    """The text whose SHA-256 is the commitment to these test sets."""
    return msgspec.json.encode({"nonce": nonce, "tests": tests}, order="deterministic")


def drawing(seed: str) -> str:
    """The half of a seed that draws units: it can be published with the key, and gives no team's name away."""
    return seed[: len(seed) // 2]


def commitment_to(nonce: str, files: dict[str, str], definition: Definition) -> str:
    """What is published before submissions open: nobody can later exchange a test set or its key unnoticed."""
    return hashlib.sha256(promise(nonce, tests_of(files, definition))).hexdigest()

"""What assessors are asked about pairs and justifications, for tests that have no files."""

from __future__ import annotations

from karat.campaign.events import Stage
from karat.campaign.judging.asking import Ask
from karat.campaign.judging.kinds.grades import grades, preference
from karat.campaign.judging.kinds.justifications import scales
from karat.campaign.judging.kinds.pairs import decision, label

WRITTEN: dict[tuple[str, bool], tuple[str, ...]] = {
    ("parts", False): (),
    ("parts", True): ("phenomenon", "pattern", "constraint", "lhs", "rhs", "hypothesis", "label"),
    ("development", False): ("target", "type", "definition"),
    ("development", True): ("kind", "text", "answers", "none", "place"),
}
"""What is asked about a list, and about each of its entries."""


def form(stage: Stage, way: int = 3, wrong: bool = False, entry: str = "") -> tuple[Ask, ...]:
    """The questions of a stage; `wrong` if the justification is for an answer that is not the key's."""
    if stage in ("quality", "preferences"):
        return grades() if stage == "quality" else (preference(),)
    if stage in ("parts", "development"):
        names = WRITTEN[stage, bool(entry)]
        return tuple(Ask(name=name, text=name, required=False) for name in names)
    if stage == "ratings":
        return scales(wrong)
    return decision(label(way, "Which label is right?")) if stage == "adjudication" else (label(way, "Which label?"),)

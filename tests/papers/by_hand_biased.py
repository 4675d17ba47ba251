"""The biased baseline in plain loops over the rows of the paper's Table 2."""

from __future__ import annotations

import tomllib
from pathlib import Path


def rows_of_table_2() -> dict[str, tuple[int, int]]:
    """How many positive and negative monothematic pairs each phenomenon has."""
    paper = tomllib.loads((Path(__file__).parent / "cabrio_magnini.toml").read_text(encoding="utf-8"))
    return {name: (positive, negative) for name, (positive, negative) in paper["table2"].items()}


def biased_figure(of: str, label: str = "", category: str = "", phenomenon: str = "") -> float:
    """Positive where a phenomenon is so more often than not, negative else."""
    right, total = 0, 0
    for name, (positive, negative) in rows_of_table_2().items():
        if (category and not name.startswith(f"{category}:")) or (phenomenon and name != phenomenon):
            continue
        answered = "positive" if positive > negative else "negative"
        for side, count in (("positive", positive), ("negative", negative)):
            if of == "share":
                right, total = right + count * (side == "positive"), total + count
            elif label in ("", side):
                right, total = right + count * (side == answered), total + count
    return float(total) if of == "pairs" else right / total

"""What one writes without karat: `python plain_script.py KEY.xml RUNS OUT.json`."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from sklearn.metrics import accuracy_score, cohen_kappa_score, confusion_matrix, mutual_info_score


def read_key(path: Path) -> dict[str, str]:
    """The label of each pair of an RTE file."""
    return {pair.attrib["id"]: pair.attrib["entailment"] for pair in ElementTree.parse(path).iter("pair")}


def score_run(path: Path, key: Mapping[str, str]) -> dict[str, Any]:
    """Accuracy, kappa, information in nats and the table of one run of lines `id<TAB>LABEL`."""
    with path.open(encoding="utf-8", newline="") as file:
        answers = dict(csv.reader(file, delimiter="\t"))
    # Arrays of strings: scikit-learn is quicker with them than with lists, so the comparison is fair.
    wanted = np.array(list(key.values()))
    given = np.array([answers[name] for name in key])
    return {
        "accuracy": float(accuracy_score(wanted, given)),
        "kappa": float(cohen_kappa_score(wanted, given)),
        "information": float(mutual_info_score(wanted, given)),
        "table": confusion_matrix(wanted, given).tolist(),
    }


def main(key: Path, runs: Path, output: Path) -> None:
    """Score every run of a folder and write what came out."""
    labels = read_key(key)
    scores = {path.stem: score_run(path, labels) for path in sorted(runs.iterdir())}
    output.write_text(json.dumps(scores, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))

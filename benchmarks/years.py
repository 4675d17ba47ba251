"""`python -m benchmarks.years ENGINE ENGINE…`: engines on the RTE development sets, two-way, the first for comparison.

Each set is answered in two ways: by ten-fold cross-validation within it (pairs about one text in one fold), and by a
model that learnt from the development sets of the other years. All engines have the same folds. The p-values are those
of McNemar's exact test on the pairs that only one of the two engines gets right, uncorrected. Sets are found in
$KARAT_REAL_DATA; no test set is read.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from benchmarks.engines import rte
from karat.arrays import Bools
from karat.data.pairs import SETTING, Pairs
from karat.data.provenance import Source
from karat.engines.knowledge import load_knowledge
from karat.engines.model import fit
from karat.engines.places import predict
from karat.engines.validation import cross_validate
from karat.labels import TWO, fold
from karat.statistics.paired import mcnemar

SETS = ("RTE1_dev", "RTE2_dev", "RTE3_dev", "RTE5_dev")


def two_way(pairs: Pairs) -> Pairs:
    """Pairs with two labels and no attribute but the setting."""
    kept = {name: values for name, values in pairs.attributes.items() if name == SETTING}
    return replace(pairs, labels=fold(pairs.labels, TWO), way=TWO, attributes=kept)


def joined(keys: Sequence[Pairs]) -> Pairs:
    """Several sets as one."""
    ids = tuple(f"{place}-{name}" for place, key in enumerate(keys) for name in key.ids)
    settings = tuple(one for key in keys for one in key.attributes.get(SETTING, (None,) * len(key)))
    return replace(
        keys[0],
        ids=ids,
        texts=tuple(text for key in keys for text in key.texts),
        hypotheses=tuple(text for key in keys for text in key.hypotheses),
        labels=np.concatenate([key.labels for key in keys]),
        attributes={SETTING: settings},
        source=Source.of_columns("joined", ids),
    )


def rights(engine: str, keys: Sequence[Pairs], across: bool) -> list[Bools]:
    """Which pairs of each set an engine gets right, learnt from the other sets (across) or within the set."""
    knowledge = load_knowledge()
    found = []
    for place, key in enumerate(keys):
        if across:
            model = fit(engine, joined([*keys[:place], *keys[place + 1 :]]), TWO, knowledge=knowledge)
            codes = predict(model, key, knowledge=knowledge).codes
        else:
            codes = cross_validate(engine, key, TWO, knowledge=knowledge).codes
        found.append(codes == key.labels)
    return found


def table(engines: Sequence[str], across: bool) -> str:
    """The accuracy of each engine on each set and on all, and how it compares with the first."""
    keys = [two_way(rte(name)) for name in SETS]
    heads = [*SETS, "all pairs", "right only here : there", "p"]
    rows = [["learnt from the other years" if across else "cross-validated", *heads], ["---"] * (len(heads) + 1)]
    first: Bools | None = None
    for engine in engines:
        parts = rights(engine, keys, across)
        right = np.concatenate(parts)
        row = [engine, *(f"{part.mean():.3f}" for part in parts), f"{right.mean():.3f}"]
        if first is not None:
            won, lost = int((right & ~first).sum()), int((first & ~right).sum())
            row += [f"{won} : {lost}", f"{float(mcnemar(np.array(won), np.array(lost))):.2g}"]
        row += [""] * (len(rows[0]) - len(row))
        first = right if first is None else first
        rows.append(row)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main(arguments: Sequence[str]) -> int:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.years", description=__doc__)
    parser.add_argument("engine", nargs="+")
    given = parser.parse_args(arguments)
    if "KARAT_REAL_DATA" not in os.environ:
        print("set KARAT_REAL_DATA to the folder that has the RTE sets in rte/", file=sys.stderr)
        return 2
    for across in (False, True):
        print(f"\n{table(given.engine, across)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

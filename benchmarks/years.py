"""`python -m benchmarks.years ENGINE ENGINE…`: engines on the RTE development sets, the first for comparison.

Each set is answered in two ways: by ten-fold cross-validation within it (pairs about one text in one fold), and by a
model that learnt from the development sets of the other years. All engines have the same folds. The p-values are those
of McNemar's exact test on the pairs that only one of the two engines gets right, uncorrected. Sets are found in
$KARAT_REAL_DATA; no test set is read.

A third table is three-way: RTE-3 and RTE-5 have three labels, and each is answered by a model that learnt from the
other, so that neither the rule of contradiction nor its bound was fitted to what it is measured on. Beside it stands
what the same engine reaches if it learns two ways and answers UNKNOWN for all that it does not accept. With `--final`
RTE-3 is its development and its test set, and the table is added to the log `benchmarks/engines-final.md`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np

from benchmarks.engines import LOG, rte
from karat import __version__
from karat.arrays import Bools
from karat.data.pairs import SETTING, Pairs
from karat.data.provenance import Source
from karat.engines.knowledge import load_knowledge
from karat.engines.learning.threshold import CONTRADICTION_CODE
from karat.engines.model import fit
from karat.engines.predicting import predict
from karat.engines.validation import cross_validate
from karat.labels import THREE, TWO, fold
from karat.statistics.intervals import wilson
from karat.statistics.paired import mcnemar

SETS = ("RTE1_dev", "RTE2_dev", "RTE3_dev", "RTE5_dev")
YEARS = (("RTE3_dev_3way", "RTE3_test_3way"), ("RTE5_dev",))
"""Sets with three labels, by year."""


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


def three_way(engine: str, final: bool) -> list[str]:
    """What an engine reaches in three ways on each year, learnt from the other, all answers counted together."""
    knowledge = load_knowledge()
    years = [[rte(name) for name in names if final or "test" not in name] for names in YEARS]
    key, codes, two = [], [], []
    for place, sets in enumerate(years):
        seen = joined([one for other in years[:place] + years[place + 1 :] for one in other])
        model = fit(engine, seen, THREE, knowledge=knowledge)
        plain = fit(engine, two_way(seen), TWO, knowledge=knowledge)
        for one in sets:
            key.append(one.labels)
            codes.append(predict(model, one, knowledge=knowledge).codes)
            two.append(predict(plain, one, knowledge=knowledge).codes)
    truth, answers, accepted = (np.concatenate(part) for part in (key, codes, two))
    denied, said = truth == CONTRADICTION_CODE, answers == CONTRADICTION_CODE
    right = int((denied & said).sum())
    return [
        engine,
        f"{(answers == truth).mean():.3f}",
        f"{(accepted == truth).mean():.3f}",
        _share(right, int(said.sum())),
        _share(right, int(denied.sum())),
    ]


def _share(right: int, many: int) -> str:
    if not many:
        return "–"
    low, high = (float(end) for end in wilson(np.array(right / many), np.array(float(many))))
    return f"{right / many:.3f} [{low:.3f}, {high:.3f}] ({right} of {many})"


def three_way_table(engines: Sequence[str], final: bool) -> str:
    """The three-way figures of each engine."""
    names = [name for year in YEARS for name in year if final or "test" not in name]
    heads = [f"learnt from the other year: {', '.join(names)}", "accuracy", "two ways, else UNKNOWN", "⊣ precision"]
    rows = [[*heads, "⊣ recall"], ["---"] * 5, *(three_way(engine, final) for engine in engines)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main(arguments: Sequence[str]) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.years", description=__doc__)
    parser.add_argument("engine", nargs="+")
    parser.add_argument("--three", action="store_true", help="only the three-way table")
    parser.add_argument("--final", action="store_true", help="the three-way table with the test set of RTE-3, logged")
    given = parser.parse_args(arguments)
    if "KARAT_REAL_DATA" not in os.environ:
        print("set KARAT_REAL_DATA to the folder that has the RTE sets in rte/", file=sys.stderr)
        return 2
    for across in () if given.three or given.final else (False, True):
        print(f"\n{table(given.engine, across)}", flush=True)
    told = three_way_table(given.engine, given.final)
    print(f"\n{told}", flush=True)
    if given.final:
        with LOG.open("a", encoding="utf-8") as log:
            log.write(
                f"\n## {date.today().isoformat()}, karat {__version__}, python -m benchmarks.years --final\n\n{told}\n"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""`python -m benchmarks.engines`: what the reference engines reach on the RTE sets, and how fast.

By default every engine is cross-validated on the development sets found under $KARAT_REAL_DATA (ten folds, pairs about
one text in one fold), which is what parameters may be chosen by. `--speed` times them on 100,000 pairs, and first on
text none of whose words were met before, in processor time. `--final`
learns from each year's development set, answers its test set, and adds what it saw, with its signature, to the log
`benchmarks/engines-final.md`: test sets are for looking at once, and a second look stays on record.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import date
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from tests.engines.text.conllu_files import write_conllu

from karat import __version__, read_pairs, read_runs, score
from karat.data.pairs import Pairs
from karat.data.provenance import Source
from karat.engines.answering import Answerer
from karat.engines.batch import chunks_of
from karat.engines.engine import Decisions
from karat.engines.knowledge import load_knowledge
from karat.engines.model import Model, fit
from karat.engines.predicting import open_engine, predict
from karat.engines.text.vocabulary import Vocabulary
from karat.engines.validation import cross_validate
from karat.labels import THREE, TWO, WAYS
from karat.studies.run import as_result

LOG = Path(__file__).parent / "engines-final.md"
MANY = 100_000
PARSED = 20_000
"""Pairs whose parses are read from a file: every process holds all of it."""
ENGINES = (
    "always-entailment",
    "hypothesis-only",
    "overlap",
    "edit-distance(preset=faithful)",
    "edit-distance(preset=faithful, dictionary=boolean)",
    "edit-distance",
    "edit-distance(distance=lemma)",
    "edit-distance(distance=tree)",
    "linguistic",
    "aligner",
)
DEV = (
    ("RTE1_dev", "2"),
    ("RTE2_dev", "2"),
    ("RTE3_dev", "2"),
    ("RTE3_dev_3way", "3"),
    ("RTE5_dev", "2"),
    ("RTE5_dev", "3"),
)
FINAL = (("RTE1_dev", "RTE1_test", "2"), ("RTE3_dev", "RTE3_test", "2"), ("RTE3_dev_3way", "RTE3_test_3way", "3"))
ORIGINALS = {
    "edit-distance(preset=faithful)": "edits-basic.txt",
    "edit-distance(preset=faithful, dictionary=boolean)": "edits-wordnet.txt",
}
"""Runs of the original EDITS on RTE-3, and what should answer like them."""
UNSEEN = ("RTE1_dev", "RTE1_test", "RTE2_dev", "RTE5_dev")
"""Texts to be met for the first time by engines that learnt from RTE-3."""
POOLED = ("RTE3_dev_3way", "RTE3_test_3way", "RTE5_dev")
"""Where contradictions are counted over cross-validation: there are too few in one set."""


@dataclass(frozen=True)
class Line:
    """What one engine reached on one set."""

    engine: str
    data: str
    way: str
    accuracy: str
    average_precision: str
    precision: str
    recall: str
    rate: str
    failures: int


MEASURES = {
    "2": ["accuracy", "average_precision"],
    "3": ["accuracy", "average_precision", "precision(CONTRADICTION)", "recall(CONTRADICTION)"],
}
HEAD = ("engine", "set", "way", "accuracy [95%]", "AP", "⊣ precision", "⊣ recall", "pairs/s, one process", "failed")


def rte(name: str) -> Pairs:
    """One of the RTE files, as $KARAT_REAL_DATA has it."""
    return read_pairs(Path(os.environ["KARAT_REAL_DATA"]) / "rte" / f"{name}.xml")


def measured(model: Model, key: Pairs, decisions: Decisions, name: str) -> Line:
    """The decisions scored by karat's own measures."""
    run = as_result(model, key, decisions)
    scored = score(run.responses(key), way="3" if model.way == "3" else "2", measure=MEASURES[model.way])
    run_scored = scored.runs[0]
    values, ends = run_scored.values[model.way] or {}, run_scored.intervals[model.way] or {}
    ranked = (run_scored.values["2"] or {})["average_precision"]

    def told(measure: str) -> str:
        value = values.get(measure)
        if value is None or value != value:
            return "–"
        low, high = ends[measure]
        return f"{value:.3f} [{low:.3f}, {high:.3f}]"

    return Line(
        model.engine,
        name,
        model.way,
        told("accuracy"),
        "–" if ranked != ranked else f"{ranked:.3f}",
        told("precision(CONTRADICTION)"),
        told("recall(CONTRADICTION)"),
        f"{rate(model, key):,.0f}",
        len(decisions.failures),
    )


def validated(engine: str, key: Pairs, name: str, way: str, seed: int = 0) -> Line:
    """One engine cross-validated on one development set."""
    knowledge = load_knowledge()
    decisions = cross_validate(engine, key, WAYS[way], seed=seed, knowledge=knowledge)
    return measured(fit(engine, key, WAYS[way]), key, decisions, f"{name}, cross-validated")


def rate(model: Model, pairs: Pairs) -> float:
    """Pairs a second in this process, the second time they are answered."""
    answerer = Answerer(model, justify=False)
    for _ in range(2):
        start = perf_counter()
        for chunk in chunks_of(pairs):
            answerer.answer(chunk)
    return len(pairs) / (perf_counter() - start)


def answered(engine: str, train: Pairs, test: Pairs, name: str, way: str) -> Line:
    """One engine, learnt from one set, on another."""
    model = fit(engine, train, WAYS[way])
    return measured(model, test, predict(model, test), name)


def pooled(engine: str) -> Line:
    """One engine cross-validated on each of several sets, all answers counted together."""
    keys = [rte(name) for name in POOLED]
    knowledge = load_knowledge()
    parts = [cross_validate(engine, key, THREE, knowledge=knowledge) for key in keys]
    names = tuple(f"{place}-{name}" for place, key in enumerate(keys) for name in key.ids)
    whole = replace(
        keys[0],
        ids=names,
        texts=tuple(text for key in keys for text in key.texts),
        hypotheses=tuple(text for key in keys for text in key.hypotheses),
        labels=np.concatenate([key.labels for key in keys]),
        attributes={},
        source=Source.of_columns("pooled", names),
    )
    codes, confidence = (np.concatenate([getattr(part, what) for part in parts]) for what in ("codes", "confidence"))
    together = Decisions(THREE, codes, confidence, None, tuple(one for part in parts for one in part.failures))
    return measured(fit(engine, whole, THREE), whole, together, f"{' + '.join(POOLED)}, cross-validated")


def repeated(pairs: Pairs, many: int) -> Pairs:
    """The pairs again and again under new ids, until there are so many."""
    rows = [place % len(pairs) for place in range(many)]
    return replace(
        pairs,
        ids=tuple(str(place) for place in range(many)),
        texts=tuple(pairs.texts[row] for row in rows),
        hypotheses=tuple(pairs.hypotheses[row] for row in rows),
        labels=pairs.labels[rows],
        attributes={name: tuple(values[row] for row in rows) for name, values in pairs.attributes.items()},
    )


def speed(engine: str, pairs: Pairs, many: int, trees: str = "chunker") -> float:
    """Pairs a second on all cores, tokenising included, after a warm-up."""
    long = repeated(pairs, many)
    model = fit(engine, repeated(pairs, len(pairs)), TWO, trees=trees)
    with open_engine("processes", model) as processes:
        list(processes.each(chunks_of(repeated(pairs, 8_000))))
        start = perf_counter()
        list(processes.each(chunks_of(long)))
        return many / (perf_counter() - start)


def first_pass(engine: str, justify: bool) -> tuple[float, float]:
    """Pairs per second of processor time the first time that texts are met, and the second: one process, start-up left
    out; only the words of the training set are known beforehand. The labels of the test sets are not used.
    """
    knowledge = load_knowledge()
    model = fit(engine, rte("RTE3_dev"), TWO, knowledge=knowledge)
    unseen = [rte(name) for name in UNSEEN]
    _answer_all(Answerer(model, justify=justify, knowledge=knowledge), unseen)  # compiled now
    knowledge = load_knowledge()
    knowledge.vocabulary = Vocabulary(knowledge.wordnet)
    answerer = Answerer(model, justify=justify, knowledge=knowledge)
    _answer_all(answerer, [rte("RTE3_dev")])
    return _answer_all(answerer, unseen), _answer_all(answerer, unseen)


def _answer_all(answerer: Answerer, keys: Sequence[Pairs]) -> float:
    start = process_time()
    for key in keys:
        for chunk in chunks_of(key):
            answerer.answer(chunk)
    return sum(map(len, keys)) / (process_time() - start)


def parsed_speed(engine: str, pairs: Pairs, many: int) -> float:
    """The same where the parses are in a file, which every process reads in the warm-up."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "parses.conllu"
        knowledge = load_knowledge()
        file.write_bytes(write_conllu(repeated(pairs, many), knowledge.trees, knowledge.vocabulary))
        return speed(engine, pairs, many, str(file))


def agreement(engine: str, run: str) -> str:
    """The share of RTE-3 test pairs on which an engine answers as a run of the original EDITS does."""
    test = rte("RTE3_test")
    ours = predict(fit(engine, rte("RTE3_dev"), TWO), test).codes
    folder = Path(os.environ["KARAT_REAL_DATA"]) / "rte3-english-runs"
    theirs = read_runs([folder / run], test).codes[0]
    return f"{engine} answers as {run} on {(ours == theirs).mean():.3f} of the pairs"


def table(lines: Iterable[Line]) -> str:
    """As Markdown."""
    rows = [HEAD, ("---",) * len(HEAD), *(astuple(line) for line in lines)]
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in rows)


def final(engines: Sequence[str]) -> str:
    """The one look at the test sets."""
    lines = [
        answered(engine, rte(train), rte(test), f"{test} (learnt from {train})", way)
        for train, test, way in FINAL
        for engine in engines
    ]
    lines += [pooled(engine) for engine in engines if engine in ("linguistic", "aligner")]
    edits = [agreement(engine, run) for engine, run in ORIGINALS.items()]
    knowledge = ", ".join(load_knowledge().names.values())
    told = f"## {date.today().isoformat()}, karat {__version__}: {knowledge}\n\n{table(lines)}\n"
    return told + "".join(f"\n{sentence}\n" for sentence in edits)


def main(arguments: Sequence[str]) -> int:
    """Print what was asked for; the final figures are also logged."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engines", description=__doc__)
    parser.add_argument("engine", nargs="*", help="engines; all where none is named")
    parser.add_argument("--final", action="store_true", help="the test sets, logged")
    parser.add_argument("--speed", action="store_true", help="pairs a second")
    given = parser.parse_args(arguments)
    if "KARAT_REAL_DATA" not in os.environ:
        print("set KARAT_REAL_DATA to the folder that has the RTE sets in rte/", file=sys.stderr)
        return 2
    engines = given.engine or ENGINES
    if given.final:
        told = final(engines)
        with LOG.open("a", encoding="utf-8") as log:
            log.write(f"\n{told}")
        print(told)
    elif given.speed:
        for engine, justify in [(engine, justify) for engine in engines for justify in (False, True)]:
            first, second = first_pass(engine, justify)
            told = f"{engine}{', justified' * justify}"
            print(f"{told}: {first:,.0f} pairs per CPU second on unseen text, then {second:,.0f}", flush=True)
        for engine in engines:
            print(f"{engine}: {speed(engine, rte('RTE3_dev'), MANY):,.0f} pairs/s", flush=True)
        tree = "edit-distance(distance=tree)"
        print(f"{tree}, parses given: {parsed_speed(tree, rte('RTE3_dev'), PARSED):,.0f} pairs/s", flush=True)
    else:
        print(table([]))
        for name, way in DEV:
            key = rte(name)
            for engine in engines:
                print(table([validated(engine, key, name, way)]).splitlines()[-1], flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""A key of ids and labels alone: everything but what reads works as it does with the texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import karat
from karat.examples import BALLOTS, JUDGED, PAIRS, RUNS

Pair = tuple[karat.Pairs, karat.Responses]


@pytest.fixture(scope="module")
def textless(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """The shipped test set without its texts, and the shipped runs on it."""
    path = Path(tmp_path_factory.mktemp("keys")) / "key.csv"
    pairs = karat.read_pairs(PAIRS)
    names = [pairs.way.labels[code] for code in pairs.labels.tolist()] if pairs.way else []
    rows = zip(pairs.ids, names, pairs.attributes["task"], strict=True)
    path.write_text("pairID,gold_label,task\n" + "".join(f"{','.join(map(str, row))}\n" for row in rows))
    key = karat.read_pairs(path)
    return key, karat.read_runs(RUNS, key)


def numbers(result: Any) -> str:
    """Every number of a result, without what it was computed from."""
    return str(result.render("csv"))


@pytest.mark.parametrize(
    ("study", "options"),
    [
        ("score", {"by": ["task"]}),
        ("compare", {"cluster": "task"}),
        ("items", {}),
        ("swap", {"trials": 50, "step": 20}),
        ("size", {"difference": [0.1]}),
        ("sensitivity", {}),
        ("diagnose", {"by": "task"}),
    ],
)
def test_studies_that_read_nothing(study: str, options: Any, runs: karat.Responses, textless: Pair) -> None:
    """The numbers are those of the key with texts."""
    ask = getattr(karat, study)
    assert numbers(ask(textless[1], **options)) == numbers(ask(runs, **options))


def test_ballots_on_it(key: karat.Pairs, runs: karat.Responses, textless: Pair) -> None:
    """Alternative keys and judges, too."""
    pairs, answers = textless
    made = karat.keys(answers, karat.read_ballots(BALLOTS, pairs), replicates=100)
    assert numbers(made) == numbers(karat.keys(runs, karat.read_ballots(BALLOTS, key), replicates=100))
    judged = karat.judge(karat.read_ballots(JUDGED, pairs), automatic=["auto"], runs=answers)
    assert numbers(judged) == numbers(karat.judge(karat.read_ballots(JUDGED, key), automatic=["auto"], runs=runs))


def test_no_minimal_pairs_without_texts(textless: Pair) -> None:
    """Pairs without a text do not share one."""
    assert karat.diagnose(textless[1], by="task").consistency == []


def test_a_page_shows_ids(textless: Pair) -> None:
    """The report has no texts to show, and says so to its script by having none."""
    made = karat.report(textless[1], without=["swap", "size"])
    assert made.pairs is not None
    assert (made.pairs.texts, made.pairs.hypotheses) == ((), ())
    assert len(made.pairs.ids) == 160
    assert '"texts":[]' in made.render("html")
    assert {one.code for one in made.warnings} == {"not-sound", "two-way-runs"}


@pytest.mark.parametrize("what", ["run", "learn", "train", "ablate", "ablate on", "sample"])
def test_studies_that_read(what: str, key: karat.Pairs, textless: Pair) -> None:
    """They say that there is nothing to read, and how texts are given."""
    pairs, answers = textless
    calls: dict[str, Any] = {
        "run": lambda: karat.run("overlap", pairs, train=key),
        "learn": lambda: karat.learn("overlap", pairs),
        "train": lambda: karat.run("overlap", key, train=pairs),
        "ablate": lambda: karat.ablate("overlap", pairs),
        "ablate on": lambda: karat.ablate("overlap", key, train=pairs),
        "sample": lambda: karat.sample(answers),
    }
    with pytest.raises(
        karat.UsageError, match=r"key\.csv has no texts, and .* reads them: give .*column={'text': 'NAME'"
    ):
        calls[what]()

"""Labels in memory are runs like any other: the numbers are those of the same labels in files."""

from __future__ import annotations

import builtins
import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import karat
from karat.errors import DataError, UsageError
from karat.examples import PAIRS, RUNS

WORDS = ["entailment", "neutral", "contradiction", "entailment", "neutral", "contradiction"]
SAID = ["entailment", "neutral", "neutral", "entailment", "entailment", "contradiction"]
OTHER = ["entailment", "entailment", "neutral", "contradiction", "entailment", "contradiction"]
CODES = {0: "ENTAILMENT", 1: "NEUTRAL", 2: "CONTRADICTION"}


def coded(words: list[str]) -> list[int]:
    """The labels as codes."""
    return [["entailment", "neutral", "contradiction"].index(word) for word in words]


def values(result: Any, run: int = 0) -> Any:
    """The three-way values of a run."""
    return result.runs[run].values["3"]


@pytest.mark.parametrize(
    ("y_true", "y_pred", "options"),
    [
        (WORDS, SAID, {}),
        (tuple(WORDS), np.array(SAID), {}),
        (pd.Series(WORDS), pd.Series(SAID), {}),
        (pd.Series(WORDS, dtype="category"), pl.Series(SAID), {}),
        (np.array(coded(WORDS)), coded(SAID), {"label": CODES}),
        (
            pl.Series(coded(WORDS)),
            np.array(coded(SAID), dtype=np.int8),
            {"label": {str(k): v for k, v in CODES.items()}},
        ),
        ([word[0].upper() for word in WORDS], [f" {word.title()} " for word in SAID], {}),
    ],
)
def test_one_run(y_true: Any, y_pred: Any, options: dict[str, Any], tmp_path: Path) -> None:
    """Lists, arrays and columns, words and codes: all have the scores of the same labels in files."""
    for name, labels in (("key.tsv", WORDS), ("run.tsv", SAID)):
        rows = [f"{row}\t{label}" for row, label in enumerate(labels)]
        (tmp_path / name).write_text("\n".join(["id\tlabel", *rows]) + "\n")
    filed = karat.score(karat.read_runs(tmp_path / "run.tsv", karat.read_pairs(tmp_path / "key.tsv")))
    result = karat.score(y_true, y_pred, **options)
    assert values(result) == pytest.approx(values(filed), nan_ok=True)
    assert [run.run for run in result.runs] == ["y_pred"]


@pytest.mark.parametrize(
    "y_pred",
    [
        {"gpt-4.1": SAID, "org/b": OTHER},
        pd.DataFrame({"gpt-4.1": SAID, "org/b": OTHER}),
        pl.DataFrame({"gpt-4.1": SAID, "org/b": OTHER}),
    ],
)
def test_several_runs(y_pred: Any) -> None:
    """A dict or a data frame; names stay as they are, dots and slashes included."""
    result = karat.score(WORDS, y_pred)
    assert [run.run for run in result.runs] == ["gpt-4.1", "org/b"]
    assert values(result, 1)["accuracy"] == pytest.approx(2 / 6)


def test_one_door_for_every_study() -> None:
    """What takes runs takes labels, with its own options beside them."""
    runs = {"a": SAID * 10, "b": OTHER * 10}
    key = WORDS * 10
    made = karat.responses(key, runs)
    for study in ("compare", "items", "swap", "size", "sensitivity"):
        function = getattr(karat, study)
        assert function(key, runs).render("json") == function(made).render("json"), study
    assert karat.compare(key, y_pred=runs, test="bootstrap", replicates=99).signature.parameters["test"] == "bootstrap"


def test_signatures_tell() -> None:
    """Help and completion show the labels, and readers of files keep their own."""
    for name in ("score", "compare", "items", "swap", "size"):
        taken = inspect.signature(getattr(karat, name)).parameters
        assert list(taken)[1] == "y_pred"
        assert taken["label"].kind is inspect.Parameter.KEYWORD_ONLY
    assert "y_pred" not in inspect.signature(karat.keys).parameters


def test_signed_by_columns() -> None:
    """The same labels have the same signature, others another."""
    one, again, other = (karat.score(WORDS, said).signature for said in (SAID, list(SAID), OTHER))
    assert str(one) == str(again) != str(other)
    assert [source.name for source in one.files] == ["y_true", "y_pred"]
    assert karat.score(coded(WORDS), coded(SAID), label=CODES).signature.parameters["label"]["1"] == "NEUTRAL"


def test_index_of_pandas() -> None:
    """An index of its own names the pairs and aligns runs; a numbering does not."""
    frame = pd.DataFrame({"gold": WORDS, "run": SAID}, index=list("uvwxyz"))
    assert karat.responses(frame.gold, frame.run).key.ids == tuple("uvwxyz")
    shuffled = frame.run.sample(frac=1, random_state=3)
    assert values(karat.score(frame.gold, shuffled)) == pytest.approx(values(karat.score(WORDS, SAID)), nan_ok=True)
    assert [run.run for run in karat.score(frame.gold, shuffled).runs] == ["run"]
    assert karat.responses(frame.gold, SAID).key.ids == tuple("uvwxyz")
    other = frame.run.rename(index={"z": "q"})
    with pytest.raises(karat.UsageError, match=r"have different entries \(1 of run are not in y_true, first 'q'\)"):
        karat.score(frame.gold, other)
    with pytest.raises(karat.UsageError, match=r"different entries \(6 of run .*leave the index out: run\.to_numpy"):
        karat.score(frame.reset_index().gold, frame.run)
    doubled = pd.Series(SAID, index=list("aabbcc"))
    with pytest.raises(karat.UsageError, match="one has an entry twice"):
        karat.score(frame.gold, doubled)
    again = karat.responses(frame.gold.set_axis(list("aabbcc")), doubled)
    assert again.codes.tolist() == karat.responses(WORDS, SAID).codes.tolist()


@pytest.mark.parametrize("start", [0, 100])
def test_numbering_of_pandas(start: int) -> None:
    """A numbering is an index too: a shuffled column is put in order, and one of other rows is refused."""
    frame = pd.DataFrame({"gold": WORDS, "run": SAID}, index=pd.RangeIndex(start, start + len(WORDS)))
    expected = values(karat.score(WORDS, SAID))
    for seed in range(3):
        shuffled = frame.sample(frac=1, random_state=seed)
        assert values(karat.score(frame.gold, shuffled.run)) == pytest.approx(expected, nan_ok=True)
        assert values(karat.score(shuffled.gold, frame.run)) == pytest.approx(expected, nan_ok=True)
        assert values(karat.score(shuffled.gold, {"run": shuffled[["run"]].run})) == pytest.approx(
            expected, nan_ok=True
        )
    with pytest.raises(karat.UsageError, match="have different entries"):
        karat.score(frame.gold, frame.run.set_axis(range(start + 1, start + 1 + len(WORDS))))


SHARES = {"p_entailment": [0.8, 0.2, 0.1, 0.5, 0.4, 0.2], "p_neutral": [0.1, 0.5, 0.5, 0.3, 0.4, 0.2]}
SHARES["p_contradiction"] = [round(1 - e - n, 9) for e, n in zip(*SHARES.values(), strict=True)]


@pytest.mark.parametrize("shares", [SHARES, pd.DataFrame(SHARES), pl.DataFrame(SHARES)])
def test_probabilities(shares: Any) -> None:
    """A data frame as a run has the probability of each label; another run may have labels."""
    result = karat.score(WORDS, {"likely": shares, "plain": SAID})
    stated = np.array(list(SHARES.values())).T
    key = [0, 1, 2, 0, 1, 2]
    assert values(result)["log_loss"] == pytest.approx(-np.log(stated[range(6), key]).mean())
    assert np.isnan(values(result, 1)["log_loss"])
    assert values(result)["accuracy"] == pytest.approx(4 / 6)


def test_tables_of_probabilities() -> None:
    """A frame of probabilities is one run, or several by the names of its columns; an array needs its places said."""
    shares = np.array([[0.5, 0.3, 0.2]] * 6)
    frame = pd.DataFrame(shares, columns=["entailment", "neutral", "contradiction"])
    named = karat.responses(WORDS, {"m": frame}).runs[0]
    for given in (frame, pl.DataFrame(shares, schema=list(frame.columns)), shares):
        run = karat.responses(WORDS, given, label=CODES if given is shares else None).runs[0]
        assert run.info.name == "y_pred"
        np.testing.assert_array_equal(run.probabilities, named.probabilities)
    wide = pd.concat([frame.add_prefix("a_"), frame.add_suffix("_b"), pd.DataFrame({"words": SAID})], axis=1)
    runs = karat.responses(WORDS, wide).runs
    assert [(run.info.name, run.probabilities is None) for run in runs] == [("words", True), ("a", False), ("b", False)]
    with pytest.raises(DataError, match=r"label={'0': 'ENTAILMENT', '1': '…', '2': '…'}"):
        karat.responses(WORDS, shares)
    with pytest.raises(UsageError, match="a dict or a data frame with one column of labels per run"):
        karat.responses(WORDS, np.array([SAID, OTHER]).T)
    with pytest.raises(UsageError, match="or a dict of several runs"):
        karat.responses(WORDS, [SAID, OTHER])


@pytest.mark.parametrize(
    ("arguments", "options", "told"),
    [
        ((WORDS, SAID[:4]), {}, r"y_true has 6 labels and y_pred has 4; give one per pair"),
        ((WORDS, {"a": SAID, "b": SAID[:4]}), {}, r"y_true has 6 labels and b has 4"),
        ((coded(WORDS), coded(SAID)), {}, r"y_true has the codes 0, 1, 2.*label=\{0: '…', 1: '…', 2: '…'\}"),
        ((WORDS, coded(SAID)), {}, r"y_pred has the codes 0, 1, 2"),
        ((WORDS, [*SAID[:4], None, float("nan")]), {}, r"y_pred has no label in rows 4, 5 \(2 in all\)"),
        ((WORDS, pd.Series([*SAID[:5], pd.NA])), {}, r"y_pred has no label in row 5"),
        ((pd.Series([*WORDS[:5], None]), SAID), {}, r"y_true has no label in row 5"),
        ((WORDS,), {}, r"score\(y_true, y_pred\)"),
        ((WORDS, "entailment"), {}, r"y_pred is of type str; expected a list"),
        ((WORDS, 3), {}, r"y_pred is of type int|y_pred is 3"),
        ((WORDS, np.array([SAID, OTHER]).T), {}, r"y_pred is a table"),
        ((WORDS, {}), {}, r"y_pred has no runs"),
        ((pd.DataFrame({"a": WORDS}), SAID), {}, r"y_true is a table"),
        ((WORDS, SAID), {"label": {"neutral": "MAYBE"}}, r"MAYBE must be one of"),
        ((WORDS, SAID), {"wya": "2"}, r"did you mean 'way'"),
    ],
)
def test_wrong_calls(arguments: tuple[Any, ...], options: dict[str, Any], told: str) -> None:
    """What is wrong, in the words of Python."""
    with pytest.raises(karat.UsageError, match=told):
        karat.score(*arguments, **options)


def test_wrong_labels() -> None:
    """All unknown labels at once, with what to write in a call."""
    with pytest.raises(karat.DataError) as error:
        karat.score(WORDS, {"a": [*SAID[:5], "maybe"], "b": ["perhaps", *SAID[1:]]})
    assert [one.file for one in error.value.problems] == ["a", "b"]
    assert "label={'maybe': 'ENTAILMENT', …}" in str(error.value)
    assert "--" not in str(error.value)
    known = karat.score(WORDS, [*SAID[:5], "maybe"], label={"maybe": "NEUTRAL"})
    assert values(known)["accuracy"] == pytest.approx(3 / 6)


def test_yes_and_no() -> None:
    """NO is ambiguous beside three labels, until the way is said; the message speaks Python."""
    said = ["yes", "no", "no", "yes", "yes", "no"]
    with pytest.raises(karat.DataError, match="ambiguous-no") as error:
        karat.score(WORDS, said)
    assert "--" not in str(error.value)
    two = karat.score(WORDS, said, way="2").runs[0].values["2"]
    assert two is not None
    assert two["accuracy"] == pytest.approx(5 / 6)


def test_a_run_that_is_the_key() -> None:
    """It is scored, with a warning."""
    assert [one.code for one in karat.score(WORDS, list(WORDS)).warnings] == ["equals-key"]


def test_runs_that_were_read_take_no_labels() -> None:
    """They hold their key."""
    runs = karat.read_runs(RUNS / "careful.jsonl", karat.read_pairs(PAIRS))
    with pytest.raises(karat.UsageError, match="hold their key; `y_pred` applies only to labels"):
        karat.score(runs, SAID)
    with pytest.raises(karat.UsageError, match="hold their key; `label`"):
        karat.score(runs, label=CODES)


def test_to_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    """The records as a data frame of either library; without pandas, its extra is named."""
    result = karat.score(WORDS, SAID)
    frame = result.to_pandas()
    assert list(frame.columns) == result.to_polars().columns
    assert len(frame) == len(result.to_polars())
    [accuracy] = frame.query("system == 'y_pred' and way == '3' and measure == 'accuracy'").value
    assert accuracy == pytest.approx(4 / 6)
    found = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "pandas":
            raise ImportError
        return found(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(karat.UsageError, match=r"pip install 'karat\[pandas\]'"):
        result.to_pandas()


def test_answers_that_are_no_label() -> None:
    """They are refused, or count as the caller says; a gap is a missing answer; a key with gaps is always refused."""
    key, said = ["E", "N", "C", "N"], ["E", "I cannot tell", "C", None]
    for unparsed in ("refuse", "wrong", "unknown"):
        with pytest.raises(UsageError, match=r'no label in row 3.*missing="wrong"'):
            karat.score(key, said, unparsed=unparsed)
    wrong = karat.score(key, said, unparsed="wrong", missing="wrong")
    assert (wrong.runs[0].unparsed, wrong.runs[0].missing) == (1, 1)
    assert wrong.runs[0].value("3", "accuracy") == 0.5
    # UNKNOWN is right on the pair with an answer that is no label; the pair without an answer earns nothing.
    assert karat.score(key, said, unparsed="unknown", missing="wrong").runs[0].value("3", "accuracy") == 0.75
    with pytest.raises(UsageError, match="y_true has no label in row 3"):
        karat.score(said, key, unparsed="wrong", missing="wrong")


def test_missing_answers_in_memory() -> None:
    """None, NaN and what programs write for them count as wrong if asked, and the refusal says how to ask."""
    key = ["E", "N", "C", "E"]
    said = ["E", None, float("nan"), "N/A"]
    (row,) = karat.score(key, said, missing="wrong").runs
    assert (row.missing, row.value("3", "accuracy")) == (3, 0.25)
    with pytest.raises(karat.UsageError, match=r'drop them, or count them as wrong: missing="wrong"'):
        karat.score(key, said)
    with pytest.raises(karat.UsageError, match="no label in rows 1, 2") as error:
        karat.score(said, key)
    assert "missing=" not in str(error.value)


def test_all_options_are_known() -> None:
    """The list beside a wrong name has those for labels in memory too."""
    with pytest.raises(
        karat.UsageError, match=r"Known: answer_pattern, by, .*label, .*missing, .*unit_weights, unparsed, .*y_pred"
    ):
        karat.score(["E", "N"], ["E", "E"], bogus=1)  # type: ignore[call-arg]


def test_probabilities_in_columns_called_by_places() -> None:
    """As an array becomes a data frame: `label` says what they are of, and without it they are refused."""
    pandas = pytest.importorskip("pandas")
    key, shares = ["E", "N", "C"], pandas.DataFrame([[0.8, 0.1, 0.1], [0.6, 0.3, 0.1], [0.0, 0.2, 0.8]])
    made = karat.responses(key, shares, label={0: "ENTAILMENT", 1: "NEUTRAL", 2: "CONTRADICTION"})
    assert made.codes.tolist() == [[0, 0, 2]]
    with pytest.raises(karat.DataError, match="probability-list"):
        karat.responses(key, shares)


def test_the_name_of_a_file_is_no_label() -> None:
    """It is told how to read the file."""
    with pytest.raises(karat.UsageError, match=r"karat.read_pairs\('key.csv'\)"):
        karat.score("key.csv", "run.csv")  # type: ignore[arg-type]


def test_codes_that_are_texts_of_floats() -> None:
    """They are refused as codes."""
    with pytest.raises(karat.UsageError, match=r"has the codes 0\.0, 1\.0"):
        karat.responses(["0.0", "1.0"], ["1.0", "1.0"])

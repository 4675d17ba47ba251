"""What `score` says of runs that give a probability to each label, beside runs that do not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn import metrics

import karat
from karat.data.provenance import IN_MEMORY
from karat.data.responses import Responses, Run, RunInfo
from karat.examples import PAIRS, RUNS
from karat.labels import THREE, TWO, fold


@pytest.fixture(scope="module")
def responses() -> Responses:
    """A run with probabilities and the examples, some with confidences and some without."""
    others = karat.read_runs(
        [RUNS / "careful.jsonl", RUNS / "two-way.txt", RUNS / "ranked.txt"], karat.read_pairs(PAIRS)
    )
    random, key = np.random.default_rng(1), others.key.labels
    shares = random.gamma(1, size=(len(key), 3)) + 1.2 * np.eye(3)[key]
    shares /= shares.sum(axis=1, keepdims=True)
    codes, info = shares.argmax(axis=1).astype(np.int8), RunInfo("likely", THREE, IN_MEMORY, False, "response", True)
    run = Run(info, codes, np.arange(len(key), dtype=np.int32), shares.max(axis=1), None, None, shares)
    return Responses.of(others.key, [run, *others.runs])


def test_values_are_scikit_learns(responses: Responses) -> None:
    """Three-way, and two-way with what folds into one label added up."""
    likely, key = responses.runs[0], responses.key.labels
    assert likely.probabilities is not None
    result = karat.score(responses)
    row = next(one for one in result.runs if one.run == "likely")
    three, two = row.values["3"], row.values["2"]
    assert three is not None
    assert two is not None
    assert three["log_loss"] == pytest.approx(metrics.log_loss(key, likely.probabilities))
    entailed, of_entailment = fold(key, TWO) == 0, likely.probabilities[:, 0]
    assert two["log_loss"] == pytest.approx(metrics.log_loss(entailed, of_entailment))
    assert two["brier"] == pytest.approx(metrics.brier_score_loss(entailed, of_entailment))
    assert two["auroc"] == pytest.approx(metrics.roc_auc_score(entailed, of_entailment))
    assert row.reliability
    assert three["calibration_error"] == row.reliability.calibration_error
    assert (row.intervals["3"] or {})["calibration_error"] == row.reliability.error_interval
    for name in ("log_loss", "brier", "calibration_error"):
        low, high = (row.intervals["3"] or {})[name]
        assert low < three[name] < high
    low, high = (row.intervals["2"] or {})["auroc"]
    assert low < two["auroc"] < high
    assert row.sound is None


def test_runs_without_probabilities_have_reasons(responses: Responses) -> None:
    """They have no loss, for a reason; a two-way confidence is a probability of both answers."""
    result = karat.score(responses)
    reasons = {one.path: one.reason for one in result.undefined}
    places = {row.run: at for at, row in enumerate(result.runs)}
    assert "answers only" in reasons[f"/runs/{places['careful']}/values/3/log_loss"]
    assert "no confidences" in reasons[f"/runs/{places['two-way']}/values/2/brier"]
    assert "three-way" in reasons[f"/runs/{places['careful']}/values/2/log_loss"]
    assert reasons["/baselines/0/values/2/log_loss"] == "a baseline states no probabilities"
    assert (result.runs[places["ranked"]].values["2"] or {})["auroc"] > 0.5
    table = result.sheet_named("Probabilities")
    assert [row[0] for row in table.rows()] == ["likely"]
    assert "log_loss" not in karat.score(responses.of_runs([1, 2])).measures


def test_smaller_is_better(responses: Responses) -> None:
    """Runs are ranked by the smallest loss, and those without one come last."""
    sure = Run(**{**vars(responses.runs[0]), "info": RunInfo("sure", THREE, IN_MEMORY, False, "response", True)})
    key = responses.key.labels
    shares = 0.01 + 0.97 * np.eye(3)[key]
    object.__setattr__(sure, "probabilities", shares)
    result = karat.score(
        Responses.of(responses.key, [responses.runs[1], responses.runs[0], sure]), measure=["log_loss"], way="3"
    )
    assert [row.run for row in result.systems("3")[:3]] == ["sure", "likely", "careful"]
    assert (result.systems("3")[0].values["3"] or {})["log_loss"] == pytest.approx(-math.log(0.98))


@pytest.mark.parametrize("form", ["text", "html", "latex", "markdown", "bibtex", "json", "csv", "notebook"])
def test_every_format(responses: Responses, form: str) -> None:
    """The measures of probabilities, each with its source and the method of its interval, go into every format."""
    assert karat.score(responses, measure=["calibration_error", "brier"]).render(form)


def test_a_report(responses: Responses) -> None:
    """A run that states probabilities is a run like others in a report."""
    assert "likely" in karat.report(responses.of_runs([0, 1])).render("html")


@pytest.mark.parametrize("study", ["compare", "swap", "size", "sensitivity"])
def test_other_studies_refuse_losses(responses: Responses, study: str) -> None:
    """A loss is given by `score` alone, with a sentence; AUROC is compared like any ranking."""
    with pytest.raises(karat.UsageError, match="available only in score"):
        getattr(karat, study)(responses, measure="log_loss")


def test_compare_auroc(responses: Responses) -> None:
    """Of the runs that are ranked by entailment."""
    assert karat.compare(responses, measure="auroc").runs[0].run in ("likely", "careful")


def test_slices_and_weights(responses: Responses) -> None:
    """A slice has the measure of its pairs; with weights there is none."""
    result = karat.score(responses, by=["task"])
    likely = responses.runs[0]
    assert likely.probabilities is not None
    for part in result.slices:
        within = np.array([one == part.value for one in responses.key.attributes["task"]])
        [value] = [(row.values["3"] or {})["brier"] for row in part.runs if row.run == "likely"]
        stated, key = likely.probabilities[within], responses.key.labels[within]
        assert value == pytest.approx(((stated - np.eye(3)[key]) ** 2).sum(axis=1).mean())
    ranked = responses.of_runs([0, 1])
    weighted = karat.score(ranked, weights="linear")
    assert np.isnan((weighted.runs[0].values["3"] or {})["brier"])

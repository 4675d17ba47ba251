"""The check of continuous integration: its verdicts, how often each is false, and what it prints."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import karat
from karat.arrays import Floats
from karat.data.scores import Scores
from karat.examples import PAIRS, RUNS
from karat.studies.compare.gate import Gate
from karat.studies.compare.study import compare
from tests.cli.calls import as_json
from tests.cli.calls import karat as command
from tests.studies.test_compare_claims import scores
from tests.undefined import all_explained

WORLDS = 1500


def gate_on(values: Floats | Scores, margin: float = 0.0, **options: object) -> Gate:
    """The check of all runs against the first."""
    given = values if isinstance(values, Scores) else scores(values)
    found = compare(given, versus="r0", fail_if_worse=margin, **options).gate
    assert found is not None
    return found


def right_or_wrong(random: np.random.Generator, runs: int, units: int, behind: float, discordance: float) -> Floats:
    """A baseline and runs that are `behind` it, each disagreeing with it on this share of the units."""
    base = random.random(units) < 0.7
    made = [base]
    for _ in range(runs):
        # Lost where the baseline is right, won where it is wrong.
        lost, won = (discordance + behind) / 2 / 0.7, (discordance - behind) / 2 / 0.3
        made.append(np.where(base, random.random(units) >= lost, random.random(units) < won))
    return np.array(made, dtype=float)


def rates(margin: float, behind: float, runs: int = 1, **options: object) -> tuple[float, float]:
    """The shares of worlds in which any run is called worse, and in which any is called within the margin."""
    random, worse, within = np.random.default_rng(7), 0, 0
    for _ in range(WORLDS):
        gate = gate_on(right_or_wrong(random, runs, 300, behind, 0.15), margin, **options)
        worse += bool(gate.of("worse"))
        within += bool(gate.of("within the margin"))
    return worse / WORLDS, within / WORLDS


def most(level: float) -> float:
    """The largest share that is likely at this level: three standard errors above it."""
    return level + 3 * (level * (1 - level) / WORLDS) ** 0.5


def test_equal_runs_seldom_fail() -> None:
    """One run that is as good as the baseline: called worse in at most 2.5% of the worlds; of five, in at most 5%."""
    assert rates(0.0, 0.0)[0] <= most(0.025)
    assert rates(0.0, 0.0, runs=5)[0] <= most(0.05)


@pytest.mark.parametrize("runs", [1, 4])
def test_at_the_margin(runs: int) -> None:
    """Runs that are worse by exactly the margin: either claim about any of them is false in at most 2.5% (2.8%)."""
    worse, within = rates(0.05, 0.05, runs)
    assert worse <= most(0.028)
    assert within <= most(0.028)


def test_a_build_that_should_fail() -> None:
    """The power: far beyond the margin the check fails nearly always, and strictly so also where nothing is sure."""
    assert rates(0.0, 0.12)[0] > 0.9
    assert rates(0.02, 0.14)[0] > 0.9
    assert rates(0.1, 0.0)[1] > 0.9


def test_verdicts() -> None:
    """40 losses of 100 are worse, none are within .1 but not within .02, and 6 are neither."""
    values = np.ones((4, 100))
    values[1, :40] = values[3, :6] = 0
    gate = gate_on(values, 0.1)
    assert [row.outcome for row in gate.runs] == ["within the margin", "undecided", "worse"]
    assert [row.run for row in gate.failing] == ["r1"]
    assert [row.run for row in gate_on(values, 0.1, strict=True).failing] == ["r3", "r1"]
    assert {row.run: row.outcome for row in gate_on(values, 0.02).runs} == {
        "r1": "worse",
        "r2": "undecided",
        "r3": "undecided",
    }


def test_without_a_margin_as_in_the_table(runs: karat.Responses) -> None:
    """Worse and better are those that the two-sided tests call different, whatever the test and the correction."""
    for options in ({}, {"correction": "maxt"}, {"measure": "kappa", "replicates": 499}, {"test": "t"}):
        result = compare(runs, versus="two-way", fail_if_worse=0, **options)
        assert result.gate is not None
        for row, pair in zip(result.gate.runs, result.pairs, strict=True):
            assert row.fails == (bool(pair.different) and pair.difference < 0)
            assert (row.outcome == "better") == (bool(pair.different) and pair.difference > 0)
        assert result.failed == any(row.fails for row in result.gate.runs)
        all_explained(result)


@pytest.mark.parametrize("options", [{"test": "bootstrap"}, {"measure": "kappa", "replicates": 499}, {"test": "bca"}])
def test_margins_of_resamples(runs: karat.Responses, options: dict[str, object]) -> None:
    """By resampling: far below a small margin is worse, and a margin of 1 includes everybody."""
    assert "always-entailment" in compare(runs, versus="careful", fail_if_worse=0.05, **options).gate.of("worse")
    wide = compare(runs, versus="careful", fail_if_worse=0.99, strict=True, **options)
    assert not wide.failed


def test_not_tested() -> None:
    """A run without common units is skipped, and fails if it has to be shown to be within the margin."""
    values = np.full((3, 20), np.nan)
    values[0, :10], values[1, 10:], values[2, :10] = 1, 1, 1
    assert [row.fails for row in gate_on(values, 0.5).runs] == [False, False]
    strict = compare(scores(values), versus="r0", fail_if_worse=0.5, strict=True)
    assert {one.name: one.outcome for one in strict.checks()} == {"r2": "passed", "r1": "failed"}
    assert "r1 was not tested against r0" in strict.checks()[1].text
    all_explained(strict)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fail_if_worse": 0.0}, "name the run"),
        ({"fail_if_worse": 0.0, "versus": "best"}, "no baseline"),
        ({"fail_if_worse": 0.0, "versus": "careful", "strict": True}, "give a margin above 0"),
        ({"fail_if_worse": -0.1, "versus": "careful"}, "a number from 0"),
        ({"fail_if_worse": 5.0, "versus": "careful"}, "no run could be worse by so much"),
        ({"fail_if_worse": float("nan"), "versus": "careful"}, "a number from 0"),
        ({"versus": "careful", "strict": True}, "give the margin"),
    ],
)
def test_refused(runs: karat.Responses, options: dict[str, object], message: str) -> None:
    """What would be no check, or one that hardly anything passes."""
    with pytest.raises(karat.UsageError, match=message):
        compare(runs, **options)


CALL = ["compare", str(PAIRS), str(RUNS), "--versus", "overlap"]


def test_command(tmp_path: Path) -> None:
    """Exit 1 with the runs named; the margin may be left out, wherever the option stands."""
    done = command(*CALL, "--fail-if-worse")
    assert done.returncode == 0
    assert "The check passes: no run is significantly worse than overlap" in done.stdout
    assert command("compare", "--fail-if-worse", *CALL[1:]).returncode == 0
    assert command(*CALL, "--fail-if-worse", "--strict").returncode == 2
    done = command(*CALL, "--fail-if-worse", ".03", "--strict", "-o", tmp_path / "x.xml")
    assert done.returncode == 1
    assert "always-entailment" in done.stderr
    assert as_json(*CALL, "--fail-if-worse=0.3")["gate"]["margin"] == 0.3
    assert as_json(*CALL)["gate"] is None


def test_junit(tmp_path: Path) -> None:
    """One test case per run, failures with their findings; names that XML would not take are spelled out."""
    file, runs = tmp_path / "result.xml", tmp_path / "runs"
    runs.mkdir()
    for name in ("overlap.txt", "careful.jsonl", "always-entailment.txt"):
        (runs / name).write_bytes((RUNS / name).read_bytes())
    (runs / "careful.jsonl").rename(runs / 'a<b>&"c.jsonl')
    call = ["compare", str(PAIRS), str(runs), "--versus", "always-entailment"]
    assert command(*call, "--fail-if-worse", "-o", file).returncode == 0
    suite = ET.parse(file).getroot()[0]
    assert suite.attrib == {"name": "karat compare", "tests": "2", "failures": "0", "errors": "0", "skipped": "0"}
    assert [case.get("name") for case in suite.iter("testcase")] == ['a<b>&"c', "overlap"]
    assert command(*CALL[:3], "--versus", "careful", "--fail-if-worse", "-o", file).returncode == 1
    failed = {case.get("name"): case.find("failure") for case in ET.parse(file).getroot()[0].iter("testcase")}
    assert failed["ranked"] is None
    terse = failed["terse"]
    assert terse is not None
    assert "terse is significantly worse than careful (16.9 points lower" in terse.attrib["message"]
    assert "The check fails" in (terse.text or "")


def test_junit_of_others() -> None:
    """`check` passes and fails file by file; a study that does neither has no such format."""
    done = command("check", str(PAIRS), str(RUNS), "--format", "junit")
    assert (done.returncode, ET.fromstring(done.stdout).get("tests")) == (0, "11")
    done = command("score", str(PAIRS), str(RUNS), "--format", "junit")
    assert (done.returncode, "that pass or fail" in done.stderr) == (2, True)


def test_better_is_named(runs: karat.Responses) -> None:
    """Of two runs the better is named, and of many against one, those on either side."""
    two = karat.Responses.of(runs.key, [run for run in runs.runs if run.info.name in ("careful", "overlap")])
    assert "careful is significantly better than overlap (" in compare(two).findings()[0]
    said = compare(runs, versus="two-way").findings()[0]
    assert said.endswith("always-entailment is worse.")


@pytest.mark.parametrize("measure", ["kappa", "macro_f1", "accuracy"])
def test_a_copy_is_within_the_margin(measure: str) -> None:
    """Whatever the measure: with many units a copy is within the margin; with few, rare losses may be unseen."""
    random = np.random.default_rng(2)
    labels = np.array(["ENTAILMENT", "UNKNOWN", "CONTRADICTION"])
    for units, outcome in ((400, "within the margin"), (12, "undecided")):
        key = random.integers(0, 3, units)
        base = np.where(random.random(units) < 0.7, key, random.integers(0, 3, units))
        runs = {"base": list(labels[base]), "copy": list(labels[base])}
        found = karat.compare(
            list(labels[key]), runs, measure=measure, versus="base", fail_if_worse=0.05, strict=True, replicates=500
        )
        assert found.gate is not None
        assert found.gate.runs[0].outcome == outcome
        assert found.gate.failed == (outcome == "undecided")


def test_nothing_is_said_of_runs_that_were_not_tested() -> None:
    """A run that shares no unit with the baseline is called not tested, alone and among others."""
    random = np.random.default_rng(4)
    values = random.random((3, 80))
    values[0, 40:] = values[2, :40] = np.nan
    several = compare(scores(values), versus="r0", fail_if_worse=0.0).findings()[0]
    assert several.startswith("The check passes: no tested run is significantly worse than r0")
    assert several.endswith("; r2 was not tested.")
    alone = compare(scores(values[[0, 2]]), versus="r0", fail_if_worse=0.0).findings()[0]
    assert alone == "The check passes, but r1 was not tested against r0."
    shown = compare(scores(values[[1, 1]] + 0.0), versus="r0", fail_if_worse=0.2, strict=True).findings()[0]
    assert shown == "The check passes: r1 was shown to be at most 0.2 worse than r0 (level 0.025)."


def test_a_run_that_is_the_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check passes, and says in every output that nothing differs; another run is not named."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key.csv").write_text("id,label\n" + "".join(f"{n},{'EN'[n % 2]}\n" for n in range(20)))
    said = {"old": "EEN", "new": "EEN", "other": "NNE"}
    for run, words in said.items():
        (tmp_path / f"{run}.csv").write_text("id,pred\n" + "".join(f"{n},{words[n % 3]}\n" for n in range(20)))
    call = ["compare", "key.csv", "old.csv", "new.csv", "other.csv", "--versus", "old", "--fail-if-worse"]
    told = command(*call)
    sentence = "new gives the same answers as old on every unit. Was it run again?"
    assert sentence in told.stdout
    assert {row.run: row.identical for row in gate_on(twins()).runs} == {"r1": True, "r2": False}
    xml = ET.fromstring(command(*call, "--format", "junit").stdout)
    assert xml.findtext(".//testcase[@name='new']/system-out") == sentence


def twins() -> Scores:
    """Two rows that are the same, and one of the same mean."""
    random = np.random.default_rng(0)
    row = random.random(30)
    return scores(np.array([row, row, row[::-1]]))


@pytest.mark.parametrize("bad", ["missing.csv", "broken.csv", "old.csv"])
def test_nothing_could_be_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bad: str) -> None:
    """A missing file, a broken run and a wrong call exit with 2, not with 1 as a worse run does; JUnit has an error."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key.csv").write_text("id,label\n1,E\n2,N\n3,C\n")
    (tmp_path / "old.csv").write_text("id,pred\n1,E\n2,N\n3,N\n")
    (tmp_path / "broken.csv").write_text("id,pred\n1,E\n2,perhaps\n3,N\n")
    (tmp_path / "result.xml").write_text("of an earlier call")
    call = ["compare", "key.csv", "old.csv", bad, "--versus", "old"]
    told = command(*call, "--fail-if-worse", "-o", "result.xml")
    assert told.returncode == 2
    suite = ET.parse(tmp_path / "result.xml").getroot()
    assert suite.get("errors") == "1"
    assert suite.findall(".//error")[0].get("message", "?") in told.stderr
    if bad == "broken.csv":
        assert command(*call).returncode == 1

"""Findings know the runs that they are about, and how much they matter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from tools.examples import ARGUMENTS, EVERYTHING, result_of

from karat.data.result import HEADLINE, Finding, Result, RunName, headline, run_of
from karat.studies.base import StudyResult
from karat.studies.report.result import Report

BASELINE = "the best baseline, always-entailment|and always-entailment scores"
NO_RUN = re.compile(rf"{BASELINE}|two-way accuracy|\(two-way")
"""Where the name of a run in the examples means something else, as the name of a baseline."""


def named(sentence: str, runs: set[str]) -> set[str]:
    """The runs that stand in a sentence as whole names: base+x and base.v2 are other runs than base."""
    return {
        run
        for run in runs
        if re.search(rf"(?<![^\s(,;:]){re.escape(run)}(?=[\s,;:)]|'s|\*|\.(\s|$)|$)", NO_RUN.sub("", sentence))
    }


def results() -> Iterator[Result]:
    """Results of the examples: a report and its sections, and some others."""
    whole = result_of("report", EVERYTHING)
    assert isinstance(whole, Report)
    yield from [whole, *(section.result for section in whole.sections), result_of("report")]
    yield from (result_of("compare", f"{ARGUMENTS['compare']} --versus {one}") for one in ("careful", "best"))


def test_findings_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often a result is asked for them, and whatever a caller does with the list."""
    result = replace(result_of("score"))
    asked: list[str] = []
    of_study = StudyResult._of_study

    def counted(self: StudyResult, fact: str) -> tuple[object, ...]:
        asked.append(fact)
        return of_study(self, fact)

    monkeypatch.setattr(StudyResult, "_of_study", counted)
    found = result.findings()
    assert len(found) > 1
    result.findings().clear()
    assert result.findings() == found
    assert set(result.headlines()) <= set(found)
    assert asked == ["findings"]


def test_runs_of_findings() -> None:
    """A run that a sentence names is one of its runs, and its runs are runs of the result."""
    about = 0
    runs = {portrait.run for portrait in result_of("report", EVERYTHING).portraits()}
    for result in results():
        for finding in result.findings():
            assert named(finding, runs) <= set(finding.runs) <= runs, finding
            about += bool(finding.runs)
    assert about > 40
    three = {"base", "base+x", "base.v2"}
    assert named("base+x is first; base.v2's is not. See base.", three) == three
    assert named("base+x is ahead of base.v2.", {"base"}) == set()


def test_names_are_marked_where_sentences_are_made() -> None:
    """Nothing but the marked parts of a sentence names a run, and they name runs: a name may be a word."""
    runs = {portrait.run for portrait in result_of("report", EVERYTHING).portraits()}
    marked = 0
    for result in results():
        for finding in result.findings():
            assert "".join(finding.parts) == finding
            assert {run_of(part) for part in finding.parts[1::2]} <= {
                f"{run}{star}" for run in runs for star in ("", "*")
            }
            assert named(" ".join(finding.parts[::2]), runs) == set(), finding
            marked += len(finding.parts) // 2
    assert marked > 40
    html = result_of("report", EVERYTHING).render("html")
    assert 'lead of 3.8 points over <i class="name">ranked</i> is real' in html
    assert "since “two-way” has no third label" in html


def test_a_word_is_no_run() -> None:
    """A run called `always-entailment` has nothing to do with the baseline of that name."""
    whole = result_of("report", EVERYTHING)
    said = [finding for portrait in whole.portraits() if portrait.run == "careful" for finding in portrait.findings]
    assert said
    assert all("careful" in finding.runs for finding in said)
    assert not any(re.search(BASELINE, finding) for finding in said)


def test_headlines() -> None:
    """What is seen first are findings too, in the same order."""
    for result in results():
        if not isinstance(result, Report):  # which has those of its sections
            assert result.headlines() == [one for one in result.findings() if one.weight == HEADLINE]


def test_a_finding_is_its_sentence() -> None:
    """It prints, joins and compares as the sentence does; runs are known by their own names, each once."""
    one = Finding("b* and a differ.", [RunName.of("b", manual=True), "a", "a", RunName.of("always", trivial=True)])
    assert f"{one}" == "b* and a differ."
    assert one == "b* and a differ."
    assert " ".join([one, headline("So there.")]) == "b* and a differ. So there."
    assert (one.runs, one.weight) == (("b", "a"), 1)
    assert (headline("So there.").runs, headline("So there.").weight) == ((), HEADLINE)

"""Report: every study that the data allow (`karat report`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from karat.arrays import NAN
from karat.errors import NotApplicable, UsageError
from karat.measures import measures
from karat.progress import track
from karat.studies.agree.study import agree
from karat.studies.base import LeftOut, StudyResult, sources_of, study
from karat.studies.compare.study import compare
from karat.studies.diagnose.study import diagnose
from karat.studies.items import items
from karat.studies.judge.study import judge
from karat.studies.justify.study import justify
from karat.studies.keys.study import keys
from karat.studies.report.evidence import (
    GENERATED,
    LEADING,
    MOST_TESTED,
    PAIRS,
    QUESTIONS,
    TAKEN_APART,
    Evidence,
    ReportParameters,
)
from karat.studies.report.opening import FINDINGS, opening
from karat.studies.report.pairs import explored
from karat.studies.report.resolution import undecided
from karat.studies.report.result import Method, Report, Section
from karat.studies.report.title import title
from karat.studies.sensitivity.result import Sensitivity
from karat.studies.sensitivity.study import sensitivity
from karat.studies.shared_texts import SharedTexts, shared_texts, sharing_texts
from karat.studies.size.study import size
from karat.studies.swap.study import swap

NOTHING = "there is nothing to report on: give a key and its runs, a score matrix, or other evidence"


@dataclass(frozen=True)
class Planned:
    """A section as it would be made."""

    study: Callable[..., StudyResult] | str
    """Called with the evidence named in `needs` and `takes`; or the name of a result that the evidence itself holds."""
    needs: Mapping[str, str] = field(default_factory=dict)
    """The study's arguments by name, each an attribute of `Evidence`; without one of these there is no section."""
    takes: Mapping[str, str] = field(default_factory=dict)
    """Arguments that may be None."""
    about: str = PAIRS
    """What its runs answer."""
    pairwise: bool = False
    """Whether it compares every two runs, and so is limited to the leading ones if there are very many, …"""
    most: int = LEADING
    """… at most so many."""
    question: str = ""
    """What it answers, unless that is the question of the study."""

    def result(self, evidence: Evidence) -> StudyResult | None:
        """The study's result; None if the evidence does not allow it."""
        if isinstance(self.study, str):
            made: StudyResult | None = getattr(evidence, self.study)
            return made
        needed = {noun: getattr(evidence, name) for noun, name in self.needs.items()}
        if any(noun is None for noun in needed.values()):
            return None
        taken = {noun: getattr(evidence, name) for noun, name in self.takes.items()}
        return self.study(**needed, **taken, **evidence.options(self.study.__name__, of_labels=self.about == PAIRS))


COMPARED = {"runs": "compared"}
SECTIONS: dict[str, Planned] = {
    "score": Planned("scored"),
    "compare": Planned(compare, {"runs": "tested"}, pairwise=True, most=MOST_TESTED),
    # Corrected for as many pairs as are compared.
    "size": Planned(size, {"runs": "tested"}, takes={"ballots": "noise"}, pairwise=True, most=MOST_TESTED),
    "swap": Planned(swap, COMPARED, pairwise=True),
    "sensitivity": Planned(sensitivity, COMPARED, takes={"ballots": "noise"}, pairwise=True),
    "items": Planned(items, {"runs": "responses"}),
    "agree": Planned(agree, {"ballots": "people"}),
    "keys": Planned(keys, {"runs": "leading", "ballots": "people"}, pairwise=True),
    "judge": Planned(judge, {"ballots": "with_judges"}, takes={"runs": "leading"}, pairwise=True),
    "diagnose": Planned(diagnose, {"runs": "decomposed_runs", "decomposition": "decomposed"}, about=TAKEN_APART),
    "justify": Planned(justify, {"ratings": "ratings"}, takes={"runs": "leading"}),
    "qa": Planned("qa_result", about=QUESTIONS),
    "qa-compare": Planned(
        compare,
        {"runs": "question_scores"},
        question="Which differences on questions are significant?",
        about=QUESTIONS,
        pairwise=True,
    ),
    "nuggets": Planned("nugget_result", about=GENERATED),
    "nuggets-compare": Planned(
        compare,
        {"runs": "nugget_scores"},
        question="Which differences in completeness are significant?",
        about=GENERATED,
        pairwise=True,
    ),
}
"""By name, in the order of the page; the first section of a study has the name of the study."""


@study("report", ReportParameters, findings=FINDINGS, nouns=Evidence)
def report(evidence: Evidence) -> Report:
    """Every study that the data allow, in the order of the questions that people ask.

    Of runs, of a score matrix, or only of what is named beside them. `ballots` are people's labels of the pairs,
    `judged` ballots that have those of automatic judges among them (`automatic` says who they are), `ratings` what
    people said of justifications. Questions take what `qa` takes, and are scored as `scoring` says; `generated` is
    what `nuggets` takes.
    """
    asked = evidence.asked
    if strange := [name for name in asked.without if name not in SECTIONS]:
        raise UsageError.unknown("section", strange[0], SECTIONS)
    evidence.check()
    sections, left_out = _sections(evidence)
    if not sections:
        reasons = "; ".join(f"{one.name}: {one.reason}" for one in left_out)
        raise UsageError(f"no section can be made: {reasons}" if reasons else NOTHING)
    made: dict[str, Any] = {section.name: section.result for section in sections}
    return Report(
        title=asked.title or title(evidence),
        sections=sections,
        opening=opening(evidence, made),
        undecided=undecided(evidence, made.get("compare")),
        left_out=left_out,
        methods=_methods(sections),
        shared_texts=_shared_texts(evidence),
        pairs=explored(evidence),
        warnings=tuple(dict.fromkeys(one for section in sections for one in section.result.warnings)),
    )


def _shared_texts(evidence: Evidence) -> SharedTexts | None:
    """The pairs that share a text, whether or not there are runs; None if there are none."""
    if evidence.key is None:
        return None
    if evidence.leading is None or evidence.key.blind:
        sharing, texts = sharing_texts(evidence.key)
        return SharedTexts(sharing, texts, NAN, NAN) if sharing else None
    return shared_texts(evidence.leading, evidence.way, evidence.asked.seed)


def _sections(evidence: Evidence) -> tuple[list[Section], list[LeftOut]]:
    """The sections that were made, and why others could not be."""
    made, left_out = [], []
    for name, planned in track(SECTIONS.items(), lambda section: f"section {section[0]}"):
        if name in evidence.asked.without:
            continue
        try:
            result = planned.result(evidence)
        except (UsageError, NotApplicable) as error:
            # A page may have been made by a command as well as in Python: it names options as the command line does.
            left_out.append(LeftOut(name, error.on_command_line))
            continue
        if isinstance(result, Sensitivity) and len(result.settings) == 1:
            left_out.append(LeftOut(name, "no other setting can be tried on these data"))
        elif result is not None:
            runs, most = evidence.number_of_runs(planned.about), planned.most
            limited = planned.pairwise and runs > most
            note = (
                f"Only the {most:,} runs with the highest scores, of {runs:,}, are in this section." if limited else ""
            )
            made.append(Section(name, planned.question or result.heading, planned.about, note, result))
    return made, left_out


def _methods(sections: list[Section]) -> list[Method]:
    """The studies of the sections and the measures that they use, with their sources."""
    by_study = {section.result.study: section.result for section in sections}
    told = [Method(name, result.METHOD, _sources(result)) for name, result in by_study.items()]
    used = dict.fromkeys(measure for section in sections for measure in section.result.signature.measures)
    for spelling in used:
        try:
            entry = measures.parse(spelling).entry
        except UsageError:
            continue
        told.append(Method(spelling, entry.summary, str(entry.facts["source"])))
    return told


def _sources(result: StudyResult) -> str:
    """The sources of a study; those of its measures have rows of their own."""
    own = set(sources_of(measures, result.signature.measures))
    return "; ".join(dict.fromkeys(source for source in result.citations() if source and source not in own))

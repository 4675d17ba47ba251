"""Report: every study that the data allow (`karat report`)."""

from __future__ import annotations

from pathlib import PurePath

from karat.data.responses import Responses
from karat.errors import NotApplicable, UsageError
from karat.measures import measures
from karat.progress import track
from karat.studies.base import StudyResult, sources_of, study
from karat.studies.report.evidence import LEADING, Evidence, ReportParameters
from karat.studies.report.explored import explored
from karat.studies.report.findings import FINDINGS
from karat.studies.report.needed import undecided
from karat.studies.report.opening import opening
from karat.studies.report.result import LeftOut, Method, Report, Section
from karat.studies.report.sections import SECTIONS
from karat.studies.wording import counted

NOTHING = "there is nothing to report on: give a key and its runs, a score matrix, or something beside them"


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
    made = {section.name: section.result for section in sections}
    return Report(
        title=asked.title or _title(evidence.responses),
        sections=sections,
        opening=opening(evidence, made),
        undecided=undecided(evidence, made.get("compare")),
        left_out=left_out,
        methods=_methods(sections),
        pairs=explored(evidence),
        warnings=tuple(dict.fromkeys(one for section in sections for one in section.result.warnings)),
    )


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
        if result is not None:
            note = _limited(evidence.number_of_runs(planned.about)) if planned.pairwise else ""
            made.append(Section(name, planned.question, planned.about, note, result))
    return made, left_out


def _limited(runs: int) -> str:
    """Which runs a section is about, if not all of them."""
    return f"Of {runs:,} runs, the {LEADING} with the highest scores." if runs > LEADING else ""


def _title(runs: Responses | None) -> str:
    """The name of the key's file, without its folder, and the number of runs."""
    if runs is None:
        return "An evaluation"
    return f"{PurePath(runs.key.source.name).name or 'A test set'}, {counted(len(runs), 'run')}"


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

"""`karat report`: its options, and how their files are read, are declared by what a report is made from."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from typing import Any

from karat.cli import tell
from karat.cli.command import (
    RUNS_OR_SCORES,
    StudyCommand,
    file_option,
    flag_of,
    options_of,
    pick,
    runs_or_scores_of,
)
from karat.data.provenance import QuestionFiles, Reading
from karat.errors import UsageError
from karat.studies.qa.parameters import QaParameters, scoring_of
from karat.studies.report.evidence import Evidence, Read, ReportParameters
from karat.studies.report.result import Report
from karat.studies.report.study import report


def _declared() -> Iterator[tuple[str, Read]]:
    """The nouns that are read from files, in order, each with how it is read."""
    for noun, hint in typing.get_type_hints(Evidence, include_extras=True).items():
        yield from ((noun, one) for one in getattr(hint, "__metadata__", ()))


READ = dict(_declared())


def ask(given: dict[str, Any]) -> Report:
    """Read what there is, and make every section that it allows."""
    for one in READ.values():
        if len({bool(given[file.name]) for file in one.files}) > 1:
            raise UsageError(f"{' and '.join(flag_of(file.name) for file in one.files)} belong together: give both")
    if not given["questions"] and (stray := [name for name in QuestionFiles.PATHS if given[name]]):
        raise UsageError(f"{flag_of(stray[0])} belongs to questions: give them too, --questions FILE")
    how = {one.how: {} if one.how is None else pick(one.how, given) for one in READ.values()}
    named = {noun: one for noun, one in READ.items() if given[one.files[0].name]}
    subject = given["key"] or given["scores"] or not named
    nouns: dict[str, Any] = {"runs": runs_or_scores_of(given) if subject else None}
    for noun, one in named.items():
        found = one.read(nouns, *(given[file.name] for file in one.files), **how[one.how])
        nouns |= found if isinstance(found, dict) else {noun: found}
    scoring = scoring_of(given)
    made = report(**nouns, scoring=scoring, **pick(ReportParameters, given))
    for section in made.left_out if not given["quiet"] else ():
        tell(f"left out: {section.name}: {section.reason}")
    return made


class ReportCommand(StudyCommand):
    """A report is a page unless something else is asked for."""

    form = "html"

    def shown(self, given: dict[str, Any]) -> None:
        """Say where the page is."""
        if given["output"] and given["format"] == "html" and not given["quiet"]:
            tell(f"Written: {given['output']}. Open it in any browser.")


FILES = [file_option(file.name, file.help, file.many) for one in READ.values() for file in one.files]
HOW = [one.how for one in READ.values() if one.how is not None]
OPTIONS = options_of(ReportParameters, Reading, *HOW, QaParameters, without=["interval"])
command = ReportCommand("report", [*RUNS_OR_SCORES, *OPTIONS, *FILES], ask)

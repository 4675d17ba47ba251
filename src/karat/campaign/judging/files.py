"""Judgments as files that the laboratory reads: ballots, ratings, summaries, and the key that people agreed on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from karat.campaign.events import Item, Stage
from karat.campaign.judging.work import Ballot, Work
from karat.data.criteria import JUSTIFICATIONS
from karat.formats.ballots import CONTROL as CONTROL
from karat.formats.ballots import HISTORY
from karat.formats.ballots import table as table

BALLOT_COLUMNS = (*HISTORY, "guidelines", "seconds")
WHOLE_COLUMNS = ("stage", "again", "skipped", *BALLOT_COLUMNS, "program")
WHOLE: tuple[Stage, ...] = ("norming", "labels", "adjudication")
"""What is in a whole file. Examples are not: they measure people by the known labels of one campaign."""
AGAIN = "yes"
RATING_COLUMNS = ("run", "unit", "judge", *(one.name for one in JUSTIFICATIONS), "comment", "guidelines", "seconds")


def given(work: Work, stage: Stage, *, programs: bool = False, copy: int = 1) -> Iterator[tuple[Item, Ballot]]:
    """The judgments of a stage that hold, by unit and assessor; of people, or of programs too."""
    found = [
        (item, ballot)
        for who, of in work.ballots.items()
        for item, ballot in of.items()
        if item.stage == stage and item.copy == copy and not item.entry and (programs or who not in work.programs)
    ]
    yield from sorted(found, key=lambda one: (one[0], one[1].said.assessor))


def ballots_file(work: Work, *, programs: bool = False) -> bytes:
    """Labels and decisions, one row each, as `karat agree` and `karat keys` read them."""
    rows: list[tuple[str | None, ...]] = [
        (item.unit, ballot.said.assessor, ballot.label, "", "", "", *_facts(ballot))
        for item, ballot in given(work, "labels", programs=programs)
        if ballot.label is not None
    ]
    for item, ballot in given(work, "adjudication"):
        said = ballot.said.values
        words = (said["label"], said["reason"], said.get("kind", ""), said.get("note", ""))
        rows.append((item.unit, ballot.said.assessor, *words, *_facts(ballot)))
    if not programs:
        return table(BALLOT_COLUMNS, rows)
    said = _programs(work)
    return table((*BALLOT_COLUMNS, "program"), [(*row, said.get(row[1] or "", "")) for row in rows])


def _programs(work: Work) -> dict[str, str]:
    """What is known of each program that has judged; one that has taken everything back is not among them."""
    return {who: one.said.program for who in work.programs for one in list(work.of(who).values())[:1]}


def whole_file(work: Work) -> bytes:
    """Every label, vote and decision: also second and skipped ones, and those of programs. Ballots can be brought in
    again from this file as they were; `karat agree` would count some people twice.
    """
    rows = []
    for item, ballot in [
        one for stage in WHOLE for copy in (1, 2) for one in given(work, stage, programs=True, copy=copy)
    ]:
        said = ballot.said
        words = [said.values.get(name, "") for name in ("label", "reason", "kind", "note")]
        about = (item.stage, AGAIN if item.copy > 1 else "", said.skipped, item.unit, said.assessor)
        rows.append((*about, *words, said.comment, *_facts(ballot)[1:], said.program))
    return table(WHOLE_COLUMNS, rows)


def ratings_file(work: Work, runs: Mapping[str, str], *, programs: bool = False) -> bytes:
    """Ratings of justifications, one row each, as `karat justify` reads them; runs by their names."""
    rows = []
    for item, ballot in given(work, "ratings", programs=programs):
        said = ballot.said
        scores = ("skip", "") if said.skipped else tuple(said.values.get(one.name, "") for one in JUSTIFICATIONS)
        rows.append((runs[item.run], item.unit, said.assessor, *scores, *_facts(ballot)))
    if not programs:
        return table(RATING_COLUMNS, rows)
    known = _programs(work)
    return table((*RATING_COLUMNS, "program"), [(*row, known.get(row[2], "")) for row in rows])


def judges_file(work: Work) -> bytes:
    """The closing summaries, as `karat justify --judges` reads them."""
    people = sorted({ballot.said.assessor for _, ballot in given(work, "ratings")})
    return table(("judge", "summary"), [(who, work.summaries.get(who, "")) for who in people])


def agreed_labels(work: Work) -> dict[str, str]:
    """The label of every unit that is settled: all gave it, or an adjudicator decided on it."""
    return {one.unit: one.label for one in work.outcomes() if one.label is not None}


def _facts(ballot: Ballot) -> tuple[str, str, str]:
    said = ballot.said
    return said.skipped or said.comment, str(said.guidelines or ""), "" if said.seconds is None else f"{said.seconds:g}"

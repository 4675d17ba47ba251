"""Judgments as files that the laboratory reads: ballots, ratings, summaries, and the key that people agreed on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_args

import msgspec

from karat.campaign.events import Item, Stage
from karat.campaign.judging.dealing import head_of
from karat.campaign.judging.work import Ballot, Work, first_said
from karat.data.criteria import JUSTIFICATIONS
from karat.formats.ballots import HISTORY
from karat.formats.ballots import table as table
from karat.formats.writing import CONTROL as CONTROL

BALLOT_COLUMNS = (*HISTORY, "guidelines", "seconds")
EXAMPLES: tuple[Stage, ...] = ("qualification", "planted")
"""What is in no whole file: they measure people by the known labels of one campaign."""
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
        if "label" not in said:  # groups of a list, which are in the file of verdicts
            continue
        words = (said["label"], said["reason"], said.get("kind", ""), said.get("note", ""))
        rows.append((item.unit, ballot.said.assessor, *words, *_facts(ballot)))
    if not programs:
        return table(BALLOT_COLUMNS, rows)
    said = _programs(work)
    return table((*BALLOT_COLUMNS, "program"), [(*row, said.get(row[1] or "", "")) for row in rows])


def _programs(work: Work) -> dict[str, str]:
    """What is known of each program that has judged; one that has taken everything back is not among them."""
    return {who: one.said.program for who in work.programs for one in list(work.of(who).values())[:1]}


class Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A judgment of any kind as a line of a whole file: what programs send, with what it is about and by whom."""

    stage: Stage
    unit: str
    runs: tuple[str, ...] = ()
    """The run whose answer was judged, or the two that were compared, the left one first."""
    entry: str = ""
    """The entry of a list."""
    again: bool = False
    """Whether it was a second label, or the vote after a discussion."""
    assessor: str
    values: dict[str, str | int] = {}
    skipped: str = ""
    comment: str = ""
    guidelines: int = 0
    seconds: float | None = None
    suggested: str = ""
    program: str = ""


def in_order(item: Item) -> tuple[int, bool, int, bool]:
    """When something is brought in: what others follow from comes first, and the entries of a list before its end.

    Whether answers are the same one is decided after their lists, and after the verdicts that these are made of.
    """
    late = item.stage == "adjudication" and head_of(item.unit) == item.unit
    return get_args(Stage).index("lists" if late else item.stage), late, item.copy, not item.entry


def whole_file(work: Work, runs: Mapping[str, str]) -> bytes:
    """Every judgment that holds, one per line, whatever was judged: also second and skipped ones, and of programs.

    From this file they can be brought in again as they were. Runs are called by their names.
    """
    held = [(item, one) for of in work.ballots.values() for item, one in of.items() if item.stage not in EXAMPLES]
    lines = []
    for item, ballot in sorted(held, key=lambda one: (in_order(one[0]), first_said(one[1]).sequence)):
        said = ballot.said
        line = Line(
            stage=item.stage,
            unit=item.unit,
            runs=tuple(runs[run] for run in item.run.split("+") if run),
            entry=item.entry,
            again=item.copy > 1,
            assessor=said.assessor,
            values=dict(said.values),
            skipped=said.skipped,
            comment=said.comment,
            guidelines=said.guidelines,
            seconds=said.seconds,
            suggested=said.suggested,
            program=said.program,
        )
        lines.append(msgspec.json.encode(line) + b"\n")
    return b"".join(lines)


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

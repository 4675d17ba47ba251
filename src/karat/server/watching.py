"""How the judging of a task goes, by the studies of the laboratory: made beside the requests, and kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from karat.campaign.definition import Task
from karat.campaign.judging.answer_rankings import rank
from karat.campaign.judging.files import agreed_labels, given, ratings_file
from karat.campaign.judging.kinds import kinds_of
from karat.campaign.judging.kinds.kind import Votes
from karat.campaign.judging.library import Material
from karat.campaign.judging.work import Work
from karat.campaign.state import Campaign
from karat.errors import KaratError, Problems
from karat.formats.documents import document_of
from karat.server import results, store
from karat.server.making import Latest, Line, Made, NotYet
from karat.server.store import material

if TYPE_CHECKING:
    from karat.campaign.judging.quality import Quality
    from karat.data.ballots import Ballots
    from karat.data.pairs import Pairs
    from karat.data.provenance import Level
    from karat.data.result import Result
    from karat.studies.agree.result import Agreement
    from karat.studies.keys.result import ScoredKey

V = TypeVar("V")
FILE = "ballots.tsv"
AGREED, OFFICIAL = "agreed key", "official key"
"""Names among those of assessors, which have no blanks in them."""
PERSON = "assessor "
"""How the name of a key begins that is one assessor's."""


@dataclass(frozen=True)
class Agreed:
    """How far people agree on one kind of judging."""

    votes: Votes
    found: Agreement | None
    """As `karat agree` gives it for the file; None if nothing was judged by two people."""
    unsaid: str = ""
    """Why there is none."""


@dataclass(frozen=True)
class Watched:
    """What the judgments of a task say so far."""

    agreement: list[Agreed]
    """Of each kind of judging of which there is anything."""
    ratings: Result | None
    """As `karat justify` gives it for the ratings, if there are any."""
    quality: Quality
    unsaid: str = ""
    """Why there is no agreement on ratings."""


def watched(state: Campaign, task: Task) -> Made[Watched]:
    """How far assessors agree, and how the judging goes: now, or when that was last computed."""
    work = state.work_of(task.name)
    return _watched.of(_subject(state, task), work.changed, lambda: _watch(state, task, work), store.now())


def ranked(state: Campaign, task: Task) -> Made[list[tuple[str, ScoredKey]]] | None:
    """The ranking of the runs under the official key, that of each assessor and the agreed one, by their names.

    None if there are no runs with labels to rank, or no labels by assessors.
    """
    work, subject = state.work_of(task.name), _subject(state, task)
    if task.kind == "questions":
        if not work.labels or not state.active(task=task.name):
            return None
        version = work.changed, tuple(run.received.id for run in state.active(task=task.name))
        return _rankings.of(subject, version, lambda: rank(material(state, task)), store.now())
    runs = results.official(state, task)
    if task.kind != "entailment" or not runs or not any(True for _ in given(work, "labels")):
        return None
    asked = results.asked_of(state, task, runs)
    return _rankings.of(subject, (asked, work.changed), lambda: _rank(asked, work), store.now())


def soon(make: Callable[[], V]) -> tuple[V | None, bool]:
    """What is made, and whether it takes longer than the request may wait."""
    try:
        return make(), False
    except NotYet:
        return None, True


def _subject(state: Campaign, task: Task) -> tuple[str, str, str]:
    """What differs from task to task, also between campaigns that have the same name one after the other."""
    return state.definition.name, state.seed, task.name


def ballots_of(
    raw: bytes, key: Pairs | None = None, file: str = FILE, level: Level | None = None, order: tuple[str, ...] = ()
) -> Ballots | None:
    """The ballots of an export, as `karat agree` reads them, or `karat keys` with the key; None if there are none."""
    from karat.data.provenance import BallotReading
    from karat.formats.ballots import parse_ballots

    problems, reading = Problems(), BallotReading(level=level, order=order)
    document = document_of(file, raw, problems)
    made = None if document is None else parse_ballots([document], key, reading, problems)
    return None if made is None or document is None else replace(made, reading=reading, sources=(document.source,))


def _watch(state: Campaign, task: Task, work: Work) -> Watched:
    from karat.campaign.judging.quality import quality

    about = material(state, task)
    agreed = [_agreed(one, about) for kind in kinds_of(task).values() for one in kind.votes]
    rated, unsaid = _rated(state, work)
    how = quality(work, state.definition.clock)
    return Watched(agreement=list(filter(None, agreed)), ratings=rated, quality=how, unsaid=unsaid)


def _agreed(votes: Votes, about: Material) -> Agreed | None:
    """What `karat agree` says about votes; nothing if there are none."""
    from karat.studies.agree.study import agree

    raw = votes.of(about, False)
    if raw.count(b"\n") <= 1:  # the names of columns
        return None
    try:
        ballots = ballots_of(raw, None, votes.export.file, votes.level, votes.order)
        made = None if ballots is None else agree(ballots)
    except KaratError as error:
        return Agreed(votes, None, str(error))
    unreadable = f"{votes.export.file} cannot be read as ballots: karat agree says why"
    return Agreed(votes, None, unreadable) if made is None else Agreed(votes, made if made.paired else None)


def _rated(state: Campaign, work: Work) -> tuple[Result | None, str]:
    """What `karat justify` says about the ratings, or why it says nothing."""
    if not any(True for _ in given(work, "ratings")):
        return None, ""
    from karat.data.provenance import RatingReading
    from karat.formats.justification_ratings import parse_justifications
    from karat.studies.justify.study import justify

    problems, names = Problems(), {id: run.name for id, run in state.runs.items()}
    document = document_of("ratings.tsv", ratings_file(work, names), problems)
    try:
        return justify(parse_justifications([document], RatingReading(), problems)), ""
    except KaratError as error:
        return None, str(error)


def _rank(asked: results.Asked, work: Work) -> list[tuple[str, ScoredKey]]:
    from karat.studies.keys.study import keys

    runs = results.responses_of(asked)
    found: list[tuple[str, ScoredKey]] = []
    said = {unit: [(who, one.label) for who, one in of.items()] for unit, of in work.labels.items()}
    people = [
        (unit, who, label) for unit, of in said.items() for who, label in of if label and who not in work.programs
    ]
    agreed = [(unit, AGREED, label) for unit, label in agreed_labels(work).items()]
    for rows in (people, agreed):
        # Units of a live board are not among those that count.
        lines = ["\t".join(row) for row in rows if row[0] in runs.key.index]
        ballots = ballots_of("\n".join(["unit\tassessor\tlabel", *lines, ""]).encode(), runs.key) if lines else None
        made = None if ballots is None else keys(runs, ballots, share=0.0)
        own = [] if made is None else [(one.name.removeprefix(PERSON), one) for one in made.keys if PERSON in one.name]
        found += [(OFFICIAL, made.keys[0])] if made is not None and not found else []
        found += sorted(own, key=lambda one: one[0])
    return found


_watched: Latest[Watched] = Latest(Line())
_rankings: Latest[list[tuple[str, ScoredKey]]] = Latest(Line())

"""Scores as judgments close: a round that ends gives every run the scores that follow from what people said."""

from __future__ import annotations

from typing import NamedTuple

from karat.campaign.commands import Rekey
from karat.campaign.definition import Task
from karat.campaign.judged import Judgments, answers_of, grades, plainly, read_judgments, unnamed
from karat.campaign.judging.closing import ready
from karat.campaign.judging.kinds import kinds_of
from karat.campaign.refusing import StaleError
from karat.campaign.state import SCORED_BY, Campaign
from karat.data.answers import Answers
from karat.data.questions import Questions
from karat.errors import DataError, KaratError
from karat.server.making import Kept, Line
from karat.server.rescoring import MOST_TRIES, scored_anew_by, scoring
from karat.server.store import content, digest_of, execute, material, state_of, test_set
from karat.studies.nuggets.study import nuggets
from karat.studies.qa.study import qa
from karat.studies.wording import counted

PARTS = (("verdicts",), ("nuggets", "matches"), ("quality",))
"""Files that are of use only together."""
MOST_KEPT = 64


class Prepared(NamedTuple):
    """The judgments by which runs can be scored now, and what is missing for the rest."""

    files: dict[str, bytes]
    missing: tuple[str, ...]


class Closed(NamedTuple):
    """What became of the scores when a round was closed."""

    scored: int
    """The runs that have new scores."""
    version: int
    missing: tuple[str, ...]

    def __str__(self) -> str:
        done = f"{counted(self.scored, 'run')} scored by the judgments: key version {self.version}"
        told = [done] if self.scored else []
        waits = [f"scores wait: {'; '.join(self.missing)}"] if self.missing else []
        return "; ".join([*told, *waits])


def score_closed(campaign: str, task: str, reason: str, actor: str) -> Closed:
    """Score the runs of a task by the judgments of its closed rounds; nothing is released by it."""
    for _ in range(MOST_TRIES):
        state = state_of(campaign)
        wanted = state.definition.task(task)
        with scoring:
            made = prepared(state, wanted)
            new = {name: digest_of(raw) for name, raw in made.files.items()}
            if not new or dict(state.judged_by(task)) | new == dict(state.judged_by(task)):
                return Closed(0, len(state.keys), made.missing)
            judged = _judged(state, wanted, made.files)
            scores = scored_anew_by(state, test_set(state, wanted)._replace(judged=judged))
        command = Rekey(judgments={task: new}, scores=scores, reason=reason)
        try:
            outcome = execute(campaign, command, actor, {digest_of(raw): raw for raw in made.files.values()})
        except StaleError:
            continue  # a run came in, or another key, while the runs were scored
        return Closed(len(scores), len(outcome.state.keys), made.missing)
    return Closed(0, len(state_of(campaign).keys), ("runs are coming in; close the round again in a moment",))


def prepared(state: Campaign, task: Task) -> Prepared:
    """The files of judgments of closed rounds that judge everything, with the ids of runs and no names of people."""
    if task.kind not in SCORED_BY:
        return Prepared({}, ())
    about, runs = material(state, task), state.active(task=task.name)
    rounds = ready(about)
    known = {one.name: one for kind in kinds_of(task).values() for one in kind.files}
    ids = {run.name: run.received.id for run in runs}
    people = unnamed(state)
    files, missing = dict[str, bytes](), list(rounds.missing)
    sent = {run.name: run.received.sent for run in runs}
    questions, names = about.questions, {id: name for name, id in ids.items()}
    answers = (
        answers_of(questions, {run: (one.file, content(one.sha256)) for run, one in sent.items()}) if sent else None
    )
    for part in PARTS:
        if answers is None or not all(name in rounds.files and name in known for name in part):
            continue
        made = {name: plainly(name, known[name].make(about, False), ids, people) for name in part}
        try:
            wrong = _lacking(task, questions, answers, read_judgments(questions, made).of_runs(names))
        except DataError as error:
            wrong = _first(error)
        if wrong:
            missing.append(wrong)
        else:
            files |= made
    return Prepared(files, tuple(missing) if sent else ("there are no runs",))


def _judged(state: Campaign, task: Task, new: dict[str, bytes]) -> Judgments:
    """The new judgments, and the others by which runs are scored already."""
    before = {name: content(digest) for name, digest in state.judged_by(task.name)}
    return read_judgments(test_set(state, task).units, before | new, {"verdicts": f"{task.name} judgments"})


def _lacking(task: Task, questions: Questions, answers: Answers, judged: Judgments) -> str:
    """What these judgments leave out, so that runs cannot be scored by them; empty if nothing."""
    try:
        if judged.quality is not None:
            unrated = [run for run in answers.runs if run not in judged.quality.runs]
            if not grades(answers, judged.quality).units:
                return f"no question on which every run has a grade ({counted(len(unrated), 'run')} without any)"
        elif task.kind == "questions":
            qa(questions, answers, verdicts=judged.verdicts, matches=judged.matches)
        elif judged.matches is not None:
            if silent := [run for run in answers.runs if run not in judged.matches.runs]:
                return f"{counted(len(silent), 'run')} not judged: nuggets in responses"
            nuggets(judged.matches.with_texts(answers))
    except DataError as error:
        return _first(error)
    except KaratError as error:
        return str(error)
    return ""


def _first(error: DataError) -> str:
    """How much is wrong, and the first of it."""
    first = error.problems[0]
    if first.code == "unjudged":
        return f"{counted(len(error.problems), 'answer')} not judged, first {first.found.removeprefix('answer ')}"
    return f"{counted(len(error.problems), 'problem')} in the judgments, first {first.found}"


standing: Kept[Prepared] = Kept(Line(), MOST_KEPT)
"""What pages say about it."""

"""Whole responses: their content and organisation from 0 to 10, and which of two is the better one.

Responses with the same words are judged once, and the judgment counts for each of their runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from msgspec.structs import replace

from karat.campaign.events import Item, Stage
from karat.campaign.judging.asking import Ask
from karat.campaign.judging.dealing import drawn
from karat.campaign.judging.files import given, table
from karat.campaign.judging.kinds.justifications import when_closed
from karat.campaign.judging.kinds.kind import Export, Kind, Vote, Votes, votes
from karat.campaign.judging.kinds.questions import in_own_words, in_series
from karat.campaign.judging.kinds.responses import alike, judged_as, responses
from karat.campaign.judging.library import Material
from karat.campaign.judging.work import Ballot
from karat.data.criteria import QUALITY

CONTENT, ORGANISATION = (one.name for one in QUALITY)
GRADES = {
    CONTENT: ("Content: does it say what one should know, and nothing wrong?", ("nothing of use", "everything")),
    ORGANISATION: ("Organisation: is it easy to read, in a good order?", ("a heap of words", "as if edited")),
}
GRADE_KEYS = (*"0123456789", "t")
PREFERENCES = ("left", "right", "tie", "both bad")
SIDES = ("left", "right")


def _graded(material: Material) -> tuple[str, ...]:
    return tuple(question for question in in_own_words(material) if responses(material, question))


def _compared(material: Material) -> tuple[str, ...]:
    return tuple(question for question in in_own_words(material) if len(_runs(material, question)) > 1)


def _runs(material: Material, question: str) -> tuple[str, ...]:
    """The runs that are judged: of those with the same response, the first."""
    return tuple(alike(material, question))


def pairs(material: Material, question: str) -> tuple[str, ...]:
    """Every two runs that respond to a question with other words, the left one first.

    The runs stand in a circle, in an order drawn for each question; first come neighbours, then runs that are further
    apart. Whoever comes earlier is on the left, so that each run is on either side equally often, but for one, in
    all pairs as in the nearest ones alone.
    """
    seed, task = material.state.seed, material.task.name
    circle = sorted(_runs(material, question), key=lambda run: drawn(seed, "left", task, question, run))
    size = len(circle)
    found = [
        f"{run}+{circle[(place + apart) % size]}"
        for apart in range(1, size // 2 + 1)
        for place, run in enumerate(circle[: size // 2] if 2 * apart == size else circle)
    ]
    return tuple(found)


def _show(material: Material, item: Item, who: str) -> dict[str, Any]:
    told = {"response": _texts(material, item.unit)[item.run]}
    place = material.place_of(item, who)
    return in_series(material, item.unit) | told | {"place": place}


def _texts(material: Material, question: str) -> dict[str, list[str]]:
    """The strings of each run's response to a question, in order."""
    return {run: [one.text for one in said] for run, said in responses(material, question).items()}


def _show_both(material: Material, item: Item, who: str) -> dict[str, Any]:
    del who
    said = _texts(material, item.unit)
    both = {side: said[run] for side, run in zip(SIDES, item.run.split("+"), strict=True)}
    return in_series(material, item.unit) | both


def grades() -> tuple[Ask, ...]:
    """The two grades of an answer."""
    return tuple(
        Ask(
            name=one.name,
            text=GRADES[one.name][0],
            values=tuple(map(str, one.values)),
            keys=GRADE_KEYS,
            ends=GRADES[one.name][1],
        )
        for one in QUALITY
    )


def preference() -> Ask:
    """Which of two answers is better."""
    return Ask(name="preference", text="Which answer is better?", values=PREFERENCES, keys=("1", "2", "3", "4"))


def _for_each_run(material: Material, stage: Stage, programs: bool) -> Iterator[tuple[Item, Ballot]]:
    """Judgments that were not skipped, each for all runs with the same response.

    Where such a run was judged itself, by the same assessor, that judgment counts for it.
    """
    held = list(given(material.work, stage, programs=programs))
    same = {unit: _same(material, unit) for unit in dict.fromkeys(item.unit for item, _ in held)}
    done = {(ballot.said.assessor, item.unit, frozenset(item.run.split("+"))) for item, ballot in held}
    for item, ballot in held:
        if ballot.said.skipped:
            continue
        yield item, ballot
        for runs in product(*(same[item.unit].get(run, [run]) for run in item.run.split("+"))):
            if (one := (ballot.said.assessor, item.unit, frozenset(runs))) not in done:
                done.add(one)
                yield replace(item, run="+".join(runs)), ballot


def _same(material: Material, question: str) -> dict[str, list[str]]:
    """For each run those with the same response, itself included."""
    return {run: runs for runs in alike(material, question).values() for run in runs}


def quality_file(material: Material, programs: bool) -> bytes:
    """Grades, one row for each assessor and run; skipped ones are left out."""
    rows = [
        (material.run_names[item.run], item.unit, ballot.said.assessor, *(ballot.said.values[one] for one in GRADES))
        for item, ballot in _for_each_run(material, "quality", programs)
    ]
    return table(("run", "qid", "assessor", *GRADES), sorted(rows, key=lambda row: (row[1], row[0], row[2])))


def preferences_file(material: Material, programs: bool) -> bytes:
    """Preferences, one row for each assessor and pair; runs in the order of their names, whoever was on the left.

    Two runs with the same response are not compared, and have no row.
    """
    rows = []
    for item, ballot in _for_each_run(material, "preferences", programs):
        left, right = (material.run_names[run] for run in item.run.split("+"))
        said = {"left": left, "right": right}.get(ballot.said.values["preference"], ballot.said.values["preference"])
        rows.append((item.unit, *sorted((left, right)), ballot.said.assessor, said, f"{left} {right}"))
    return table(("qid", "run_a", "run_b", "assessor", "preference", "shown"), sorted(rows))


def _graded_as(name: str) -> Votes:
    """One of the two grades."""

    def rows(material: Material, programs: bool) -> Iterator[Vote]:
        for item, ballot in given(material.work, "quality", programs=programs):
            if not ballot.said.skipped:
                yield f"{material.run_names[item.run]} {item.unit}", ballot.said.assessor, ballot.said.values[name]

    return votes(name, name.capitalize(), rows, "interval")


def _preferred(material: Material, programs: bool) -> Iterator[Vote]:
    """Of two runs in the order of their names, which one is better."""
    for item, ballot in given(material.work, "preferences", programs=programs):
        if ballot.said.skipped:
            continue
        left, right = (material.run_names[run] for run in item.run.split("+"))
        places = dict(zip(sorted((left, right)), ("first", "second"), strict=True))
        said = ballot.said.values["preference"]
        label = places[{"left": left, "right": right}[said]] if said in SIDES else said
        yield f"{item.unit} {' '.join(places)}", ballot.said.assessor, label


QUALITY_KIND = Kind(
    stage="quality",
    title="Content and organisation",
    verb="graded",
    skip="Skip this answer",
    units=_graded,
    runs=_runs,
    judged_as=judged_as,
    show=_show,
    shows="graded",
    ask=lambda *_: grades(),
    hindrance=when_closed("answers are graded"),
    votes=tuple(map(_graded_as, GRADES)),
    files=(
        Export(
            "quality",
            "quality.tsv",
            "The grades, as `karat nuggets --ratings` reads them",
            quality_file,
            with_programs=True,
        ),
    ),
)
PREFERENCE_KIND = Kind(
    stage="preferences",
    title="Which answer is better",
    verb="compared",
    skip="Skip these two answers",
    units=_compared,
    runs=pairs,
    judged_as=judged_as,
    show=_show_both,
    shows="compared",
    ask=lambda *_: (preference(),),
    hindrance=when_closed("answers are compared"),
    votes=(votes("preferences", "The better one of two answers", _preferred),),
    files=(
        Export(
            "preferences",
            "preferences.tsv",
            "The preferences between two answers, as `karat prefer` reads them",
            preferences_file,
            with_programs=True,
        ),
    ),
)

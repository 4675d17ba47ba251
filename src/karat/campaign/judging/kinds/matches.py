"""Nuggets in responses, by the assessor's own list; and what the documents that a response cites support."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from karat.campaign.definition import Task
from karat.campaign.events import Item, Stage
from karat.campaign.judging.asking import Ask
from karat.campaign.judging.files import given, table
from karat.campaign.judging.kinds.justifications import when_closed
from karat.campaign.judging.kinds.kind import Export, Kind, Vote, votes
from karat.campaign.judging.kinds.nuggets import nuggets_of, start
from karat.campaign.judging.kinds.questions import in_own_words, in_series
from karat.campaign.judging.kinds.responses import one_response, responses
from karat.campaign.judging.library import Material
from karat.campaign.state import Campaign
from karat.data.nuggets import CONTRADICTED, DEGREES, NOT
from karat.data.support import VERDICTS
from karat.errors import counted

SAYS = DEGREES[::-1]
"""The degrees, from all of it to nothing."""
CITED = re.compile(r"([1-9][0-9]{0,5})(?::(.+))?", re.S)
"""The number of a string, and words of it."""
EVIDENCE = "evidence."
"""How the names of the fields begin that say where a nugget stands."""
MOVES = (("j", "Next (also ↓)"), ("k", "The one before (also ↑)"))
MATCH_KEYS = (
    ("j", "Next (also ↓; after an answer also Enter, as long as there are others without one)"),
    MOVES[1],
    ("s", "The response says it"),
    ("p", "It says part of it"),
    ("n", "It does not say it"),
    ("c", "It says the contrary, where that can be chosen"),
    ("1 to 9", "Evidence, before or after the answer: the string with that number, or no longer"),
    ("0", "The same for any string: type its number, then Enter"),
    ("e", "Evidence: the words that are selected in the response"),
    ("r", "The rest is not there"),
)
CITATION_KEYS = (
    *MOVES,
    ("f", "The document fully supports the sentence"),
    ("p", "It supports part of it"),
    ("n", "It does not support it"),
    ("c", "It says the contrary"),
    ("r", "The rest is not supported"),
)


def _ask_matches(material: Material, item: Item, who: str) -> Iterator[Ask]:
    contrary = material.task.kind == "nuggets"
    values, keys = ((*SAYS, CONTRADICTED), ("s", "p", "n", "c")) if contrary else (SAYS, ("s", "p", "n"))
    for name, nugget in nuggets_of(material, item.unit, who).items():
        mark = nugget.get("importance", "")
        yield Ask(name=name, text=nugget["text"], values=values, keys=keys, help=mark)
        yield Ask(name=f"{EVIDENCE}{name}", text="Evidence", required=False, by_page=True, help=EVIDENCE_HELP)


def _against(material: Material, item: Item, who: str, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Evidence that is not in the response."""
    del who
    said = [one.text for one in responses(material, item.unit).get(item.run, ())]
    for name, cited in values.items():
        if not name.startswith(EVIDENCE) or not cited:
            continue
        found = CITED.fullmatch(cited)
        number, words = (int(found[1]), " ".join((found[2] or "").split())) if found else (0, "")
        if not 1 <= number <= len(said) or words not in said[number - 1]:
            yield f"{name} {cited!r}", "the number of a string of the response, or that with a colon and words of it"


EVIDENCE_HELP = "The number of a string, or the number, a colon and words of it."


def _show(material: Material, item: Item, who: str) -> dict[str, Any]:
    return in_series(material, item.unit) | {
        "strings": one_response(material, item.unit, item.run),
        "place": material.place_of(item, who),
    }


def _whose(material: Material, unit: str) -> list[str]:
    """Those who have a list of their own for a question; none if nobody wrote one."""
    wrote = {who for who, of in material.work.ballots.items() for item in of if _about_list(item, unit)}
    return sorted(who for who in wrote if nuggets_of(material, unit, who))


def _about_list(item: Item, unit: str) -> bool:
    return item.stage == "nuggets" and item.unit == unit


def _matched(material: Material) -> tuple[str, ...]:
    """The questions with a list and a response."""
    return tuple(
        unit
        for unit in in_own_words(material)
        if responses(material, unit) and (_whose(material, unit) or nuggets_of(material, unit, ""))
    )


def _matched_runs(material: Material, unit: str) -> tuple[str, ...]:
    return tuple(responses(material, unit))


def _hindrance(state: Campaign, task: Task, now: datetime) -> str:
    work = state.work_of(task.name)
    written = any(stage == "nuggets" and items for (stage, _), items in work.queues.items())
    if written and "nuggets" not in work.closed:
        return "lists of nuggets are still being written: close their round before responses are matched with them"
    if not written and task.nuggets is None:
        return "there is no list of nuggets: give out the lists first, or name a file of nuggets in the campaign file"
    return when_closed("responses are matched with nuggets")(state, task, now)


def complete(material: Material, stage: Stage, programs: bool) -> Iterator[tuple[str, Sequence[tuple[Item, Any]]]]:
    """Assessors with their judgments of each run, if they have judged all of it that they were given.

    A run that is judged in part would be scored as if the rest of it said nothing.
    """
    met = dict[tuple[str, str], list[tuple[Item, Any]]]()
    for item, ballot in given(material.work, stage, programs=programs):
        if not ballot.said.skipped:
            met.setdefault((ballot.said.assessor, item.run), []).append((item, ballot))
    for (who, run), found in sorted(met.items()):
        if _wanted(material, stage, who, run) <= {item for item, _ in found}:
            yield who, found


def _wanted(material: Material, stage: Stage, who: str, run: str) -> set[Item]:
    return {item for item in material.work.queues.get((stage, who), ()) if item.run == run}


def matches_left_out(material: Material) -> str:
    """The runs that somebody has not judged whole, which the file of matches does not have for them."""
    work, said = material.work, []
    there = {(who, found[0][0].run) for who, found in complete(material, "matches", programs=False)}
    for who in sorted(who for stage, who in work.queues if stage == "matches" and who not in work.programs):
        given_out = dict.fromkeys(item.run for item in work.queues["matches", who])
        if partly := sorted(material.run_names[run] for run in given_out if (who, run) not in there):
            left = sum(len(_wanted(material, "matches", who, run)) for run in given_out if (who, run) not in there)
            said.append(f"{counted(left, 'response')} given to {who}, who has not judged all of {', '.join(partly)}")
    return "; ".join(said)


def matches_file(material: Material, programs: bool) -> bytes:
    """Which nuggets responses have, one row each; a run that says nothing to a question has none of its nuggets."""
    rows, names = [], material.run_names
    for who, found in complete(material, "matches", programs):
        run = found[0][0].run
        for item, ballot in found:
            for name in nuggets_of(material, item.unit, who):
                degree, evidence = ballot.said.values.get(name, ""), ballot.said.values.get(EVIDENCE + name, "")
                if degree:
                    rows.append((names[run], item.unit, name, who, degree, evidence))
    columns = ("run", "qid", "nugget", "assessor", "degree", "evidence")
    return table(columns, [*rows, *_silent(material, {(row[0], row[3]) for row in rows})])


def _silent(material: Material, there: set[tuple[str, str]]) -> Iterator[tuple[str, ...]]:
    """Rows for runs that say nothing to any question of an assessor, who judged the others: they have no nugget."""
    work = material.work
    for who in sorted({who for _, who in there}):
        mine = [item.unit for item in work.queues.get(("matches", who), ())]
        for run in material.runs:
            name = material.run_names[run]
            if (name, who) in there or any(run in responses(material, unit) for unit in dict.fromkeys(mine)):
                continue
            for unit in mine[:1]:
                first = next(iter(nuggets_of(material, unit, who)), None)
                if first is not None:
                    yield name, unit, first, who, DEGREES[NOT], ""


def _degrees(material: Material, programs: bool) -> Iterator[Vote]:
    """Of every response and nugget of the starting list, how much of it is there, by those who kept its words.

    Nuggets that people wrote are their own: two of the same name, such as the `n1` of two programs, can say anything.
    """
    for item, ballot in given(material.work, "matches", programs=programs):
        begun = start(material, item, "")
        for name, nugget in nuggets_of(material, item.unit, ballot.said.assessor).items():
            kept = name in begun and nugget["text"] == begun[name]["text"]
            if kept and not ballot.said.skipped and (said := ballot.said.values.get(name)):
                yield f"{material.run_names[item.run]} {item.unit} {name}", ballot.said.assessor, said


MATCHES = Kind(
    stage="matches",
    title="Nuggets in responses",
    verb="matched",
    units=_matched,
    runs=_matched_runs,
    show=_show,
    shows="matches",
    ask=lambda material, item, who: tuple(_ask_matches(material, item, who)),
    hindrance=_hindrance,
    whose=_whose,
    votes=(votes("matches", "Nuggets in responses", _degrees, "ordinal", CONTRADICTED, *DEGREES),),
    against=_against,
    keys=MATCH_KEYS,
    files=(
        Export(
            "matches",
            "matches.tsv",
            "The nuggets that responses have, as `karat nuggets` and `karat qa` read them; runs that are judged whole",
            matches_file,
            with_programs=True,
            lacks=matches_left_out,
        ),
    ),
)


def _cited(material: Material, unit: str, run: str) -> Iterator[tuple[str, int, str]]:
    """Every citation of a response: its name, the number of the sentence, and the document."""
    for number, said in enumerate(responses(material, unit).get(run, ()), 1):
        for place, document in enumerate(said.documents, 1):
            yield f"{number}.{place}", number, document


def _citing(material: Material, unit: str) -> tuple[str, ...]:
    return tuple(run for run in responses(material, unit) if any(_cited(material, unit, run)))


def _ask_citations(material: Material, item: Item, who: str) -> tuple[Ask, ...]:
    del who
    return tuple(
        Ask(
            name=name,
            text=f"Sentence {number}, by {document}",
            values=VERDICTS,
            keys=("f", "p", "n", "c"),
        )
        for name, number, document in _cited(material, item.unit, item.run)
    )


def citations_file(material: Material, programs: bool) -> bytes:
    """What cited documents support, one row each."""
    rows = []
    for item, ballot in given(material.work, "citations", programs=programs):
        for name, number, document in _cited(material, item.unit, item.run):
            if said := ballot.said.values.get(name, ""):
                run = material.run_names[item.run]
                rows.append((run, item.unit, str(number), document, said, ballot.said.assessor))
    return table(("run", "qid", "sentence", "doc", "support", "assessor"), rows)


def _supports(material: Material, programs: bool) -> Iterator[Vote]:
    for item, ballot in given(material.work, "citations", programs=programs):
        for name, _, document in _cited(material, item.unit, item.run):
            if said := ballot.said.values.get(name):
                yield f"{material.run_names[item.run]} {item.unit} {name} {document}", ballot.said.assessor, said


CITATIONS = Kind(
    stage="citations",
    title="Citations",
    units=lambda material: tuple(unit for unit in in_own_words(material) if _citing(material, unit)),
    runs=_citing,
    show=_show,
    shows="matches",
    ask=_ask_citations,
    hindrance=when_closed("citations are judged"),
    votes=(votes("citations", "Support by citations", _supports, "ordinal", *VERDICTS[::-1]),),
    keys=CITATION_KEYS,
    files=(
        Export(
            "citations",
            "citations.tsv",
            "What the documents that sentences cite support, as `karat support` reads it",
            citations_file,
            with_programs=True,
        ),
    ),
)

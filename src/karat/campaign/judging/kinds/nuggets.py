"""Lists of nuggets: what an answer should say, written from all responses to a question together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from karat.campaign.definition import Task
from karat.campaign.events import Item
from karat.campaign.judging.asking import Ask
from karat.campaign.judging.files import given, table
from karat.campaign.judging.kinds.development import developed_beside
from karat.campaign.judging.kinds.justifications import when_closed
from karat.campaign.judging.kinds.kind import Export, Kind, Vote, votes
from karat.campaign.judging.kinds.questions import about, in_own_words, in_series
from karat.campaign.judging.kinds.responses import pooled, responses, texts_of
from karat.campaign.judging.library import Material
from karat.campaign.judging.naming import ENTRY
from karat.campaign.judging.work import Work
from karat.campaign.state import Campaign
from karat.data.nuggets import IMPORTANCES
from karat.formats.nuggetizer import topics_in, write_topics

MOST_SOURCES = 10_000
Nugget = Mapping[str, str]
"""A nugget by its text, importance and sources."""
KEYS = (
    ("j", "Next string (also ↓)"),
    ("k", "String before (also ↑)"),
    ("f", "Next string that no nugget comes from"),
    ("i", "Read the documents of the string, where their texts are at hand"),
    ("Space", "Choose the string, to split by"),
    ("n", "New nugget from the string, or from the words that are selected in it; Enter, then v or o, adds it"),
    ("1 to 9, A to Z", "The string belongs to the nugget with that key, or no longer does"),
    ("0", "The same for any nugget: type what stands beside it, such as 41, then Enter"),
    ("h", "Nugget before (also ←)"),
    ("l", "Next nugget (also →)"),
    ("e", "Change the words of the nugget"),
    ("v", "The nugget is vital"),
    ("o", "The nugget is okay"),
    ("m", "Merge the nugget into another: press the key of that one, or 0 and its number"),
    ("x", "Split: a copy of the nugget gets the strings that are chosen"),
    ("d", "Take the nugget out"),
    ("t", "There is no vital nugget"),
)


def start(material: Material, item: Item, who: str) -> dict[str, dict[str, str]]:
    """The list that a file has for a question; the first, if it has lists of several assessors."""
    del who
    lists, unit = material.beside("nuggets"), item.unit
    if lists is None or unit not in lists.units:
        return {}
    topic = lists.units.index(unit)
    of = [at for at in range(len(lists)) if lists.topic[at] == topic]
    found: dict[str, dict[str, str]] = {}
    for at in of:
        if lists.assessor[at] == lists.assessor[of[0]]:
            name, kind = lists.names[at], lists.spelled[at].strip().casefold()
            values = {"text": lists.texts[at]} | ({"importance": kind} if kind in IMPORTANCES else {})
            found[name if ENTRY.fullmatch(name) and name not in found else f"start-{len(found) + 1}"] = values
    return found


def nuggets_of(material: Material, unit: str, who: str) -> dict[str, dict[str, str]]:
    """The nuggets of an assessor for a question, by their names."""
    return NUGGETS.entries(material, Item("nuggets", unit), who)


def _show(material: Material, item: Item, who: str) -> dict[str, Any]:
    strings, count = pooled(material, item.unit)
    return in_series(material, item.unit) | {
        "definition": definition(material, item.unit, who),
        "strings": strings,
        "responses": count,
        "texts": texts_of(material, strings),
    }


def definition(material: Material, unit: str, who: str) -> str:
    """What was written about the target when its questions were developed; empty if nothing.

    In whichever task that was; by the assessor, if they wrote a series of this name too.
    """
    series = material.questions.questions[material.questions.index[unit]].series
    if series is None:
        return ""
    own = material.work.of(who).get(Item("development", series))
    if own is not None and (said := own.said.values.get("definition")):
        return said
    return next((one.definition for one in developed_beside(material) if one.id == series), "")


def _ask(material: Material, item: Item, who: str) -> tuple[Ask, ...]:
    vital = any(one.get("importance") == "vital" for one in nuggets_of(material, item.unit, who).values())
    return (
        Ask(
            name="vital",
            text="A list without a vital nugget is not scored",
            values=("no_vital",),
            keys=("t",),
            required=not vital,
            need="at least one vital nugget in the list, or a tick that there is none",
        ),
    )


def _entry(material: Material, item: Item, who: str) -> tuple[Ask, ...]:
    del material, item, who
    return (
        Ask(name="text", text="Nugget", long=True, most=1000),
        Ask(name="importance", text="Importance", values=IMPORTANCES, keys=("v", "o")),
        Ask(
            name="sources",
            text="The strings that it comes from",
            required=False,
            by_page=True,
            most=MOST_SOURCES,
            help="The marks of the strings, with spaces between them.",
        ),
    )


def _against(material: Material, item: Item, who: str, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Sources that are strings of no response, and were none before: a run can have been withdrawn since."""
    marks = values.get("sources", "").split()
    if not marks:
        return
    known = {one["id"] for one in pooled(material, item.unit)[0]}
    for before in material.work.entries(who, item.whole).values():
        known.update(before.said.values.get("sources", "").split())
    if strange := [mark for mark in marks if mark not in known]:
        yield f"the source {strange[0]!r}", "marks of strings of the responses, with spaces between them"


def _hindrance(state: Campaign, task: Task, now: datetime) -> str:
    if any(stage == "matches" and items for (stage, _), items in state.work_of(task.name).queues.items()):
        return "responses have been given out to be matched with the lists of nuggets: lists cannot change any more"
    return when_closed("lists of nuggets are written")(state, task, now)


def _final(work: Work) -> str:
    """Lists stand once responses are matched with them."""
    count = sum(item.stage == "matches" for of in work.ballots.values() for item in of)
    what = "1 response has" if count == 1 else f"{count:,} responses have"
    if not count:
        return ""
    return (
        f"{what} been matched with the lists of nuggets as they are, so these cannot change any more: "
        "their assessors would have to take the matches back first"
    )


def lists(material: Material, programs: bool = False) -> Iterator[tuple[str, str, dict[str, dict[str, str]]]]:
    """Question, assessor and nuggets of every list that somebody wrote, finished, or matched responses with."""
    work = material.work
    wrote = {
        (item.unit, who)
        for who, of in work.ballots.items()
        for item in of
        if item.stage in ("nuggets", "matches") and (programs or who not in work.programs)
    }
    for unit in in_own_words(material):
        for who in sorted(who for one, who in wrote if one == unit):
            if found := nuggets_of(material, unit, who):
                yield unit, who, found


def nuggets_file(material: Material, programs: bool) -> bytes:
    """The lists, one row per nugget."""
    rows = [
        (unit, name, who, one.get("importance", ""), one["text"])
        for unit, who, found in lists(material, programs)
        for name, one in found.items()
    ]
    return table(("qid", "nugget", "assessor", "importance", "text"), rows)


def nuggetizer_file(material: Material, programs: bool) -> bytes:
    """The lists as JSON lines of TREC RAG, one per question and assessor; nuggets have the ids of the other files.

    Whatever the file to start from says beside text and importance comes back, with the nuggets that were kept.
    """
    name = material.task.nuggets
    before = {} if name is None else topics_in(material.library.content(material.state.files[name]))
    made = []
    for unit, who, of in lists(material, programs):
        topic = before.get(unit, {"query": _query(material, unit), "qid": unit, "nuggets": []})
        begun = start(material, Item("nuggets", unit), who)
        kept = dict(zip(begun, topic["nuggets"], strict=False)) if unit in before else {}
        listed = []
        for number, (nugget, said) in enumerate(of.items(), 1):
            as_it_was = nugget in kept and said == begun[nugget]
            found = dict(kept[nugget]) if as_it_was else _changed(kept.get(nugget, {}), said)
            # A nugget without an id is called by its number.
            listed.append(found if found.get("id", str(number)) == nugget else found | {"id": nugget})
        made.append((topic, who, listed))
    return write_topics(made)


def _query(material: Material, unit: str) -> str:
    """What a question asks for by itself: OTHER questions of series ask for more about their target."""
    said = about(material, unit)
    return f"{said['target']}: {said['question']}" if said["target"] else said["question"]


def _changed(before: Mapping[str, Any], said: Nugget) -> dict[str, Any]:
    """A nugget of a file with other words or another importance, or a new one."""
    return dict(before) | {"text": said["text"], "importance": said.get("importance", "")}


def sources_file(material: Material, programs: bool) -> bytes:
    """Where nuggets come from: one row per nugget, run and string."""
    rows = []
    for unit, who, found in lists(material, programs):
        texts = {one["id"]: one["text"] for one in pooled(material, unit)[0]}
        said = {run: {one.text for one in given} for run, given in responses(material, unit).items()}
        for name, nugget in found.items():
            marked = [texts[mark] for mark in nugget.get("sources", "").split() if mark in texts]
            rows += [
                (unit, name, who, material.run_names[run], text)
                for text in marked
                for run, strings in said.items()
                if text in strings
            ]
    return table(("qid", "nugget", "assessor", "run", "string"), rows)


def _importances(material: Material, programs: bool) -> Iterator[Vote]:
    """What became of the nuggets of the list to start from, in the list of everybody who has finished theirs."""
    for item, ballot in given(material.work, "nuggets", programs=programs):
        who = ballot.said.assessor
        mine = {} if ballot.said.skipped else nuggets_of(material, item.unit, who)
        for name in start(material, item, who) if not ballot.said.skipped else ():
            yield f"{item.unit} {name}", who, mine[name].get("importance", "none") if name in mine else "taken out"


NUGGETS = Kind(
    stage="nuggets",
    title="Nuggets",
    verb="finished",
    units=in_own_words,
    show=_show,
    shows="nuggets",
    ask=_ask,
    entry=_entry,
    start=start,
    listed="Nuggets",
    saving="The list is finished",
    hindrance=_hindrance,
    votes=(votes("nuggets", "Importance of the nuggets of the starting list", _importances),),
    final=_final,
    against=_against,
    keys=KEYS,
    files=(
        Export(
            "nuggets",
            "nuggets.tsv",
            "The lists, as `karat nuggets` and `karat qa` read them",
            nuggets_file,
            with_programs=True,
        ),
        Export(
            "nuggetizer", "nuggets.jsonl", "The lists in the format of TREC RAG", nuggetizer_file, with_programs=True
        ),
        Export(
            "sources",
            "sources.tsv",
            "The strings of responses that nuggets come from",
            sources_file,
            with_programs=True,
        ),
    ),
)

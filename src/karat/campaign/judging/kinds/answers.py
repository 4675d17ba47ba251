"""Verdicts on the answers of all runs to factoid and list questions: alone, discussed, or decided where they differ.

The same string from the same document is judged once, whoever gave it. NIL is not judged: whether it is right follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from karat.campaign.events import Item
from karat.campaign.judging.asking import Ask
from karat.campaign.judging.dealing import head_of
from karat.campaign.judging.files import ballots_file
from karat.campaign.judging.kinds.answer_lists import (
    ask_groups,
    groupings_shown,
    parts,
    verdicts_file,
    verdicts_left_out,
)
from karat.campaign.judging.kinds.kind import Export, Kind
from karat.campaign.judging.kinds.pairs import among_people, ballots, decision
from karat.campaign.judging.kinds.questions import ANSWERED, answerable, in_series
from karat.campaign.judging.library import Material
from karat.campaign.judging.work import Ballot
from karat.data.answers import NIL
from karat.data.verdicts import CORRECT, INCORRECT, LETTERS, UNSUPPORTED

OWN = {
    "W": "W: you judged this answer incorrect with another document",
    "X": "you judged this answer inexact with another document; judge anew whether this one supports it",
    "U": "you judged this answer right, but not supported by another document; judge anew whether this one supports it",
    "R": "you judged this answer correct with another document; judge anew whether this one supports it",
    "L": "you judged this answer locally correct with another document; judge it by this one anew",
}
"""What is suggested after one's own verdict on the same string; it begins with a verdict if it determines one."""
SPELT = {"W": "incorrect", "X": "inexact", "U": "right, but not supported", "R": "correct", "L": "locally correct"}
"""One's own verdict on the same string from the same document, which differs in capitals alone."""

WITHOUT_TEXT = {
    (True, True): "This document is not in the campaign’s table of documents; the link leads to it.",
    (True, False): "This document is not in the campaign’s table of documents, and there is no link to it.",
    (False, True): "The campaign has no table of documents; the link leads to this one.",
    (False, False): "The campaign has neither a table of documents nor links to them.",
}
"""Why no text of the document is shown, by whether there is a table of documents and a link."""


def pooled(material: Material) -> tuple[str, ...]:
    """The answers of all runs that count, each document and string once."""
    answers = material.answers
    if answers is None:
        return ()
    questions, found = material.questions.questions, dict[str, None]()
    for row in range(len(answers)):
        question, document, string = answers.judged_as(row)
        if document != NIL and questions[question].type in ANSWERED:
            found[f"{questions[question].id}\t{document}\t{string}"] = None
    return tuple(found)


def _same(unit: str) -> tuple[str, str]:
    """What an answer shares with the same string from another document."""
    question, _, string = parts(unit)
    return question, string.casefold()


def show_answer(material: Material, item: Item, who: str) -> dict[str, Any]:
    """The question with those before it in its series, the answer, and its document as far as it is at hand."""
    del who
    question, document, string = parts(item.unit)
    told = in_series(material, question) | {"answer": string, "document": document}
    told["same"] = "\t".join(_same(item.unit))
    texts = material.beside("documents")
    if document in (texts or {}):
        told["passages"] = highlighted(texts[document], string)
        return told
    if link := material.link_to(document):
        told["link"] = link
    if document:
        told["without_text"] = WITHOUT_TEXT[texts is not None, bool(link)]
    return told


def highlighted(text: str, string: str) -> list[dict[str, Any]]:
    """A text in pieces, those marked in which a string is found as whole words, whatever the case and white space."""
    wanted = r"\s+".join(map(re.escape, string.split()))
    edges = [bool(re.match(r"\w", one)) for one in (string.strip()[:1], string.strip()[-1:])]
    wanted = r"(?<!\w)" * edges[0] + wanted + r"(?!\w)" * edges[1]
    pieces = re.split(f"({wanted})", text, flags=re.IGNORECASE) if wanted else [text]
    return [{"text": piece, "found": bool(place % 2)} for place, piece in enumerate(pieces) if piece]


def verdict(text: str) -> Ask:
    """A question with the verdicts as answers, each by its own letter."""
    return Ask(name="label", text=text, values=tuple(LETTERS), keys=tuple(LETTERS.lower()))


def _ask(material: Material, item: Item, who: str) -> tuple[Ask, ...]:
    del material, item, who
    return (verdict("Is the answer right, exact, and supported by its document?"),)


def suggest(material: Material, item: Item, who: str) -> str:
    """What this assessor said about the same string from another document; or else what the patterns say."""
    mine = material.work.of(who)
    same: list[Ballot] = [
        ballot
        for one, ballot in mine.items()
        if one.stage == "labels" and one.unit != item.unit and ballot.label and _same(one.unit) == _same(item.unit)
    ]
    if not same:
        return _by_patterns(material, item)
    _, document, _ = parts(item.unit)
    here = [ballot for ballot in same if parts(ballot.said.item.unit)[1] == document]
    last = max(here or same, key=lambda ballot: ballot.sequence)
    label, other = str(last.label), parts(last.said.item.unit)[2]
    if here:
        return f"{label}: you judged “{other}” from this document {SPELT[label]}; only capitals differ"
    return OWN[label]


def _by_patterns(material: Material, item: Item) -> str:
    patterns, (name, document, string) = material.beside("patterns"), parts(item.unit)
    if patterns is None or not patterns.covered[place := material.questions.index[name]]:
        return ""
    accepting = [one for _, one in patterns.of_question[place] if one.accepts(string)]
    found = [(one.verdict(document, string), bool(one.documents)) for one in accepting if one.in_words.search(string)]
    if accepting and not found:
        return "a pattern is found in it, but only inside a word; judge whether that is the answer"
    best, named = max(found, default=(INCORRECT, False))
    if best == CORRECT and not named:
        return "a pattern accepts it; judge whether the document supports it"
    said = {
        CORRECT: "a pattern accepts it, and names this document",
        UNSUPPORTED: "a pattern accepts it, and names other documents only",
        INCORRECT: "no pattern accepts it",
    }
    return f"{LETTERS[best]}: {said[best]}"


ANSWERS = Kind(
    stage="labels",
    title="Answers",
    skip="Skip this answer for good",
    units=pooled,
    show=show_answer,
    shows="answer",
    ask=_ask,
    suggest=suggest,
    votes=(ballots("Verdicts"),),
    files=(
        Export(
            "verdicts",
            "verdicts.tsv",
            "The verdicts that all gave or an adjudicator decided on, with groups and the assessors' own answers, as "
            "`karat qa --judgments` reads them",
            verdicts_file,
            lacks=verdicts_left_out,
        ),
        Export(
            "ballots",
            "ballots.tsv",
            "The verdicts of each assessor, as `karat agree` reads them",
            lambda material, programs: ballots_file(material.work, programs=programs),
            with_programs=True,
        ),
    ),
)
ANSWERS_NORMING, _VERDICTS = among_people(ANSWERS, "Which verdict is right?", "The verdicts differ.")


def _show_disputed(material: Material, item: Item, who: str) -> dict[str, Any]:
    if not _is_grouped(item):
        return _VERDICTS.show(material, item, who)
    return in_series(material, item.unit) | {"groupings": groupings_shown(material, item.unit)}


def _ask_decision(material: Material, item: Item, who: str) -> Sequence[Ask]:
    if not _is_grouped(item):
        return _VERDICTS.ask(material, item, who)
    return decision(*ask_groups(material, item, further=True))


def _is_grouped(item: Item) -> bool:
    """Whether the groups of a list differ, and not the verdicts on one answer."""
    return head_of(item.unit) == item.unit


ANSWERS_ADJUDICATION = replace(
    _VERDICTS,
    about="The verdicts on an answer differ, or the groups of a list. Who said what is not shown.",
    units=lambda material: (*pooled(material), *answerable(material)),
    show=_show_disputed,
    ask=_ask_decision,
)

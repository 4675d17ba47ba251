"""What runs said in answer to a question, as assessors see it: blind to whose it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from karat.campaign.judging.dealing import drawn
from karat.campaign.judging.library import Material
from karat.data.answers import NIL, documents_of

MARK = 6
"""The letters of the mark of a string."""


class Said(NamedTuple):
    """One string of a response, with the documents that it comes from."""

    text: str
    documents: tuple[str, ...]


def responses(material: Material, unit: str) -> dict[str, list[Said]]:
    """The response of each run to a question, by the id of the run; runs that said nothing are not among them."""
    import numpy as np

    answers, found = material.answers, dict[str, list[Said]]()
    if answers is None:
        return {}
    rows = np.flatnonzero(answers.question == material.questions.index[unit])
    for row in rows[np.argsort(answers.rank[rows], kind="stable")].tolist():
        text, cited = " ".join(answers.strings[row].split()), answers.documents[row]
        if text and cited != NIL:
            found.setdefault(answers.runs[answers.run[row]], []).append(Said(text, tuple(documents_of(cited))))
    return found


def runs_file(material: Material, programs: bool) -> bytes:
    """The answers of all runs that count, each under the name that it has in other files, whatever its own file says.

    Sentences of which only some cite documents are written as TREC RAG does: a table has all of them or none.
    """
    from dataclasses import replace

    from karat.formats.registry import answer_formats

    del programs
    answers = material.answers
    if answers is None:
        return b""
    named = replace(answers, runs=tuple(material.run_names[run] for run in answers.runs))
    cites = [set[bool]() for _ in answers.runs]
    for run, _, document, _ in answers.rows():
        cites[run].add(bool(document))
    some = any(len(both) > 1 for both in cites)
    return bytes(answer_formats["rag" if some else "table"].facts["write"](named, suffix=".jsonl"))


def alike(material: Material, unit: str) -> dict[str, list[str]]:
    """The runs that respond to a question, those with the same words together; by the first, which is judged."""
    found: dict[tuple[str, ...], list[str]] = {}
    for run, said in responses(material, unit).items():
        found.setdefault(tuple(one.text for one in said), []).append(run)
    return {runs[0]: runs for runs in found.values()}


def judged_as(material: Material, unit: str) -> dict[str, str]:
    """The run whose response is judged for each run: the first with the same words."""
    return {run: first for first, runs in alike(material, unit).items() for run in runs}


def cited(material: Material, ids: tuple[str, ...], texts: bool = False) -> list[dict[str, str]]:
    """Documents by their ids, each with its address if it has one, and its text if that is wanted and at hand."""
    known: dict[str, str] = (material.beside("documents") or {}) if texts else {}
    return [{"id": id, "link": material.link_to(id), "text": known.get(id, "")} for id in ids]


def texts_of(material: Material, strings: Iterable[dict[str, Any]]) -> dict[str, str]:
    """The texts of the documents that strings come from, as far as they are at hand; each once, by its id."""
    known: dict[str, str] = material.beside("documents") or {}
    ids = dict.fromkeys(one["id"] for string in strings for one in string["documents"])
    return {id: known[id] for id in ids if id in known}


def pooled(material: Material, unit: str) -> tuple[list[dict[str, Any]], int]:
    """All strings of all responses, equal ones once, in an order of their own; and the number of responses.

    Responses are numbered anew for each question, so that nobody becomes known by a place.
    """
    seed, task = material.state.seed, material.task.name
    places = {id: str(place) for place, id in enumerate(material.state.runs)}  # ids are others in anonymous archives
    given = responses(material, unit)
    order = sorted(given, key=lambda run: drawn(seed, "response", task, unit, places[run]))
    found: dict[str, tuple[dict[str, None], dict[int, None]]] = {}
    for number, run in enumerate(order, 1):
        for text, documents in given[run]:
            cites, of = found.setdefault(text, ({}, {}))
            cites.update(dict.fromkeys(documents))
            of[number] = None
    marks = {text: drawn(seed, "string", task, unit, text).hex() for text in found}
    strings = [
        {
            "id": marks[text][:MARK],
            "text": text,
            "documents": cited(material, tuple(found[text][0])),
            "responses": sorted(found[text][1]),
        }
        for text in sorted(found, key=marks.__getitem__)
    ]
    return strings, len(order)


def one_response(material: Material, unit: str, run: str) -> list[dict[str, Any]]:
    """The strings of one response in order, numbered, with their documents."""
    said = responses(material, unit).get(run, [])
    return [
        {"number": number, "text": text, "documents": cited(material, documents, texts=True)}
        for number, (text, documents) in enumerate(said, 1)
    ]

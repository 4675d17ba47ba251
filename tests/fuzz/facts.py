"""What files hold: as karat's nouns say, and the same by hand, in any order."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from karat.data.pairs import Pairs
from karat.data.provenance import VERDICTS
from karat.data.responses import Responses
from karat.data.scores import Scores
from karat.data.verdicts import LETTERS
from karat.files import as_number
from tests.fuzz import plain


def pair_facts(pairs: Pairs) -> plain.Facts:
    """Ids, texts, hypotheses, and whether each is entailed."""
    said = [None if code < 0 else code == 0 for code in pairs.labels.tolist()]
    texts, hypotheses = (map(plain.words, column) for column in (pairs.texts, pairs.hypotheses))
    return list(zip(pairs.ids, texts, hypotheses, said, strict=True))


def run_facts(responses: Responses) -> plain.Facts:
    """Ids, whether each was answered with entailment, and the confidence."""
    (run,) = responses.runs
    said = [(name, code == 0) for name, code in zip(responses.key.ids, run.codes.tolist(), strict=True)]
    if run.confidence is None:
        return [*said]
    return [(*one, confidence) for one, confidence in zip(said, run.confidence.tolist(), strict=True)]


def score_facts(scores: Scores) -> plain.Facts:
    """Runs, units and scores."""
    return [
        (run, unit, None if value != value else value)
        for run, row in zip(scores.runs, scores.values.tolist(), strict=True)
        for unit, value in zip(scores.units, row, strict=True)
    ]


def ballot_facts(ballots: Any) -> plain.Facts:
    """Units, assessors and labels."""
    codes = zip(ballots.unit, ballots.assessor, ballots.code, strict=True)
    return [(ballots.units[unit], ballots.assessors[who], ballots.scale.values[code]) for unit, who, code in codes]


def weight_facts(ids: Sequence[str], weights: Any) -> plain.Facts:
    """Shares of the whole."""
    return list(zip(ids, (round(value, 9) for value in weights.values.tolist()), strict=True))


def plain_weights(data: bytes) -> plain.Facts:
    """The same, by hand."""
    found = plain.weights(data)
    total = sum(weight for _, weight in found)
    return [(name, round(weight / total, 9)) for name, weight in found]


def plain_run(data: bytes, *names: str) -> plain.Facts:
    """A run as a table."""
    return [
        (name, plain.entails(label), *map(plain.number, rest)) for name, label, *rest in plain.columns(data, *names)
    ]


def cast_ballots(data: bytes) -> plain.Facts:
    """Ballots that are words; numbers have more than one spelling, and labels of entailment other names."""
    found = [one for one in plain.columns(data, "unit", "assessor", "label") if one[2]]
    if any(as_number(label) == as_number(label) or label.lower() in ("yes", "no", "true") for _, _, label in found):
        raise plain.NoOpinion
    if not all(all(one) for one in found):
        raise ValueError("nobody, or nothing")
    return found


def answer_facts(answers: Any) -> plain.Facts:
    """Runs, questions, documents and strings."""
    rows = zip(answers.run.tolist(), answers.question.tolist(), answers.documents, answers.strings, strict=True)
    return [(answers.runs[run], answers.units[question], document, string) for run, question, document, string in rows]


def plain_answers(data: bytes) -> plain.Facts:
    """The same, by hand."""
    return list(map(_nil, plain.columns(data, "run", "qid", "doc", "answer")))


def _nil(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """NIL as the document, or as a string without one, says that there is no answer."""
    *rest, document, string = row
    return (*rest, "NIL" if (document or string).upper() == "NIL" else document, string)


def verdict_facts(verdicts: Any) -> plain.Facts:
    """Questions, documents, strings and verdicts."""
    letters = [LETTERS[code] for code in verdicts.verdict.tolist()]
    asked = [verdicts.units[question] for question in verdicts.question.tolist()]
    return list(zip(asked, verdicts.documents, verdicts.strings, letters, strict=True))


def plain_verdicts(data: bytes) -> plain.Facts:
    """The same, by hand."""
    names = {"correct": "R", "right": "R", "inexact": "X", "unsupported": "U", "incorrect": "W", "wrong": "W"}
    rows = plain.columns(data, "qid", "doc", "answer", "verdict")
    found = [(*_nil(row[:3]), names.get(row[3].casefold(), row[3].upper())) for row in rows]
    if any(row[3] not in ("R", "X", "U", "W") for row in found):
        raise ValueError("no verdict")
    return list(dict.fromkeys(found))  # judged twice and alike is judged once


def nugget_facts(nuggets: Any) -> plain.Facts:
    """Topics, names, assessors and texts."""
    rows = zip(nuggets.topic.tolist(), nuggets.names, nuggets.assessor, nuggets.texts, strict=True)
    return [(nuggets.units[topic], name, assessor, text) for topic, name, assessor, text in rows]


def rating_facts(ratings: Any) -> plain.Facts:
    """Runs, units, assessors and numbers."""
    names = zip(ratings.run, ratings.unit, ratings.assessor, ratings.values.tolist(), strict=True)
    return [
        (ratings.runs[run], ratings.units[unit], ratings.assessors[who], *("" if one != one else one for one in values))
        for run, unit, who, values in names
    ]


def preference_facts(made: Any) -> plain.Facts:
    """Units, runs, assessors and verdicts."""
    rows = zip(made.unit, made.left, made.right, made.assessor, made.verdict, strict=True)
    return [
        (made.units[unit], made.runs[left], made.runs[right], made.assessors[who], VERDICTS[verdict])
        for unit, left, right, who, verdict in rows
    ]


def plain_preferences(data: bytes) -> plain.Facts:
    """The same, by hand."""
    found = []
    for unit, left, right, who, said in plain.columns(data, "qid", "left", "right", "assessor", "winner"):
        if not (unit and left and right and who) or left == right:
            raise ValueError("nobody, or nothing")
        verdicts = {left: "left", right: "right"} | {one: one for one in VERDICTS}
        if said not in verdicts:
            raise plain.NoOpinion
        found.append((unit, left, right, who, verdicts[said]))
    return found


def plain_ratings(data: bytes) -> plain.Facts:
    """The same, by hand."""
    found = plain.rows(data)
    roles = ("run", "qid", "assessor")
    if any(name not in row for row in found for name in roles):
        raise plain.NoOpinion
    made = []
    for row in found:
        cells = [cell.strip() for name, cell in row.items() if name not in roles]
        made.append((*(row[one].strip() for one in roles), *(plain.number(one) if one else "" for one in cells)))
    return made


def plain_lm_eval(data: bytes) -> plain.Facts:
    """The scores of samples of lm-evaluation-harness, by hand: one metric and one filter."""
    found = [json.loads(line, object_pairs_hook=plain.once) for line in plain.text_of(data).split("\n") if line.strip()]
    keys = {"doc_id", "target", "filter", "metrics", "acc"}
    if (
        any(not keys <= one.keys() or one["metrics"] != ["acc"] for one in found)
        or len({str(one["filter"]) for one in found}) > 1
    ):
        raise plain.NoOpinion
    if any(type(one["doc_id"]) is not int or type(one["acc"]) is not float for one in found):
        raise plain.NoOpinion
    return [("scored", str(one["doc_id"]), one["acc"]) for one in found]


def plain_annotations(data: bytes) -> plain.Facts:
    """The choices of annotators, by hand, in a project with one control."""
    tasks = json.loads(plain.text_of(data), object_pairs_hook=plain.once)
    try:
        if any(said["type"] != "choices" for task in tasks for one in task["annotations"] for said in one["result"]):
            raise plain.NoOpinion
        return [
            (str(task["id"]), one["completed_by"]["email"], str(said["value"]["choices"][0]))
            for task in tasks
            for one in task["annotations"]
            if not one["was_cancelled"]
            for said in one["result"]
            if said["from_name"] == "sentiment"
        ]
    except (KeyError, TypeError, IndexError):
        raise plain.NoOpinion from None


def grades_in(data: bytes) -> list[tuple[str, str, str]]:
    """Topic, document and grade of every line of qrels."""
    found = [line.split() for line in plain.text_of(data).split("\n") if line.strip()]
    if any(len(one) != 4 or one[1] not in ("0", "Q0") or not one[3].lstrip("-").isdigit() for one in found):
        raise plain.NoOpinion
    return [(topic, doc, grade) for topic, _, doc, grade in found]


def plain_qrels(data: bytes) -> plain.Facts:
    """Topic and document, the file, and the grade."""
    return [(f"{topic} {doc}", "ann", grade) for topic, doc, grade in grades_in(data)]


def plain_lines(data: bytes) -> plain.Facts:
    """What trec_eval prints of one measure: run, topic and value."""
    found = [line.split() for line in plain.text_of(data).split("\n") if line.strip()]
    run = [one[2] for one in found if one[:2] == ["runid", "all"] and len(one) == 3]
    kept = [one for one in found if one[0] != "runid" and one[1:2] != ["all"]]
    if len(run) != 1 or any(len(one) != 3 or one[0] != "map" or not one[1].isdecimal() for one in kept):
        raise plain.NoOpinion
    return [(run[0], topic, plain.number(value)) for _, topic, value in kept]


def _plain_lines(data: bytes, form: str, *names: str) -> plain.Facts:
    """Some fields of lines without a header; the last field is the rest of a line, which may be missing."""
    fields = form.split()
    made = []
    for line in plain.text_of(data).split("\n"):
        if line.strip():
            cells = [*re.split("[ \t]+", line.strip(" \t"), maxsplit=len(fields) - 1), ""][: len(fields)]
            if len(cells) < len(fields):
                raise ValueError("too few fields")
            found = dict(zip(fields, cells, strict=True))
            if found.get("Q0", "Q0") != "Q0":
                raise plain.NoOpinion  # a line of another form
            made.append(_nil(tuple(found[name].strip() for name in names)))
    return made


def _plain_judged(data: bytes, form: str) -> plain.Facts:
    """The same with verdicts by NIST's codes; judged twice and alike is judged once."""
    letters = {"-1": "W", "1": "R", "2": "U", "3": "X"}
    rows = _plain_lines(data, form, "verdict", "qid", "doc", "answer")
    found = [(*row[1:], letters.get(row[0], row[0].upper())) for row in rows]
    if any(row[3] not in tuple("WRUXL") for row in found):
        raise plain.NoOpinion  # a word
    once = {(*row[:2], "" if row[1] == "NIL" else plain.words(row[2]), row[3]): row for row in reversed(found)}
    return list(once.values())


PLAIN_LINES = {
    "answer/trec": lambda data: _plain_lines(data, "qid run doc answer", "run", "qid", "doc", "answer"),
    "answer/trec-ranked": lambda data: _plain_lines(
        data, "qid Q0 doc rank score run answer", "run", "qid", "doc", "answer"
    ),
    "verdict/trec": lambda data: _plain_judged(data, "qid doc verdict answer"),
    "verdict/list-judged": lambda data: _plain_judged(data, "qid run doc verdict distinct answer"),
}
"""Files of NIST, by hand."""

"""A campaign whose responses are judged by nuggets: questions, three runs, documents and a list to start from."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

QUESTIONS = b"""id\tseries\ttarget\ttype\tquestion
1.1\t1\tthe harbour mill\tFACTOID\tWhen was the mill built?
1.2\t1\tthe harbour mill\tOTHER\tOther
2.1\t2\tQuill the heron\tFACTOID\tWhere does Quill nest?
2.2\t2\tQuill the heron\tOTHER\tOther
"""
TOPICS = b"""id\ttype\tquestion
t1\tOTHER\tWhy did the harbour mill fall silent?
t2\tOTHER\tWhat does Quill the heron eat?
"""
LONG = "collection_v2.1_doc_11_1429319552#2_3022858430"
"""The id of a document as collections have them, wider than the place for it."""
SAID: dict[str, dict[str, list[tuple[str, list[str]]]]] = {
    "Maple": {
        "t1": [
            ("The wheel of the mill broke in the spring flood of 1871.", ["d1", "d2"]),
            ("Grain was ground by steam from then on.", ["d3"]),
        ],
        "t2": [("Quill eats eels, and frogs after rain.", ["d4"])],
    },
    "Willow": {
        "t1": [
            ("The wheel of the mill broke in the  spring flood of 1871.", ["d2"]),
            ("The miller moved inland with his family.", []),
            ("Floods broke the mill's wheel.", ["d1"]),
        ],
        "t2": [("Quill never eats eels.", ["d5"])],
    },
    "Hazel": {"t1": [("The mill burned down.", [LONG])]},
}
"""The strings of each team with the documents that they cite."""
DOCUMENTS = b"id\ttext\nd1\tIn spring 1871 the flood took the great wheel.\nd3\tSteam came to the harbour in 1871.\n"
START = "".join(
    json.dumps(one) + "\n"
    for one in (
        {
            "qid": "t1",
            "nuggets": [
                {"text": "the flood of 1871 broke the wheel", "importance": "vital"},
                {"text": "steam took over", "importance": "okay"},
            ],
        },
        {"qid": "t2", "nuggets": [{"text": "eats eels", "importance": "vital"}]},
    )
).encode()
OTHERS = {"t1": "1.2", "t2": "2.2"}
FACTS = (("1.1", "1790"), ("2.1", "in the reeds"))


MANY = "".join(
    json.dumps(
        {"qid": topic, "nuggets": [{"text": f"fact {n} of {topic}", "importance": "vital"} for n in range(1, 46)]}
    )
    + "\n"
    for topic in ("t1", "t2")
).encode()
"""More nuggets than there are keys."""


def run_of(team: str, long: bool = False) -> bytes:
    """A run as TREC RAG has them; a long one says the same, and much more."""
    lines = []
    for topic, said in SAID[team].items():
        said = [*said, *((f"Sentence {number} about {topic}.", ["d1"]) for number in range(30 * long))]
        cited = list(dict.fromkeys(doc for _, documents in said for doc in documents))
        answer = [{"text": text, "citations": [cited.index(doc) for doc in docs]} for text, docs in said]
        lines.append({"run_id": team.lower(), "topic_id": topic, "references": cited, "answer": answer})
    return "".join(json.dumps(one) + "\n" for one in lines).encode()


def answers_of(team: str) -> bytes:
    """The same as answers to the OTHER questions of series, with one to each factoid."""
    rows = [("qid", "doc", "answer"), *((qid, "d9", said) for qid, said in FACTS)]
    rows += [
        (OTHERS[topic], documents[0] if documents else "d7", text)
        for topic, said in SAID[team].items()
        for text, documents in said
    ]
    return "".join("\t".join(row) + "\n" for row in rows).encode()


def make(
    *people: str,
    start: bool = False,
    series: bool = False,
    documents: bool = True,
    many: bool = False,
    **facts: Any,
) -> Any:
    """A campaign that has closed, with three runs and these assessors; its task is `answers`.

    If there are many, lists begin with 45 nuggets, and responses have more than 30 strings.
    """
    from karat.campaign.definition import Task
    from karat.server import store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns, panels

    files = {"q.tsv": QUESTIONS if series else TOPICS}
    beside: dict[str, Any] = {"nuggets": "n.jsonl"} if start else {}
    if documents:
        beside["documents"] = "d.tsv"
    files |= ({"n.jsonl": MANY if many else START} if start else {}) | ({"d.tsv": DOCUMENTS} if documents else {})
    kind: Any = "questions" if series else "nuggets"
    task = Task(name="answers", title="What answers say", kind=kind, test="q.tsv", **beside)
    made = panels.make(*people, tasks=(task,), files=files, **facts)
    for team in SAID:
        account = f"{made.name}-{team.lower()}"
        campaigns.member(made.name, team, account, signed=False)
        file, raw = ("run.tsv", answers_of(team)) if series else ("run.jsonl", run_of(team, many))
        at = store.now() - timedelta(days=2)
        sent = submit(made.name, account, file, raw, Declared(task="answers"), at)
        assert sent.run is not None, sent.problems
    return made


def given(made: Any, stage: str, *people: str, **how: Any) -> Any:
    """Give all units of a stage to people."""
    from karat.server import assigning

    return assigning.assign(made.name, "answers", made.names(*people), stage=stage, **how)  # type: ignore[arg-type]


def write(made: Any, who: str, unit: str, name: str, **values: str) -> Any:
    """Write, or change, a nugget."""
    return made.judge(who, f"{unit}/{name}", "answers", values=values)


def file_of(made: Any, name: str) -> str:
    """A file of judgments."""
    from karat.server import assigning

    return assigning.file_of(made.name, "answers", name).decode()

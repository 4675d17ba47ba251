"""Real lists of nuggets, judged again through the interface; in a process of its own, which prints what came of it."""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

TASK = "answers"
DEGREES = ("support", "partial_support", "not_support")


def lines_of(path: Path, key: str) -> dict[str, dict[str, Any]]:
    """The lines of a file of JSON lines, by one of their values."""
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {one[key]: one for one in found}


def made_of(files: dict[str, bytes], runs: dict[str, tuple[str, bytes]], **task: Any) -> Any:
    """A campaign with these files and runs, and one assessor."""
    from karat.campaign.definition import Task
    from karat.server import store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns, panels

    made = panels.make("anna", tasks=(Task(name=TASK, **task),), files=files)
    for number, (file, raw) in enumerate(runs.values()):
        account = f"{made.name}-t{number}"
        campaigns.member(made.name, f"T{number}", account, signed=False)
        sent = submit(made.name, account, file, raw, Declared(task=TASK), store.now() - timedelta(days=2))
        assert sent.run is not None, sent.problems
    return made


def rag(real: Path, topics: int = 4) -> dict[str, Any]:
    """TREC RAG 2024: the lists as starting lists, and the stored assignments given again as judgments."""
    import karat
    from karat.server import assigning, store
    from tests.server.nugget_panels import file_of, given

    lists = lines_of(next((real / "rag24" / "nuggets").iterdir()), "qid")
    answers = [lines_of(one, "topic_id") for one in sorted((real / "rag24" / "answers").iterdir())]
    assigned = [lines_of(one, "qid") for one in sorted((real / "rag24" / "assignments").iterdir())]

    def fits(topic: str) -> bool:
        texts = [(one["text"], one["importance"]) for one in lists[topic]["nuggets"]]
        same = all([(one["text"], one["importance"]) for one in of[topic]["nuggets"]] == texts for of in assigned)
        known = all(one["assignment"] in DEGREES for of in assigned for one in of[topic]["nuggets"])
        plain = len(dict(texts)) == len(texts) and all(topic in of for of in answers)
        return same and known and plain

    chosen = [topic for topic in lists if fits(topic)][:topics]
    head = "id\ttype\tquestion\n"
    test = head + "".join(f"{topic}\tOTHER\t{lists[topic]['query']}\n" for topic in chosen)
    start = "".join(json.dumps(lists[topic]) + "\n" for topic in chosen)
    runs = {
        str(place): ("run.jsonl", "".join(json.dumps(of[topic]) + "\n" for topic in chosen).encode())
        for place, of in enumerate(answers)
    }
    files = {"q.tsv": test.encode(), "n.jsonl": start.encode()}
    made = made_of(files, runs, kind="nuggets", test="q.tsv", nuggets="n.jsonl")
    given(made, "nuggets", "anna")
    while (shown := made.next("anna", TASK)) is not None:
        assert made.judge("anna", shown["unit"], TASK, values={}).status_code == 201
    assigning.set_round(made.name, TASK, "nuggets", opened=False)
    given(made, "matches", "anna")
    while (shown := made.next("anna", TASK)) is not None:
        said = "".join("".join(one["text"].split()) for one in shown["show"]["strings"])
        topic = next(one for one in chosen if lists[one]["query"] == shown["show"]["question"])
        place = next(
            place
            for place, of in enumerate(answers)
            if "".join("".join(one["text"].split()) for one in of[topic]["answer"]) == said
        )
        degrees = {one["text"]: one["assignment"] for one in assigned[place][topic]["nuggets"]}
        values = {ask["name"]: degrees[ask["text"]] for ask in shown["ask"] if ask["values"]}
        answer = made.judge("anna", shown["unit"], TASK, values=values)
        assert answer.status_code == 201, answer.content
    folder = Path(sys.argv[2])
    for name, ending in (("nuggets", "tsv"), ("matches", "tsv"), ("nuggetizer", "jsonl")):
        (folder / f"{name}.{ending}").write_text(file_of(made, name), encoding="utf-8")
    (folder / "start.jsonl").write_bytes(files["n.jsonl"])
    for place, of in enumerate(assigned):
        text = "".join(json.dumps(of[topic] | {"run_id": f"T{place}-1"}) + "\n" for topic in chosen)
        (folder / f"assigned-{place}.jsonl").write_text(text, encoding="utf-8")
    nuggets, back = (karat.read_nuggets(folder / name) for name in ("nuggets.tsv", "nuggetizer.jsonl"))
    first = karat.read_nuggets(folder / "start.jsonl")
    here = karat.nuggets(karat.read_matches(folder / "matches.tsv", nuggets))
    there = karat.nuggets(karat.read_matches([folder / f"assigned-{place}.jsonl" for place in range(3)], first))
    return {
        "topics": len(chosen),
        "same lists": (first.texts, first.spelled) == (back.texts, back.spelled),
        "here": sorted([run.vital, run.strict_all] for run in here.runs),
        "there": sorted([run.vital, run.strict_all] for run in there.runs),
        "equal": store.verify(made.name)["equal"],
    }


def trec(real: Path) -> dict[str, Any]:
    """TREC 2004: OTHER questions with the track's own lists, and a run that says the vital nuggets of all."""
    import karat
    from karat.server import store
    from tests.server.nugget_panels import file_of, given

    folder = real / "trec-qa"
    nuggets = karat.read_nuggets(folder / "trec13answers_other")
    questions = karat.read_questions(folder / "trec13questions.xml")
    rows = ["qid\tdoc\tanswer"]
    for one in questions.questions:
        said = [
            nuggets.texts[at]
            for at in range(len(nuggets))
            if nuggets.units[nuggets.topic[at]] == one.id and nuggets.spelled[at] == "vital"
        ]
        rows += [f"{one.id}\tD{number}\t{text}" for number, text in enumerate(said or ["nothing"])]
    files = {
        "q.xml": (folder / "trec13questions.xml").read_bytes(),
        "n.txt": (folder / "trec13answers_other").read_bytes(),
    }
    run = ("run.tsv", ("\n".join(rows) + "\n").encode())
    made = made_of(files, {"one": run}, kind="questions", test="q.xml", nuggets="n.txt")
    given(made, "matches", "anna")
    count = 0
    while (shown := made.next("anna", TASK)) is not None:
        texts = {one["text"] for one in shown["show"]["strings"]}
        values = {
            ask["name"]: "support" if " ".join(ask["text"].split()) in texts else "not_support"
            for ask in shown["ask"]
            if ask["values"]
        }
        assert made.judge("anna", shown["unit"], TASK, values=values).status_code == 201
        count += 1
    out = Path(sys.argv[2])
    for name in ("nuggets", "matches"):
        (out / f"trec-{name}.tsv").write_text(file_of(made, name), encoding="utf-8")
    scored = karat.nuggets(karat.read_matches(out / "trec-matches.tsv", karat.read_nuggets(out / "trec-nuggets.tsv")))
    return {"questions": count, "vital": scored.runs[0].vital, "equal": store.verify(made.name)["equal"]}


def there_and_back(real: Path) -> dict[str, Any]:
    """Every list of TREC RAG 2024 and of 2026 as a list to start from, finished as it is, and taken out again."""
    from tests.server.nugget_panels import file_of, given

    same = {}
    for file in (*(real / "rag24" / "nuggets").iterdir(), *(real / "rag26-dev").iterdir()):
        lines = lines_of(file, "qid")
        test = "id\ttype\tquestion\n" + "".join(f"{topic}\tOTHER\tWhat is {topic}?\n" for topic in lines)
        files = {"q.tsv": test.encode(), "n.jsonl": file.read_bytes()}
        made = made_of(files, {}, kind="nuggets", test="q.tsv", nuggets="n.jsonl")
        given(made, "nuggets", "anna")
        while (shown := made.next("anna", TASK)) is not None:
            vital = any(one.get("importance") == "vital" for one in shown["entries"].values())
            values = {} if vital else {"vital": "no_vital"}
            answer = made.judge("anna", shown["unit"], TASK, values=values)
            assert answer.status_code == 201, answer.content
        found = [json.loads(line) for line in file_of(made, "nuggetizer").splitlines()]
        assert {one.pop("assessor") for one in found} == set(made.names("anna"))
        with_nuggets = [one for one in lines.values() if one["nuggets"]]
        same[file.name] = [len(found), found == with_nuggets, found == list(lines.values())]
    return same


if __name__ == "__main__":
    from karat.server.serving import prepare

    prepare(str(Path(sys.argv[2]) / "home"), "http://127.0.0.1:8000")
    from karat.server import api
    from karat.server.throttle import Rate

    api.requests = Rate(10**9, 60)
    data = Path(sys.argv[1])
    print(json.dumps({"rag": rag(data), "trec": trec(data), "back": there_and_back(data)}))

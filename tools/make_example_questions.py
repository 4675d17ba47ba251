"""Writes src/karat/examples/qa: questions in series, runs, judgments, nuggets, patterns, ratings, and a RAG example.

Who says what, and what it is worth, is written by hand in questions.toml, where each answer stands once, with its
verdict and the runs that give it; here it is only spread over the files. So nothing is unjudged, and what a run's OTHER
answer holds is what its sentences hold. The ratings are simulated: content follows what an assessor finds in the
answer, organisation its brevity, each give or take a point. `--check` says whether the files are still what this
writes.

What the RAG systems cite follows a rule: *brief* cites the document that a sentence is from and leaves every fifth
sentence without one, *broad* cites another document first in every third sentence and none for padding, and *drifting*
does so in every second. The document of a sentence supports it, in part if the sentence only hints, and another one
does not, or says the contrary. *ben* and the program *auto* are simulated: they give another verdict now and then,
*auto* always a better one.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

TOOLS = Path(__file__).parent
FOLDER = TOOLS.parent / "src/karat/examples/qa"
ASSESSORS = ("anna", "ben")
TYPES = {"factoid": "FACTOID", "list": "LIST", "other": "OTHER"}
DEGREES = ("not_support", "partial_support", "support")
Row = Sequence[object]
Degrees = dict[str, int]
"""How far each nugget is supported, by its number."""


def table(header: str, rows: Sequence[Row]) -> str:
    """Tab-separated lines under a header."""
    return "".join("\t".join(map(str, row)) + "\n" for row in (header.split(), *rows))


def questions_of(series: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The questions of a series with their types, in the order they are asked."""
    for kind in ("factoid", "list"):
        for question in series.get(kind, ()):
            yield kind, question
    yield "other", {"text": "Other", **series["other"]}


def borrow(source: Mapping[str, Any]) -> None:
    """Give each series the sentences of others that its runs say: they hold none of its nuggets."""
    others = [series["other"] for series in source["series"]]
    for other in others:
        for name in " ".join(other["said"].values()).split():
            number, dot, theirs = name.partition(".")
            if dot:
                other["sentences"][name] = [*others[int(number) - 1]["sentences"][theirs][:2], ""]


def asked(source: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Id, type and everything else of every question."""
    for number, series in enumerate(source["series"], 1):
        for place, (kind, question) in enumerate(questions_of(series), 1):
            yield f"{number}.{place}", kind, question


def questions_xml(source: Mapping[str, Any]) -> str:
    """The test set as TREC gave it."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<trecqa year="2000" task="main">']
    for number, series in enumerate(source["series"], 1):
        lines += [f'  <target id="{number}" text={quoteattr(series["target"])}>', "    <qa>"]
        for place, (kind, question) in enumerate(questions_of(series), 1):
            text = escape(question["text"])
            lines.append(f'      <q id="{number}.{place}" type="{TYPES[kind]}">{text}</q>')
        lines += ["    </qa>", "  </target>"]
    return "\n".join([*lines, "</trecqa>", ""])


def answers_of(letter: str, kind: str, question: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Documents and strings that one run gives to one question."""
    if kind == "other":
        sentences = question["sentences"]
        return [(sentences[name][0], sentences[name][1]) for name in question["said"][letter].split()]
    given = [(row[1], row[2]) for row in question["answers"] if letter in row[3]]
    if letter in question.get("nil", ""):
        given.append(("NIL", ""))
    if not given or (kind == "factoid" and len(given) > 1):
        raise ValueError(f"{letter}: {len(given)} answers to {question['text']!r}")
    return given


def run_files(source: Mapping[str, Any]) -> dict[str, str]:
    """A file a run."""
    files = {}
    for letter, name in source["runs"].items():
        rows = [
            (name, qid, rank, *answer)
            for qid, kind, question in asked(source)
            for rank, answer in enumerate(answers_of(letter, kind, question), 1)
        ]
        files[f"runs/{name}.tsv"] = table("run qid rank doc answer", rows)
    return files


def judgments(source: Mapping[str, Any]) -> str:
    """Every answer to a factoid or list question, and what the assessor knew beside them."""
    rows = [
        (qid, document, string, verdict, *(group or [""]))
        for qid, kind, question in asked(source)
        if kind != "other"
        for verdict, document, string, _, *group in question["answers"]
    ]
    return table("qid doc answer verdict group", rows)


def patterns(source: Mapping[str, Any]) -> str:
    """The patterns of every factoid, NIL where it has none."""
    return "".join(
        "\t".join([qid, *([pattern] if isinstance(pattern, str) else pattern)]) + "\n"
        for qid, kind, question in asked(source)
        if kind == "factoid"
        for pattern in question["patterns"] or ["NIL"]
    )


def lists_of(question: Mapping[str, Any], assessor: str) -> dict[str, tuple[str, str]]:
    """The nuggets on one assessor's list: importance and text by number."""
    rows = ((str(number), row) for number, row in enumerate(question["nuggets"], 1))
    place = 1 + ASSESSORS.index(assessor)
    return {number: (row[place], row[0]) for number, row in rows if row[place] != "-"}


def held(question: Mapping[str, Any], sentences: str, assessor: str) -> Degrees:
    """What some sentences hold together, in the eyes of one assessor: of each nugget the best that one of them does."""
    degrees: Degrees = {}
    for name in sentences.split():
        for token in question["sentences"][name][2].split():
            nugget, _, whose = token.partition("@")
            number = nugget.rstrip("~")
            if whose in ("", assessor):
                degrees[number] = max(degrees.get(number, 0), 1 if nugget.endswith("~") else 2)
    return degrees


def nugget_files(source: Mapping[str, Any]) -> dict[str, str]:
    """Two assessors' lists, what they found in the answers, and how they rated them."""
    nuggets: list[Row] = []
    matches: list[Row] = []
    ratings: list[Row] = []
    dice = random.Random(2004)
    for qid, kind, question in asked(source):
        if kind != "other":
            continue
        for assessor in ASSESSORS:
            listed = lists_of(question, assessor)
            nuggets += [(qid, number, assessor, *about) for number, about in listed.items()]
            weight = {number: 1.0 if importance == "vital" else 0.5 for number, (importance, _) in listed.items()}
            for letter, run in source["runs"].items():
                said = question["said"][letter]
                found = {n: d for n, d in sorted(held(question, said, assessor).items()) if n in listed}
                matches += [(run, qid, number, assessor, DEGREES[degree]) for number, degree in found.items()]
                share = sum(weight[number] * degree / 2 for number, degree in found.items()) / sum(weight.values())
                content = round(9 * share) + dice.randrange(-1, 2)
                organisation = 9 - len(said.split()) // 2 + dice.randrange(-1, 2)
                ratings.append((run, qid, assessor, *(min(max(one, 0), 10) for one in (content, organisation))))
    return {
        "nuggets.tsv": table("qid nugget assessor importance text", nuggets),
        "matches.tsv": table("run qid nugget assessor degree", matches),
        "ratings.tsv": table("run qid assessor content organisation", ratings),
    }


def rag_nuggets(question: Mapping[str, Any]) -> list[dict[str, str]]:
    """One list of the two: anna's importance, ben's where she has none; all okay where the topic is thin."""
    made = []
    for text, *importance in question["nuggets"]:
        said = next(one for one in importance if one != "-")
        made.append({"text": text, "importance": "okay" if question.get("thin") else said})
    return made


def rag_files(source: Mapping[str, Any]) -> dict[str, str]:
    """Nuggets and assignments as the nuggetizer writes them: a topic a series."""
    topics = [question for _, kind, question in asked(source) if kind == "other"]
    files: dict[str, list[dict[str, Any]]] = {"rag/nuggets.jsonl": []}
    for number, question in enumerate(topics, 1):
        about = {"query": question["query"], "qid": f"krt-{number:02}"}
        listed = rag_nuggets(question)
        files["rag/nuggets.jsonl"].append({**about, "nuggets": listed})
        for letter, system in source["systems"].items():
            said = question["rag"][letter]
            answer = " ".join(question["sentences"][name][1] for name in said.split())
            degrees = held(question, said, ASSESSORS[0])
            labels = [DEGREES[degrees.get(str(place), 0)] for place in range(1, len(listed) + 1)]
            if letter in question.get("junk", {}):
                nugget, label = question["junk"][letter]
                labels[int(nugget) - 1] = label
            assigned = [{**nugget, "assignment": label} for nugget, label in zip(listed, labels, strict=True)]
            length = len(answer.split())
            record = {**about, "answer_text": answer, "response_length": length, "run_id": system, "nuggets": assigned}
            files.setdefault(f"rag/assignments/{system}.jsonl", []).append(record)
    return {name: "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows) for name, rows in files.items()}


VERDICTS = ("contradicted", "none", "partial", "full")
PROGRAM = "auto"


def citations_of(system: str, sentence: Sequence[str], others: Sequence[str], number: int) -> list[str]:
    """The documents that a system cites for its sentence of this number; `others` are those of the topic."""
    own, _, held_by_it = sentence
    other = [others[number % len(others)]] if others else []
    if system == "brief":
        return [] if number % 5 == 0 else [own]
    if system == "broad":
        return [] if not held_by_it else [*other, own] if number % 3 == 0 else [own, *other]
    return [*other, own] if number % 2 else [own]


def verdict_of(sentence: Sequence[str], document: str, number: int) -> int:
    """What anna says of a document that a sentence cites."""
    own, _, held_by_it = sentence
    if document == own:
        return VERDICTS.index("partial" if "~" in held_by_it else "full")
    return VERDICTS.index("contradicted" if number % 7 == 0 else "none")


def support_files(source: Mapping[str, Any]) -> dict[str, str]:
    """The answers of the RAG systems as runs of TREC RAG, and the verdicts of two people and a program on citations."""
    topics = [question for _, kind, question in asked(source) if kind == "other"]
    runs: dict[str, list[dict[str, Any]]] = {system: [] for system in source["systems"].values()}
    judged: dict[str, list[Row]] = {who: [] for who in (*ASSESSORS, PROGRAM)}
    dice = random.Random(2024)
    for letter, system in source["systems"].items():
        number = 0
        for topic, question in enumerate(topics, 1):
            qid, references, answer = f"krt-{topic:02}", dict[str, int](), list[dict[str, Any]]()
            documents = sorted({sentence[0] for sentence in question["sentences"].values()})
            for place, name in enumerate(question["rag"][letter].split(), 1):
                number += 1
                sentence = question["sentences"][name]
                others = [one for one in documents if one != sentence[0]]
                cited = citations_of(system, sentence, others, number)
                for document in cited:
                    references.setdefault(document, len(references))
                    code = verdict_of(sentence, document, number)
                    away = code - 1 if code == 3 or (code > 1 and dice.random() < 0.5) else code + 1
                    said = {"anna": code, "ben": away if dice.random() < 0.12 else code}
                    said[PROGRAM] = min(code + 1, 3) if dice.random() < 0.3 else code
                    for who, one in said.items():
                        judged[who].append((system, qid, place, document, VERDICTS[one], who))
                answer.append({"text": sentence[1], "citations": [references[document] for document in cited]})
            length = sum(len(one["text"].split()) for one in answer)
            about = {"run_id": system, "topic_id": qid, "topic": question["query"], "references": list(references)}
            runs[system].append({**about, "response_length": length, "answer": answer})
    rows = [row for of in judged.values() for row in of]
    return {
        **{
            f"rag/runs/{system}.jsonl": "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
            for system, lines in runs.items()
        },
        "rag/citations.tsv": table("run qid sentence doc support assessor", rows),
    }


def make() -> dict[str, str]:
    """Every file by its name, the same every time."""
    source = tomllib.loads((TOOLS / "questions.toml").read_text(encoding="utf-8"))
    borrow(source)
    return {
        "questions.xml": questions_xml(source),
        "target-types.txt": "".join(f"#{one['kind']} {one['target']}\n" for one in source["series"]),
        "judgments.tsv": judgments(source),
        "patterns.txt": patterns(source),
        **run_files(source),
        **nugget_files(source),
        **rag_files(source),
        **support_files(source),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files, or hold them against what would be written; the exit status."""
    parser = argparse.ArgumentParser(description="Write the example of question series.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 on any difference")
    options = parser.parse_args(arguments)
    files = {FOLDER / name: body.encode() for name, body in make().items()}
    if options.check:
        stale = [path for path, body in files.items() if not path.is_file() or path.read_bytes() != body]
        for path in stale:
            print(f"{path}: not what this script writes", file=sys.stderr)
        return 1 if stale else 0
    for path, body in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""A small file of every kind that karat reads: its reader, the command that takes it, and what a plain reader sees."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from tools import harness_logs as logs

import karat
from karat.data.nuggets import Nuggets, topics_as_questions
from karat.data.pairs import Pairs
from karat.data.questions import Questions
from karat.engines.model import load_model
from karat.engines.text.conllu import ConlluTrees
from karat.examples import HERE
from karat.formats.accepted import read_accepted
from karat.formats.answer_table import read_answers
from karat.formats.judge_table import read_judges
from karat.formats.justification_ratings import read_justifications
from karat.formats.nugget_table import read_matches, read_nuggets
from karat.formats.patterns import read_patterns
from karat.formats.question_table import read_questions
from karat.formats.rag_metrics import SCORES, read_rag_metrics
from karat.formats.rating_table import read_ratings
from karat.formats.registry import answer_formats
from karat.formats.support_table import read_support
from karat.formats.verdict_table import read_verdicts
from karat.formats.weights import read_relevance
from karat.formats.writing import write_rows
from tests import nist_files
from tests.formats.question_samples import ANSWERS, SAMPLES, VERDICTS
from tests.formats.samples import PAIRS, RTE, RUNS, SNLI, lines, tabs
from tests.fuzz import facts, plain
from tests.question_files import SERIES

HOME = Path(HERE)
RUN = b"1 YES\n2 UNKNOWN\n3 NO\n"
NUGGETS = tabs("qid|nugget|assessor|importance|text", "1.4|1||vital|it freezes", "1.4|2||okay|it has eels")
LISTED = tabs(
    "qid|nugget|assessor|importance|text", "1|1|ann|vital|a", "1|2|ann|okay|b", "1|1|bo|okay|a", "1|2|bo|okay|b"
)
MATCHES = tabs("run|qid|nugget|assessor|degree", "one|1.4|1||support", "two|1.4|2||0.5")
BALLOTS = tabs("unit|assessor|label", "1|ann|good", "1|bo|bad", "2|ann|bad", "2|bo|bad", "3|ann|good", "3|bo|good")
RATED = tabs("run|unit|assessor|understandable|compelling", "a|1|ann|5|4", "b|1|ann|2|", "a|2|ann|3|3", "b|2|ann|skip|")
RATINGS = tabs("run|qid|assessor|content|organisation", "one|1.4|ann|6|7", "two|1.4|ann|3|2.5")
PREFERENCES = tabs("qid|left|right|assessor|winner", "1|one|two|ann|left", "2|two|one|bo|one", "2|one|two|bo|tie")
SCORED = "run,u1,u2,u3\none,1,0,1\ntwo,0.5,,1\ncluster,a,a,b\n"
LONG = "system,topic,value\none,1,0.5\none,2,1\ntwo,1,0\ntwo,2,0.25\n"
LINES = "map\t301\t0.5\nmap\t302\t1\nrunid\tall\tx\nmap\tall\t0.75\n"
SCORE_LOGS = [
    ("lm-eval", "scored.jsonl", logs.lm_eval(), facts.plain_lm_eval),
    ("inspect", "scored.json", logs.inspect_json(), None),
    ("openai-evals", "scored-events.jsonl", logs.openai_evals(), None),
    ("promptfoo", "scored.jsonl", logs.json_lines(logs.promptfoo_results({"one": logs.ROWS})), None),
    ("helm", "display_predictions.json", logs.helm(what="predictions"), None),
]
ASSIGNED = {"text": "it freezes", "importance": "vital", "assignment": "support"}
BANK = {
    "query_id": "1.4",
    "nugget_bank": {"Does it freeze?": {"question": "Does it freeze?", "answers": {"yes": {"answer": "yes"}}}},
    "claim_bank": [{"claim": "It has eels.", "claim_id": "e"}],
}
CITED = tabs("run|qid|sentence|doc|support|assessor", "x|1.4|1|d|partial|ann", "x|1.4|1|d|full|bo")
RAG = {"run_id": "x", "topic_id": "1.4", "references": ["d"], "answer": [{"text": "It freezes.", "citations": [0]}]}
TREE = "# newdoc id = 1/{}\n1\tAnn\tAnn\tPROPN\t_\t_\t2\tnsubj\t_\t_\n2\tran\trun\tVERB\t_\t_\t0\troot\t_\t_\n\n"
MODEL = b'{"engine": "overlap", "way": "3", "version": "%s", "knowledge": {}, "state": {"a": [1.5, "x"]}}\n'
FILES = {
    "key.xml": RTE.encode(), "run.txt": RUN, "questions.tsv": SERIES.encode(), "answers.tsv": ANSWERS.encode(),
    "verdicts.tsv": VERDICTS.encode(), "nuggets.tsv": NUGGETS.encode(), "matches.tsv": MATCHES.encode(),
    "rag.jsonl": lines(RAG).encode(), "citations.tsv": CITED.encode(),
    "rated.tsv": RATED.encode(), "unnumbered.csv": b"label\nentailment\nneutral\ncontradiction\n",
}  # fmt: skip
"""What stands beside the file that is damaged."""


@dataclass(frozen=True)
class Sample:
    """A file of one kind; `reader` is a format, as `kind/name`, or the function that reads such files."""

    reader: str
    name: str
    data: bytes
    read: Callable[[Path], Any]
    command: str = ""
    """What the command line does with it, `@` being the file."""
    facts: Callable[[Any], plain.Facts] | None = None
    plain: Callable[[bytes], plain.Facts] | None = None
    """What it holds, by karat and by a plain reader, in any order."""

    @property
    def id(self) -> str:
        """What the cases are called, and seeded, by."""
        return f"{self.reader} {self.name}"


@cache
def key() -> Pairs:
    """The test set that runs and weights belong to."""
    return karat.read_pairs(written("key.xml"))


@cache
def unnumbered() -> Pairs:
    """The same without ids, to which labels belong by their order."""
    return karat.read_pairs(written("unnumbered.csv"))


@cache
def questions() -> Questions:
    """The questions that answers belong to."""
    return read_questions(written("questions.tsv"))


@cache
def nuggets() -> Nuggets:
    """The nuggets that matches belong to."""
    return read_nuggets(written("nuggets.tsv"))


@cache
def folder() -> Path:
    """A folder with the files above, as long as the tests run."""
    made = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, made)
    for name, data in FILES.items():
        (made / name).write_bytes(data)
    return made


def written(name: str) -> Path:
    """One of the files beside."""
    return folder() / name


PLAIN_PAIRS: dict[str, Callable[[bytes], plain.Facts]] = {
    "rte key.xml": plain.rte,
    "fracas key.xml": plain.fracas,
    "hans key.txt": lambda data: plain.pairs(data, "pairID", "sentence1", "sentence2", "gold_label"),
    "snli key.tsv": lambda data: plain.pairs(data, "pairID", "sentence1", "sentence2", "gold_label"),
    "anli key.jsonl": lambda data: plain.pairs(data, "uid", "context", "hypothesis", "label"),
    "sick key.txt": lambda data: plain.pairs(data, "pair_ID", "sentence_A", "sentence_B", "entailment_judgment"),
    "glue key.tsv": lambda data: plain.pairs(data, "index", "sentence1", "sentence2", "label"),
    "table key.csv": lambda data: plain.pairs(data, "id", "text", "hypothesis", "label"),
}
PLAIN_RUNS: dict[str, Callable[[bytes], plain.Facts]] = {
    "run.txt": plain.run,
    "words.txt": plain.run,
    "first.txt": plain.run,
    "confident.txt": plain.run,
    "tabs.tsv": plain.run,
    "ranked.txt": plain.run,
    "run.ans": plain.run,
    "eop.txt": plain.run,
    "rte.txt": plain.run,
    "run.jsonl": lambda data: facts.plain_run(data, "id", "label", "confidence"),
    "hans.csv": lambda data: facts.plain_run(data, "pairID", "gold_label"),
    "run.tsv": lambda data: facts.plain_run(data, "id", "label"),
}
QA = "qa questions.tsv answers.tsv --judgments verdicts.tsv --nuggets nuggets.tsv --matches matches.tsv"
OF_QUESTIONS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "question": (read_questions, "check @"),
    "answer": (lambda path: read_answers(path, questions()), QA.replace("answers.tsv", "@")),
    "verdict": (
        lambda path: read_verdicts(path, questions()),
        f"{QA} --unjudged wrong".replace("verdicts.tsv", "@"),
    ),
    "pattern": (
        lambda path: read_patterns(path, questions()),
        "qa questions.tsv answers.tsv --judgments verdicts.tsv --patterns @",
    ),
    "accepted answer": (
        lambda path: read_accepted(path, questions()),
        "qa questions.tsv answers.tsv --accepted @",
    ),
    "nugget": (read_nuggets, "check @"),
    "match": (
        lambda path: read_matches(path, nuggets()),
        "nuggets nuggets.tsv @",
    ),
}


JUDGED_RUNS = {
    "answer/list-judged": "qa questions.tsv @ --judgments @",
    "answer/other-judged": "qa questions.tsv @ --nuggets nuggets.tsv --matches @",
}
"""Files of one type of question are scored by what they say themselves."""


def _of_questions(kind: str, format: str, name: str, data: bytes, **more: Any) -> Sample:
    read, command = OF_QUESTIONS[kind]
    return Sample(f"{kind}/{format}", name, data, read, command, **more)


def _in_parquet(text: str) -> bytes:
    """A table of text as Parquet."""
    header, *rest = (line.split("\t" if "\t" in text else ",") for line in text.splitlines())
    return write_rows(dict(zip(header, map(list, zip(*rest, strict=True)), strict=True)), ".parquet")


def samples() -> list[Sample]:
    """Every sample."""
    found = [
        Sample(
            f"pair/{format}",
            name,
            data,
            karat.read_pairs,
            "score @ run.txt" if format == "rte" else "check @",
            facts.pair_facts,
            PLAIN_PAIRS.get(f"{format} {name}"),
        )
        for format, name, data in PAIRS
    ]
    found += [
        Sample(
            f"run/{format}",
            name,
            data,
            partial(karat.read_runs, key=unnumbered() if format == "labels" else key()),
            "score unnumbered.csv @" if format == "labels" else "score key.xml @",
            facts.run_facts,
            PLAIN_RUNS.get(name),
        )
        for format, name, data in RUNS
    ]
    for formats, format, name, data in SAMPLES:
        more: dict[str, Any] = {}
        if name == "questions.xml":
            more["plain"] = plain.series
        if name == "answers.tsv":
            more = {
                "facts": facts.answer_facts,
                "plain": facts.plain_answers,
            }
        if name == "verdicts.tsv":
            more = {"facts": facts.verdict_facts, "plain": facts.plain_verdicts}
        if f"{formats.holds}/{format}" in facts.PLAIN_LINES:
            held = facts.answer_facts if formats is answer_formats else facts.verdict_facts
            more = {"facts": held, "plain": facts.PLAIN_LINES[f"{formats.holds}/{format}"]}
        if name == "questions.tsv":
            more["plain"] = lambda data: [
                (one, kind.upper(), plain.words(text) or kind.title())
                for one, kind, text in plain.columns(data, "id", "type", "question")
            ]
        if more and "facts" not in more:
            more["facts"] = lambda held: [(one.id, one.type, plain.words(one.text)) for one in held.questions]
        made = _of_questions(formats.holds, format, name, data, **more)
        found.append(replace(made, command=JUDGED_RUNS.get(made.reader, made.command)))
    topic = {"qid": "1.4", "nuggets": [ASSIGNED]}
    found += [
        _of_questions(
            "accepted answer",
            "table",
            "accepted.tsv",
            tabs("qid|answer", "1.1|100 km", "1.1|62 miles", "1.2|NIL", "1.3|Upper Town").encode(),
            facts=lambda held: sorted((held.units[one.question], one.spelled) for one in held.patterns),
            plain=lambda data: sorted(
                {
                    (one, plain.words(answer))
                    for one, answer in plain.columns(data, "qid", "answer")
                    if plain.words(answer).upper() not in ("", "NIL")
                }
            ),
        ),
        Sample(
            "answer/rag",
            "rag.jsonl",
            lines(RAG).encode(),
            lambda path: read_answers(path, topics_as_questions(nuggets())),
            "support citations.tsv @",
        ),
        _of_questions(
            "nugget",
            "table",
            "nuggets.tsv",
            NUGGETS.encode(),
            facts=facts.nugget_facts,
            plain=lambda data: plain.columns(data, "qid", "nugget", "assessor", "text"),
        ),
        _of_questions("nugget", "nuggetizer", "nuggets.jsonl", lines(topic).encode()),
        _of_questions("nugget", "bank", "bank.jsonl", lines(BANK).encode()),
        _of_questions(
            "nugget", "trec", "nuggets.txt", b"Qid 1.4: Other\n1.4 1\tvital\tit freezes\n1.4 2\tokay\teels\n"
        ),
        _of_questions("match", "table", "matches.tsv", MATCHES.encode()),
        _of_questions("match", "other-judged", "two.otherjudged", nist_files.OTHER_JUDGED.encode()),
        _of_questions(
            "nugget", "trec", "pyramid.txt", b"Qid 1.4: Other\n1.4 1\tvital\tokay\tice\n1.4 2\tokay\tvital\teels\n"
        ),
        Sample(
            "support/table",
            "citations.tsv",
            CITED.encode(),
            lambda path: read_support(path, written("rag.jsonl")),
            "support @ rag.jsonl --unjudged none",
        ),
        _of_questions(
            "match", "nuggetizer", "matches.jsonl", lines(topic | {"run_id": "x", "answer_text": "t"}).encode()
        ),
        Sample(
            "score/table",
            "s.csv",
            SCORED.encode(),
            karat.read_scores,
            "compare --scores @",
            facts.score_facts,
            plain.scores,
        ),
        *(
            Sample(f"score/{format}", name, data, karat.read_scores, "", facts.score_facts, reader)
            for format, name, data, reader in SCORE_LOGS
        ),
        Sample("score/lines", "te.txt", LINES.encode(), karat.read_scores, "", facts.score_facts, facts.plain_lines),
        Sample(
            "score/lines",
            "board.txt",
            b"one\t1\tF\t0.5\none\t2\tF\t1\ntwo\t1\tF\t0\ntwo\t2\tF\t0.25\none\tall\tF\t0.75\n",
            karat.read_scores,
            "compare --scores @",
        ),
        Sample(
            "score/qrels",
            "graded.qrels",
            b"1 0 one 3\n1 0 two 1\n2 0 one 2\n2 0 two 2\n",
            karat.read_scores,
            "compare --scores @",
            lambda held: [fact for fact in facts.score_facts(held) if fact[2] is not None],
            lambda data: [(run, topic, float(grade)) for topic, run, grade in facts.grades_in(data)],
        ),
        Sample(
            "score/rag",
            "rag24.jsonl",
            lines(*({"qid": qid} | dict.fromkeys(SCORES, 0.5) for qid in ("1", "2", "all"))).encode(),
            lambda path: karat.read_scores(path, score="all_score"),
        ),
        Sample("score/table", "long.csv", LONG.encode(), karat.read_scores, "compare --scores @", facts.score_facts),
        Sample(
            "ballot/label-studio",
            "export.json",
            logs.label_studio(logs.ANNOTATED),
            karat.read_ballots,
            "agree @",
            facts.ballot_facts,
            facts.plain_annotations,
        ),
        Sample(
            "ballot/qrels",
            "ann.qrels",
            logs.QRELS["ann.qrels"],
            lambda path: karat.read_ballots(path, level="ordinal"),
            "agree @ --level ordinal",
            facts.ballot_facts,
            facts.plain_qrels,
        ),
        Sample("score/table", "s.parquet", _in_parquet(SCORED), karat.read_scores, "compare --scores @"),
        Sample(
            "weight/lines",
            "w.txt",
            b"1 1\n2 0.5\n3 2\n",
            lambda path: karat.read_weights(path, key()),
            "score key.xml run.txt --weights @",
            lambda held: facts.weight_facts(key().ids, held),
            facts.plain_weights,
        ),
        Sample("weight/table", "w.csv", b"id,weight\n1,1\n2,0.5\n3,2\n", lambda path: karat.read_weights(path, key())),
        Sample(
            "relevance/lines",
            "r.txt",
            b"synonymy 2\nlexical:demonymy\t0.5\n",
            lambda path: read_relevance(path, karat.read_decomposition(HOME / "decomposed.xml")),
        ),
        Sample(
            "relevance/table",
            "r.csv",
            b"phenomenon,weight\nsynonymy,2\nlexical:demonymy,0.5\n",
            lambda path: read_relevance(path, karat.read_decomposition(HOME / "decomposed.xml")),
        ),
        Sample(
            "ballot/rows",
            "b.tsv",
            BALLOTS.encode(),
            karat.read_ballots,
            "agree @",
            facts.ballot_facts,
            facts.cast_ballots,
        ),
        Sample("ballot/rows", "b.parquet", _in_parquet(BALLOTS), karat.read_ballots, "agree @", facts.ballot_facts),
        Sample(
            "ballot/counts",
            "t.json",
            b'{"labels": ["a", "b"], "table": [[20, 5], [10, 15]]}',
            karat.read_ballots,
            "agree @",
        ),
        Sample("ballot/nuggets", "n.tsv", LISTED.encode(), karat.read_ballots, "agree @", facts.ballot_facts),
        Sample(
            "ballot/nuggets",
            "n.jsonl",
            lines(*(topic | {"assessor": who} for who in ("ann", "bo"))).encode(),
            karat.read_ballots,
            "agree @",
        ),
        Sample("ballot/key", "k.jsonl", SNLI.encode(), karat.read_ballots, "agree @"),
        Sample(
            "ballot/rows",
            "wide.csv",
            b"ann,bo,note\ngood,bad,\nbad,bad,x\n",
            lambda path: karat.read_ballots(path, assessor=("ann", "bo")),
            "agree @ --assessor ann --assessor bo",
        ),
        Sample(
            "rating/table",
            "r.tsv",
            RATINGS.encode(),
            read_ratings,
            "nuggets nuggets.tsv matches.tsv --ratings @",
            facts.rating_facts,
            facts.plain_ratings,
        ),
        Sample(
            "preference/table",
            "p.tsv",
            PREFERENCES.encode(),
            karat.read_preferences,
            "prefer @ --prior 1",
            facts.preference_facts,
            facts.plain_preferences,
        ),
        Sample("justification/table", "j.tsv", RATED.encode(), read_justifications, "justify @"),
        Sample("judge/table", "j.tsv", b"judge\tage\tsummary\nann\t30\tWell.\nbo\t40\t\n", read_judges),
        Sample(
            "stored score/rag", "m.jsonl", lines({"qid": "1.4"} | dict.fromkeys(SCORES, 0.5)).encode(), read_rag_metrics
        ),
        Sample(
            "decomposition/pairs",
            "d.xml",
            (HOME / "decomposed.xml").read_bytes()[:5000].rpartition(b"</pair>")[0] + b"</pair></entailment-corpus>",
            karat.read_decomposition,
        ),
        Sample(
            "target type/trec",
            "types.txt",
            b"#THING the river\n",
            lambda path: read_questions(written("questions.tsv"), target_types=path),
            "qa questions.tsv answers.tsv --judgments verdicts.tsv --target-types @",
        ),
        Sample("ConlluTrees", "t.conllu", (TREE.format("T") + TREE.format("H")).encode(), ConlluTrees),
        Sample(
            "load_model",
            "m.json",
            MODEL % karat.__version__.encode(),
            lambda path: load_model(path, "overlap"),
        ),
    ]
    return found

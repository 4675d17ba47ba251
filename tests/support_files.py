"""Small runs with citations, and tables of verdicts on them, in memory and as files."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from karat.data.support import Support
from karat.errors import DataError, Problem
from karat.formats.support_table import read_support
from karat.studies.support.study import support

HEADER = "run\tqid\tsentence\tdoc\tsupport\tassessor\n"
Run = Mapping[str, Sequence[Sequence[str]]]
"""The documents that each sentence cites, by topic."""
SMALL: dict[str, Run] = {"one": {"t1": [["d1", "d2"], [], ["d2"]], "t2": [["d3"]]}, "two": {"t1": [["d1"]]}}
"""Two runs; the second does not answer the second topic."""


def run_lines(name: str, run: Run) -> str:
    """A run as TREC RAG 2024 has them."""
    lines = []
    for topic, sentences in run.items():
        references = list(dict.fromkeys(document for cited in sentences for document in cited))
        answer = [
            {"text": f"Sentence {place} on {topic}.", "citations": [references.index(one) for one in cited]}
            for place, cited in enumerate(sentences, 1)
        ]
        lines.append(json.dumps({"run_id": name, "topic_id": topic, "references": references, "answer": answer}))
    return "".join(f"{line}\n" for line in lines)


def written(folder: Path, runs: Mapping[str, Run], rows: str, header: str = HEADER) -> tuple[Path, Path]:
    """The files of judgments and of runs."""
    (folder / "runs").mkdir(exist_ok=True)
    for name, run in runs.items():
        (folder / "runs" / f"{name}.jsonl").write_text(run_lines(name, run))
    (folder / "citations.tsv").write_text(header + rows)
    return folder / "citations.tsv", folder / "runs"


def judged(rows: str, runs: Mapping[str, Run] = SMALL, header: str = HEADER) -> Support:
    """What is read from a table of these rows."""
    with tempfile.TemporaryDirectory() as folder:
        return read_support(*written(Path(folder), runs, rows, header))


def support_problems(rows: str, runs: Mapping[str, Run] = SMALL, header: str = HEADER) -> list[Problem]:
    """Everything that is said of a table of these rows, and by `support`."""
    try:
        return list(support(judged(rows, runs, header)).warnings)
    except DataError as error:
        return list(error.problems)


ALL = "one\tt1\t1\td1\tfull\tann\none\tt1\t3\td2\tpartial\tann\none\tt2\t1\td3\tnone\tann\ntwo\tt1\t1\td1\tfull\tann\n"
"""A verdict on every first citation of the small runs."""
BAD_SUPPORT = {
    "document-id": lambda: support_problems(ALL, {"one": {"t1": [["d;1"]]}}),
    "support": lambda: support_problems(ALL.replace("partial", "perhaps")),
    "sentence": lambda: support_problems(ALL.replace("t1\t3", "t1\tthird")),
    "unknown-citation": lambda: support_problems(ALL.replace("t1\t3\td2", "t1\t3\td9")),
    "unjudged-citation": lambda: support_problems(ALL.partition("\n")[0] + "\n"),
}

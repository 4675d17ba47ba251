"""Bad files of questions, answers, verdicts and patterns, one for every code of the catalogue."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.data.provenance import QuestionFiles
from karat.errors import DataError, Problem
from karat.formats.question_set import read_question_set
from karat.formats.question_table import read_questions
from karat.formats.registry import answer_formats, pattern_formats, question_formats, verdict_formats
from tests.question_files import SERIES, answers_of, patterns_of, questions_of, tabs, told, verdicts_in

ALL = ("a|1.1|D|x", "a|1.2|D|x", "a|1.3|D|x", "a|1.4|D|x")
"""One answer to every question of the series."""
RANKED = ("a|1.1|1|D|x", "a|1.1|1|D|y", "a|1.2|1|D|x", "a|1.3|1|D|x", "a|1.4|1|D|x")


def questions(before: str, after: str) -> list[Problem]:
    """What is said of the series with something changed."""
    return told(question_formats, SERIES.replace(before.replace("|", "\t"), after.replace("|", "\t")))


def answers(*rows: str) -> list[Problem]:
    """What is said of answers."""
    return told(answer_formats, tabs("run|qid|doc|answer", *rows), questions_of())


def verdicts(*rows: str) -> list[Problem]:
    """What is said of verdicts."""
    return told(verdict_formats, tabs("qid|doc|answer|verdict|group", *rows), questions_of())


def target_type() -> list[Problem]:
    """What is said of a type for another target."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "questions.tsv").write_text(SERIES)
        (Path(folder) / "types.txt").write_text("#THING the lake\n")
        with pytest.raises(DataError) as caught:
            read_questions(Path(folder) / "questions.tsv", target_types=Path(folder) / "types.txt")
    return list(caught.value.problems)


EXAMPLES = Path(karat.__file__).parent / "examples" / "qa"


def of_examples(**changed: tuple[str, str]) -> list[Problem]:
    """What is said of the example series when something is changed in one of their files."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("questions.xml", "judgments.tsv", "nuggets.tsv", "matches.tsv"):
            text = (EXAMPLES / name).read_text()
            before, after = changed.get(name.partition(".")[0], ("", ""))
            (Path(folder) / name).write_text(re.sub(before, after, text) if before else text)
        several: dict[str, Any] = {name: (str(Path(folder) / f"{name}.tsv"),) for name in ("judgments", "matches")}
        given = QuestionFiles(**several, nuggets=str(Path(folder) / "nuggets.tsv"))
        found = read_question_set(Path(folder) / "questions.xml", EXAMPLES / "runs", given)
        assert found.questions is not None
        assert found.answers is not None
        try:
            return list(karat.qa(found.questions, found.answers, **found.nouns(), unjudged="wrong").warnings)
        except DataError as error:
            return list(error.problems)


def rag(*rows: str) -> list[Problem]:
    """What is said of assignments on two topics, each with one vital nugget."""
    nugget = '"nuggets": [{"text": "n", "importance": "vital"%s}]'
    with tempfile.TemporaryDirectory() as folder:
        listed, assigned = Path(folder) / "n.jsonl", Path(folder) / "a.jsonl"
        listed.write_text("".join(f'{{"qid": "{topic}", "query": "", {nugget % ""}}}\n' for topic in "tu"))
        held = nugget % ', "assignment": "support"'
        assigned.write_text("".join(f'{{"run_id": "r", {row}, {held}}}\n' for row in rows))
        return list(karat.nuggets(karat.read_matches(assigned, karat.read_nuggets(listed))).warnings)


def patterns_of_lists() -> list[Problem]:
    """What is said of factoids where the only pattern is of a list."""
    asked = questions_of()
    given = answers_of(tabs("run|qid|doc|answer", *ALL), asked)
    return list(karat.qa(asked, given, patterns=patterns_of("1.3 x\n", asked)).warnings)


BAD_QUESTIONS: dict[str, Callable[[], list[Problem]]] = {
    "question-type": lambda: questions("LIST", "ESSAY"),
    "empty-question": lambda: questions("Who dammed it?", ""),
    "series": lambda: questions("river|THING|LIST", "lake|THING|LIST"),
    "target-type": target_type,
    "other-last": lambda: questions("OTHER|Other", "LIST|Which?"),
    "rank": lambda: told(answer_formats, tabs("run|qid|rank|doc|answer", *RANKED), questions_of()),
    "no-verdicts": lambda: of_examples(judgments=(r"(?m)^1\.1\t.*\n", "")),
    "not-other": lambda: of_examples(nuggets=(r"(?m)^1\.5\t", "1.1\t"), matches=("\t1\\.5\t", "\t1.1\t")),
    "no-assignment": lambda: rag('"qid": "t"'),
    "list-left-out": lambda: of_examples(matches=(r"(?m)^careful\t.*\tanna\t.*\n", "")),
    "no-text": lambda: rag('"qid": "t", "answer_text": "x"', '"qid": "u"'),
    "no-answer": lambda: answers(*ALL[1:]),
    "several-answers": lambda: answers(*ALL, "a|1.1|D|y"),
    "empty-answer": lambda: answers("a|1.1|D|", *ALL[1:]),
    "nil-beside": lambda: answers(*ALL, "a|1.3|NIL|"),
    "no-document": lambda: answers("a|1.1||x", *ALL[1:]),
    "no-response": lambda: answers(*ALL[:3]),
    "same-answer": lambda: answers(*ALL, "a|1.3|D|x"),
    "verdict": lambda: verdicts("1.1|D|x|1|"),
    "verdicts-differ": lambda: verdicts("1.1|D|x|R|", "1.1|D|x|W|"),
    "judged-twice": lambda: verdicts("1.1|D|x|R|", "1.1|D|x|R|"),
    "odd-verdict": lambda: verdicts("1.1|D|x|R|", "1.1|E|x|W|"),
    "no-group": lambda: verdicts("1.3|D|x|R|"),
    "trec-verdict": lambda: told(verdict_formats, "1.1 D1 4 x\n1.1 D1 1 y\n", questions_of()),
    "no-list": lambda: told(verdict_formats, "1.3 a D1 1 1 x\n", questions_of()),
    "short-list": lambda: list(verdicts_in(questions_of(), "1.3 a D1 1 1 x\n1.3 a D1 1 1 y\n", "# 1.3\nQ:?\nx\n")[1]),
    "nil-key": lambda: verdicts("1.1|D|x|R|", "1.1|NIL||R|"),
    "pattern": lambda: told(pattern_formats, "1.1 (\n", questions_of()),
    "wide-pattern": lambda: told(pattern_formats, "1.1 .*\n", questions_of()),
    "no-pattern": patterns_of_lists,
    "no-assessor": lambda: told(
        verdict_formats,
        tabs("qid|doc|answer|verdict|assessor", "1.1|D|x|R|ann", "1.1|D|x|W|bo", "1.2|D|x|W|"),
        questions_of(),
    ),
}

"""Tests of damage that was read over: what a plain reader would read otherwise, or not at all, is told."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.align.columns import as_numbers
from karat.engines.text.conllu import ConlluTrees
from karat.errors import DataError, Problem
from karat.examples import HERE
from karat.files import as_number
from karat.formats import json_objects
from karat.formats.judge_table import read_judges
from karat.formats.justification_ratings import read_justifications
from karat.formats.nugget_table import read_nuggets
from karat.formats.rating_table import read_ratings
from karat.formats.weights import read_relevance
from tests.files import codes_of, key_problems, read_key, run_problems, three_way
from tests.formats.samples import FRACAS, RTE

KEY = HERE / "decomposed.xml"
TREE = "# newdoc id = 1/T\n{id}\ta\ta\tX\t_\t_\t{head}\troot\t_\t_\n\n"


def told(path: Path, content: str | bytes, read: object, *arguments: object) -> list[Problem]:
    """What a reader says of a file; nothing where it reads it."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    try:
        read(path, *arguments)  # type: ignore[operator]
    except DataError as error:
        return list(error.problems)
    return []


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "1", "label": "YES", "label": "NO"}',
        '{"id": "1", "label":"YES","label" :"NO"}',
        '{"id": "1", "label": "YES", "a:b": ":", "x": {"y": 1, "y": 2}}',
        '{"id": "1", "label": "YES", "\\u006cabel": "NO"}',
    ],
)
def test_repeated_keys(line: str) -> None:
    """Of two values of a key a reader takes the last in silence."""
    rest = '{"id": "2", "label": "NO"}\n{"id": "3", "label": "NO"}\n'
    problems = run_problems(f"{line}\n{rest}", three_way(), "run.jsonl")
    assert codes_of(problems)[0] == "json"
    assert "twice" in problems[0].found
    assert problems[0].line == 1


def test_colons_are_no_keys() -> None:
    """In texts they mean nothing, and in objects inside others they are counted too."""
    line = '{"id": "1", "label": "YES", "why": ": a: \\"b\\": c", "x": {"id": 1}}\n'
    rest = '{"id": "2", "label": "UNKNOWN"}\n{"id": "3", "label": "NO"}\n'
    assert run_problems(line + rest, three_way(), "run.jsonl") == []


def test_repeated_keys_of_a_table(tmp_path: Path) -> None:
    """Two tables in one object are one too many; lists without end are no table."""
    table = '{"labels": ["a", "b"], "table": [[1, 0], [0, 1]], "table": [[0, 1], [1, 0]]}'
    for content in (table, '{"table": ' + "[" * 5000, '{"table": [' * 5000, '{"table": [1], "labels": "\udcff"}'):
        data = content.encode(errors="surrogateescape")
        assert codes_of(told(tmp_path / "t.json", data, karat.read_ballots))[0] == "format"


@pytest.mark.parametrize("name", ["piar", "PAIR", "x"])
def test_unknown_elements(name: str) -> None:
    """A pair under another name is not left out in silence; its own elements are not told beside it."""
    damaged = RTE.replace("<pair id", f"<{name} id", 1).replace("</pair>", f"</{name}>", 1)
    problems = key_problems(damaged)
    assert [(one.code, one.line, one.found) for one in problems] == [("element", 3, f"<{name}>")]


def test_a_pair_in_a_pair() -> None:
    """A pair that was not closed does not swallow the next one."""
    problems = key_problems(RTE.replace("</pair>", "", 1) + "</pair>")
    assert [(one.code, one.line, one.found) for one in problems] == [("element", 4, "<pair> inside <pair>")]


def test_prefixes() -> None:
    """An attribute with a prefix that nobody declared is no attribute; a declared one is left as it is."""
    (problem,) = key_problems(RTE.replace("entailment=", "entai:ment=", 1))
    assert (problem.code, problem.line) == ("xml", 3)
    assert "the prefix 'entai' of 'entai:ment'" in problem.found
    declared = RTE.replace("<entailment-corpus>", '<entailment-corpus xmlns:a="b" a:c="d" xml:lang="en">')
    assert key_problems(declared) == []


def test_elements_around_pairs() -> None:
    """What holds pairs may be called as it likes, at any depth."""
    inside = RTE.replace("<entailment-corpus>", "<entailment-corpus><part><set>")
    assert key_problems(inside.replace("</entailment-corpus>", "</set></part></entailment-corpus>")) == []


@pytest.mark.parametrize("child", ["<h> A man weeps. </h>", "<q> Does he? </q>"])
def test_a_second_hypothesis(child: str) -> None:
    """The first of two was read, and the second passed over."""
    assert codes_of(key_problems(FRACAS.replace("<h> A", f"{child}<h> A"))) == ["element"]


NUMBERS = ("1_0", "٣", "0x1", "true", "1,5", "")


@pytest.mark.parametrize("spelled", NUMBERS)
def test_numbers_that_only_python_reads(spelled: str, tmp_path: Path) -> None:
    """Underscores and the digits of other scripts are no numbers in a file."""
    key = three_way()
    run = f"1 YES {spelled or '.'}\n2 UNKNOWN 0.5\n3 NO 0.5\n"
    assert next(one.severity for one in run_problems(run, key)) == "error"
    weights = f"1\t{spelled}\n2\t1\n3\t1\n"
    assert {"weight", "run-line"} & set(codes_of(told(tmp_path / "w.txt", weights, karat.read_weights, key)))
    if spelled:
        scores = f"run,u1,u2\na,{spelled.replace(',', '.x')},1\nb,0.5,1\n"
        assert codes_of(told(tmp_path / "s.csv", scores, karat.read_scores)) == ["score"]
        rated = f"run\tunit\tassessor\tgood\na\t1\tx\t{spelled}\n"
        assert codes_of(told(tmp_path / "r.tsv", rated, read_ratings)) == ["score"]


def test_true_is_no_confidence() -> None:
    """JSON's truth values are 1 and 0 to Python alone."""
    lines = '{"id": 1, "label": "YES", "confidence": true}\n{"id": 2, "label": "UNKNOWN", "confidence": 1}\n'
    problems = run_problems(f'{lines}{{"id": 3, "label": "NO", "confidence": 0.5}}\n', three_way(), "run.jsonl")
    assert [(one.code, one.line) for one in problems] == [("confidence", 1)]


@given(
    st.lists(st.sampled_from([1, 0.5, 2**70, "1", " .5 ", "1_0", "٣", "", None, True, [1], "nan", "1e999", 10**400]))
)
def test_numbers_together_and_apart(cells: list[object]) -> None:
    """A column is read as its cells are."""
    np.testing.assert_array_equal(as_numbers(cells), [as_number(cell) for cell in cells])


@pytest.mark.parametrize("stray", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x1f"])
def test_separators_of_python(stray: str, tmp_path: Path) -> None:
    """Blanks to `str.split`, and to nobody else."""
    problems = run_problems(f"1{stray}YES\n2 UNKNOWN\n3 NO\n", three_way())
    assert [(one.code, one.line, one.column) for one in problems] == [("control-character", 1, 2)]
    assert codes_of(told(tmp_path / "w.txt", f"1{stray}1\n", karat.read_weights, three_way()))[0] == "control-character"


BALLOTS = "unit\tassessor\tlabel\n1\ta\tYES\n1\tb\tNO\n2\ta\tNO\n2\tb\tNO\n"
RATED = "run\tunit\tassessor\tunderstandable\tcompelling\nr\t1\ta\t5\t5\nr\t2\ta\t5\t4\n"


def test_nobody_and_nothing(tmp_path: Path) -> None:
    """An empty cell is no unit, no run and no judge."""
    path = tmp_path / "x.tsv"
    for cell in ("1\ta\tYES", "2\tb\tNO"):
        unit, assessor, label = cell.split("\t")
        for row in (f"\t{assessor}\t{label}", f"{unit}\t\t{label}"):
            assert "no-id" in codes_of(told(path, BALLOTS.replace(cell, row), karat.read_ballots))
    for row in ("\t1\ta\t5\t5", "r\t\ta\t5\t5", "r\t1\t\t5\t5"):
        for read in (read_ratings, read_justifications):
            assert "no-id" in codes_of(told(path, RATED.replace("r\t1\ta\t5\t5", row), read))
    assert codes_of(told(path, "judge\tage\na\t1\n\t2\n", read_judges)) == ["no-id"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ('{"id": "1", "weight": 1\n', "json"),
        ('{"id": "1", "weight": \n{"id": "2"}\n', "json"),
        ('"id"\t"weight"\n1\t1\n', "missing-weight"),
        ('"id","weight"\n1,1,1\n', "columns"),
        ("", "missing-weight"),
    ],
)
def test_headers_of_weights(content: str, code: str, tmp_path: Path) -> None:
    """What looks like columns from afar, and is none when it is read."""
    found = codes_of(told(tmp_path / "w.tsv", content, karat.read_weights, three_way()))
    assert code in found
    relevance = content.replace("id", "phenomenon")
    if code != "missing-weight":
        decomposition = karat.read_decomposition(KEY)
        assert code in codes_of(told(tmp_path / "r.tsv", relevance, read_relevance, decomposition))


@pytest.mark.parametrize("content", ["{}\n", "{}\n{}\n", '{"run": "a"}\n', '{"run": "cluster", "u": 1}\n'])
def test_scores_of_nothing(content: str, tmp_path: Path) -> None:
    """Objects without keys are no rows of scores."""
    assert codes_of(told(tmp_path / "s.jsonl", content, karat.read_scores)) == ["empty-file"]


@pytest.mark.parametrize("digits", ["9" * 5000, "٣", "1_0", "01", "0", "2"])
def test_numbers_of_trees(digits: str, tmp_path: Path) -> None:
    """Ids and heads of a word that no sentence can have."""
    path = tmp_path / "x.conllu"
    assert set(codes_of(told(path, TREE.format(id=digits, head=0), ConlluTrees))) == {"tree"}
    assert set(codes_of(told(path, TREE.format(id=f"1-{digits}", head=0), ConlluTrees))) == {"tree"}
    if digits not in ("0", "01"):
        assert set(codes_of(told(path, TREE.format(id=1, head=digits), ConlluTrees))) == {"tree"}


def test_two_labels_in_a_line() -> None:
    """The key's label and the run's, in a file that looks plain at its beginning: which is which, nobody knows."""
    run = "1\tNO\tENTAILMENT\tso\tso\n2\tUNKNOWN\tENTAILMENT\t0.5\n3\tNO\tparaphrase\t1\n"
    problems = run_problems(run, three_way())
    assert [(one.line, one.found) for one in problems if "after it" in one.found] == [
        (2, "the label 'UNKNOWN', and after it 'ENTAILMENT\\t0.5'"),
        (3, "the label 'NO', and after it 'paraphrase\\t1'"),
    ]


@pytest.mark.parametrize("before", ["", "\n"])
def test_headers_of_many_columns(before: str) -> None:
    """A format is told from the whole header, however long: columns at its end count as much as those at its start."""
    many = "\t".join(f"column{number}" for number in range(10_000))
    cells = "\t".join("x" * 10_000)
    key = f"{before}index\tpairID\tsentence1\tsentence2\t{many}\tgold_label\n0\t9e\ta\tb\t{cells}\tentailment\n"
    if before:
        assert "empty-line" in codes_of(key_problems(key, "key.tsv"))
    else:
        pairs = read_key(key, "key.tsv")
        assert (pairs.ids, pairs.labels.tolist()) == (("9e",), [0])


KEYS = st.sampled_from(["a", "b", "a:", '"', "{", "\\", "é", '"a"', ""])
PAIRS = st.lists(st.tuples(KEYS, KEYS | st.integers(0, 3) | st.dictionaries(KEYS, KEYS, max_size=2)), max_size=4)


@given(PAIRS, st.booleans(), st.sampled_from([": ", ":", " : "]))
def test_keys_that_are_surely_unique(pairs: list[tuple[str, object]], escaped: bool, between: str) -> None:
    """The fast answer is never wrong: where it says that no key is repeated, none is."""
    said = [f"{json.dumps(key, ensure_ascii=escaped)}{between}{json.dumps(value)}" for key, value in pairs]
    if json_objects._surely_unique("{" + ", ".join(said) + "}", dict(pairs)):
        assert len(dict(pairs)) == len(pairs)


def test_nuggets_without_their_header(tmp_path: Path) -> None:
    """A table whose header is gone is not taken for TREC's lines, in which nothing would be vital or okay."""
    lines = "1.4\t1\t\tvital\tit freezes\n1.4\t2\t\tokay\tit has eels\n"
    assert codes_of(told(tmp_path / "n.tsv", lines, read_nuggets))[0] == "format"

"""Tests of what is done with a submitted file and with a test set: hostile files, and what a blind set gives away."""

from __future__ import annotations

import gzip
import random
import re
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

import karat
from karat import examples
from karat.campaign.checking import (
    KEPT_MEASURES,
    MOST_BYTES,
    WAY,
    check_run,
    read_examples,
    read_files,
    read_test,
    together,
)
from karat.campaign.checking import TestSet as Prepared
from karat.campaign.dates import Dates
from karat.campaign.definition import Definition, Task
from karat.campaign.events import Checked
from karat.errors import DataError, Problem, Problems
from karat.formats.registry import pair_formats
from tests.campaign.worlds import CLOSES, OPENS

KEY = examples.PAIRS.read_bytes()
GOOD = (examples.RUNS / "cautious.txt").read_bytes()
XML = '<?xml version="1.0"?>{declared}<entailment-corpus><pair id="1">{inside}</pair></entailment-corpus>'
BOMB = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10 if n else "ha" * 10}">' for n in range(10))
LINE = GOOD.splitlines(keepends=True)


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    """The example pairs, as a three-way task."""
    return read_test(Task(name="three-way", test="pairs.xml"), KEY)


def codes(checked: Checked) -> list[str]:
    """The kinds of problems that were found, each once."""
    return list(dict.fromkeys(problem.code for problem in checked.problems))


def xml(inside: str = "", declared: str = "") -> bytes:
    """An XML file with something in it."""
    return XML.format(declared=declared, inside=inside).encode()


HOSTILE: dict[str, tuple[bytes, str, int | None, str]] = {
    "XML bomb": (xml("&a9;", f"<!DOCTYPE x [{BOMB}]>"), "format", None, "an XML or HTML file"),
    "outside entity": (
        xml("&x;", '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
        "format",
        None,
        "an XML or HTML file",
    ),
    "gzip bomb": (gzip.compress(bytes(60 << 20)), "gzip-bomb", None, "more than 16 MiB unpacked"),
    "gzip bomb in gzip": (
        gzip.compress(gzip.compress(bytes(60 << 20), mtime=0), mtime=0),
        "format",
        None,
        "something else",
    ),
    "cut gzip": (gzip.compress(GOOD)[:-9], "gzip", None, "cut off"),
    "damaged gzip": (b"\x1f\x8b" + b"\x00" * 30, "gzip", None, "damaged"),
    "long line": (b"1 " + b"E" * (MOST_BYTES - 100) + b"\n", "line-too-long", 1, "characters"),
    "NUL": (GOOD.replace(b"\n", b"\0\n", 1), "nul", 1, "NUL bytes (1)"),
    "Latin-1": (GOOD + b"caf\xe9 YES\n", "encoding", 161, "0xe9"),
    "control character": (GOOD + b"9\x1fYES\n", "control-character", 161, "0x1f"),
    "duplicate": (GOOD + LINE[3], "duplicate-id", 161, "first in line 4"),
    "unknown": (GOOD + b"no-such-pair ENTAILMENT\n", "unknown-id", 161, "no-such-pair"),
    "missing": (b"".join(LINE[:-2]), "missing-id", None, "no line for pair '159'"),
    "empty": (b"", "empty-file", None, "an empty file"),
    "blank": (b" \n\n", "empty-file", None, "an empty file"),
    "Parquet": (b"PAR1" + bytes(range(256)) + b"PAR1", "not-text", None, "a Parquet file"),
    "zip": (b"PK\x03\x04" + bytes(range(1, 200)), "not-text", None, "zip file"),
    "no label": (GOOD.replace(b"ENTAILMENT", b"PERHAPS", 1), "label-outside-task", 1, "PERHAPS"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_gets_a_precise_message(name: str, prepared: Prepared) -> None:
    """Each is refused by its kind and line, without scores, in little memory."""
    raw, code, line, said = HOSTILE[name]
    tracemalloc.start()
    checked = check_run(prepared, "run.txt", raw)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    errors = [problem for problem in checked.problems if problem.severity == "error"]
    found = [problem for problem in errors if problem.code == code]
    assert found, [str(problem) for problem in checked.problems]
    assert any(problem.line == line for problem in found), [str(problem) for problem in found]
    assert any(said in f"{problem.found} {problem.expected}" for problem in found), [str(one) for one in found]
    assert checked.scores == {}
    assert peak < 150 << 20
    assert "root:" not in "".join(map(str, checked.problems))


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (GOOD.replace(b"\n", b"\r"), "carriage-return"),
        (GOOD[:-1], "no-final-newline"),
    ],
)
def test_what_is_read_nevertheless(raw: bytes, code: str, prepared: Prepared) -> None:
    """A byte-order mark, carriage returns and an open last line draw a warning, and the scores are the same."""
    checked = check_run(prepared, "run.txt", raw)
    assert codes(checked) == [code]
    assert checked.scores == check_run(prepared, "run.txt", GOOD).scores != {}


def test_plain_or_gzip(prepared: Prepared) -> None:
    """A packed run is the run."""
    assert check_run(prepared, "run.txt.gz", gzip.compress(GOOD)) == check_run(prepared, "run.txt", GOOD)


def test_too_large(prepared: Prepared) -> None:
    """A file over the limit is not looked into, one at the limit is."""
    assert codes(check_run(prepared, "run.txt", b"x" * (MOST_BYTES + 1))) == ["too-large"]
    assert codes(check_run(prepared, "run.txt", (b"x" * 99 + b"\n") * (MOST_BYTES // 100))) != ["too-large"]


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_far_too_many_lines(end: bytes, prepared: Prepared) -> None:
    """A file with many times more lines than pairs is refused before it is read, packed or not, in little memory."""
    lines = 10 * len(prepared.units) + 1000
    assert codes(check_run(prepared, "run.txt", b"1 L" + end * lines)) != ["too-many-lines"]
    many = b"".join(b"1\tENTAILMENT\tx%d" % number + end for number in range(400_000))
    for raw in (many, gzip.compress(many * 5, 1)):
        tracemalloc.start()
        checked = check_run(prepared, "run.txt", raw)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert codes(checked) == ["too-many-lines"]
        assert peak < 130 << 20


@pytest.mark.parametrize("comma", [b",", b"\t"])
def test_far_too_many_columns(comma: bytes, prepared: Prepared) -> None:
    """A table with a hundred thousand columns, packed into a few kilobytes, is refused before it is read."""
    header = comma.join(b"%d" % number for number in range(50_000)) + comma + b"id" + comma + b"label\n"
    raw = header + b"".join(b"%d" % number + comma * 50_001 + b"\n" for number in range(200))
    tracemalloc.start()
    checked = check_run(prepared, "run.csv", gzip.compress(raw))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert codes(checked) == ["too-large"]
    assert peak < 130 << 20


RUNS = [*sorted(examples.RUNS.iterdir())]
DAMAGED: list[Callable[[bytes], bytes]] = [
    lambda raw: raw,
    lambda raw: raw[: len(raw) // 2],
    lambda raw: raw + raw,
    lambda raw: raw.replace(b"ENTAILMENT", b"PERHAPS"),
    lambda raw: raw.replace(b"1", b"x"),
    lambda raw: b"\xff" + raw,
]


@pytest.mark.parametrize("file", RUNS, ids=lambda file: file.name)
def test_the_same_problems_as_karat_check(file: Path, prepared: Prepared, tmp_path: Path) -> None:
    """A submission is told exactly what `karat check` says of the same file."""
    for damage in DAMAGED:
        raw = damage(file.read_bytes())
        copy = tmp_path / file.name
        copy.write_bytes(raw)
        try:
            checked = karat.check(examples.PAIRS, [copy], way="3")
            said = [problem for problem in checked.problems if problem.file == file.name]
        except DataError as error:
            said = [problem.bare for problem in error.problems]
        of_the_task = ("other-way", "stray-justifications")
        found = [one for one in check_run(prepared, file.name, raw).problems if one.code not in of_the_task]
        assert set(found) == set(said)
        assert found or damage is DAMAGED[0] or damage is DAMAGED[3]


def test_the_scores_are_those_of_karat_score(prepared: Prepared) -> None:
    """What is stored with a run equals what `karat score` gives, two-way as well."""
    key = karat.read_pairs(examples.PAIRS)
    two_way = read_test(Task(name="two-way", way=2, test="pairs.xml"), KEY)
    scored, ways = 0, [(prepared, WAY[3]), (two_way, WAY[2])]
    for test, way in ways:
        for file in RUNS:
            checked = check_run(test, file.name, file.read_bytes())
            if checked.scores:
                scored += 1
                (run,) = karat.score(karat.read_runs(file, key, way=way), measure=KEPT_MEASURES).runs
                told = {name: of for name, of in run.values.items() if of}
                assert {name: set(of) for name, of in checked.scores.items()} == {
                    name: set(of) for name, of in told.items()
                }
                for name, of in told.items():
                    expected = {measure: None if value != value else value for measure, value in of.items()}
                    assert checked.scores[name] == pytest.approx(expected, abs=1e-12)
    assert scored >= 15


def test_pairs_without_a_label_cannot_be_found(prepared: Prepared) -> None:
    """What is said of a run is the same whichever pairs are not scored; the scores are of the others alone."""
    labels = prepared.units.labels.copy()
    labels[::2] = -1
    hidden = replace(prepared.units, labels=labels)
    partly = prepared._replace(units=hidden, scored=hidden)
    answers = GOOD.decode().splitlines()
    head = "id,label,weight\n"
    decoys = [f"{','.join(line.split(maxsplit=1))},{int(place % 2 == 0)}" for place, line in enumerate(answers)]
    runs = {
        "without decoys.txt": "\n".join(answers[1::2]) + "\n",
        "without others.txt": "\n".join(answers[::2]) + "\n",
        "weights on decoys.csv": head + "\n".join(decoys) + "\n",
        "all.txt": GOOD.decode(),
    }
    for name, text in runs.items():
        whole, part = check_run(prepared, name, text.encode()), check_run(partly, name, text.encode())
        assert part.problems == whole.problems
        assert bool(part.scores) == bool(whole.scores) == (name in ("all.txt", "weights on decoys.csv"))
        assert together(partly, {name: (name, text.encode())}) if part.scores else True
    assert check_run(partly, "all.txt", GOOD).scores != check_run(prepared, "all.txt", GOOD).scores


def test_declared_and_found(prepared: Prepared) -> None:
    """A run said to be ranked or justified has to be, and a two-way run does not go to a three-way task."""
    assert "not-ranked" in codes(check_run(prepared, "a.txt", GOOD, ranked=True))
    assert "no-justifications" in codes(check_run(prepared, "a.txt", GOOD, justifications=True))
    two_way = (examples.RUNS / "two-way.txt").read_bytes()
    assert "other-way" in codes(check_run(prepared, "a.txt", two_way))
    ranked = (examples.RUNS / "ranked.txt").read_bytes()
    assert "not-ranked" not in codes(check_run(prepared, "a.txt", ranked, ranked=True))
    justified = (examples.RUNS / "chatty.jsonl").read_bytes()
    wanted: list[tuple[Any, list[str]]] = [("none", ["stray-justifications"]), ("optional", []), ("required", [])]
    for wish, said in wanted:
        task = Task(name="t", test="pairs.xml", justifications=wish)
        found = codes(check_run(read_test(task, KEY), "chatty.jsonl", justified))
        assert [code for code in found if "justifications" in code] == said


def test_one_run_in_a_file() -> None:
    """A file with the answers of two runs is refused, not taken for the first."""
    raw = (examples.QUESTIONS / "questions.xml").read_bytes()
    test = read_test(Task(name="questions", kind="questions", test="questions.xml"), raw)
    run = (examples.QUESTIONS / "runs" / "steady.tsv").read_bytes()
    assert codes(check_run(test, "steady.tsv", run)) == []
    second = run.replace(b"steady", b"other").partition(b"\n")[2]
    assert codes(check_run(test, "steady.tsv", run + second)) == ["several-runs"]


def table(rows: list[tuple[str, str, str]], header: str = "id\ttext\thypothesis\tlabel\ttask\tsource") -> bytes:
    """A key as a table: label, setting and source of each pair."""
    lines = [f"{n}\tT{n}\tH{n}\t{label}\t{task}\t{source}" for n, (label, task, source) in enumerate(rows, 1)]
    return "\n".join([header, *lines, ""]).encode()


MIXED = [("E", "QA", "x"), ("C", "IE", "y"), ("E", "IE", "x"), ("U", "QA", "z"), ("C", "QA", "y"), ("U", "IE", "z")]
SPELT = {"E": "ENTAILMENT", "C": "CONTRADICTION", "U": "UNKNOWN"}


def key(rows: list[tuple[str, str, str]], **task: Any) -> Prepared:
    """A test set from rows."""
    spelt = [(SPELT[label], setting, source) for label, setting, source in rows]
    return read_test(Task(name="three-way", test="key.tsv", **task), table(spelt))


def test_a_blind_set_is_blind(tmp_path: Path) -> None:
    """It has every pair in its order, no label, no ballot and no attribute but those that are allowed."""
    found = key(MIXED)
    text = found.blind.decode()
    assert not re.search("(?i)entailment=|contradiction|unknown|value|source|'x'|\"x\"", text)
    assert re.findall(r'id="(\d)"', text) == list("123456")
    assert re.findall(r'task="(\w+)"', text) == [setting for _, setting, _ in MIXED]
    (tmp_path / "blind.xml").write_bytes(found.blind)
    blind = karat.read_pairs(tmp_path / "blind.xml")
    assert blind.blind
    assert blind.ballots is None
    assert set(blind.attributes) == {"task"}
    bare = key(MIXED, attributes=())
    assert "task" not in bare.blind.decode()


def test_the_example_is_blind(prepared: Prepared) -> None:
    """The blind set of the shipped pairs differs from every label, and keeps texts as they are."""
    assert b"ENTAILMENT" not in prepared.blind
    assert b"entailment=" not in prepared.blind
    assert b"CONTRADICTION" not in prepared.blind
    for text in prepared.units.texts[:20]:
        assert text.split("&")[0].split("<")[0].encode() in prepared.blind


def test_questions_are_written_anew() -> None:
    """Columns that are no part of a question, such as its answer, are left behind; the questions are the same."""
    raw = b"id\tquestion\ttype\tanswer\n1\tWho?\tFACTOID\tsecret one\n2\tWhich?\tLIST\tsecret two\n"
    found = read_test(Task(name="q", kind="questions", test="q.tsv"), raw)
    assert b"secret" not in found.blind
    assert b"Who?" in found.blind
    xml = (examples.QUESTIONS / "questions.xml").read_bytes().replace(b"<target", b"<!-- secret --><target", 1)
    task = Task(name="q", kind="questions", test="q.xml")
    found = read_test(task, xml)
    assert b"secret" not in found.blind
    again = read_test(task, found.blind)
    assert (again.units.questions, again.units.series) == (found.units.questions, found.units.series)


def test_ids_that_give_the_key_away() -> None:
    """Ids that end in the initial of the label draw a warning; ids that end in any letter do not."""
    labels = [label for label in ("ENTAILMENT", "UNKNOWN", "CONTRADICTION", "ENTAILMENT") for _ in range(10)][::-3]

    def told(ends: str) -> list[str]:
        rows = [
            (f"{place}{ends[place % len(ends)] if ends else label[0]}", label) for place, label in enumerate(labels * 4)
        ]
        pairs = "".join(f'<pair id="{id}" entailment="{label}"><t>t</t><h>h</h></pair>' for id, label in rows)
        raw = f"<entailment-corpus>{pairs}</entailment-corpus>".encode()
        return [one.found for one in read_test(Task(name="a", test="a.xml"), raw).warnings]

    assert [one[:29] for one in told("")] == ["the last character of the ids"]
    assert told("xyzuvw"[:5]) == []


def test_a_key_without_labels() -> None:
    """It is taken, since people may judge the pairs, with a warning and no other."""
    blind = read_test(Task(name="a", test="a.xml"), key(MIXED).blind)
    assert [one.code for one in blind.warnings] == ["no-key"]


def test_what_gives_the_key_away() -> None:
    """Pairs sorted by label, and an attribute that determines it, draw a warning; a mixed order does not."""
    many = random.Random(2).sample(MIXED * 10, 60)
    assert key(many).warnings == ()
    guessed = "from which 100% of the labels can be guessed instead of 33%"
    # Numbered in that order, the ids give it away as well.
    order, ids = key(sorted(many)).warnings
    assert order.found.startswith("the order of the pairs, from which ")
    assert ids.found.startswith("the first character of the ids, from which ")
    told = key(many, attributes=("task", "source")).warnings
    assert [(one.code, one.found) for one in told] == [("gives-key-away", f"the attribute 'source', {guessed}")]


def test_a_key_of_another_way() -> None:
    """A two-way key is no test set of a three-way task; a three-way key is one of a two-way task."""
    rows = [("ENTAILMENT", "QA", "x"), ("NO ENTAILMENT", "QA", "y")]
    with pytest.raises(DataError, match="way = 2"):
        read_test(Task(name="t", test="k.tsv"), table(rows))
    read_test(Task(name="t", way=2, test="k.tsv"), table(rows))
    assert read_test(Task(name="t", way=2, test="pairs.xml"), KEY).units.way is not None


def definition(**changes: Any) -> Definition:
    """A campaign that names three files."""
    told = {"agreement": "agreement.md", "tasks": (Task(name="t", test="pairs.xml"), Task(name="u", test="u.xml"))}
    return Definition(name="a", title="A", dates=Dates(opens=OPENS, closes=CLOSES), **(told | changes))


def test_the_files_of_a_campaign_are_checked_together() -> None:
    """A missing file, an empty agreement and a test set with errors are all reported."""
    files = {"agreement.md": b" \n", "pairs.xml": KEY.replace(b"</pair>", b"", 1)}

    def read(name: str) -> bytes:
        if name not in files:
            raise FileNotFoundError(2, "No such file or directory")
        return files[name]

    with pytest.raises(DataError) as caught:
        read_files(definition(), read, "a.toml")
    found = [(problem.file, problem.code) for problem in caught.value.problems]
    assert ("a.toml", "campaign-file") in found
    assert any("has no text" in problem.found for problem in caught.value.problems)
    assert any("'u.xml': No such file" in problem.found for problem in caught.value.problems)
    assert any(file == "pairs.xml" for file, _ in found)
    files |= {"agreement.md": b"Yes.\n", "pairs.xml": KEY, "u.xml": KEY}
    assert read_files(definition(), read, "a.toml") == files


def test_an_entity_in_a_test_set_is_refused() -> None:
    """An organiser's XML is read as carefully as a team's."""
    declared = '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    raw = KEY.replace(b"<entailment-corpus", declared.encode() + b"<entailment-corpus", 1)
    with pytest.raises(DataError) as caught:
        read_test(Task(name="t", test="pairs.xml"), raw)
    assert [problem.code for problem in caught.value.problems] == ["entity"]


def test_a_document_is_named_as_it_came(prepared: Prepared) -> None:
    """A name with a path or control characters stays a name: nothing is opened, nothing reaches a terminal."""
    for name in ("../../etc/passwd", "/etc/passwd", "a\x1b[2Jb", "", "x" * 300):
        problems: tuple[Problem, ...] = check_run(prepared, name, b"1 NONSENSE\n").problems
        assert problems
        assert not any("\x1b" in str(problem) for problem in problems)


SHARED = Task(name="three-way", test="pairs.xml", public_share=0.3)


@given(share=st.floats(0, 1), seed=st.text(min_size=1, max_size=4))
@settings(max_examples=25, deadline=None)
def test_a_live_board_and_the_official_scores_share_no_unit(share: float, seed: str) -> None:
    """Every pair counts in exactly one of them, unless all or none are on the live board; a text is in one of them."""
    test = read_test(structs.replace(SHARED, public_share=share), KEY, seed)
    whole = test.units.labels
    assert test.blind == read_test(SHARED, KEY).blind
    if test.live is None:
        assert test.scored is test.units
        return
    shown, scored = test.live.labels >= 0, test.scored.labels >= 0
    assert (shown ^ scored).all() or (shown & scored).all()
    assert (test.live.labels[shown] == whole[shown]).all()
    assert (test.scored.labels[scored] == whole[scored]).all()
    texts = np.array(test.units.texts)
    assert set(texts[shown]).isdisjoint(texts[~shown])


def test_the_share_is_what_is_drawn() -> None:
    """On average over seeds, and whatever the label."""
    drawn = [read_test(SHARED, KEY, str(seed)).live for seed in range(60)]
    shares = [np.mean(one.labels >= 0) for one in drawn if one is not None]
    assert np.mean(shares) == pytest.approx(0.3, abs=0.03)
    whole = read_test(SHARED, KEY).units.labels
    rate = np.mean([np.mean(one.labels[one.labels >= 0] == 0) for one in drawn if one is not None])
    assert rate == pytest.approx(np.mean(whole == 0), abs=0.03)


def test_tasks_with_the_same_texts_have_the_same_share() -> None:
    """Otherwise the live board of one would show what counts in the other."""
    tasks = (SHARED, Task(name="two-way", test="copy.xml", way=2))
    definition = Definition(name="a", title="A", dates=Dates(opens=OPENS, closes=CLOSES), tasks=tasks)
    with pytest.raises(DataError, match=r"public_share 0\.3 in 'three-way' and 0 in 'two-way'"):
        read_files(definition, lambda _: KEY, "a.toml")
    same = structs.replace(definition, tasks=(SHARED, structs.replace(tasks[1], public_share=0.3)))
    assert read_files(same, lambda _: KEY, "a.toml")
    one, other = (read_test(task, KEY, "seed") for task in same.tasks)
    assert one.live is not None
    assert other.live is not None
    assert (one.live.labels >= 0).tolist() == (other.live.labels >= 0).tolist()


def test_examples_have_texts_and_labels() -> None:
    """An example without a text could not stand among the units unnoticed; without a label it says nothing."""
    problems = Problems()
    read_examples("x.tsv", b"id\tlabel\nx1\tENTAILMENT\nx2\t\n", problems)
    assert [problem.found for problem in problems if problem.code == "campaign-file"] == [
        "examples: 'x.tsv': pairs without a label",
        "examples: 'x.tsv': pairs without texts",
    ]


def test_another_seed_draws_other_units() -> None:
    """The same first half draws the same units, so that an auditor can draw them again without the other half."""
    drawn = [read_test(SHARED, KEY, seed).live for seed in ("ab", "ac", "bc")]
    labels = [one.labels.tolist() for one in drawn if one is not None]
    assert labels[0] == labels[1] != labels[2]


def test_the_live_board_says_nothing_of_the_official_scores() -> None:
    """The stored scores of a run do not depend on labels of the live board, nor the live ones on the others."""
    test = read_test(SHARED, KEY, "seed")
    assert test.live is not None
    shown = test.live.labels >= 0
    stored = check_run(test, "run.txt", GOOD).scores
    for changed, same in ((shown, True), (~shown, False)):
        labels = np.where(changed, (test.units.labels + 1) % 3, test.units.labels).astype(np.int8)
        other = replace(test.units, labels=labels, ballots=None)
        again = read_test(SHARED, bytes(pair_formats["rte"].facts["write"](other)), "seed")
        assert again.live is not None
        assert (check_run(again, "run.txt", GOOD).scores == stored) is same
        assert (again.live.labels.tolist() == test.live.labels.tolist()) is not same


RAG_RUN = (
    b'{"run_id": "r", "topic_id": "t1", "references": [], '
    b'"answer": [{"text": "A.", "citations": []}, {"text": "B.", "citations": []}]}\n'
)


@pytest.mark.parametrize("kind", ["nuggets", "ratings"])
def test_questions_without_types_are_answered_in_own_words(kind: Any) -> None:
    """Where responses are judged whole, a table without types asks no factoids: two sentences are one answer."""
    task = Task(name="answers", kind=kind, test="q.tsv")
    test = read_test(task, b"id\tquestion\nt1\tWhy?\n")
    assert [one.type for one in test.units.questions] == ["OTHER"]
    assert not [one for one in check_run(test, "r.jsonl", RAG_RUN).problems if one.severity == "error"]
    facts = read_test(Task(name="answers", kind="questions", test="q.tsv"), b"id\tquestion\nt1\tWhy?\n")
    assert [one.type for one in facts.units.questions] == ["FACTOID"]


def test_wrong_types_are_told_at_set_up() -> None:
    """Factoids that are in no series have no nuggets; once runs are in, the file could not be exchanged."""
    table = b"id\ttype\tquestion\nt1\tFACTOID\tWhen?\nt2\tOTHER\tWhy?\nt3\tlist\tWhich?\n"
    task = Task(name="answers", kind="nuggets", test="q.tsv")
    definition = Definition(name="n", title="N", dates=Dates(opens=OPENS, closes=CLOSES), tasks=(task,))
    with pytest.raises(DataError) as caught:
        read_files(definition, {"q.tsv": table}.__getitem__, "campaign.toml")
    assert [one.found for one in caught.value.problems] == [
        f"{kind} question {name!r}, in a task of the kind nuggets" for kind, name in (("factoid", "t1"), ("list", "t3"))
    ]
    series = (examples.HERE / "qa" / "questions.xml").read_bytes()
    read_files(
        structs.replace(definition, tasks=(structs.replace(task, test="q.xml"),)), {"q.xml": series}.__getitem__, "x"
    )


@pytest.mark.parametrize(
    "said", ['"Answer: ENTAILMENT"', "ENTAILMENT.", "**entailment**", "<think>No.</think> entailment", '""', "nan"]
)
def test_a_campaign_takes_labels_as_they_are(said: str, prepared: Prepared) -> None:
    """What `karat score` finds in a text is refused, and so is an empty answer; other spellings of a label are not."""
    rows = [line.split()[:2] for line in GOOD.decode().splitlines()]
    assert rows[0][1] == "ENTAILMENT"

    def checked(first: str) -> Checked:
        lines = ["id,label", f"{rows[0][0]},{first}", *map(",".join, rows[1:])]
        return check_run(prepared, "run.csv", "".join(map("{}\n".format, lines)).encode())

    errors = [(one.code, one.line) for one in checked(said).problems if one.severity == "error"]
    assert errors == [("unanswered" if said in ('""', "nan") else "label-in-text", 2)]
    assert checked(said).scores == {}
    assert checked("entails").scores == checked("ENTAILMENT").scores != {}

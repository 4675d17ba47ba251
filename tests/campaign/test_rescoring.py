"""A new key: read in any format, never another test set; and what it changes."""

from __future__ import annotations

import gzip
import itertools
import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat import examples
from karat.campaign import checking
from karat.campaign.checking import check_run, read_test, together
from karat.campaign.definition import Task
from karat.campaign.new_key import ids_in, new_key, rekeyed
from karat.campaign.rescored import Rescoring
from karat.campaign.rescoring import Rescored, places, preview, same_key
from karat.errors import DataError
from karat.labels import THREE
from karat.render import render

TASK = Task(name="three-way", test="pairs.xml")
TWO_WAY = Task(name="two-way", test="pairs.xml", way=2)
RAW = examples.PAIRS.read_bytes()
TEST = read_test(TASK, RAW)
IDS, LABELS = TEST.units.ids, TEST.units.labels
FILES = {name: (f"{name}.txt", (examples.RUNS / f"{name}.txt").read_bytes()) for name in ("cautious", "overlap")}
FILES |= {name: (f"{name}.jsonl", (examples.RUNS / f"{name}.jsonl").read_bytes()) for name in ("careful", "terse")}


def changed(count: int = 6) -> np.ndarray:
    """The labels of the example, with the first so many UNKNOWN ones as ENTAILMENT."""
    labels = LABELS.copy()
    labels[np.flatnonzero(labels == 1)[:count]] = 0
    return labels


def words(labels: np.ndarray) -> list[str]:
    """Labels as a key spells them."""
    return [THREE.labels[code] if code >= 0 else "-" for code in labels.tolist()]


def plain(labels: np.ndarray) -> bytes:
    """A key as plain lines."""
    return "".join(f"{id} {word}\n" for id, word in zip(IDS, words(labels), strict=True)).encode()


def table(labels: np.ndarray) -> bytes:
    """A key as a table, in another order."""
    rows = [f"{id},{word}\n" for id, word in zip(IDS, words(labels), strict=True)]
    return "".join(["id,label\n", *random.Random(1).sample(rows, len(rows))]).encode()


def whole(labels: np.ndarray) -> bytes:
    """A key as the example file with other labels."""
    text = RAW.decode()
    for id, old, new in zip(IDS, words(LABELS), words(labels), strict=True):
        begin = text.index(f'<pair id="{id}"')
        end = text.index(">", begin)
        text = text[:begin] + text[begin:end].replace(f'"{old}"', f'"{new}"') + text[end:]
    return text.encode()


def lines_of_json(labels: np.ndarray) -> bytes:
    """A key as JSON lines with texts."""
    rows = zip(IDS, TEST.units.texts, TEST.units.hypotheses, words(labels), strict=True)
    import json

    names = ("id", "text", "hypothesis", "label")
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows).encode()


@pytest.mark.parametrize("write", [plain, table, whole, lines_of_json], ids=lambda one: one.__name__)
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["", "gzip"])
def test_a_key_in_any_format(write: Callable[[np.ndarray], bytes], pack: Callable[[bytes], bytes]) -> None:
    """Labels are those of the file, teams have what they had; whole pairs are kept as they are given."""
    labels = changed()
    given = pack(write(labels))
    made = new_key(TEST, "new", given)
    found = read_test(TASK, made)
    assert found.units.labels.tolist() == labels.tolist()
    assert found.blind == TEST.blind
    assert (made == given) is (write is whole)
    assert ids_in("new", given, len(IDS)) == set(IDS)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from([-1, 0, 1, 2]), min_size=len(IDS), max_size=len(IDS)))
def test_any_labels(codes: list[int]) -> None:
    """Whatever the labels, they are stored, and what teams have been given is the same."""
    labels = np.array(codes, dtype=np.int8)
    labels[0] = 2
    made = read_test(TASK, new_key(TEST, "new", plain(labels)))
    assert made.blind == TEST.blind
    assert made.units.labels.tolist() == labels.tolist()
    assert ("unlabelled" in {one.code for one in made.warnings}) is bool((labels < 0).any())


ODD = "a\ufffeb"
"""A text with a sign that XML does not have."""


@pytest.mark.parametrize("attribute", ["my attribute", "topic"])
def test_what_xml_cannot_keep(attribute: str) -> None:
    """Attributes with names or values that XML does not have are kept in a table, for every task of the file."""
    rows = "".join(f"{n}\tt{n}\th{n}\t{'YES' if n % 2 else 'UNKNOWN'}\t{ODD * (n == 1)}\n" for n in range(1, 9))
    raw = f"id\ttext\thypothesis\tlabel\t{attribute}\n{rows}".encode()
    kept = (attribute,) if attribute != "topic" else ()
    task = Task(name="t", test="key.tsv", attributes=kept)
    if kept:
        raw = raw.replace(ODD.encode(), b"odd")
    test, other = (read_test(one, raw) for one in (task, Task(name="u", test="key.tsv", way=2, attributes=())))
    key = "".join(f"{n} {'UNKNOWN' if n % 2 else 'YES'}\n" for n in range(1, 9))
    made = new_key(test, "key.txt", key.encode(), other)
    for one in (test, other):
        found = read_test(one.task, made)
        assert found.blind == one.blind
        assert found.units.labels.tolist() == [1, 0] * 4


def codes_of(raw: bytes, *others: checking.TestSet, test: checking.TestSet = TEST) -> set[str]:
    """What is wrong with a key; nothing else than a `DataError` is ever raised."""
    with pytest.raises(DataError) as caught:
        new_key(test, "new", raw, *others)
    return {one.code for one in caught.value.problems if one.severity == "error"}


TWO_LABELS = plain(LABELS).replace(b"UNKNOWN", b"NO").replace(b"CONTRADICTION", b"NO").replace(b"ENTAILMENT", b"YES")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"", {"empty-file"}),
        (b" \n", {"empty-file"}),
        (plain(LABELS)[:-40], {"key-missing", "label"}),
        (plain(LABELS) + b"zzz UNKNOWN\n", {"key-unknown"}),
        (plain(LABELS) + f"{IDS[0]} UNKNOWN\n".encode(), {"duplicate-id"}),
        (plain(LABELS).replace(b"UNKNOWN", b"PERHAPS", 1), {"label"}),
        (plain(LABELS).replace(b"UNKNOWN", b"2", 1), {"label-code"}),
        (TEST.blind, {"key-labels"}),
        (plain(np.full_like(LABELS, -1)), {"key-labels"}),
        (TWO_LABELS, {"key-labels"}),
        (RAW.replace(b"<h>", b"<h>Not ", 1), {"key-text"}),
        (bytes(range(256)) * 50, {"nul"}),
        (b"\x1f\x8b" + b"x" * 50, {"gzip"}),
        (gzip.compress(b" " * (60 << 20)), {"gzip-bomb"}),
        (b"1 UNKNOWN\n" * 2_000_000, {"too-many-lines"}),
        (b"x" * (51 << 20), {"too-large"}),
    ],
    ids=map(str, range(16)),
)
def test_hostile_keys(raw: bytes, expected: set[str]) -> None:
    """What is no key of this test set is refused, and it is said why."""
    found = codes_of(raw)
    assert found
    assert found <= expected | {"more"}


def test_every_wrong_id_is_named() -> None:
    """Missing and unknown ids are all listed, the latter with their lines."""
    raw = plain(LABELS).replace(f"{IDS[3]} ".encode(), b"one ", 1).replace(f"\n{IDS[9]} ".encode(), b"\ntwo ", 1)
    with pytest.raises(DataError) as caught:
        new_key(TEST, "key.txt", raw)
    found = [(one.code, one.found, one.line) for one in caught.value.problems]
    unknown, missing = [("one", 4), ("two", 10)], [IDS[3], IDS[9]]
    assert found == [
        *(("key-unknown", f"pair {id!r}", line) for id, line in unknown),
        *(("key-missing", f"no pair {id!r}", None) for id in missing),
    ]


def test_ways() -> None:
    """A two-way task takes either kind of key; beside a three-way task on the same file it must be three-way."""
    two = read_test(TWO_WAY, RAW)
    assert read_test(TWO_WAY, new_key(two, "new", TWO_LABELS)).blind == two.blind
    assert codes_of(TWO_LABELS, TEST, test=two) == {"key-labels"}


def test_white_space_in_texts_is_no_other_text() -> None:
    """Texts that were wrapped anew are the same texts, and teams keep what they have."""
    raw = lines_of_json(changed()).replace(b" the ", b"  the ")
    made = new_key(TEST, "new.jsonl", raw)
    assert made != raw
    assert read_test(TASK, made).blind == TEST.blind


def previewed(
    labels: np.ndarray, task: Task = TASK, seed: str = "", files: dict[str, tuple[str, bytes]] = FILES
) -> Rescoring:
    """What other labels change for four example runs."""
    old = read_test(task, RAW, seed)
    new = rekeyed(old, new_key(old, "new", plain(labels)), seed)
    sides = [{name: check_run(test, *file).scores for name, file in files.items()} for test in (old, new)]
    return preview(1, [Rescored(old, new, files, *sides)])


def test_the_preview_against_counting_by_hand() -> None:
    """Labels, scores, places and passes are what a few loops over the answers give."""
    labels = changed(30)
    found = previewed(labels)
    assert [(one.way, one.old, one.new, one.units) for one in found.labels] == [
        ("3", "UNKNOWN", "ENTAILMENT", 30),
        ("2", "NO_ENTAILMENT", "ENTAILMENT", 30),
    ]
    answers = dict(zip(FILES, together(TEST, FILES).codes.tolist(), strict=True))
    by_hand = {
        (way, run): [sum(map(same, codes, key.tolist())) / len(codes) for key in (LABELS, labels)]
        for way, same in (("3", int.__eq__), ("2", lambda a, b: (a == 0) == (b == 0)))
        for run, codes in answers.items()
    }
    assert {(row.way, row.run): [row.old, row.new] for row in found.runs} == {
        at: [pytest.approx(one) for one in both] for at, both in by_hand.items()
    }
    flips = set()
    for way, a, b in ((way, *pair) for way in "32" for pair in itertools.permutations(FILES, 2)):
        (old_a, new_a), (old_b, new_b) = by_hand[way, a], by_hand[way, b]
        if old_a < old_b and new_a > new_b:
            flips.add((way, a, b))
    assert flips, "the example has some"
    assert {(one.way, one.run, one.passed) for one in found.passes} == flips
    for row in found.runs:
        for place, side in ((row.old_place, 0), (row.new_place, 1)):
            above = [run for run in FILES if by_hand[row.way, run][side] > by_hand[row.way, row.run][side] + 1e-12]
            assert place == len(above) + 1


def test_a_claim_about_the_order_is_none_about_significance() -> None:
    """A sentence says who passes whom, and what the test says of the two by the new key."""
    from karat.studies.compare.study import compare

    labels = changed(30)
    found = previewed(labels)
    new = rekeyed(TEST, new_key(TEST, "new", plain(labels)), "")
    both = {}
    for test in (TEST, new):
        for way in "32":
            for pair in compare(together(test, FILES), way=way).pairs:
                both[test is new, way, *sorted((pair.a, pair.b))] = pair
    for one in found.passes:
        pair = both[True, one.way, *sorted((one.run, one.passed))]
        assert one.verdict == ("significantly better" if pair.different else "not significantly different")
        told = [str(text) for text in found.findings() if f"{one.run} passes {one.passed}," in text]
        assert told
        assert all(one.verdict in text for text in told)
    changes = {at[1:] for at, pair in both.items() if at[0] and pair.different != both[False, *at[1:]].different}
    assert {(one.way, *sorted((one.a, one.b))) for one in found.verdicts} >= changes
    for row in found.verdicts:
        was, now = (both[newer, row.way, *sorted((row.a, row.b))] for newer in (False, True))
        assert (was.different, was.difference > 0) != (now.different, now.difference > 0)


def test_a_verdict_that_changes_its_sign() -> None:
    """Two runs that swap a significant lead are told as such."""
    right = [THREE.labels[code] for code in LABELS.tolist()]
    wrong = [THREE.labels[(code + 1) % 3] for code in LABELS.tolist()]
    files = {
        name: ("run.txt", "".join(f"{id} {word}\n" for id, word in zip(IDS, given, strict=True)).encode())
        for name, given in (("right", right), ("wrong", wrong))
    }
    turned = np.array([(code + 1) % 3 for code in LABELS.tolist()], dtype=np.int8)
    found = previewed(turned, files=files)
    (one,) = [row for row in found.verdicts if row.way == "3"]
    assert (one.a, one.b, one.old_verdict, one.new_verdict) == (
        "wrong", "right", "significantly worse", "significantly better"
    )  # fmt: skip
    assert any("changes sign, and is significant both times (100.0 points" in text for text in found.findings())
    assert any("wrong has the highest accuracy, which right had before" in text for text in found.findings())


def test_many_runs() -> None:
    """Of many pairs of runs the first are shown, with their number; all of them are in the result."""
    lines = plain(LABELS).decode().splitlines()
    files = {}
    for count in range(20):
        answers = [line if place < 60 + count else line.split()[0] + " UNKNOWN" for place, line in enumerate(lines)]
        files[f"run-{count:02}"] = ("run.txt", "\n".join(answers).encode())
    labels = LABELS.copy()
    labels[60:80] = 1
    labels[40:60] = (labels[40:60] + 1) % 3
    found = previewed(labels, files=files)
    three = [one for one in found.passes if one.way == "3"]
    by_place = [next(row.new_place or 0 for row in found.runs if (row.run, row.way) == (one.run, "3")) for one in three]
    assert by_place == sorted(by_place)
    assert len(three) > 100
    (sheet,) = [one for one in found.sheets() if one.title == "three-way, scored three-way: runs that pass others"]
    assert len(sheet.rows()) == 100
    assert sheet.notes[0] == f"the first 100 of {len(three)}; JSON lists all"
    said = [str(one) for one in found.findings() if "scored three-way" in one and "change their order" in one]
    assert said == [f"three-way, scored three-way: {len(three) - 5} more pairs of runs change their order."]


def test_the_same_key() -> None:
    """A key with the same labels changes nothing, and is no new version."""
    found = previewed(LABELS)
    assert (found.old_version, found.new_version) == (1, 1)
    assert [*found.labels, *found.passes, *found.verdicts, *found.moved] == []
    assert [str(one) for one in found.findings()] == [
        f"three-way, scored {way}: {what}"
        for way in ("three-way", "two-way")
        for what in ("no label changes.", "every run keeps its place.")
    ]
    assert same_key(TEST, rekeyed(TEST, new_key(TEST, "new", table(LABELS)), ""))


def test_few_runs_and_pairs_taken_out() -> None:
    """One run, or none, has no tests; pairs without a label are counted and warned about."""
    labels = changed(1)
    labels[-2:] = -1
    for files in ({}, dict([*FILES.items()][:1])):
        found = previewed(labels, files=files)
        assert str(found.findings()[0]) == (
            "three-way, scored three-way: 1 of 160 pairs gets another label and 2 pairs are no longer scored."
        )
        assert [one.code for one in found.warnings] == ["unlabelled"]
        assert [view.new_units for view in found.views] == [158, 158]
        assert [*found.passes, *found.verdicts] == []
        for form in ("text", "json", "html") if files else ():
            assert render(found, form)


def test_a_live_board_does_not_count() -> None:
    """Scores are those of the pairs that are not on the live board; a key of the others alone is refused."""
    task = Task(name="three-way", test="pairs.xml", public_share=0.5)
    test = read_test(task, RAW, "seed")
    assert test.live is not None
    public = test.live.labels >= 0
    labels = LABELS.copy()
    labels[public] = (labels[public] + 1) % 3
    found = previewed(labels, task, "seed")
    assert [row.change for row in found.runs] == [0.0] * len(found.runs)
    assert [row.old_ranks for row in found.runs] == [row.new_ranks for row in found.runs]
    assert found.verdicts == []
    assert {view.old_units for view in found.views} == {int((~public).sum())}
    assert found.views[0].live == int(public.sum())
    assert found.labels == []
    alone = np.where(public, LABELS, -1)
    with pytest.raises(DataError, match="live board alone"):
        previewed(alone, task, "seed")


@given(st.dictionaries(st.text("abc", max_size=3), st.sampled_from([0.1, 0.2, 0.1 + 0.2, 0.3, float("nan")])))
def test_places(scores: dict[str, float]) -> None:
    """One more than the number of runs that are better; runs that differ by rounding alone are tied."""
    found = places(scores)
    assert set(found) == {run for run, score in scores.items() if score == score}
    for run, place in found.items():
        assert place == 1 + sum(score > scores[run] + 1e-9 for score in scores.values())

"""The linguistically biased baseline: monothematic pairs, originals, and what it falls back to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import karat
from karat.data.pairs import Pairs
from karat.engines.batch import attributes_with_parts, chunks_of
from karat.engines.model import Model
from karat.engines.phenomena import spoken
from karat.errors import UsageError
from karat.examples import DECOMPOSED
from karat.labels import THREE, TWO
from tests.engines.labelled import answer, decide, in_pieces, labelled


def decomposed(**parts: str) -> Pairs:
    """Originals by name, each `LABEL phenomenon=LABEL …`; parts are called after them."""
    rows, ids, original, phenomenon = [], [], [], []
    for name, spelled in parts.items():
        label, *own = spelled.split()
        for number, part in enumerate(["", *own]):
            said, _, letter = part.partition("=")
            rows.append((f"text {name}", f"hypothesis {name} {number}", letter or label))
            ids.append(f"{name}{number or ''}")
            original.append(name if part else None)
            phenomenon.append(said or None)
    return labelled(rows, THREE, {"original": original, "phenomenon": phenomenon}, ids)


LEARNT = decomposed(
    a="E lex:synonymy=E lex:synonymy=E synt:apposition=E",
    b="C lex:synonymy=C synt:apposition=C lex:identity=C",
    c="U reas:quantity=U reas:quantity=U reas:quantity=C synt:list=E",
    d="E disc:ellipsis=E",
)
"""synonymy ⅔ positive; apposition even; identity a contradiction; quantity ⅔ unknown; list and ellipsis positive."""


@pytest.fixture(scope="module")
def model() -> Model:
    """What is learnt from the pairs above."""
    return decide("biased", LEARNT, LEARNT, THREE)[0]


def test_what_is_counted(model: Model) -> None:
    """The labels of the monothematic pairs of each phenomenon, of each category, and of all; not of originals."""
    state = model.state
    assert state["phenomena"]["lexical:synonymy"] == {"ENTAILMENT": 2, "UNKNOWN": 0, "CONTRADICTION": 1}
    assert state["categories"]["lexical"] == {"ENTAILMENT": 2, "UNKNOWN": 0, "CONTRADICTION": 2}
    assert state["all"] == {"ENTAILMENT": 5, "UNKNOWN": 2, "CONTRADICTION": 4}


@pytest.mark.parametrize(
    ("phenomenon", "label", "sure"),
    [
        ("lex:synonymy", "E", 2 / 3),
        ("syntactic:apposition", "C", 0.5),
        ("identity", "C", 0.0),
        ("quantity", "U", 0.0),
        ("lex:hypernymy", "C", 0.5),
        ("synt:coordination", "E", 2 / 3),
        ("lexsynt:paraphrase", "C", 5 / 11),
    ],
)
def test_monothematic(model: Model, phenomenon: str, label: str, sure: float) -> None:
    """The likelier judgment, at exactly half the negative one; a phenomenon never met is judged by its category, and
    where that was not met either, by all."""
    test = labelled([("t", "h", "E")], THREE, {"phenomenon": [phenomenon]})
    found = answer(model, test)
    assert "EUC"[found.codes[0]] == label
    assert found.confidence[0] == pytest.approx(sure)
    assert (found.confidence[0] >= 0.5) == (label == "E")


@pytest.mark.parametrize(
    ("parts", "label"),
    [
        ("lex:synonymy=E disc:ellipsis=E", "E"),
        ("lex:synonymy=E synt:apposition=E", "E"),
        ("lex:synonymy=E lex:identity=E", "C"),
        ("lex:synonymy=E reas:quantity=E", "U"),
        ("reas:quantity=E lex:identity=E", "C"),
    ],
)
def test_original(model: Model, parts: str, label: str) -> None:
    """An original is contradicted where a phenomenon is so in more than half of its pairs, half not being enough."""
    test = decomposed(z=f"E {parts}")
    found = answer(model, test)
    assert "EUC"[found.codes[0]] == label
    assert (found.confidence[0] >= 0.5) == (label == "E")
    # Its parts need not be in the same batch.
    assert in_pieces(model, test, 1) == found.codes.tolist()


def test_original_without_its_parts(model: Model) -> None:
    """An original of the training set is known again by its words; one with the same id and other words is not."""
    again = labelled([("text b", "hypothesis b 0", "E"), ("text b", "another", "E")], THREE, ids=["x", "b"])
    assert answer(model, again).codes.tolist() == [2, 1]


def test_listed_phenomena(model: Model) -> None:
    """A file may say itself which phenomena an original holds."""
    test = labelled([("t", "h", "E")] * 2, THREE, {"phenomena": ["synonymy; ellipsis", "synonymy; identity"]})
    assert answer(model, test).codes.tolist() == [0, 2]


def test_negative_alike() -> None:
    """A monothematic pair whose phenomenon is as often unknown as contradicted is contradicted."""
    train = decomposed(a="C lex:identity=U lex:identity=C", b="E lex:format=E")
    _, decisions = decide("biased", train, train, THREE)
    assert decisions.codes.tolist() == [1, 2, 2, 0, 0]


def test_what_a_file_lists_goes_before(model: Model) -> None:
    """An original that lists its phenomena is judged by these, not by those of its parts."""
    made = decomposed(z="E lex:synonymy=E")
    test = replace(made, attributes={**made.attributes, "phenomena": ("identity", None)})
    assert answer(model, test).codes.tolist() == [2, 0]


def test_two_ways() -> None:
    """Folded, what is negative is no entailment."""
    model, decisions = decide("biased", LEARNT, LEARNT, TWO)
    assert model.state["all"] == {"ENTAILMENT": 5, "NO_ENTAILMENT": 6}
    by_id = dict(zip(LEARNT.ids, decisions.codes.tolist(), strict=True))
    assert [by_id[name] for name in "abcd"] == [0, 1, 1, 0]


def test_another_attribute() -> None:
    """Any attribute can play the phenomenon."""
    sections = ["plurals", "plurals", "adjectives", "adjectives"]
    train = labelled([("t", "h", letter) for letter in "EENE"], attributes={"section": sections})
    test = labelled([("t", "h", "E")] * 3, attributes={"section": ["plurals", "adjectives", None]})
    _, decisions = decide("biased(by=section)", train, test)
    assert decisions.codes.tolist() == [0, 1, 0]


@pytest.mark.parametrize("told", [("phenomenon",), ("category",), ("phenomenon", "category")])
def test_by_category(told: tuple[str, ...]) -> None:
    """Categories are counted as phenomena are, said or known from these; originals have those of their parts."""

    def with_categories(pairs: Pairs) -> Pairs:
        spelled = [(one or "").partition(":")[0] or None for one in pairs.attributes["phenomenon"]]
        columns = {**pairs.attributes, "category": tuple(spelled)}
        return replace(pairs, attributes={name: columns[name] for name in ("original", *told)})

    train = with_categories(LEARNT)
    test = with_categories(decomposed(x="E disc:ellipsis=E synt:list=E", y="E disc:ellipsis=E reas:quantity=E"))
    model, decisions = decide("biased(by=category)", train, test, THREE)
    assert model.state["phenomena"]["lexical"] == {"ENTAILMENT": 2, "UNKNOWN": 0, "CONTRADICTION": 2}
    assert dict(zip(test.ids, decisions.codes.tolist(), strict=True)) == {
        "x": 0,
        "x1": 0,
        "x2": 0,
        "y": 1,
        "y1": 0,
        "y2": 1,
    }
    assert in_pieces(model, test, 1) == decisions.codes.tolist()
    assert decisions.justifications is not None
    said = dict(zip(test.ids, (one.text for one in decisions.justifications), strict=True))
    assert (
        said["x"]
        == "Hypotheses that rest on discourse or something syntactic follow from their texts more often than not."
    )
    assert said["y"] == "Hypotheses that rest on reasoning mostly do not follow from their texts."
    # An original of the training set is known again where its parts are not beside it.
    again = labelled([("text c", "hypothesis c 0", "E")], THREE)
    assert answer(model, again).codes.tolist() == [1]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lexical", "something lexical"),
        ("lexical-syntactic", "something lexical-syntactic"),
        ("discourse", "discourse"),
        ("spatial", "something spatial"),
        ("geographical-knowledge", "geographical knowledge"),
        ("active-passive", "active and passive voice"),
        ("Generalized Quantifiers", "Generalized Quantifiers"),
        ("-", "-"),
    ],
)
def test_spoken(name: str, expected: str) -> None:
    """What is called by an adjective is something of that kind; a known name has no hyphen in a sentence."""
    assert spoken(name) == expected


def test_nothing_to_learn_from() -> None:
    """A set without monothematic pairs is refused, and what to do instead is said."""
    train = labelled([("t", "h", "E"), ("t", "h", "N")])
    with pytest.raises(UsageError, match=r"no labelled pair with a phenomenon.*biased\(by=ATTRIBUTE\)"):
        decide("biased", train, train)


def test_justifications() -> None:
    """The phenomenon that decides is named, without a figure."""
    _, decisions = decide("biased", LEARNT, LEARNT, THREE)
    assert decisions.justifications is not None
    said = dict(zip(LEARNT.ids, (one.text for one in decisions.justifications), strict=True))
    assert (
        said["a"] == "Hypotheses that rest on synonymy or apposition follow from their texts at least as often as not."
    )
    assert said["a1"] == "Hypotheses that rest on synonymy follow from their texts more often than not."
    assert said["a3"] == "Hypotheses that rest on apposition follow from their texts only as often as not."
    assert said["b"] == "Hypotheses that rest on identity mostly go against their texts."
    assert said["c"] == "Hypotheses that rest on quantity mostly do not follow from their texts."


def test_parts_are_listed_once() -> None:
    """Pairs that name no original are left as they are; others say what their parts hold, each phenomenon once."""
    plain = labelled([("t", "h", "E")], attributes={"phenomenon": ["synonymy"]})
    assert attributes_with_parts(plain) is plain.attributes
    (chunk,) = chunks_of(LEARNT)
    listed = dict(zip(LEARNT.ids, chunk[3]["phenomena"], strict=True))
    assert listed["a"] == "lexical:synonymy;syntactic:apposition"
    assert listed["a1"] is None


def test_example() -> None:
    """On the shipped decomposition each phenomenon gets the judgment that most of its pairs have."""
    pairs = karat.read_pairs(DECOMPOSED)
    _, decisions = decide("biased", pairs, pairs, THREE)
    kinds = [*zip(pairs.attributes["category"], pairs.attributes["phenomenon"], strict=True)]
    for kind in {kind for kind in kinds if kind[1]}:
        rows = np.array([one == kind for one in kinds])
        (answered,) = set(decisions.codes[rows].tolist())
        assert (answered == 0) == ((pairs.labels[rows] == 0).mean() > 0.5)

"""Word overlap against sets of Python strings, and what is learnt of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from karat.engines.answering import Answerer
from karat.engines.batch import Batch, chunks_of
from karat.engines.engine import Setup
from karat.engines.knowledge import Knowledge, load_knowledge
from karat.engines.model import fit, make_engine
from karat.engines.overlap import Overlap, PlainWords, Variant, commoner_negative, count_words
from karat.engines.rarity import Rarity
from karat.engines.text.vocabulary import Vocabulary
from karat.errors import UsageError
from karat.labels import THREE, TWO
from tests.engines.labelled import answer, bare_knowledge, decide, in_pieces, labelled

T = "The engines of Ely were sold to a rival in June, and two ships sank."
CASES = [
    (T, "The engine was sold.", {"token": 3 / 5, "lemma": 1.0, "content": 1.0}),
    (T, "Ely sold ships to Rome in July.", {"token": 6 / 8, "lemma": 6 / 8, "content": 3 / 5}),
    (T, "It was of the other.", {"token": 3 / 6, "lemma": 4 / 6, "content": 1.0}),
    (T, "", {"token": 1.0, "lemma": 1.0, "content": 1.0}),
    ("", "Ely sank.", {"token": 0.0, "lemma": 0.0, "content": 0.0}),
    ("ELY", "ely", {"token": 1.0, "lemma": 1.0, "content": 1.0}),
]
"""The share of each hypothesis that its text has: as spelled, by lemma, without function words and full stops."""


def shares(knowledge: Knowledge, pairs: Sequence[tuple[str, str]], variant: Variant, rarity: Rarity) -> list[float]:
    """What a variant says of pairs."""
    ids = [str(place) for place in range(len(pairs))]
    batch = Batch(knowledge, ids, [text for text, _ in pairs], [hypothesis for _, hypothesis in pairs])
    return PlainWords(batch).share(variant, rarity if variant == "idf" else None).tolist()


@pytest.mark.parametrize("variant", ["token", "lemma", "content"])
def test_share(variant: Variant) -> None:
    """Counted by hand; without a word that counts nothing is missing."""
    pairs = [(text, hypothesis) for text, hypothesis, _ in CASES]
    expected = [said[variant] for *_, said in CASES]
    assert shares(bare_knowledge(), pairs, variant, Rarity(1, {})) == pytest.approx(expected)


def test_rarity_weighs() -> None:
    """A word counts as much as it is rare among training texts and hypotheses: log of documents by those with it."""
    rarity = Rarity(8, {"ely": 4, "ship": 2, "rome": 1})
    found = shares(bare_knowledge(), [(T, "Ely ships Rome Nowhere")], "idf", rarity)
    ely, ship, rome, never = np.log([8 / 4, 8 / 2, 8 / 1, 8 / 1])
    assert found == pytest.approx([(ely + ship) / (ely + ship + rome + never)])


def test_counted_words() -> None:
    """A document counts once for each lemma in it, T and H apart, whatever the case."""
    batch = Batch(bare_knowledge(), ["1"], ["Ships sank. The ship SANK."], ["A ship sank."])
    rarity = count_words([batch])
    assert rarity.documents == 2
    assert rarity.counts["ship"] == 2
    assert "the" not in rarity.counts  # in one document: it weighs as a word that was never met


def test_weights_grow_with_the_vocabulary() -> None:
    """Words met after the weights were asked for weigh as unmet ones, and the others what they did."""
    knowledge = bare_knowledge()
    vocabulary, rarity = knowledge.vocabulary, Rarity(8, {"ship": 2})
    before = rarity.weights(vocabulary)[vocabulary.lemma_id("ship")]
    place = vocabulary.lemma_id("hitherto-unheard-of")
    after = rarity.weights(vocabulary)
    assert (before, after[vocabulary.lemma_id("ship")], after[place]) == pytest.approx(
        [np.log(4), np.log(4), np.log(8)]
    )
    other = bare_knowledge().vocabulary
    other.lemma_id("first")
    assert rarity.weights(other)[other.lemma_id("ship")] == pytest.approx(np.log(4))


def test_dictionary() -> None:
    """With a dictionary a word stands for what it implies, unless that relation is switched off."""
    knowledge = load_knowledge()
    if not knowledge.wordnet:
        pytest.skip("WordNet is not found here")
    pair, rarity = [("He purchased a dog.", "He bought an animal.")], Rarity(4, {})
    assert shares(knowledge, pair, "content", rarity) == [0.0]
    (whole,) = shares(knowledge, pair, "idf", rarity)
    (less,) = shares(load_knowledge(without=["hypernyms"]), pair, "idf", rarity)
    assert 0.75 < whole < 1
    assert less == pytest.approx(0.5, abs=0.05)
    assert shares(load_knowledge(without=["wordnet"]), pair, "idf", rarity) == [0.0]


ROWS = [
    ("Ann met Bob in Rome", "Ann met Bob", "E"),
    ("Ann met Bob in Rome", "Bob is in Rome", "E"),
    ("Ann met Bob in Rome", "Carl met Dan", "N"),
    ("Ann met Bob in Rome", "Carl left Dan in Oslo", "N"),
]


def test_learns_the_threshold() -> None:
    """What has enough of its words in the text is entailed; how sure it is steps over even where the answer does."""
    train = labelled(ROWS)
    model, decisions = decide("overlap(variant=token)", train, train)
    assert decisions.codes.tolist() == [0, 0, 1, 1]
    sure = answer(model, train).confidence
    assert ((sure >= 0.5) == (decisions.codes == 0)).all()
    assert sure[0] > sure[1] > sure[2] > sure[3]
    assert decisions.justifications is not None
    assert all(one.text.endswith(".") for one in decisions.justifications)


@pytest.mark.parametrize(("letters", "expected"), [("UUCUU", 1), ("UCC", 2), ("UC", 1), ("", 1)])
def test_three_ways(letters: str, expected: int) -> None:
    """Below the threshold stands the commoner of the other labels, of equals UNKNOWN."""
    assert commoner_negative(np.array([0, *("EUC".index(letter) for letter in letters)], dtype=np.int8)) == expected
    rows = [ROWS[0], ROWS[1], *((text, hypothesis, letter) for letter in letters for text, hypothesis, _ in ROWS[2:])]
    _, decisions = decide("overlap", labelled(rows, THREE), labelled(ROWS, THREE), THREE)
    assert decisions.codes.tolist() == [0, 0, *([expected] * 2 if letters else [0, 0])]


def test_threshold_is_nearly_the_best_in_three_ways() -> None:
    """No threshold gets many more training pairs right: the pairs of the label that is never answered have no say."""
    random = np.random.default_rng(4)
    text = "a b c d e f g h"
    rows = [
        (text, " ".join(random.choice(list("abcdefghklmnopqr"), 6)), str(random.choice(list("EEUUC"))))
        for _ in range(60)
    ]
    train = labelled(rows, THREE)
    _, decisions = decide("overlap(variant=token)", train, train, THREE)
    scores = np.array([sum(word in text.split() for word in h.split()) / 6 for _, h, _ in rows])
    best = max((np.where(scores >= cut, 0, 1) == train.labels).sum() for cut in [*scores, 2.0])
    assert best - (decisions.codes == train.labels).sum() <= 2


def test_grounds() -> None:
    """Checks have a say only in contradictions, so they justify nothing in two ways."""
    engines = [make_engine("overlap", Setup(bare_knowledge(), way)) for way in (TWO, THREE)]
    assert [bool(engine.grounds) for engine in engines if isinstance(engine, Overlap)] == [False, True]


def test_pieces() -> None:
    """Answers do not depend on how many pairs are answered at once."""
    train = labelled(ROWS)
    model, decisions = decide("overlap", train, train)
    assert in_pieces(model, train, 1) == in_pieces(model, train, 3) == decisions.codes.tolist()


@pytest.mark.parametrize("engine", ["overlap(variant=letters)", "overlap(per_setting=True)"])
def test_refused(engine: str) -> None:
    """A variant and a parameter that there are not."""
    with pytest.raises(UsageError, match=r"letters|per_setting"):
        decide(engine, labelled(ROWS), labelled(ROWS), TWO)


def test_words_are_not_tagged(monkeypatch: pytest.MonkeyPatch) -> None:
    """In two ways nobody asks what kinds of word a spelling may be, which takes longer than all else of a new word."""
    pairs = labelled([(T, hypothesis, "EU"[place % 2]) for place, (_, hypothesis, _) in enumerate(CASES)])
    monkeypatch.setattr(Vocabulary, "sorts", None)
    model = fit("overlap", pairs, TWO)
    assert not Answerer(model, justify=False).answer(next(chunks_of(pairs))).failures

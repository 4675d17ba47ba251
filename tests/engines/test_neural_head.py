"""Tests of what is learnt over a network: by its own features in plain loops, and by scikit-learn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
pytest.importorskip("tokenizers", reason="tokenizers is not installed")
pytest.importorskip("onnx", reason="onnx, which makes the networks of these tests, is not installed")

from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from karat.arrays import Floats
from karat.data.pairs import Pairs
from karat.engines.batch import Batch
from karat.engines.learning.classifiers import fit_logistic
from karat.engines.model import Model, fit, load_model
from karat.engines.neural.head import PENALTIES, fit_head
from karat.engines.neural.reading import LIKENESSES, NetworkOptions, _reader, reader_of
from karat.engines.validation import cross_validate
from karat.errors import UsageError
from karat.labels import THREE, TWO, Way
from karat.studies.ablate import ablate, parts_of
from tests.engines.labelled import bare_knowledge, decide, labelled
from tests.engines.networks import WORDS, Tiny, make_network
from tests.engines.test_neural import KNOWLEDGE, NLI, make_batch

LEARNT = ("LABEL_0", "LABEL_1", "LABEL_2")
"""Names of outputs that say nothing, so that answers must have been learnt."""


def pairs_of(tiny: Tiny, way: Way = TWO, many: int = 200, seed: int = 4) -> Pairs:
    """Random pairs, labelled by the outputs of the network: two-way by whether the first is large, half of them."""
    rng = np.random.default_rng(seed)
    pairs = [(" ".join(rng.choice(WORDS[4:], 5)), " ".join(rng.choice(WORDS[4:], 3))) for _ in range(many)]
    outputs = np.array([tiny.outputs(text, hypothesis) for text, hypothesis in pairs])
    first = outputs[:, 0] > np.median(outputs[:, 0])
    letters = ["EUC"[best] for best in outputs.argmax(axis=1)] if way is THREE else np.where(first, "E", "U").tolist()
    return labelled([(*pair, letter) for pair, letter in zip(pairs, letters, strict=True)], way)


@pytest.mark.parametrize("way", [TWO, THREE], ids=["two-way", "three-way"])
def test_learning_over_outputs(way: Way, tmp_path: Path) -> None:
    """What outputs without names mean is learnt from labelled pairs, and holds for pairs that were not seen."""
    tiny = make_network(tmp_path, LEARNT, length=20)
    engine = f"neural(model='{tmp_path}')"
    model, decisions = decide(engine, pairs_of(tiny, way), pairs_of(tiny, way, seed=5), way)
    assert (decisions.codes == pairs_of(tiny, way, seed=5).labels).mean() > 0.9
    assert not decisions.failures
    assert model.trained_on is not None
    assert len(model.state["entails"]["weights"]) == 3
    with pytest.raises(UsageError, match="LABEL_0, LABEL_1, LABEL_2; expected entailment"):
        decide(engine, None, pairs_of(tiny, way), way)


def test_the_order_of_outputs_does_not_matter(tmp_path: Path) -> None:
    """Two networks that differ only in the order of their outputs give the same answers after training."""
    found = []
    for name, labels in (("a", NLI), ("b", NLI[::-1])):
        folder = tmp_path / name
        folder.mkdir()
        tiny = make_network(folder, labels, length=20)
        if name == "b":
            import onnx
            from onnx import numpy_helper

            made = onnx.load(str(folder / "model.onnx"))
            (weights,) = [one for one in made.graph.initializer if one.name == "weights"]
            weights.CopyFrom(numpy_helper.from_array(tiny.weights[:, ::-1].copy(), "weights"))
            onnx.save(made, str(folder / "model.onnx"))
        found.append(decide(f"neural(model='{folder}')", pairs_of(tiny), pairs_of(tiny, seed=6))[1])
    np.testing.assert_allclose(found[0].confidence, found[1].confidence, atol=1e-6)
    assert 0 < (found[0].codes == 0).mean() < 1


@pytest.mark.parametrize("pooling", ["mean", "first"])
def test_features_read_together(pooling: str, tmp_path: Path) -> None:
    """A pooled hidden layer is the mean of the vectors of the pair's tokens, without padding, or the first one."""
    tiny = make_network(tmp_path, NLI, outputs=("last_hidden_state",), length=30)
    batch = make_batch(20)
    asked = NetworkOptions(str(tmp_path), reading="together", pooling=pooling)  # type: ignore[arg-type]
    found, reasons = reader_of(asked).features(batch)
    assert not reasons
    for row, (text, hypothesis) in enumerate(zip(batch.texts, batch.hypotheses, strict=True)):
        first, second = tiny.vectors(text), tiny.vectors(hypothesis)[1:]
        second = (np.array(second) - tiny.sides[0] + tiny.sides[1]).tolist()
        expected = np.array(first[0]) if pooling == "first" else np.mean([*first, *second], axis=0)
        np.testing.assert_allclose(found[row], expected, rtol=1e-4, atol=1e-5)


def cosine(a: list[float], b: list[float]) -> float:
    """By its definition."""
    return sum(x * y for x, y in zip(a, b, strict=True)) / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))


@pytest.mark.parametrize("output", ["last_hidden_state", "sentence_embedding"])
def test_features_read_apart(output: str, tmp_path: Path) -> None:
    """Likenesses, differences and products of the vectors of T and H, as plain loops have them."""
    tiny = make_network(tmp_path, NLI, outputs=(output,), length=30)
    batch = make_batch(20)
    reader = reader_of(NetworkOptions(str(tmp_path)))
    assert reader.apart
    found, _ = reader.features(batch)
    for row, (text, hypothesis) in enumerate(zip(batch.texts, batch.hypotheses, strict=True)):
        t, h = tiny.vectors(text), tiny.vectors(hypothesis)
        means = [[sum(column) / len(rows) for column in zip(*rows, strict=True)] for rows in (t, h)]
        u, v = ([x / math.sqrt(sum(y * y for y in mean)) for x in mean] for mean in means)
        if output == "last_hidden_state":
            best = sorted(max(cosine(one, other) for other in t[1:-1]) for one in h[1:-1])
        else:
            best = [cosine(u, v)]
        expected = [cosine(u, v), sum(best) / len(best), best[0], sum(best[:3]) / len(best[:3])]
        expected += [abs(a - b) for a, b in zip(u, v, strict=True)] + [a * b for a, b in zip(u, v, strict=True)]
        np.testing.assert_allclose(found[row], expected, rtol=1e-4, atol=1e-5)
    assert list(reader.columns(batch)) == list(LIKENESSES)


def test_empty_texts(tmp_path: Path) -> None:
    """A text or a hypothesis without a single word has numbers all the same."""
    make_network(tmp_path, NLI, outputs=("last_hidden_state",))
    batch = Batch(KNOWLEDGE, ["1", "2", "3"], ["", "a cat", ""], ["a cat", "", ""])
    found, reasons = reader_of(NetworkOptions(str(tmp_path))).features(batch)
    assert not reasons
    assert np.isfinite(found).all()
    assert reader_of(NetworkOptions(str(tmp_path))).features(Batch(KNOWLEDGE, [], [], []))[0].shape == (
        0,
        found.shape[1],
    )


def test_the_head_is_scikit_learns() -> None:
    """With more features than pairs too, the head is the penalised logistic regression that scikit-learn finds."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(60, 90)) * rng.uniform(0.1, 10, 90) + rng.normal(size=90)
    yes = features[:, 0] / features[:, 0].std() + rng.normal(size=60) > 0
    for penalty in (0.5, 30.0):
        scaled = StandardScaler().fit_transform(features)
        oracle = LogisticRegression(C=1 / penalty, tol=1e-10, max_iter=5000).fit(scaled, yes)
        model = fit_logistic(features, yes, penalty)
        np.testing.assert_allclose(model.weights, oracle.coef_[0], atol=1e-4)
        np.testing.assert_allclose(model.probability(features), oracle.predict_proba(scaled)[:, 1], atol=1e-4)


def test_noise_is_not_learnt() -> None:
    """If hundreds of features have nothing to do with the labels, the penalty is so heavy that they hardly count."""
    extreme, heavy = 0, 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        codes = rng.integers(0, 2, 200).astype(np.int8)
        head = fit_head(rng.normal(size=(200, 300)), codes, np.arange(200), seed=seed)
        assert head.entails is not None
        heavy += head.entails.penalty >= PENALTIES[1]
        unseen = head.likelihoods(rng.normal(size=(1000, 300)))[:, 0]
        extreme += (np.abs(unseen - 0.5) > 0.4).mean() > 0.01
    assert heavy >= 8
    assert extreme <= 1


def test_few_features_or_all() -> None:
    """If the first features say it all, only they are learnt from; if others say more, and pairs are many, all are."""
    chosen = {False: 0, True: 0}
    for seed in range(10):
        rng = np.random.default_rng(seed)
        features = rng.normal(size=(300, 60))
        for told in chosen:
            score = features[:, 10:40].sum(axis=1) / 3 if told else 2 * features[:, 0]
            codes = (score + rng.logistic(size=300) < 0).astype(np.int8)
            head = fit_head(features, codes, np.arange(300), 4, seed)
            assert head.entails is not None
            chosen[told] += len(head.entails.weights) == (60 if told else 4)
            right = (head.likelihoods(features)[:, 0] > 0.5) == (codes == 0)
            assert right.mean() > 0.7
    assert chosen == {False: 10, True: 10}


def test_contradiction_needs_examples() -> None:
    """With few contradictions among the training pairs none is answered; probabilities add up to one."""
    rng = np.random.default_rng(0)
    codes = np.repeat([0, 1, 2], [40, 40, 7]).astype(np.int8)
    features = rng.normal(size=(87, 3)) + codes[:, None]
    few = fit_head(features, codes, np.arange(87))
    assert few.contradicts is None
    assert (few.likelihoods(features)[:, 2] == 0).all()
    enough = fit_head(np.vstack([features, features[-3:]]), np.append(codes, [2, 2, 2]).astype(np.int8), np.arange(90))
    likely = enough.likelihoods(features)
    np.testing.assert_allclose(likely.sum(axis=1), 1)
    assert (likely.argmax(axis=1) == 2).any()


def test_another_network_is_refused(tmp_path: Path) -> None:
    """A model knows its network by its files, wherever these are, and refuses any other."""
    first, second, same = (tmp_path / name / "network" for name in "abc")
    for folder, seed in ((first, 0), (second, 1), (same, 0)):
        folder.mkdir(parents=True)
        tiny = make_network(folder, NLI, length=20, seed=seed)
    pairs = pairs_of(tiny)
    path = tmp_path / "model.json"
    fit(f"neural(model='{first}')", pairs, TWO, knowledge=bare_knowledge()).save(path)
    assert str(tmp_path) not in path.read_text()
    with pytest.raises(UsageError, match="neural needs its argument model"):
        load_model(path, "neural")
    answers = []
    for folder in (first, same):
        model = load_model(path, f"neural(model='{folder}')")
        answers.append(decide_by(model, pairs))
    np.testing.assert_array_equal(answers[0], answers[1])
    with pytest.raises(UsageError, match=r"was learnt with sha256 \w{12}, but here the network is sha256 \w{12}"):
        decide_by(load_model(path, f"neural(model='{second}')"), pairs)


def decide_by(model: Model, pairs: Pairs) -> np.ndarray:
    """The confidences of a model that was read from a file."""
    from karat.engines.predicting import predict

    _reader.cache_clear()
    return predict(model, pairs, knowledge=bare_knowledge()).confidence


def test_training_pairs_that_cannot_be_read(tmp_path: Path) -> None:
    """A hypothesis that is too long is left out of the training, not learnt as something; few pairs are refused."""
    tiny = make_network(tmp_path, LEARNT, length=12)
    pairs = pairs_of(tiny)
    long = "a cat sleeps on the mat not every dog runs on the mat"
    engine = f"neural(model='{tmp_path}')"
    more = labelled(
        [
            *(
                (text, hypothesis, "EU"[label])
                for text, hypothesis, label in zip(pairs.texts, pairs.hypotheses, pairs.labels.tolist(), strict=True)
            ),
            *[("a cat", long, "E")] * 30,
        ]
    )
    knowledge = bare_knowledge()
    assert fit(engine, more, TWO, knowledge=knowledge).state == fit(engine, pairs, TWO, knowledge=knowledge).state
    with pytest.raises(UsageError, match=r"has 0 labelled pairs that the network can read; neural needs 10 or more"):
        fit(engine, labelled([("a cat", long, "E"), ("a dog", long, "U")] * 10), TWO, knowledge=knowledge)


def test_cross_validation_reads_each_pair_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many folds there are, the network runs once per pair, and no answer comes from its own fold."""
    from karat.engines.neural import reading

    tiny = make_network(tmp_path, LEARNT, length=20)
    pairs = pairs_of(tiny, many=100)
    _reader.cache_clear()
    read: list[str] = []
    together = reading.Reader._together

    def noted(self: reading.Reader, texts: Sequence[str], hypotheses: Sequence[str], output: str) -> Floats:
        read.extend(texts)
        return together(self, texts, hypotheses, output)

    monkeypatch.setattr(reading.Reader, "_together", noted)
    decisions = cross_validate(f"neural(model='{tmp_path}')", pairs, TWO, folds=4, knowledge=KNOWLEDGE)
    assert len(read) <= len(pairs) + 1
    assert (decisions.codes == pairs.labels).mean() > 0.85
    shuffled = replace(pairs, labels=np.random.default_rng(0).permutation(pairs.labels))
    unlearnable = cross_validate(f"neural(model='{tmp_path}')", shuffled, TWO, folds=4, knowledge=KNOWLEDGE)
    assert (unlearnable.codes == shuffled.labels).mean() < 0.7


@pytest.mark.parametrize("outputs", [("logits",), ("last_hidden_state",)])
def test_features_of_the_aligner(outputs: tuple[str, ...], tmp_path: Path) -> None:
    """A network is a family of features of the aligner, which can be switched off, and has its line when ablated."""
    tiny = make_network(tmp_path, LEARNT, length=20, outputs=outputs)
    pairs = pairs_of(tiny, many=60)
    engine = f"aligner(network='{tmp_path}')"
    model, decisions = decide(engine, pairs, pairs)
    features = [name for name in model.state["features"] if name.startswith("network.")]
    assert features == [f"network.{name}" for name in (LIKENESSES if outputs != ("logits",) else features_of_logits())]
    assert not decisions.failures
    assert model.knowledge["network"].startswith("sha256")
    assert msgspec.json.encode(model)
    assert "network" in parts_of(engine)
    assert "network" not in parts_of("aligner")
    made = ablate(engine, pairs, train=pairs, without=["network"])
    assert [part.without for part in made.parts] == ["network"]
    assert made.knowledge["network"] == model.knowledge["network"]
    if outputs == ("logits",):  # by which the pairs are labelled
        assert made.parts[0].worth.value > 0.05


def features_of_logits() -> list[str]:
    """One feature per output."""
    return [f"output_{place}" for place in range(3)]

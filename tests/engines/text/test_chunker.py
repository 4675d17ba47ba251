"""What the chunker promises: sentences with the edges that matter, and trees whatever it is given."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.engines.kernels.grammar import TAG_OF, Dependency, Kind, Tag
from karat.engines.lexicon.wordnet import NO_WORDNET, WordNet
from karat.engines.text.chunker import Chunker
from karat.engines.text.trees import Trees, index_tokens
from karat.engines.text.vocabulary import Vocabulary
from tests.engines.text.parsing import edges, is_forest, parse, tagged

SENTENCES = {
    "The company bought the factory.": "nsubj(bought, company) obj(bought, factory) det(factory, the)",
    "The factory was bought by the company in 1999.": (
        "nsubj:pass(bought, factory) aux:pass(bought, was) obl:agent(bought, company) obl(bought, 1999) case(1999, in)"
    ),
    "John Smith, the president of Acme, resigned yesterday.": (
        "nsubj(resigned, Smith) appos(Smith, president) nmod(president, Acme) case(Acme, of) obl(resigned, yesterday)"
    ),
    "The man who sold the house left.": "acl:relcl(man, sold) nsubj(sold, who) obj(sold, house) nsubj(left, man)",
    "Paris is the capital of France.": "nsubj(capital, Paris) cop(capital, is) nmod(capital, France)",
    "The water is very cold.": "nsubj(cold, water) cop(cold, is) advmod(cold, very)",
    "He said that the war ended.": "ccomp(said, ended) mark(ended, that) nsubj(ended, war)",
    "He said the war had ended.": "ccomp(said, ended) nsubj(ended, war) aux(ended, had)",
    "The war had ended, he said.": "root(, said) ccomp(said, ended) nsubj(said, he) nsubj(ended, war)",
    "She wants to leave.": "xcomp(wants, leave) mark(leave, to)",
    "They asked him to go.": "obj(asked, him) xcomp(asked, go)",
    "Mary gave John a book.": "iobj(gave, John) obj(gave, book)",
    "John's sister sold it.": "nmod:poss(sister, John) case(John, 's) nsubj(sold, sister) obj(sold, it)",
    "John and Mary met in Paris.": "nsubj(met, John) conj(John, Mary) cc(Mary, and) obl(met, Paris)",
    "The bank sold shares, bonds and land.": "obj(sold, shares) conj(shares, bonds) conj(shares, land) cc(land, and)",
    "The bridge built by the Romans collapsed.": (
        "acl(bridge, built) obl:agent(built, Romans) nsubj(collapsed, bridge) root(, collapsed)"
    ),
    "Officials did not confirm the report.": "aux(confirm, did) advmod:neg(confirm, not) nsubj(confirm, Officials)",
    "He won't leave.": "aux(leave, won) advmod:neg(leave, 't)",
    "When the rain stopped, the children played.": "advcl(played, stopped) nsubj(stopped, rain) root(, played)",
    "She left because he won.": "advcl(left, won) mark(won, because) nsubj(won, he)",
    "After the bomb exploded, police closed the road.": (
        "advcl(closed, exploded) mark(exploded, After) nsubj(exploded, bomb) nsubj(closed, police)"
    ),
    "The plan to build a dam was rejected.": "acl(plan, build) obj(build, dam) nsubj:pass(rejected, plan)",
    "He was accused of stealing cars.": "advcl(accused, stealing) mark(stealing, of) obj(stealing, cars)",
    "More than 500 people died.": "nummod(people, 500) advmod(500, than) nsubj(died, people)",
    "The firm paid $5 million.": "obj(paid, million) compound(million, 5)",
    "He was born on May 5, 1999.": "obl(born, May) nummod(May, 5) nummod(May, 1999)",
    "There are ten planets.": "expl(planets, There) cop(planets, are) nummod(planets, ten)",
    "George W. Bush visited China and met Hu.": (
        "compound(Bush, George) nsubj(visited, Bush) conj(visited, met) cc(met, and) obj(met, Hu)"
    ),
    "The city, which was destroyed in 1945, was rebuilt.": (
        "acl:relcl(city, destroyed) nsubj:pass(destroyed, which) nsubj:pass(rebuilt, city)"
    ),
    "He has a car.": "nsubj(has, He) obj(has, car)",
    "The rebels set up a camp.": "compound(set, up) obj(set, camp)",
    "The army launched an attack against the rebels.": "nmod(attack, rebels) obj(launched, attack)",
    "She became president.": "xcomp(became, president)",
}
TAGS = {
    "He has sold his car.": "He/PRON has/AUX sold/VERB his/PRON car/NOUN ./PUNCT",
    "He has a plan to report.": "He/PRON has/VERB a/DET plan/NOUN to/PART report/VERB ./PUNCT",
    "She went to the report.": "She/PRON went/VERB to/ADP the/DET report/NOUN ./PUNCT",
    "That man knows that it rained.": "That/DET man/NOUN knows/VERB that/SCONJ it/PRON rained/VERB ./PUNCT",
    "The house that burned was old.": "The/DET house/NOUN that/PRON burned/VERB was/AUX old/ADJ ./PUNCT",
    "Mr. Brown won't sell.": "Mr./PROPN Brown/PROPN won/AUX 't/PART sell/VERB ./PUNCT",
    "They won.": "They/PRON won/VERB ./PUNCT",
}
WORDS = (
    "the a John Mary sold bought was were that who which and or , . ( ) \" 's to of in by after not n't has will be "
    "said report reports red 3 million $ % - more than May Friday yesterday there when if 'm W selling quickly ... !"
)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_edges(sentence: str, wordnet: WordNet) -> None:
    """The edges that engines live on are found in plain sentences."""
    wanted = {edge.strip() + ")" for edge in SENTENCES[sentence].split(")") if edge.strip()}
    assert wanted <= edges(sentence, wordnet)


@pytest.mark.parametrize("sentence", TAGS)
def test_tags(sentence: str, wordnet: WordNet) -> None:
    """Words of several kinds are told apart by what stands around them."""
    assert tagged(sentence, wordnet) == TAGS[sentence]


def test_lemmas_go_by_the_tag(wordnet: WordNet) -> None:
    """The same spelling has the lemma of the verb or of the auxiliary that it is."""
    vocabulary, tokens, trees = parse(["They won.", "They won't leave."], wordnet)
    lemmas = {
        vocabulary.lemma(trees.lemmas[row]) for row, form in enumerate(tokens.forms) if vocabulary.forms[form] == "won"
    }
    assert lemmas == {"win", "will"}


def test_sentences_end_at_stops() -> None:
    """A stop before a capital ends a sentence, and not after an initial or inside a number."""
    text = 'It rose 3.5 percent. J. Smith left. "Why?" he asked'
    _, tokens, trees = parse([text], NO_WORDNET)
    assert trees.sentences.max() + 1 in (3, 4)
    assert trees.sentences[:5].tolist() == [0] * 5
    assert len(set(trees.sentences[5:9].tolist())) == 1
    assert is_forest(tokens, trees)


@given(st.lists(st.lists(st.sampled_from(WORDS.split()), max_size=30), max_size=4))
def test_any_words_make_trees(texts: list[list[str]]) -> None:
    """Whatever the words, and without a dictionary: one root a sentence, and no circles."""
    vocabulary = Vocabulary(NO_WORDNET)
    tokens = index_tokens(texts, vocabulary)
    assert is_forest(tokens, Chunker().trees([], "T", tokens, vocabulary))


@given(st.lists(st.lists(st.sampled_from(WORDS.split()), max_size=20), min_size=1, max_size=4))
def test_a_text_does_not_depend_on_its_batch(texts: list[list[str]]) -> None:
    """Texts parsed together are parsed as each by itself."""
    vocabulary = Vocabulary(NO_WORDNET)
    together = index_tokens(texts, vocabulary)
    trees = Chunker().trees([], "T", together, vocabulary)
    for place, text in enumerate(texts):
        alone = index_tokens([text], vocabulary)
        single = Chunker().trees([], "T", alone, vocabulary)
        for column in ("tags", "heads", "dependencies", "sentences", "lemmas"):
            assert np.array_equal(getattr(trees, column)[together.rows(place)], getattr(single, column))


def test_nothing_is_parsed_to_nothing() -> None:
    """No texts, and texts without words, are fine."""
    for texts in ([], ["", ""]):
        _, tokens, trees = parse(texts, NO_WORDNET)
        assert len(trees.heads) == len(tokens.forms) == 0


def test_tags_follow_kinds() -> None:
    """Each kind of word has a tag, and each tag but X is some kind's."""
    assert set(TAG_OF) == set(Kind)
    assert set(TAG_OF.values()) == set(Tag)


@pytest.mark.parametrize(
    ("heads", "relations"),
    [
        ([1, 0, -1], "DEP DEP ROOT"),
        ([-1, -1, 0], "ROOT ROOT DEP"),
        ([-1, 7, 0], "ROOT DEP DEP"),
        ([1, 1, -1], "DEP DEP ROOT"),
    ],
)
def test_a_broken_tree_would_be_noticed(heads: list[int], relations: str) -> None:
    """The test of trees fails on a circle, a second root, a head that is not there and a word on itself."""
    vocabulary = Vocabulary(NO_WORDNET)
    tokens = index_tokens([["a", "b", "c"]], vocabulary)
    codes = np.array([Dependency[name] for name in relations.split()], dtype=np.int8)
    zeros = np.zeros(3, dtype=np.int32)
    broken = Trees(codes, zeros, np.array(heads, dtype=np.int32), codes, zeros)
    assert not is_forest(tokens, broken)

"""Justifications of pairs written here: what they say, where it stands, and what they never depend on."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.engines.checks.base import checks, in_order
from karat.engines.explaining import explain, lint
from karat.engines.explaining.cues import HEDGES
from karat.engines.knowledge import Knowledge, load_knowledge
from karat.labels import THREE, TWO
from tests.engines.explaining.answered import answers_of, batch_of, justify

E, U, C, N = "ENTAILMENT", "UNKNOWN", "CONTRADICTION", "NO_ENTAILMENT"

SAID = [
    ("In May the old mill was sold, and Ann Lee moved to Ely.", "Ann Lee moved to Ely.", E,
     "The text says this in the same words."),
    ("Ann Lee moved to Ely.", "Ann Lee moved to Ely.", E,
     "The text says exactly this."),
    ("The mayor of Ely, Ann Lee, opened the bridge.", "Ann Lee is the mayor of Ely.", E,
     'The text describes "Ann Lee" as "The mayor of Ely".'),
    ("Ann Lee founded the company, which now has many offices.", "The company was founded by Ann Lee.", E,
     'The main words of the hypothesis are in "Ann Lee founded the company".'),
    ("Ann Lee was born in Ely on 3 June 1950 and moved later.", "Ann Lee was born in 1950.", E,
     'The text gives the same date: "Ann Lee was born in Ely on 3 June 1950 and moved later".'),
    ("Ann Lee, the captain of the Ely police, spoke first.", "Ann Lee works for the Ely police.", E,
     'The text mentions "Ann Lee, the captain of the Ely police"; "works for" is inferred from this.'),
    ("Ann Lee runs a shop in Ely.", "Ann Lee runs a shop for Bob Ray in Ely.", E,
     'The text says "Ann Lee runs a shop in Ely"; "Bob Ray" is assumed.'),
    ("Ann Lee runs a shop in Ely.", "Ann Lee runs seven shops and a mill in Ely.", E,
     'The text says "Ann Lee runs a shop in Ely"; "seven" and "a mill" are assumed.'),
    ("Ann Lee met the mayor. The old mill burnt.", "Ann Lee met the mayor of the old mill.", E,
     'The main words of the hypothesis are in "Ann Lee met the mayor" and "The old mill burnt".'),
    ("Ann Lee thinks that children from the age of nine should work.", "Ann Lee has nine children.", E,
     'The main words of the hypothesis are in "Ann Lee thinks that children from the age of nine should work".'),
    ("Ann Lee met the mayor. The owner died. The mill burnt in June.", "Ann Lee died in June.", E,
     'Most of the main words of the hypothesis are in "Ann Lee met the mayor" and "The owner died".'),
    ("One year after Ann Lee had approved the plan, it failed.", "Ann Lee had approved the plan for one year.", E,
     'The main words of the hypothesis are in "One year after Ann Lee had approved the plan".'),
    ("Lee won her seventh prize in Ely.", "Lee won 7 prizes in Ely.", E,
     'The text says "Lee won her seventh prize in Ely", and "seventh" stands for "7".'),
    ("The mill was built by King Lee II.", "The mill was built by Lee the Second.", E,
     'The text says "The mill was built by King Lee II", and "II" stands for "Second".'),
    ("A tale by Ann Lee, one of the old poets of Ely, won.", "The tale of one of the poets won.", E,
     'The main words of the hypothesis are in "A tale by Ann Lee, one of the old poets of Ely, won".'),
    ("The club paid $6.75 billion for Ely.", "The club paid for the $6.7 billion takeover of Ely.", E,
     'The text says "The club paid $6.75 billion for Ely"; "takeover" is inferred from this, '
     'and "$6.75 billion" is about "$6.7 billion".'),
    ("Ann Lee Charities also gives much help to clubs such as the Old Ely Olympics and others and to the Inner City "
     "Little League.", "The Inner City Little League is backed by Ann Lee Charities.", E,
     'The text mentions "Ann Lee Charities" and "the Inner City Little League"; "is backed by" is assumed.'),
    ("Ann Lee spoke, along with top members of the Ely club.", "Ann Lee is a member of the Ely club.", E,
     'The main words of the hypothesis are in "Ann Lee spoke, along with top members of the Ely club".'),
    ("In Ely the mill is the second tallest building.", "The mill is the tallest building in Ely.", E,
     'The main words of the hypothesis are in "In Ely the mill is the second tallest building".'),
    ("Ann said that the mill is the second tallest building.", "The mill is the tallest building.", E,
     'The main words of the hypothesis are in "the mill is the second tallest building".'),
    ("The mayor met Lee in Ely.", "The mayor met Ann Lee in Ely.", E,
     'The text says "The mayor met Lee in Ely", and "Lee" stands for "Ann Lee".'),
    ("They keep sweet soil, if plants are grown for more than a few months.", "Plants are grown in soil.", U,
     'The text leaves open whether this is so: "if plants are grown for more than a few months".'),
    ("Ann Lee did not buy the car.", "Ann Lee bought the car.", E,
     'The text speaks of this in "Ann Lee did not buy the car".'),
    ("It is not true that Ann Lee bought the car.", "Ann Lee bought the car.", E,
     'The text speaks of this in "Ann Lee bought the car".'),
    ("Ann Lee bought the car.", "Ann Lee did not buy the car.", E,
     'The text speaks of this in "Ann Lee bought the car".'),
    ("Ann Lee didn't throw the ball.", "Ann Lee threw the ball.", C,
     'Where the hypothesis says "threw", the text has "didn\'t throw".'),
    ("It rained for days. Nobody complained.", "Ann Lee founded the company.", E,
     '"Ann Lee", "founded" and "the company" are assumed from the text as a whole.'),
    ("Ann Lee met Bob Ray. He had a shoe.", "Ann Lee threw a shoe at Bob Ray.", U,
     'The text mentions "Ann Lee" and "Bob Ray" but does not say that "Ann Lee threw a shoe".'),
    ("Ann Lee spoke first.", "Ann Lee molested his adopted son.", U,
     'The text mentions "Ann Lee" but does not say that "Ann Lee molested his adopted son".'),
    ("Ann Lee met Bob Ray in Ely.", "Ann Lee married Bob Ray.", U,
     'The text mentions "Ann Lee" and "Bob Ray" but does not say that the former "married" the latter.'),
    ("Ann Lee met Bob Ray in Ely.", "Ann Lee met Bob Ray in the old library.", U,
     'The text mentions "Ann Lee" and "Bob Ray" but says nothing of "the old library".'),
    ("Ann Lee lives in Ely.", "Ann Lee lives in Rome.", C,
     'The text says "Ann Lee lives in Ely", which does not go together with "Rome".'),
    ("The North Atlantic Treaty Organisation met in Ely.", "NATO met in Ely.", E,
     'The text says "The North Atlantic Treaty Organisation met in Ely", and "North Atlantic Treaty Organisation" '
     'and "NATO" stand for each other.'),
    ("Ann Lee sold the mill in Ely for $2m.", "Ann Lee sold the mill in Ely for 2 million dollars.", E,
     'The text gives the same figure: "Ann Lee sold the mill in Ely for $2m".'),
    ("The mayor is taking another look at Ann Lee's old mill, which burnt.", "The mayor met Ann Lee.", E,
     'The text says "The mayor is taking another look at Ann Lee\'s old mill"; "met" is inferred from this.'),
    ("Ann Lee, a poet whose 'loud' style threw out any rhyme, moved to Ely.", "Ann Lee's 'loud' rhyme moved Ely.", E,
     'The main words of the hypothesis are in "Ann Lee, a poet whose \'loud\' style threw out any rhyme, moved to '
     'Ely".'),
    ("In Ely Ann Lee got an award, and the prize for both \"Mill\" and barn.", "Ann Lee got the Ely prize.", E,
     'The main words of the hypothesis are in "In Ely Ann Lee got an award, and the prize".'),
    ("It rained in Ely, where they said that 135 people lost the game.", "100 or more people lost the game.", E,
     'The text says "135 people lost the game", and "135 people" fits "100 or more".'),
    ("Women are as poor as they are in Ely (Ann was asking why they lost?).", "Women are poor.", E,
     'The text states this directly: "Women are as poor".'),
    ("The mill burnt on Dec. 7 in Ely.", "The mill burnt in December.", E,
     'The text gives the same date: "The mill burnt on Dec. 7 in Ely".'),
    ("Ann Lee of Ely met a mayor.", "Ann Lee miaows in Ely.", U,
     'The text mentions "Ann Lee of Ely" but does not say that "Ann Lee miaows in Ely".'),
    ("The mill and the two best inns burnt.", "The mill is one of the largest inns.", U,
     'The text mentions "The mill" but says nothing of "the largest inns".'),
    ("Ann Lee held elections.", "Ann Lee held the first free elections.", U,
     'The text does not speak of "the first free elections".'),
    ("The mill burnt last year.", "The mill burnt in 1994.", U,
     'The text does not give the date "1994".'),
    ("They climbed the 8,586-meter Mount Lee in Ely.", "Mount Lee is 8586 meters high.", E,
     'The text says "They climbed the 8,586-meter Mount Lee in Ely"; "high" is inferred from this, '
     'and "8,586-meter" is '
     '"8586 meters high".'),
    ("Ann Lee printed a poem about \"Ely\" there.", "Ann Lee printed a poem on cats.", E,
     'The text says "Ann Lee printed a poem"; "cats" is inferred from this.'),
    ("Ann Lee has a mill.", "The town says it has a mill.", U,
     'The text mentions "a mill" but does not say that "The town says".'),
    ("Green cards are hard to get.", "Green card is nice.", U,
     'The text mentions "Green" but says nothing of "nice".'),
    ("Many women are poor.", "Women are poor, according to the new law.", U,
     'The text mentions "Many women" and "poor" but says nothing of "the new law".'),
    ("There is a new U.S. law.", "There is a new U. S. law on trade.", U,
     'The text mentions "a new U.S. law" but says nothing of "trade".'),
    ("Hackers broke into the bank.", "Non-authorized persons broke in.", U,
     'Nothing in the text speaks of "Non-authorized persons".'),
]  # fmt: skip

SAID_WITH_DICTIONARY = [
    ("Last year a lawyer from Ely bought the old mill.", "A professional bought the old mill.",
     "a lawyer is a kind of professional"),
    ("Ann Lee purchased the old mill in the spring.", "Ann Lee bought the old mill.", "to purchase is to buy"),
    ("The invention of the telephone by Ann Lee changed Ely.", "Ann Lee invented the telephone.",
     '"invention" has the same root as "invented"'),
    ("He works in Paris.", "He works in a city.", '"Paris" is a city'),
    ("He works in Paris.", "He works in France.", '"Paris" is part of "France"'),
    ("Many parties emerged in New York.", "Many new parties emerged.", '"new" is assumed'),
    ("Ann Lee gathered shells as mayor.", "Ann Lee acted as mayor.", '"acted as" is inferred from this'),
    ("Ann Lee reached the German positions.", "Ann Lee took place.", '"took place" is inferred from this'),
    ("Ann Lee murdered Bob Ray.", "Ann Lee killed Bob Ray.", '"murdered" can mean "killed"'),
    ("An activist of Ely met Ann Lee.", "A militant of Ely met Ann Lee.", '"activist" can mean "militant"'),
    ("The European town won a prize.", "The town in Europe won a prize.", '"European" means of "Europe"'),
    ("Cars from Rome are cheap in Ely.", "Vehicles are cheap in Ely.", "a car is a kind of vehicle"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "hypothesis", "label", "said"), SAID)
def test_said(bare: Knowledge, text: str, hypothesis: str, label: str, said: str) -> None:
    """What decides is said in the words of the pair, in a shape that fits it."""
    found = justify(bare, text, hypothesis, label)
    assert found.text == said
    assert lint(found, text, hypothesis, label) == []


@pytest.mark.parametrize(("text", "hypothesis", "said"), SAID_WITH_DICTIONARY)
def test_kinship(learned: Knowledge, text: str, hypothesis: str, said: str) -> None:
    """Where a word of T is another than H's, how they are related is said in plain words."""
    found = justify(learned, text, hypothesis, E)
    assert said in found.text
    assert lint(found, text, hypothesis, E) == []


WEAK = [
    ("The amount of Ann Lee's sale grew.", "The possession of Ann Lee grew."),
    ("Ministers of Ely met Ann Lee.", "Ann Lee met the work of Ely."),
    ("Non-domestic fires killed Ann Lee.", "Domestic fires killed Ann Lee."),
    ("Ann Lee owns an old mill in Ely.", "Ann Lee owns the oldest mill in Ely."),
    ("Ann Lee moved to Ely in the 1990s.", "Ann Lee moved to Ely in 1990."),
]


@pytest.mark.parametrize(("text", "hypothesis"), WEAK)
def test_weak_relations(learned: Knowledge, text: str, hypothesis: str) -> None:
    """For a word that T has in another sense, form or degree only no relation is made up."""
    said = justify(learned, text, hypothesis, E).text
    assert "assumed" in said or "inferred from this" in said
    assert not any(wording in said for wording in ("kind of", "can mean", "another word", " part of ", ' is "'))


def test_namesakes(learned: Knowledge) -> None:
    """The dictionary is not believed of a name: Mr. Bush is no plant."""
    said = justify(learned, "Yesterday George Bush flew to Ely.", "A shrub flew to Ely.", E).text
    assert "is a " not in said
    assert "another word" not in said


def test_not_more_than_the_text(bare: Knowledge) -> None:
    """An ENTAILMENT with words that nothing in T stands for says that they are assumed."""
    said = justify(bare, "Ann Lee runs a shop in Ely.", "Ann Lee sells bread from Rome in Ely.", E).text
    assert '"sells bread" and "Rome" are assumed' in said


def test_evidence(bare: Knowledge) -> None:
    """Every quote has its span, in the text it came from."""
    text, hypothesis = "Ann Lee met Bob Ray in Ely.", "Ann Lee met Bob Ray in the old library."
    found = justify(bare, text, hypothesis, U)
    stretches = [
        (span.side, (text if span.side == "T" else hypothesis)[span.start : span.end]) for span in found.evidence
    ]
    assert stretches == [("T", "Ann Lee"), ("T", "Bob Ray"), ("H", "the old library")]


def test_two_ways(bare: Knowledge) -> None:
    """NO ENTAILMENT is worded as a contradiction where a check speaks for one, and as something open elsewhere."""
    against = "The fire killed 12 people in Ely.", "The fire killed 20 people in Ely."
    open_ = "Ann Lee met Bob Ray in Ely.", "Ann Lee met Bob Ray in the old library."
    assert justify(bare, *against, N, TWO) == justify(bare, *against, C)
    assert justify(bare, *open_, N, TWO) == justify(bare, *open_, U)
    assert justify(bare, *open_, E, TWO) == justify(bare, *open_, E)


def test_company(bare: Knowledge) -> None:
    """A justification does not depend on the pairs around it, on their order, or on what was asked before."""
    given_pairs = [(text, hypothesis) for text, hypothesis, _, _ in SAID]
    labels = [label for _, _, label, _ in SAID]
    together = explain(batch_of(bare, given_pairs), answers_of(labels), THREE)
    backwards = explain(batch_of(bare, given_pairs[::-1]), answers_of(labels[::-1]), THREE)
    fresh = load_knowledge(without=["wordnet"])
    assert together == backwards[::-1]
    assert together == [justify(fresh, *pair, label) for pair, label in zip(given_pairs, labels, strict=True)]


def test_checks_are_asked_when_wanted(bare: Knowledge) -> None:
    """ENTAILMENT asks only the checks that find denials and hedges, CONTRADICTION those of its verdict."""
    batch = batch_of(bare, [("Ann Lee met Bob.", "Ann met Bob."), ("It rained.", "It rained a lot.")])
    explain(batch, answers_of([E, E]), THREE)
    names = {entry.name for entry in checks}
    against = {entry.name for entry in checks if entry.facts["verdict"] == "contradiction"}
    assert set(HEDGES) <= names - against
    assert set(batch.cues) & names == against | set(HEDGES)
    other = batch_of(bare, [("Ann Lee met Bob.", "Ann met Bob.")])
    explain(other, answers_of([C]), THREE)
    assert set(other.cues) & names == against


def test_grounds(bare: Knowledge) -> None:
    """Only checks that the answers rest on are spoken of; without any, what is missing or differs in words is said."""
    doubted = "Critics say that the film of Ann Lee is boring.", "The film of Ann Lee is boring."
    assert "believed" in justify(bare, *doubted, U).text
    assert justify(bare, *doubted, U, grounds=("number", "attitude")) == justify(bare, *doubted, U)
    assert "believed" not in justify(bare, *doubted, U, grounds=()).text
    assert "believed" not in justify(bare, *doubted, U, grounds=("number",)).text
    killed = "The fire killed 12 people in Ely.", "The fire killed 20 people in Ely."
    assert justify(bare, *killed, C, grounds=("number",)).text == 'The text says "12 people", not "20 people".'
    assert justify(bare, *killed, C, grounds=()).text == (
        'The text says "The fire killed 12 people in Ely", which does not go together with "20 people".'
    )
    assert "does not give" in justify(bare, *killed, N, TWO, grounds=()).text


def test_this_is_something_in_the_text(bare: Knowledge) -> None:
    """What T has no words for is not called something that it believes or wants, but named as missing."""
    text = "Ann Lee aims to open a shop in Ely."
    assert "believed, wanted" in justify(bare, text, "Ann Lee opened a shop in Ely.", U).text
    assert "believed, wanted" not in justify(bare, text, "Ann Lee sold her old mill in Ely.", U).text


LONG = [
    "Ann bought the mill in Ely " * 4000,
    "Ann bought the mill in Ely, " * 1000,
    "Ann " * 6000,
    "Ann-" * 3000 + "Ann",
    "Ann , " * 3000,
    "will not the old " * 1500,
]


@pytest.mark.parametrize("long", LONG)
@pytest.mark.parametrize("side", ["T", "H"])
def test_long(bare: Knowledge, long: str, side: str) -> None:
    """A text or hypothesis of thousands of words without a full stop is justified about as fast as it is read."""
    short = "Ann Lee did not buy the old mill in Ely."
    text, hypothesis = (long, short) if side == "T" else (short, long)
    for label in (E, U, C):
        assert lint(justify(bare, text, hypothesis, label), text, hypothesis, label) == []


@pytest.mark.parametrize("name", [entry.name for entry in in_order()])
def test_what_checks_say(name: str) -> None:
    """The sentence of every check, with quotes put in, is one that the lint lets pass for its verdict."""
    facts = checks[name].facts
    said = facts["says"].replace("{t}", '"the old mill"').replace("{h}", '"a new house"')
    if "opposite" in said:
        said = facts["says"].replace("{t}", '"old"').replace("{h}", '"new"')
    if facts["verdict"] == "contradiction" and "{h}" not in facts["says"]:
        said += ' The hypothesis speaks of "a new house".'
    label = facts["verdict"].upper()
    assert lint(said, "Ann Lee bought the old mill.", "Ann Lee bought a new house.", label) == []


def test_empty_sides(bare: Knowledge) -> None:
    """A pair without words is justified without quotes."""
    for text, hypothesis in (("", "Ann Lee moved."), ("Ann Lee moved.", "..."), ("", "")):
        for label in (E, U, C):
            found = justify(bare, text, hypothesis, label)
            assert found.text.endswith(".")


words = st.sampled_from(
    "Ann Lee Ely Rome May 1998 12 $5 80% mill old new lawyer the a of in by not no was is bought sold says may if "
    "system who that which Anglo-Saxon U.S. d'Ivoire Bob's and but \"quoted\" “so” (then) [x] -- - , ; : ... ' `` 5th "
    "O'Brien www.ely.org <b> ** & / @ é 3.5".split()
)
sides = st.lists(words, min_size=1, max_size=25).map(lambda found: "Ann " + " ".join(found) + ".")
gaps = st.sampled_from((" ", "  ", "\n"))
pairs = st.tuples(sides, sides, gaps).map(lambda found: (found[0].replace(" ", found[2]), found[1]))


@settings(max_examples=25, deadline=None)
@given(drawn=st.lists(pairs, min_size=1, max_size=8))
def test_any_pair_passes_the_lint(bare: Knowledge, drawn: list[tuple[str, str]]) -> None:
    """Whatever is in a pair, marks and broken words too, its justification has nothing wrong with it."""
    batch = batch_of(bare, drawn)
    for label in (E, U, C):
        for found, pair in zip(explain(batch, answers_of([label] * len(drawn)), THREE), drawn, strict=True):
            assert lint(found, *pair, label) == []

"""How words build sentences: lists of words that the chunker treats apart."""

from __future__ import annotations

from karat.engines.kernels.grammar import Key, Trait
from karat.engines.lexicon.relations import Part
from karat.engines.lexicon.wordnet import WordNet
from karat.engines.text.closed import DAYS, MONTHS

_KEYS: dict[Key, str] = {
    Key.OF: "of",
    Key.BY: "by",
    Key.THAT: "that",
    Key.TO: "to",
    Key.HYPHEN: "- – /",
    Key.BEING: "being having",
    Key.BARE: "be been",
    Key.WHOSE: "whose",
    Key.INCLUDING: "including according following concerning regarding",
    Key.PARTICLE: "up out down off away back over",
    Key.CURRENCY: "$ € £",
    Key.WHEN: "when where why how",
    Key.OPEN: "( [ {",
    Key.CLOSE: ") ] }",
    Key.QUOTE: "\" ' ` “ ” ‘ ’",
    Key.EXISTS: "there",
    Key.AFTER: "after before until till since as",
    Key.MORE: "more less fewer",
    Key.THAN: "than",
}
KEYS = {word: key for key, words in _KEYS.items() for word in words.split()}

_VERBS: dict[Trait, str] = {
    Trait.REPORT: "say tell think believe report claim announce know hope suggest argue admit deny add insist state "
    "declare confirm warn show indicate find reveal feel mean learn hear see realize realise understand suspect allege "
    "acknowledge expect predict estimate conclude note explain believe agree assert assume charge complain concede "
    "contend decide demonstrate discover doubt ensure fear forecast imply maintain promise propose prove recall "
    "recommend reiterate remember rule stress swear testify urge vow worry write",
    Trait.GIVE: "give offer send show tell teach award hand lend pay grant bring sell pass ask cost owe earn buy",
    Trait.ORDER: "ask want order urge allow force tell expect require enable help persuade encourage permit convince "
    "lead cause invite advise instruct warn get need lead",
    Trait.BECOME: "become remain seem appear stay look feel sound prove turn",
}
_NOUNS: dict[Trait, str] = {
    Trait.TIME: "year month week day yesterday today tomorrow tonight morning afternoon evening night weekend hour "
    "minute time decade century summer winter spring autumn " + " ".join(DAYS),
    Trait.PLAN: "plan decision effort attempt right ability chance way bid move agreement opportunity need refusal "
    "failure desire proposal permission power promise offer order request pressure campaign willingness authority",
}
_WORDS: dict[Trait, str] = {
    Trait.OF_OBJECT: "of for between against about over than like within",
    Trait.OF_VERB: "on at by after during before into through without since until as",
    Trait.MONTH: " ".join(MONTHS) + " jan. feb. aug. sept. oct. nov. dec.",
    Trait.DAY: "yesterday today tonight tomorrow",
}


def _index(lists: dict[Trait, str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for trait, words in lists.items():
        for word in words.split():
            found[word] = found.get(word, 0) | trait
    return found


_BY_VERB, _BY_NOUN, _BY_WORD = _index(_VERBS), _index(_NOUNS), _index(_WORDS)


def traits_of(lower: str, wordnet: WordNet) -> int:
    """The traits of a word in lower case, whatever its form."""
    traits = _BY_WORD.get(lower, 0)
    if lower.isalpha():
        traits |= _BY_VERB.get(wordnet.base(lower, Part.VERB), 0)
        traits |= _BY_NOUN.get(wordnet.base(lower, Part.NOUN), 0)
    return traits

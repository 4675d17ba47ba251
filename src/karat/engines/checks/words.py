"""Word lists of the checks, and how they are looked up by the ids of words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np

from karat.arrays import Bytes, Int32s
from karat.engines.kernels.contexts import (
    CARRIES_ON,
    DENIES_TOO,
    ENDS_CLAUSE,
    FUTURE,
    KEEPS,
    LETS_OFF,
    NEGATES,
    OPEN,
    POSSIBLE,
    SAYS_NOT,
    SAYS_SO,
    SUPPOSES,
    TURNS,
)
from karat.engines.knowledge import Knowledge
from karat.engines.text import closed

_KINDS = {
    NEGATES: " ".join(sorted(closed.NEGATIONS - {"nor"})),
    DENIES_TOO: "nor",
    POSSIBLE: "could may might should ought",
    FUTURE: "will would 'll 'd wo shall",
    SUPPOSES: "if unless provided assuming",
    ENDS_CLAUSE: ", ; : ( ) -- - — – but because although though while whereas since who which where when after "
    "before until whose whom",
    CARRIES_ON: "to that whether of",
    LETS_OFF: "only just merely simply necessarily less more fewer later sooner . matter doubt wonder alone least",
}
KINDS = {word: kind for kind, words in _KINDS.items() for word in words.split()}
"""What a spelling does to the clause it is in; what can be done is, in the news, mostly done."""

PRIVATIVE = (
    "fake false mock counterfeit fictitious fictional imaginary pretend bogus sham phoney phony hypothetical failed "
    "aborted unsuccessful abortive thwarted foiled cancelled canceled averted"
).split()
DOUBTED = (
    "alleged supposed purported suspected putative presumed accused reputed proposed planned potential possible "
    "prospective aspiring intended likely probable apparent attempted"
).split()
FORMER = "former ex late erstwhile onetime previous then past retired outgoing ousted deposed".split()

SAYS = "say tell report announce state declare add note write explain insist warn remark mention reply".split()
"""Verbs of saying whose clause is somebody's opinion where it is a judgement, or a party's word."""
PARTIES = (
    "critic opponent rival supporter fan sceptic skeptic detractor enemy foe adversary admirer follower defender "
    "proponent advocate activist campaigner lobbyist propagandist gossip rumour rumor tabloid defendant pundit "
    "reviewer commentator loyalist apologist sympathiser sympathizer believer some many"
).split()
"""Who speaks for one side, or only says what he thinks."""

MUTUAL = (
    "meet marry divorce wed date border adjoin neighbour neighbor resemble equal match differ merge cooperate "
    "collaborate compete clash collide coincide correspond talk chat converse negotiate debate quarrel argue agree "
    "disagree share intersect touch overlap ally team unite same similar different equivalent related near close far "
    "identical parallel adjacent friendly"
).split()
"""What holds of two things holds of them the other way round."""

ALL, MOST, SOME, FEW, NO = 5, 4, 3, 2, 1
QUANTIFIERS = {
    **dict.fromkeys(("all", "every", "each", "everyone", "everybody", "everything", "always", "entire", "whole"), ALL),
    **dict.fromkeys(("most", "majority", "mostly", "usually"), MOST),
    **dict.fromkeys(("some", "several", "many", "certain", "sometimes", "various", "numerous", "part", "half"), SOME),
    **dict.fromkeys(("few", "seldom", "rarely", "hardly", "scarcely", "minority"), FEW),
    **dict.fromkeys(("no", "none", "nobody", "never", "nothing"), NO),
}
"""How much a quantifier claims, from everything to nothing."""

SUPERLATIVE = frozenset(
    "only sole first last most best worst largest biggest greatest highest lowest smallest oldest youngest longest "
    "shortest fastest richest poorest strongest heaviest tallest deepest latest earliest main chief primary unique "
    "exclusively solely least newest closest nearest top".split()
)
"""Words that single something out among all."""

AT_LEAST = "over above exceed least beyond minimum".split()
AT_MOST = "under below most maximum within".split()
ABOUT = "about around nearly almost approximately roughly some estimated circa close".split()
CURRENCY = frozenset("$ € £ ¥ dollar euro pound yen yuan franc peso ruble rouble rupee cent".split())
PERCENT = frozenset(("%", "percent", "percentage", "pct"))

CONTRARIES = (
    "accept/reject accept/refuse accept/decline belong/leave cause/prevent stay/leave strengthen/weaken doubt/support "
    "acquit/convict acquit/condemn admit/deny agree/disagree agree/refuse "
    "allow/ban allow/forbid allow/prohibit allow/prevent alive/dead appear/disappear appoint/dismiss approve/reject "
    "approve/veto arrest/free arrest/release arrive/leave attack/defend begin/end birth/death build/destroy "
    "build/demolish close/open confirm/deny convict/clear create/abolish create/destroy "
    "cut/increase daughter/son decline/rise decline/grow decrease/grow defeat/lose die/survive "
    "dismiss/hire divorce/marry drop/rise drop/climb east/west employ/dismiss enter/exit enter/leave escape/capture "
    "expand/shrink fail/succeed fall/climb fall/grow fall/increase fall/soar fall/jump father/mother "
    "female/male find/lose fire/hire free/jail free/imprison gain/lose guilty/innocent guilty/acquit "
    "hire/sack import/export improve/worsen improve/deteriorate increase/cut increase/drop increase/fall "
    "increase/reduce increase/decline innocent/convict join/leave join/quit kill/save kill/rescue "
    "legal/ban legal/forbid lend/borrow live/kill lose/keep love/hate marry/separate north/south "
    "oppose/support oppose/back oppose/favour oppose/favor pass/reject pass/fail permit/ban permit/forbid "
    "plummet/rise profit/loss public/private raise/lower raise/reduce raise/cut remain/leave resign/stay "
    "release/detain release/imprison release/jail reduce/expand remember/forget rise/plunge rise/drop rise/tumble "
    "rise/slump safe/dangerous soar/drop soar/plunge success/failure support/reject survive/perish "
    "uphold/overturn victory/defeat victory/loss win/lose worsen/recover "
    "big/small large/small older/young older/younger larger/smaller bigger/smaller taller/shorter longer/shorter "
    "higher/lower better/worse richer/poorer faster/slower stronger/weaker heavier/lighter hotter/colder "
    "warmer/colder cheaper/dearer earlier/later "
    "brother/sister boy/girl man/woman king/queen uncle/aunt prince/princess actor/actress"
).split()
"""Words that cannot both hold of the same thing at the same time, beside those the dictionary calls opposites."""


_SIGNED = {
    "+/-": "manage bother deign dare remember happen succeed proceed begin start continue turn prove get cause make "
    "complete finish accomplish achieve suffice enable serve hasten venture condescend help force compel oblige "
    "drive lead bring see watch hear",
    "-/+": "fail neglect forget omit decline refrain avoid abstain forbear cease stop quit failure",
    "+/+": "know realise realize discover regret learn notice recognise recognize acknowledge admit understand reveal "
    "resent forgive fact aware glad sorry happy proud amazed surprised pleased disappointed celebrate mourn lament "
    "deplore applaud recall memorise memorize overlook ignore",
    "-/0": "refuse reject deny pretend prevent preclude prohibit forbid ban hinder thwart dissuade "
    "discourage deter renounce abandon scrap refute disprove repudiate disavow dispute denial "
    "refusal contradict disown foil avert withhold resist unable incapable impossible false untrue unlikely "
    "myth hoax abolish",
    "0/-": "able allow permit let authorise authorize possible can capable eligible free qualified ability "
    "opportunity chance",
    "0/+": "hesitate",
    "+/0": "say report announce confirm show demonstrate state declare tell add note write explain conclude establish "
    "document verify disclose inform observe stress emphasise emphasize testify remark mention point reply respond "
    "insist warn describe ensure guarantee spokesman statement announcement "
    "confirmation evident clear true certain sure obvious",
    "0/0": "believe think suspect suppose assume guess imagine feel hope expect want wish desire intend plan aim try "
    "attempt seek propose suggest recommend advise urge ask request demand claim allege argue contend maintain "
    "assert accuse charge speculate estimate predict forecast fear worry doubt wonder consider contemplate "
    "discuss debate decide agree promise pledge vow threaten offer order command instruct invite encourage "
    "persuade prepare hypothesise hypothesize theorise theorize conjecture imply hint indicate appear seem look "
    "dream favour favor support oppose advocate call negotiate await schedule vote appeal petition pray swear "
    "convince tempt lobby campaign blame rumour rumor presume envisage envision foresee anticipate calculate "
    "judge deem regard plot conspire arrange volunteer strive struggle aspire tend like prefer love hate need "
    "rumoured rumored likely willing ready eager reluctant due set supposed probable reported reportedly "
    "allegedly purportedly apparently possibly perhaps maybe probably potentially belief thought suspicion "
    "assumption hope expectation wish desire intention plan aim attempt effort proposal suggestion recommendation "
    "advice request demand claim allegation argument assertion accusation charge speculation prediction forecast "
    "fear doubt decision promise pledge vow threat offer invitation possibility likelihood prospect bid deal "
    "evidence sign indication proof reason suspected alleged accused presumed proposed planned intended attempted "
    "expected purported theory hypothesis goal purpose ambition hearsay option idea question whether",
}

_BECOMES = {
    "+/-": (KEEPS, KEEPS),
    "-/+": (TURNS, TURNS),
    "+/+": (SAYS_SO, SAYS_SO),
    "-/0": (SAYS_NOT, OPEN),
    "0/-": (OPEN, KEEPS),
    "0/+": (OPEN, SAYS_SO),
    "+/0": (KEEPS, OPEN),
    "0/0": (OPEN, OPEN),
}


def _table() -> dict[str, str]:
    """The signature of each word; the first that lists a word has it."""
    signed: dict[str, str] = {}
    for signature, words in _SIGNED.items():
        for word in words.split():
            signed.setdefault(word, signature)
    return signed


SIGNATURES = _table()
"""The signature of each word, by lemma."""
ASSERTED = {word: _BECOMES[signature][0] for word, signature in SIGNATURES.items()}
"""What becomes of polarity under a word that is asserted, by lemma."""
DENIED = {word: _BECOMES[signature][1] for word, signature in SIGNATURES.items()}
"""The same under a word that is denied."""


SPARE = 4096
"""Ids to come that an array has room for, so that it is not made anew with every batch."""


class Marks:
    """A code for some lemmas, or for some spellings in lower case; 0 for all others.

    The words of the list get their ids when the array is made, so words met later are never among them, and the array
    only has to grow.
    """

    def __init__(self, codes: Mapping[str, int] | Iterable[str], by: Literal["lemma", "spelling"] = "lemma") -> None:
        self._codes = dict(codes) if isinstance(codes, Mapping) else dict.fromkeys(codes, 1)
        self._by = by
        self._made: WeakKeyDictionary[Knowledge, Bytes] = WeakKeyDictionary()

    def of(self, knowledge: Knowledge, ids: Int32s) -> Bytes:
        """The code of each lemma or spelling."""
        vocabulary, made = knowledge.vocabulary, self._made.get(knowledge)
        places: list[int] = []
        if made is None:
            made = np.zeros(0, dtype=np.int8)
            spelled = self._by == "spelling"
            places = [vocabulary[word] if spelled else vocabulary.lemma_id(word) for word in self._codes]
        ends = len(vocabulary.forms) if self._by == "spelling" else vocabulary.lemma_count
        if len(made) < ends:
            made = np.concatenate([made, np.zeros(ends + SPARE - len(made), dtype=np.int8)])
            self._made[knowledge] = made
        made[places] = [self._codes[word] for word in self._codes][: len(places)]
        return made[ids] if self._by == "lemma" else made[vocabulary.table.lower[ids]]

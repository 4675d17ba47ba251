"""What a verb (or noun or adjective) with a clause under it says of the truth of that clause.

A signature has two signs: the first for the word asserted, the second for the word denied. `managed to leave` says that
somebody left, `did not manage to leave` that nobody did: +/-. `knew that` and `did not know that` both say it is so:
+/+. `believed that` says nothing either way: 0/0. Verbs of saying are taken at their word when they are asserted, as
readers of news take them, and say nothing when they are denied: +/0.
"""

from __future__ import annotations

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

KEEPS, TURNS, OPEN, SAYS_SO, SAYS_NOT = 1, 2, 3, 4, 5
"""What becomes of polarity under a word: as it was, turned round, open, asserted, denied."""

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

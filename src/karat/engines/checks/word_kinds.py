"""The word lists of the checks."""

from __future__ import annotations

from karat.engines.kernels.contexts import (
    CARRIES_ON,
    DENIES_TOO,
    ENDS_CLAUSE,
    FUTURE,
    LETS_OFF,
    NEGATES,
    POSSIBLE,
    SUPPOSES,
)
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

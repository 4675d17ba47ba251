"""From the relations of ClearNLP, which spaCy's English models use, to ours: content words are heads, as in UD."""

from __future__ import annotations

from karat.engines.text.tags import Dependency, Tag

RENAMED = {
    "ROOT": Dependency.ROOT,
    "acl": Dependency.ACL,
    "acomp": Dependency.XCOMP,
    "advcl": Dependency.ADVCL,
    "advmod": Dependency.ADVMOD,
    "agent": Dependency.OBL_AGENT,
    "amod": Dependency.AMOD,
    "appos": Dependency.APPOS,
    "attr": Dependency.XCOMP,
    "aux": Dependency.AUX,
    "auxpass": Dependency.AUX_PASS,
    "case": Dependency.CASE,
    "cc": Dependency.CC,
    "ccomp": Dependency.CCOMP,
    "compound": Dependency.COMPOUND,
    "conj": Dependency.CONJ,
    "csubj": Dependency.NSUBJ,
    "csubjpass": Dependency.NSUBJ_PASS,
    "dative": Dependency.IOBJ,
    "det": Dependency.DET,
    "dobj": Dependency.OBJ,
    "expl": Dependency.EXPL,
    "mark": Dependency.MARK,
    "neg": Dependency.NEG,
    "nmod": Dependency.COMPOUND,
    "npadvmod": Dependency.OBL,
    "nsubj": Dependency.NSUBJ,
    "nsubjpass": Dependency.NSUBJ_PASS,
    "nummod": Dependency.NUMMOD,
    "oprd": Dependency.XCOMP,
    "pcomp": Dependency.ADVCL,
    "pobj": Dependency.OBL,
    "poss": Dependency.NMOD_POSS,
    "preconj": Dependency.CC,
    "predet": Dependency.DET,
    "prep": Dependency.ADVMOD,
    "prt": Dependency.COMPOUND,
    "punct": Dependency.PUNCT,
    "quantmod": Dependency.ADVMOD,
    "relcl": Dependency.ACL_RELCL,
    "xcomp": Dependency.XCOMP,
}
NOMINAL_HEADS = (Tag.NOUN, Tag.PROPN, Tag.PRON, Tag.NUM, Tag.SYM, Tag.DET)
PREDICATES = ("attr", "acomp")


def convert(
    heads: list[int], labels: list[str], tags: list[int], lemmas: list[str]
) -> tuple[list[int], list[Dependency]]:
    """Heads (-1 at a root) and relations of a text, from spaCy's: prepositions mark cases, *be* is a copula.

    *Be* with no noun or adjective as its predicate stays a verb (`is in Paris`).
    """
    heads, labels = list(heads), list(labels)
    found = [RENAMED.get(label, Dependency.DEP) for label in labels]
    _raise_objects(heads, labels, found, tags)
    _raise_predicates(heads, labels, found, lemmas)
    _straighten_lists(heads, found)
    for place, tag in enumerate(tags):
        if found[place] is Dependency.AUX and tag == Tag.PART:
            found[place] = Dependency.MARK
    return heads, found


def _children(heads: list[int]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in heads]
    for place, head in enumerate(heads):
        if head >= 0:
            children[head].append(place)
    return children


def _raise_objects(heads: list[int], labels: list[str], found: list[Dependency], tags: list[int]) -> None:
    """What a preposition governs hangs where the preposition hung, and the preposition on it."""
    # From the last to the first: in `out of the house` the second preposition is raised before the first.
    for place in range(len(heads) - 1, -1, -1):
        children = _children(heads)[place] if tags[place] in (Tag.ADP, Tag.SCONJ, Tag.PART, Tag.VERB, Tag.ADV) else []
        inside = [child for child in children if labels[child] in ("pobj", "pcomp")]
        if not inside:
            continue
        below, above = inside[0], heads[place]
        heads[below] = above
        clause = labels[below] == "pcomp"
        nominal = above >= 0 and tags[above] in NOMINAL_HEADS
        if above < 0 or labels[place] in ("conj", "ROOT", "ccomp", "advcl", "relcl", "pcomp", "pobj"):
            found[below] = found[place]
        elif clause:
            found[below] = Dependency.ACL if nominal else Dependency.ADVCL
        elif labels[place] == "agent":
            found[below] = Dependency.OBL_AGENT
        else:
            found[below] = Dependency.NMOD if nominal else Dependency.OBL
        # The raised word plays the preposition's part for a preposition further up.
        labels[below] = (
            "pobj" if labels[place] in ("pobj", "prep") and above >= 0 and tags[above] == Tag.ADP else labels[place]
        )
        for child in children:
            if child != below:
                heads[child] = below
        heads[place], found[place], labels[place] = below, Dependency.MARK if clause else Dependency.CASE, "case"


def _raise_predicates(heads: list[int], labels: list[str], found: list[Dependency], lemmas: list[str]) -> None:
    """The predicate of *be* takes its place and everything that hung on it."""
    for place in range(len(heads) - 1, -1, -1):
        if lemmas[place] != "be":
            continue
        children = _children(heads)[place]
        predicates = [child for child in children if labels[child] in PREDICATES]
        if not predicates:
            continue
        below = predicates[0]
        heads[below], found[below], labels[below] = heads[place], found[place], labels[place]
        for child in children:
            if child != below:
                heads[child] = below
        heads[place], found[place], labels[place] = below, Dependency.COP, "cop"


def _straighten_lists(heads: list[int], found: list[Dependency]) -> None:
    """All members of a list hang on the first, and *and* on the member after it."""
    children = _children(heads)
    for place, relation in enumerate(found):
        if relation is Dependency.CC and heads[place] >= 0:
            after = [c for c in children[heads[place]] if found[c] is Dependency.CONJ and c > place]
            if after:
                heads[place] = after[0]
    for place, relation in enumerate(found):
        if relation is Dependency.CONJ:
            while heads[place] >= 0 and found[heads[place]] is Dependency.CONJ:
                heads[place] = heads[heads[place]]

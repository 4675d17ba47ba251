"""Blind: the test set that others get, and whether anything in it gives the key away (`karat blind`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import msgspec
import numpy as np
from msgspec import Meta

from karat.data.pairs import Pairs
from karat.data.parameters import SeedOption, generator
from karat.data.provenance import Source
from karat.data.records import Records, RowsAt
from karat.data.result import Finding, Findings, Sheet, headline
from karat.errors import UsageError
from karat.studies.base import StudyResult, study
from karat.studies.blind.leaks import LEVEL, Leak, leaks_of
from karat.studies.wording import begun, counted, listed


class BlindParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `blind`."""

    attribute: Annotated[
        tuple[str, ...], Meta(description="an attribute of the pairs that the blind set keeps", examples=["NAME"])
    ] = ()
    renumber: Annotated[bool, Meta(description="replace the ids by numbers, in the new order")] = False
    in_order: Annotated[bool, Meta(description="keep the order of the pairs instead of shuffling them")] = False
    seed: SeedOption = 0


@dataclass(frozen=True, kw_only=True, repr=False)
class Blinded(StudyResult):
    """The result of `blind`; it has no labels."""

    pairs: int
    labelled: int
    kept: list[str]
    """The attributes that the blind set keeps, …"""
    removed: list[str]
    """… and those that it does not."""
    shuffled: bool
    renumbered: bool
    ids: dict[str, str]
    """The new id of every pair, by its old one, in the new order."""
    leaks: list[Leak]
    """Everything that was looked at."""

    SOURCES: ClassVar[tuple[str, ...]] = ("Holm 1979",)
    RECORDS: ClassVar[Records] = Records("where, what, guessed, common, p, p_corrected, leaks", RowsAt("leaks.*"))
    METHOD: ClassVar[str] = (
        "Labels, ballots and unwanted attributes are removed. Whatever is left besides the texts is tested for "
        "depending on the labels, by Pearson's statistic over random orders of the labels, with Holm's correction."
    )

    def of(self, pairs: Pairs) -> Pairs:
        """The blind test set of these pairs."""
        return self.keyed(pairs).blinded(self.kept)

    def keyed(self, pairs: Pairs) -> Pairs:
        """The pairs with their key, in the order and with the ids of the blind test set."""
        placed = pairs.in_order(pairs.places(tuple(self.ids)))
        return replace(placed, ids=tuple(self.ids.values()))

    def make_sheets(self) -> list[Sheet]:
        """What was looked at."""
        title = f"Does anything give the labels away? ({counted(self.labelled, 'label')})"
        notes = [
            "guessed from it: the share of labels that are right if for each of its values the most frequent label is "
            "guessed; with many values this is high by chance, and the test allows for that"
        ]
        columns = "what leaks guessed common p p_corrected"
        return [self.sheet(title, self.leaks, columns, notes=notes)] if self.leaks else []


def made(result: Blinded) -> Iterable[Finding]:
    """What the blind test set is."""
    how = "in their old order" if not result.shuffled else "in a new order"
    ids = " with new ids" if result.renumbered else ""
    kept = f"keeps {listed(result.kept)}" if result.kept else "has no attributes"
    yield headline(f"The blind test set has {counted(result.pairs, 'pair')} {how}{ids}, and {kept}.")


LITTLE = 0.01
"""A share of labels that is hardly worth mentioning."""
FIXES = {
    "ids": "replace them (--renumber)",
    "order": "leave out --in-order",
    "attribute": "leave it out",
    "length": "look for artefacts before you rely on scores",
}


def leaking(result: Blinded) -> Iterable[Finding]:
    """What is associated with the labels, and what to do about it."""
    for where in FIXES:
        found = [leak for leak in result.leaks if leak.where == where and leak.leaks]
        for leak in found if where in ("attribute", "length") else found[:1]:
            most = max(found, key=lambda one: one.guessed) if where in ("ids", "order") else leak
            said = f"{begun(most.what)}{',' * (', in' in most.what)} is associated with the labels"
            guess = f": {most.guessed:.0%} of them can be guessed from it instead of {most.common:.0%}"
            if most.guessed - most.common < LITTLE:
                guess = ", though too little to guess many more of them"
            yield headline(f"{said}{guess}; {FIXES[where]}.")
    if result.leaks and not any(leak.leaks for leak in result.leaks):
        looked = counted(len(result.leaks), "thing")
        yield Finding(
            f"Nothing that was looked at ({looked}) is significantly associated with the labels (level {LEVEL:g})."
        )
    if not result.labelled:
        yield Finding("The test set has no labels, so nothing can give them away.")


FINDINGS: Findings = (made, leaking)


@study("blind", BlindParameters, findings=FINDINGS)
def blind(pairs: Pairs, asked: BlindParameters) -> Blinded:
    """The pairs without their key, and whether ids, order, attributes or lengths depend on the labels."""
    for name in asked.attribute:
        if name not in pairs.attributes:
            raise UsageError.unknown("attribute of the pairs", name, pairs.attributes)
    places = np.arange(len(pairs))
    if not asked.in_order:
        # By the file as well, which others do not have: whoever knows the seed alone cannot restore the old order.
        secret = pairs.source.sha256 or Source.of_noun(pairs).sha256
        places = generator(asked.seed, "blind", "order", secret).permutation(len(pairs))
    old = [pairs.ids[place] for place in places.tolist()]
    # Without leading zeros, which a spreadsheet drops, and with as many digits each, so that they sort as text.
    first = 10 ** max(2, len(str(len(old))))
    new = [str(first + place) for place in range(len(old))] if asked.renumber else old
    return Blinded(
        pairs=len(pairs),
        labelled=int((pairs.labels >= 0).sum()),
        kept=list(dict.fromkeys(asked.attribute)),
        removed=[name for name in pairs.attributes if name not in asked.attribute],
        shuffled=not asked.in_order,
        renumbered=asked.renumber,
        ids=dict(zip(old, new, strict=True)),
        leaks=leaks_of(pairs, asked.attribute, asked.seed, ids=not asked.renumber, order=asked.in_order),
    )

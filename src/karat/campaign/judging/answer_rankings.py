"""How the verdicts of each assessor rank the runs, compared with those that were settled, scored as by `karat qa`."""

from __future__ import annotations

from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from karat.campaign.judging.dealing import head_of
from karat.campaign.judging.files import agreed_labels
from karat.campaign.judging.kinds.answer_lists import verdicts_file
from karat.campaign.judging.library import Material

if TYPE_CHECKING:
    from karat.arrays import Floats
    from karat.data.verdicts import Verdicts
    from karat.studies.keys.result import ScoredKey

Labels = dict[str, str]
"""Verdicts by unit."""


def rank(material: Material) -> list[tuple[str, ScoredKey]]:
    """For each assessor, the ranking on the questions of which they judged every answer that is settled."""
    from karat.campaign.judged import read_judgments

    settled = agreed_labels(material.work)
    if not settled or material.answers is None:
        return []
    official = read_judgments(material.questions, {"verdicts": verdicts_file(material, False)}).verdicts
    assert official is not None
    found, theirs = _scores(material, official), _by_person(material)
    pool: dict[str, set[str]] = {}
    for unit in settled:
        pool.setdefault(head_of(unit), set()).add(unit)
    made = []
    for who, said in sorted(theirs.items()):
        whole = [name for name, units in pool.items() if units <= said.keys()]
        places = [material.questions.index[name] for name in whole]
        own = {unit: said[unit] for name in whole for unit in pool[name]}
        if places:
            here = _scores(material, _replaced(official, own))
            made.append((who, _compared(material, who, places, found, here, own, settled)))
    return made


def _by_person(material: Material) -> dict[str, Labels]:
    """The verdicts of people, by assessor."""
    found: dict[str, Labels] = {}
    for unit, given in material.work.labels.items():
        for who, ballot in given.items():
            if ballot.label is not None and who not in material.work.programs:
                found.setdefault(who, {})[unit] = ballot.label
    return found


def _replaced(official: Verdicts, own: Labels) -> Verdicts:
    """The settled verdicts with those of one assessor in their place; groups stay."""
    from karat.data.verdicts import LETTERS

    codes = official.verdict.copy()
    for (place, document, string), row in official.index.items():
        label = own.get(f"{official.units[place]}\t{document}\t{string}")
        codes[row] = codes[row] if label is None else LETTERS.index(label)
    return replace(official, verdict=codes)


def _scores(material: Material, verdicts: Verdicts) -> Floats:
    """The score of every run on every question; answers that are not settled count as wrong."""
    from karat.studies.qa.given import Given
    from karat.studies.qa.parameters import QaParameters

    asked = QaParameters(unjudged="wrong")
    assert material.answers is not None
    return Given.of(material.questions, material.answers, verdicts, None, None, asked).score(asked).values


def _compared(
    material: Material, who: str, places: list[int], official: Floats, here: Floats, own: Labels, settled: Labels
) -> ScoredKey:
    from karat.studies.keys.result import ScoredKey
    from karat.studies.rankings import ranking_change

    assert material.answers is not None
    names = [material.run_names[id] for id in material.answers.runs]
    # A list without a known answer has no score: it counts for neither.
    both = [place for place in places if not np.isnan(official[:, place] + here[:, place]).any()]
    first, second = (of[:, both].mean(axis=1) if both else np.full(len(names), nan) for of in (official, here))
    return ScoredKey(
        **vars(ranking_change(names, first, second)),
        name=who,
        rule="",
        units=len(both),
        labels={},
        official_labels={},
        official=dict(zip(names, first.tolist(), strict=True)),
        changed=sum(label != settled[unit] for unit, label in own.items()),
        tau_interval=(nan, nan),
    )

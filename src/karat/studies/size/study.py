"""Size: how many units are needed to detect a difference, and what the present test set detects (`karat size`)."""

from __future__ import annotations

from itertools import product

from karat.data.ballots import Ballots
from karat.data.responses import Responses
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.progress import track
from karat.studies.base import MOST_RUNS, study
from karat.studies.scorer import Scorer
from karat.studies.size.findings import FIGURES, FINDINGS
from karat.studies.size.needed import detectable_with, needed_for, power_curves
from karat.studies.size.parameters import SizeParameters
from karat.studies.size.pilot import labelled_pilot, scored_pilot
from karat.studies.size.result import Size
from karat.studies.size.sampling import sample_of


@study("size", SizeParameters, most={"runs": MOST_RUNS}, findings=FINDINGS, figures=FIGURES)
def size(
    runs: Responses | Scores,
    asked: SizeParameters,
    *,
    ballots: Ballots | None = None,
    candidates: Ballots | None = None,
) -> Size:
    """Sizes and detectable differences from pilot runs or a score matrix.

    `ballots` on the key's pairs give the rate at which single assessors differ from the key; `candidates` are judged
    pairs from which to draw a test set.
    """
    if asked.mix and candidates is None:
        raise UsageError("--mix: give the judged candidates to draw from, --candidates FILE")
    if isinstance(runs, Scores):
        if asked.noise or ballots is not None:
            raise UsageError("errors of the key need its labels: give the key and the runs, not scores")
        pilots = [scored_pilot(runs.complete("size"), asked)]
        if pilots[0].joint is None and not pilots[0].discordance.median > 0:
            raise UsageError(
                "half of the pairs of runs have the same difference on every unit, so nothing tells how many units a "
                "difference needs: give scores on more units"
            )
    else:
        scorers = [Scorer.of(runs, asked.measure, way.name) for way in runs.ways(asked.way)]
        pilots = [labelled_pilot(scorer, asked, ballots) for scorer in scorers]
    wanted = track(list(product(pilots, asked.differences)), "simulating test sets")
    sizes = [needed_for(pilot, difference, asked) for pilot, difference in wanted]
    found = [detectable_with(pilot, asked) for pilot in pilots]
    return Size(
        way=pilots[0].way,
        measures=[pilots[0].scores.measure],
        kind="graded" if pilots[0].joint is None else "right/wrong",
        runs=list(pilots[0].scores.runs),
        unit=pilots[0].scores.unit,
        members=pilots[0].scores.members,
        power=asked.power,
        level=asked.level,
        noise=pilots[0].noise,
        sizes=sizes,
        detectable=found[0].difference,
        detectables=found,
        curves=[
            curve
            for pilot, row in zip(pilots, found, strict=True)
            for curve in power_curves(pilot, row.difference, asked)
        ],
        sample=None if candidates is None else sample_of(candidates, asked.mix, asked.rule, asked.units, asked.seed),
    )

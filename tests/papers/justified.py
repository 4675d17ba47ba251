"""Figures of pair 75, from the package: its ratings written as a file, and read and scored as any other."""

from __future__ import annotations

import tempfile
import tomllib
from functools import cache
from pathlib import Path

from karat.formats.justification_ratings import read_justifications
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs
from karat.studies.justify.result import Justified
from karat.studies.justify.study import justify
from tests.papers.by_hand_justified import RATED


@cache
def pair_75() -> Justified:
    """Six runs, all of them right, by six judges."""
    given = tomllib.loads((Path(__file__).parent / "voorhees2008.toml").read_text(encoding="utf-8"))["ratings"]
    assert given == RATED
    rows = [
        f"{run}\t75\tjudge {place}\t{cell[0]}\t{cell[1].replace('-', '')}\n"
        for run, cells in given.items()
        for place, cell in enumerate(cells.split(), 1)
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "ratings.tsv").write_text("run\tunit\tjudge\tunderstandable\tcompelling\n" + "".join(rows))
        (folder / "key.tsv").write_text("id\ttext\thypothesis\tlabel\n75\tt\th\tYES\n76\tt\th\tUNKNOWN\n77\tt\th\tNO\n")
        for run in given:
            (folder / f"{run}.txt").write_text("75 YES\n76 UNKNOWN\n77 NO\n")
        key = read_pairs(folder / "key.tsv")
        runs = read_runs([folder / f"{run}.txt" for run in given], key)
        return justify(read_justifications(folder / "ratings.tsv"), runs=runs, replicates=100)


def justified_figure(of: str, criterion: str = "compelling", run: str = "", not_asked: str = "zero") -> float:
    """One number."""
    result = pair_75()
    agreement = {one.criterion: one for one in result.agreement}[criterion]
    reasons = [one.wrong_reason for one in result.runs if one.wrong_reason]
    match of:
        case "w":
            assert agreement.concordance is not None
            assert agreement.concordance.w == agreement.concordance.w_pairs
            return agreement.concordance.w
        case "alpha":
            return agreement.alpha[not_asked].value
        case "right":
            return sum(one.of for one in reasons)
        case "wrong_reason":
            return sum(one.count for one in reasons)
    scores = next(one for one in result.runs if one.run == run).criteria[criterion]
    return scores.mean.value if of == "mean" else scores.mean_rank

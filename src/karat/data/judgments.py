"""The same runs judged several times: by people and by a program, by two programs, or by several assessors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from karat.data.parameters import checked_noun
from karat.data.provenance import ScoreReading, Source
from karat.data.scores import Scores
from karat.errors import Problem, UsageError


@checked_noun
@dataclass(frozen=True, eq=False)
class Judgments:
    """The scores of the same runs by several judges; the first is the reference."""

    judges: tuple[str, ...]
    scores: tuple[Scores, ...]
    warnings: tuple[Problem, ...] = ()

    @classmethod
    def of(cls, scores: Mapping[str, Scores]) -> Judgments:
        """From the scores by judge."""
        warnings = dict.fromkeys(one for some in scores.values() for one in some.warnings)
        return cls(tuple(scores), tuple(scores.values()), tuple(warnings))

    def __post_init__(self) -> None:
        """Check that there are two judges at least, and two runs that all of them judged."""
        if len(self.judges) != len(self.scores):
            raise UsageError(f"expected scores by each of {len(self.judges)} judges; there are {len(self.scores)}")
        if len(self.judges) < 2:
            raise UsageError(
                f"two judgments of the same runs are needed, and there is one ({', '.join(self.judges)}): give a file "
                "per judge, or a table with the columns judge, run, unit and score"
            )
        if len(self.runs) < 2:
            each = "; ".join(
                f"{judge}: {', '.join(s.runs[:5])}" for judge, s in zip(self.judges, self.scores, strict=True)
            )
            raise UsageError(f"fewer than two runs have scores by every judge, by their names ({each})")

    @property
    def runs(self) -> tuple[str, ...]:
        """The runs that every judge judged, in the order of the first."""
        others = [set(scores.runs) for scores in self.scores[1:]]
        return tuple(run for run in self.scores[0].runs if all(run in runs for runs in others))

    @property
    def others(self) -> tuple[str, ...]:
        """The runs that only some of the judges judged."""
        common = set(self.runs)
        return tuple(dict.fromkeys(run for one in self.scores for run in one.runs if run not in common))

    @property
    def sources(self) -> tuple[Source, ...]:
        """The files of all judges."""
        return tuple(source for one in self.scores for source in one.sources or (Source.of_noun(one),))

    @property
    def reading(self) -> ScoreReading:
        """How the files were read."""
        return self.scores[0].reading

"""Diagnose: accuracy by phenomenon, and accuracy on originals relative to their parts (`karat diagnose`)."""

from __future__ import annotations

import numpy as np

from karat.arrays import NAN
from karat.data.decomposition import Decomposition, by_attribute
from karat.data.pairs import Pairs
from karat.data.provenance import IN_MEMORY
from karat.data.responses import Responses
from karat.data.result import Estimate
from karat.data.weights import Relevance
from karat.errors import UsageError
from karat.statistics.correlation_index import deviation_index, pair_index, reading
from karat.statistics.shrinkage import shrink
from karat.studies.base import study
from karat.studies.diagnose.charts import FIGURES
from karat.studies.diagnose.findings import FINDINGS
from karat.studies.diagnose.groups import SIDES, Tally, make_groups, texts_of
from karat.studies.diagnose.indices import Indices, indices
from karat.studies.diagnose.parameters import DiagnoseParameters
from karat.studies.diagnose.result import Diagnosis
from karat.studies.diagnose.rows import IntervalOrNone, PairRow, PartsCorrelation, PhenomenonRow, Prior, Row, Side
from karat.studies.diagnose.verdicts import consistencies, contests, verdicts


@study("diagnose", DiagnoseParameters, findings=FINDINGS, figures=FIGURES)
def diagnose(
    runs: Responses,
    asked: DiagnoseParameters,
    *,
    decomposition: Decomposition | None = None,
    relevance: Relevance | None = None,
) -> Diagnosis:
    """Diagnose runs by an attribute of the pairs, or by the phenomena of a decomposed test set."""
    decomposition = _decomposition(runs.key, decomposition, asked)
    if runs.key.ids != decomposition.pairs.ids:
        raise UsageError("the runs were read against other pairs: read_runs(paths, decomposition.pairs)")
    if not decomposition.mono.any():
        raise UsageError("no pair has both a label and a phenomenon, so there is nothing to diagnose")
    return _Diagnosing(decomposition, runs, relevance, asked).result()


def _decomposition(key: Pairs, given: Decomposition | None, asked: DiagnoseParameters) -> Decomposition:
    if given is not None:
        if asked.by is not None:
            raise UsageError(f"--by {asked.by}: a decomposed test set names its phenomena itself")
        return given
    if asked.by is None:
        raise UsageError("a test set without originals needs --by ATTRIBUTE, which plays the phenomenon")
    return by_attribute(key, asked.by, asked.separator)


class _Diagnosing:
    """Everything that the rows of the result are computed from."""

    def __init__(
        self, decomposition: Decomposition, runs: Responses, relevance: Relevance | None, asked: DiagnoseParameters
    ) -> None:
        self.decomposition, self.runs, self.relevance, self.asked = decomposition, runs, relevance, asked
        [self.way] = runs.ways(asked.way)
        self.key = key = runs.key_codes(self.way)
        self.right = np.nan_to_num(runs.right(self.way).values)
        # The systems that give one answer to every pair are rows after the runs.
        right = np.vstack([self.right, key == np.arange(len(self.way.labels))[:, None]])
        self.names = (*runs.names, *self.way.constants)
        weights = np.ones(len(key)) if relevance is None else relevance.of_pairs(decomposition)
        weights = weights / weights.max(initial=1.0)  # accuracies do not change, and squares cannot overflow
        self.groups = make_groups(decomposition, key, self.way)
        self.texts = texts_of(decomposition, np.flatnonzero(decomposition.mono))
        places = decomposition.originals
        sided = self.groups.sided(key, places)
        self.parts = Tally.of(right, sided[0], asked.interval, weights)
        self.whole = Tally.of(right[:, places], sided[1], asked.interval)
        self.found: list[Indices | None] = [
            indices(decomposition, row, sided, weights, asked) if len(places) else None for row in right
        ]
        unknown = np.full(len(self.groups.names), np.nan)
        index = np.stack([unknown if one is None else one.p for one in self.found])
        self.verdicts = verdicts(self.right, self.groups, self.texts, self.parts, index, asked)

    def result(self) -> Diagnosis:
        """The diagnosis."""
        decomposition, runs, asked = self.decomposition, self.runs, self.asked
        names, groups = runs.names, range(len(self.groups.names))
        phenomena, priors = self._phenomena()
        on_phenomena, on_categories = contests(self.groups, self.texts, names, self.right, asked)
        sources = [*decomposition.sources, *([self.relevance.source] if self.relevance else [])]
        return Diagnosis(
            way=self.way.name,
            by=asked.by or "phenomenon",
            originals=len(decomposition.originals),
            monothematic=int(decomposition.mono.sum()),
            texts=int(self.texts.max()) + 1,
            without_value=int((self.key >= 0).sum() - decomposition.mono.sum()) if asked.by else 0,
            weighted=self.relevance is not None,
            small=asked.small,
            correction=asked.correction,
            slices_tested=self.verdicts.slices,
            overall=[self._row(run, 0) for run in range(len(names))],
            baselines=[self._row(run, 0) for run in range(len(names), len(self.names))],
            categories=[self._row(run, at) for run in range(len(names)) for at in groups[self.groups.categories]],
            phenomena=phenomena,
            judgments=[self._row(run, at) for run in range(len(names)) for at in groups[self.groups.judgments]],
            pairs=self._pairs(),
            correlations=[
                PartsCorrelation(name, found.pearson, found.pearson_interval, len(decomposition.originals))
                for name, found in zip(names, self.found, strict=False)
                if found is not None
            ],
            contests=on_phenomena,
            category_contests=on_categories,
            consistency=consistencies(decomposition, names, self.key, self.right, asked),
            priors=priors,
            sources=[source for source in sources if source != IN_MEMORY],
        )

    def _row(self, run: int, at: int) -> Row:
        """One run on one group."""
        found, asked = self.found[run], self.asked
        index = np.full(SIDES, np.nan) if found is None else found.correlation[:, at]
        adjusted = NAN if found is None else float(found.adjusted[at])
        adjusted_interval = None if found is None else found.adjusted_intervals[at]
        positive, negative = self._side(run, 1, at), self._side(run, 2, at)
        tested = self.verdicts
        tests = tested.weaker, tested.weaker_corrected, tested.index, tested.index_corrected
        p, p_corrected, p_index, p_index_corrected = (float(part[run, at]) for part in tests)
        return Row(
            **vars(self.parts.cell(run, 0, at, small=asked.small)),
            run=self.names[run],
            name=self.groups.names[at],
            positive=positive,
            negative=negative,
            p=p,
            p_corrected=p_corrected,
            weaker=None if p != p else p_corrected <= asked.alpha,
            originals=None if found is None else self.whole.cell(run, 0, at, small=asked.small),
            correlation_index=float(index[0]),
            correlation_interval=None if found is None else found.intervals[at],
            distance=abs(float(index[0]) - 1),
            adjusted_index=adjusted,
            adjusted_interval=adjusted_interval,
            p_index=p_index,
            p_index_corrected=p_index_corrected,
            deviation_index=float(deviation_index(index[1], index[2])),
            deviation_interval=None if found is None else found.deviations[at],
            reading=self._reading(run, at, float(index[0]), adjusted_interval, (positive, negative)),
        )

    def _reading(self, run: int, at: int, index: float, interval: IntervalOrNone, sides: tuple[Side, Side]) -> str:
        """The meaning of the adjusted index; the plain one also depends on the mixes of labels."""
        found = self.found[run]
        if found is None:
            return "no originals"
        if index != index:
            return "undefined"
        if any(side.n and side.originals and not side.right for side in sides):
            return "one-sided"
        adjusted = float(found.adjusted[at])
        if adjusted != adjusted:
            return "different label mixes"
        claims = 1 if self.asked.correction == "none" else max(self.verdicts.indices(at), 1)
        ideal = found.ideal(at, 1 - self.asked.alpha / claims)
        return reading(adjusted, interval, float(self.verdicts.index_corrected[run, at]), self.asked.alpha, ideal)

    def _side(self, run: int, side: int, at: int) -> Side:
        return Side(
            **vars(self.parts.share(run, side, at)),
            originals=round(float(self.whole.n[side, at])),
            originals_right=round(float(self.whole.right[run, side, at])),
        )

    def _phenomena(self) -> tuple[list[PhenomenonRow], list[Prior]]:
        """Every run on every phenomenon, with its accuracy shrunken towards those of the other phenomena."""
        rows, priors = [], []
        part = self.groups.phenomena
        for run, name in enumerate(self.runs.names):
            right, trials = self.parts.right[run, 0, part], self.parts.n[0, part]
            shrunken = shrink(right, trials, self.asked.interval)
            if shrunken is not None:
                priors.append(Prior(name, shrunken.mean, shrunken.strength))
            share = float(self.parts.right[run, 0, 0] / self.parts.n[0, 0])
            for at, one in enumerate(self.decomposition.phenomena):
                row = vars(self._row(run, part.start + at)) | {"name": one.name}
                estimate = None
                if shrunken is not None and trials[at]:
                    estimate = Estimate(float(shrunken.values[at]), float(shrunken.low[at]), float(shrunken.high[at]))
                excess = float(trials[at] * share - right[at])
                rows.append(PhenomenonRow(**row, category=one.category or "", shrunken=estimate, excess=excess))
        return rows, priors

    def _pairs(self) -> list[PairRow]:
        """Every run on every original, compared with its parts."""
        places, ids = self.decomposition.originals, self.decomposition.pairs.ids
        if not len(places):
            return []
        own = Tally.of(self.right, self.decomposition.own, self.asked.interval)
        index = pair_index(self.right[:, places], own.right, own.n)
        return [
            PairRow(
                **vars(own.cell(run, at, small=self.asked.small)),
                run=name,
                name=ids[place],
                label=self.way.labels[self.key[place]],
                original_right=bool(self.right[run, place]),
                correlation_index=float(index[run, at]),
            )
            for run, name in enumerate(self.runs.names)
            for at, place in enumerate(places.tolist())
        ]

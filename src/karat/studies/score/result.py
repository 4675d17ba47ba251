"""The evaluation of runs: the result of `score` and its tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, ClassVar

from karat.data.fields import Why, readable
from karat.data.records import Records, RowsAt
from karat.data.result import TITLED, Field, Note, RunName, Sheet
from karat.labels import ENTAILMENT, IN_WORDS, NO_ANSWER, NO_ENTAILMENT, WAYS, Way
from karat.measures.facts import INTERVALS
from karat.studies.base import StudyResult
from karat.studies.rankings import Crossing
from karat.studies.score.caveats import CONFIDENCE_NOTES, CONFIDENCES, SOURCES, Reliability
from karat.studies.score.rows import (
    KeySummary,
    RunScores,
    Slice,
    is_defined,
    label_mix,
)
from karat.studies.shared_texts import NONE_SHARED, SharedTexts
from karat.studies.wording import begun, counted, fact_of, heading_of, over_clusters, unit_of

MAIN_MEASURES = ("accuracy", "macro_f1", "kappa")
"""The measures of the first table if none are asked for; JSON and CSV have all."""
PROBABILITY_MEASURES = ("log_loss", "brier", "calibration_error", "auroc")
"""The measures that are added if a run states probabilities."""
RUN = Field("run", "name")
ENTROPIES = ("entropy_key", "entropy_response", "conditional_entropy")
AVERAGE_PRECISION_NOTE = Note.of(
    "average precision considers only how ENTAILMENT is ranked, ignores the labels, and can prefer a less accurate run "
    "(Bergmair 2009): read it together with accuracy",
    "average precision",
)
LOSS_NOTE = Note.of(
    "log loss: −ln of the probability given to the key's label, on average; Brier: the squared distance of the "
    "probabilities from the key; lower is better for both; AUROC: how often the probability of ENTAILMENT is "
    "higher where it is right than where it is not",
    "log loss",
    "Brier",
    "AUROC",
    "AUROC two-way",
)
NO_ANSWER_NOTE = Note.of("I counts a missing answer as a separate answer", "I", "I corrected")
SOUND_NOTE = Note.of(
    "sound: some cut-off of the run's ranking reproduces its labels; by sign: ranked by the confidence in its answers, "
    "ENTAILMENT first and the others last",
    "labels and ranking",
)
INFORMATION_NOTE = Note.of(
    "I, the information in the answers, is in bits; it is the same if labels are swapped, so read it together with "
    "accuracy. Corrected: minus the bias of the plug-in estimate (Miller–Madow).",
    "I",
    "I corrected",
)


MEASURED = (RowsAt("*way.*measure", low="intervals.{way}.{measure}.0", high="intervals.{way}.{measure}.1"),)


@dataclass(frozen=True, kw_only=True, repr=False)
class Evaluation(StudyResult):
    """The result of `score`."""

    key: KeySummary
    runs: list[RunScores]
    baselines: list[RunScores]
    slices: list[Slice]
    crossings: list[Crossing]
    shown: list[str]
    """The ways shown in tables and figures."""
    headline: list[str]
    """The measures of the first table; the others have tables of their own, or are only in JSON and CSV."""
    identical: list[list[str]]
    """Groups of runs that give the same answer to every pair."""
    own_weights: bool
    """Each run has its own weights of the pairs."""
    clusters: Annotated[int | None, Why("pairs are not clustered")]
    """The number of clusters that intervals are over."""
    shared_texts: Annotated[SharedTexts | None, NONE_SHARED]

    RECORDS: ClassVar[Records] = Records(
        "system=run, kind, attribute, value_of_attribute, way, measure, value=., low, high",
        RowsAt("runs.*.values", *MEASURED, kind="=run"),
        RowsAt("baselines.*.values", *MEASURED, kind="=baseline"),
        RowsAt("slices.*.runs.*.values", *MEASURED, kind="=run", value_of_attribute="value"),
        RowsAt("runs.*.reliability", *CONFIDENCES, kind="=run"),
    )
    METHOD: ClassVar[str] = (
        "Answers are cross-tabulated with the key; two-way scores merge UNKNOWN and CONTRADICTION. Every measure is a "
        "function of these counts, or of the ranking by confidence. Baselines are scored on their expected counts. "
        "Information and entropies count a missing answer as a separate answer. "
        "Proportions have Wilson intervals; other measures have intervals by the delta method."
    )

    @property
    def way(self) -> str:
        """The way for the signature."""
        return "both" if len(self.shown) > 1 else self.shown[0]

    @property
    def measures(self) -> list[str]:
        """Every measure computed, for the signature."""
        rows = [*self.runs[:1], *self.baselines[:1]]
        return list(dict.fromkeys(name for row in rows for values in row.values.values() for name in values or {}))

    @property
    def _better(self) -> int:
        """1 if smaller values of the first measure are better, otherwise −1."""
        return 1 if fact_of(self.headline[0], "lower") else -1

    def systems(self, way: str = "") -> list[RunScores]:
        """The runs ranked by the first measure, in this way or the one shown first, followed by the baselines."""

        def place(row: RunScores) -> tuple[float, ...]:
            values = [row.value(one, self.headline[0]) for one in (*[way] * bool(way), *self.shown, "2")]
            return tuple(self._better * value if value is not None and value == value else 99.0 for value in values)

        return sorted(self.runs, key=place) + self.baselines

    def _rows(self, way: str) -> list[RunScores]:
        """The rows of a table: the runs and the best baseline; all baselines if there is no run."""
        values = {row.run: row.value(way, self.headline[0]) for row in self.baselines}
        known = [row for row in self.baselines if (value := values[row.run]) is not None and value == value]
        best = max(known or self.baselines, key=lambda row: -self._better * round(values[row.run] or 0.0, 9))
        return [row for row in self.systems(way) if not self.runs or not row.trivial or row is best]

    def confident(self) -> list[tuple[RunName, Reliability]]:
        """The runs that state confidences, best first; none if accuracy was not asked for."""
        rows = [(row.name, row.reliability) for row in self.systems() if row.reliability]
        return rows if "accuracy" in self.headline else []

    def citations(self) -> list[str]:
        """The sources of the intervals as well."""
        kinds = {fact_of(name, "interval") for name in self.measures}
        intervals = [source for kind in sorted(kinds) if (source := INTERVALS[kind].source)]
        intervals += ["Korn and Graubard 1998"] * (self.clusters is not None)
        return [*super().citations(), *intervals, *(SOURCES if self.confident() else ())]

    @property
    def first_sheets(self) -> int:
        """The table of the runs in every way shown."""
        return len(self.shown)

    def make_sheets(self) -> list[Sheet]:
        """Tables of runs and trivial systems, of each label, confusions, slices, confidences, merges, crossings."""
        ways = [WAYS[name] for name in self.shown]
        made = [self._main(way.name) for way in ways]
        for way in ways:
            rows = [row for row in self._rows(way.name) if row.values[way.name]]
            measured = rows[0].values[way.name] or {}
            if f"recall({way.labels[0]})" in measured and "accuracy" in self.headline:
                made.append(self._conditioned(rows, way))
        made += [one for way in ways if (one := self._probabilities(way))]
        if self._confused:
            made += [self._confusions(way) for way in ways]
        made += [self._slice_sheet(attribute) for attribute in dict.fromkeys(part.attribute for part in self.slices)]
        made += [self._confidences()] if self.confident() else []
        made += [self._merge_sheet()] if any(row.degradations for row in self.runs) else []
        return [*made, self._crossing_sheet()] if self.crossings else made

    def about(self, run: str) -> list[Sheet]:
        """The run's contingency tables as well."""
        return [*([] if self._confused else self.contingency(run)), *super().about(run)]

    @property
    def _confused(self) -> bool:
        """Whether there is a table of all confusion matrices."""
        return bool(self.signature.parameters.get("confusion")) or len(self.runs) == 1

    def contingency(self, run: str) -> list[Sheet]:
        """How often a run gave each answer to the pairs of each label, in every way shown."""
        made = []
        for row in self.runs:
            for way, counts in row.table.items():
                if row.run == run and counts is not None and way in self.shown:
                    labels = WAYS[way].labels
                    answers = (*labels, NO_ANSWER)[: len(counts[0])]
                    columns = [Field(label, f"1.{at}", 0) for at, label in enumerate(answers)]
                    title, lines = f"Answers by key, {IN_WORDS[way]}", list(zip(labels, counts, strict=True))
                    made.append(replace(self.sheet(title, lines, Field("key", "0"), *columns), way=self.one_of(way)))
        return made

    def _confusions(self, way: Way) -> Sheet:
        """How often each run gave each answer to the pairs of each label, one row per run and label of the key."""
        rows = [
            (run.name, label, counts)
            for run in self.systems(way.name)
            if not run.trivial
            for label, counts in zip(way.labels, run.table[way.name] or [], strict=False)
        ]
        digits = 0 if all(count.is_integer() for *_, counts in rows for count in counts) else None
        answers = [f"answered {label}" for label in way.labels]
        answers += [NO_ANSWER] * any(len(counts) > len(answers) for *_, counts in rows)
        columns = [Field(name, f"2.{at}", digits) for at, name in enumerate(answers)]
        made = self.sheet(
            f"Confusion matrix, {IN_WORDS[way.name]}", rows, Field("run", "0"), Field("key", "1"), *columns
        )
        return replace(made, way=self.one_of(way.name))

    def _main(self, way: str) -> Sheet:
        rows = self._rows(way)
        columns = [RUN]
        best = []
        asked = not set(MAIN_MEASURES) <= set(self.headline)
        for number, measure in enumerate(self.headline):
            for shown in self._ways_shown(rows, way, measure):
                heading = heading_of(measure) + f" {shown}-way" * (shown != way)
                if measure == "accuracy" and shown != way:
                    heading = f"{shown}-way"  # beside the accuracy that it belongs to
                best += [heading] * (measure not in ENTROPIES and not fact_of(measure, "lower"))
                made = self._measured(heading, shown, measure, f"{readable(measure)}, {IN_WORDS[shown]}")
                columns += (
                    made if (number == 0 and shown == way) or (asked and not heading.endswith("-way")) else made[:1]
                )
        if any(row.sound for row in self.runs):
            columns.append(Field("", "sound"))
        for part in ("missing", "unparsed"):
            if any(getattr(row, part) for row in self.runs):
                columns.append(Field(part, partial(self._share, part), unit="%"))
        counts = dict(self.key.labels)
        if way == "2":
            entailed = counts[ENTAILMENT]
            counts = {ENTAILMENT: entailed, NO_ENTAILMENT: sum(counts.values()) - entailed}
        if without := self.key.units - sum(counts.values()):
            counts["without label"] = without
        labels = ", ".join(f"{count:,} {label}" for label, count in counts.items())
        among = f" in {counted(self.clusters, 'cluster')}" if self.clusters is not None else ""
        title = f"{begun(IN_WORDS[way])}, {counted(self.key.units, 'pair')}{among}: {labels}"
        sheet = self.sheet(title, rows, *columns, notes=tuple(self._notes()), sorted_by=columns[1].name)
        return replace(sheet, way=self.one_of(way), best=tuple(best))

    def _share(self, part: str, row: RunScores) -> float | None:
        return None if row.trivial else float(getattr(row, part) / self.key.units)

    def _measured(self, heading: str, way: str, measure: str, note: str = "") -> list[Field]:
        """A measure in the digits that its intervals allow, and its interval."""
        interval = ("intervals", way, measure)
        value = Field(heading, ("values", way, measure), note=note, unit=unit_of(measure), interval=interval)
        return [value, Field(f"{self.percent} CI", interval)]

    def one_of(self, way: str) -> str:
        """The way of a table or chart that there is in several ways."""
        return way if len(self.shown) > 1 else ""

    def _ways_shown(self, rows: list[RunScores], way: str, measure: str) -> list[str]:
        """The ways in which a table has a measure: its own, or the only one that is defined; accuracy in both."""
        # A measure that is defined for baselines only is of no use.
        defined = [name for name in ("3", "2") if is_defined(self.runs or rows, name, measure)]
        if not defined:  # asked for but undefined throughout: a column of dashes, with the reason below
            return [name for name in (way, "2") if any(row.value(name, measure) is not None for row in rows)][:1]
        if len(self.shown) > 1:
            return [way] if way in defined else []
        others = [name for name in defined if name != way]
        return [way, *(others if measure == "accuracy" else [])] if way in defined else others[:1]

    def _notes(self) -> Iterable[str]:
        yield "in brackets: the best baseline, computed exactly; JSON and CSV have all of them"
        if self.clusters is not None:
            yield over_clusters(self.clusters, "pairs", str(self.signature.parameters["cluster"]))
        if self.own_weights:
            yield "runs are weighted by their own weights; baselines give all pairs the same weight"
        if "information" in self.headline:
            yield INFORMATION_NOTE
        if "average_precision" in self.headline:
            yield AVERAGE_PRECISION_NOTE
        if any(row.sound for row in self.runs):
            yield SOUND_NOTE
        if any(row.manual for row in self.runs):
            yield "* manual runs"
        if any(row.missing for row in self.runs):
            yield Note.of("missing: the share of pairs without an answer, each counted as wrong", "missing")
        if any(row.unparsed for row in self.runs):
            treated = "wrong" if self.signature.parameters.get("unparsed") == "wrong" else "UNKNOWN"
            told = f"unparsed: the share of pairs with an answer that is no label, each counted as {treated}"
            yield Note.of(told, "unparsed")
        if "information" in self.headline and any(row.missing or row.unparsed for row in self.runs):
            yield NO_ANSWER_NOTE

    @property
    def sliced_way(self) -> str:
        """The way of tables and figures by slice: one that every run answers in, if there is one."""
        return next((one for one in self.shown if all(row.values[one] for row in self.runs)), self.shown[-1])

    def _slice_sheet(self, attribute: str) -> Sheet:
        way, measure = self.sliced_way, self.headline[0]
        unit = TITLED if unit_of(measure) else ""
        runs = {row.run: row.name for row in self.systems(way)[: len(self.runs)]}
        parts = {f"{part.value} ({part.units:,})": part for part in self.slices if part.attribute == attribute}
        cells = {
            name: {row.run: (row.values[way] or {}).get(measure) for row in part.runs} for name, part in parts.items()
        }
        title = f"{begun(readable(measure))}{' %' * bool(unit)} by {attribute}, {IN_WORDS[way]}"
        if len(parts) <= max(len(runs), 6):
            by_part = (Field(name, of.get, unit=unit) for name, of in cells.items())
            return self.sheet(title, list(runs), Field("run", runs.get), *by_part)
        by_run = (Field(name, ("1", run), unit=unit) for run, name in runs.items())
        return self.sheet(title, list(cells.items()), Field(attribute, "0"), *by_run)

    def _confidences(self) -> Sheet:
        parts = "way confidence accuracy interval brier calibration_error error_interval by_luck luck"
        columns = [f"reliability.{part}" for part in parts.split()]
        rows = [row for row in self.systems() if row.reliability]
        notes: tuple[str, ...] = CONFIDENCE_NOTES
        silent = {str(row.name): row.unparsed for row in rows if row.unparsed}
        if silent:
            left_out = ", ".join(f"{count:,} of {name}" for name, count in silent.items())
            notes = (*notes, f"answers that are no label are left out here, since no confidence is in them: {left_out}")
        return self.sheet("Reliability of confidences", rows, RUN, *columns, notes=notes)

    def _probabilities(self, way: Way) -> Sheet | None:
        """The measures of probabilities, for the runs that state them; AUROC is two-way."""
        rows = [row for row in self.systems(way.name) if is_defined([row], way.name, "log_loss")]
        if not rows or "log_loss" in self.headline:
            return None
        columns = [RUN]
        for measure in ("log_loss", "brier", "auroc"):  # the calibration error is beside its chance level
            of = "2" if measure == "auroc" else way.name
            columns += self._measured(heading_of(measure) + " two-way" * (of != way.name), of, measure)
        made = self.sheet(f"Probabilities, {IN_WORDS[way.name]}", rows, *columns, notes=(LOSS_NOTE,), sorted_by="run")
        return replace(made, way=self.one_of(way.name))

    def _merge_sheet(self) -> Sheet:
        rows = [(row, one) for row in self.runs for one in row.degradations]
        columns = [Field("run", "0.name"), Field("", "1.way"), Field("", "1.merge")]
        for part, unit in (("accuracy", "%"), ("kappa", ""), ("information", "")):
            columns += [Field(part, f"1.{part}.0", unit=unit), Field("after", f"1.{part}.1", unit=unit)]
        note = (
            "information: the plug-in estimate, which almost any merge lowers; lost at least: the lower end of a "
            "simultaneous interval over all runs and pairs of labels, 0 if the loss is not significant"
        )
        title = "Merges that would raise a score and lower information"
        return self.sheet(title, rows, *columns, Field("lost at least", "1.lost.0"), notes=(note,))

    def _crossing_sheet(self) -> Sheet:
        names = {row.run: row.name for row in self.runs}
        found = [(one, prior) for one in self.crossings for prior in one.priors]
        rows = [(names[one.a], names[one.b], one.way, label_mix(one.way, prior)) for one, prior in found]
        headings = ("run", "other run", "way", "label mix at which they are equally accurate")
        return Sheet.listed("Label mixes at which two runs swap ranks", headings, rows)

    def _conditioned(self, rows: list[RunScores], way: Way) -> Sheet:
        labels = list(zip(way.labels, way.symbols, strict=True))
        notes = {
            "recall": "share right, of pairs with key {}",
            "precision": "share right, of answers {}",
            "f1": "the harmonic mean of recall and precision of {}",
        }
        columns = [
            self._measured(f"{readable(kind)} {symbol}", way.name, f"{kind}({label})", note.format(label))[0]
            for kind, note in notes.items()
            for label, symbol in labels
        ]
        legend = ", ".join(f"{symbol} {label}" for label, symbol in labels)
        title = f"Recall, precision and F1 of each label, {IN_WORDS[way.name]}"
        return replace(self.sheet(title, rows, RUN, *columns, notes=(legend,)), way=self.one_of(way.name))

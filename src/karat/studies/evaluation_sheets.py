"""An evaluation as tables, charts and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from karat.data.result import Cell, Chart, Column, Sheet
from karat.labels import WAYS, Way
from karat.studies.base import finding

if TYPE_CHECKING:
    from karat.studies.evaluate import Evaluation, RunScores

HEADLINE = (
    "accuracy",
    "mean_recall",
    "kappa",
    "information",
    "information_corrected",
    "decided_f(weight=1/3)",
)
HEADINGS = {
    "information": "I",
    "information_corrected": "I corrected",
    "normalized_information": "I/H(G)",
    "entropy_key": "H(G)",
    "entropy_response": "H(L)",
    "conditional_entropy": "H(G|L)",
    "decided_f(weight=1/3)": "decided F",
    "mean_recall": "mean recall",
}
AVERAGE_PRECISION_NOTE = (
    "average precision looks at ENTAILMENT alone, ignores the labels, and can prefer a less accurate run "
    "(Bergmair 2009): read it beside accuracy"
)
INFORMATION_NOTE = (
    "I is in bits; it does not see whether labels are inverted, so read it with accuracy. "
    "`corrected` takes off the bias of the plug-in estimate (Miller–Madow)."
)


def shown_ways(evaluation: Evaluation) -> list[Way]:
    """The ways that people are shown: one, or both."""
    way = evaluation.signature.way or "2"
    names = ["3", "2"] if way == "both" else [way]
    return [
        WAYS[name] for name in names if any(row.values[name] for row in evaluation.runs + evaluation.baselines)
    ]


def _value(row: RunScores, way: str, measure: str) -> float | None:
    """A number, NaN where it is undefined, None where the system is not scored in that way."""
    values = row.values[way]
    return None if values is None else values.get(measure)


def _order(evaluation: Evaluation) -> list[RunScores]:
    """Runs from best to worst by the first measure shown, then the trivial systems."""
    ways = shown_ways(evaluation)
    first = _measures(evaluation)[0]

    def place(row: RunScores) -> tuple[float, ...]:
        values = [_value(row, way, first) for way in [*(way.name for way in ways), "2"]]
        return tuple(-value if value is not None and value == value else 9.0 for value in values)

    return sorted(evaluation.runs, key=place) + evaluation.baselines


def _measures(evaluation: Evaluation) -> list[str]:
    """What the first table shows: what was asked for, or the headline measures."""
    asked = list(evaluation.signature.measures)
    headline = [name for name in HEADLINE if name in asked]
    whole = {"accuracy", "entropy_key", "conditional_entropy"} <= set(asked)
    return [*headline, *(name for name in asked if name.startswith("shifted_"))] if whole else asked


def sheets(evaluation: Evaluation) -> list[Sheet]:
    """The evaluation as tables for people."""
    rows = _order(evaluation)
    ways = shown_ways(evaluation)
    made = [_main(evaluation, rows, ways)]
    default = len(_measures(evaluation)) < len(evaluation.signature.measures)
    if default:
        made += [_conditioned(rows, way) for way in ways] + [_entropies(rows, way) for way in ways]
    made += [_slice_sheet(evaluation, attribute, ways) for attribute in _attributes(evaluation)]
    if any(row.degradations for row in evaluation.runs):
        made.append(_degradations(evaluation))
    if evaluation.crossings:
        made.append(_crossings(evaluation))
    return made


def _attributes(evaluation: Evaluation) -> list[str]:
    return list(dict.fromkeys(part.attribute for part in evaluation.slices))


def _name(row: RunScores) -> str:
    return row.run + "*" * row.manual


def _main(evaluation: Evaluation, rows: list[RunScores], ways: list[Way]) -> Sheet:
    runs = len(evaluation.runs)
    columns = [Column("run", [_name(row) if place < runs else f"({row.run})" for place, row in enumerate(rows)])]
    measures = _measures(evaluation)
    level = f"{float(evaluation.signature.parameters['interval']):g}"
    beside = [WAYS["2"]] if ways and ways[0].name == "3" and len(ways) == 1 else []
    for number, measure in enumerate(measures):
        # Accuracy is always told both ways; the rest in the way that is shown.
        for way in [*ways, *(beside if measure == "accuracy" or "precision" in measure else [])]:
            values = [_value(row, way.name, measure) for row in rows]
            if all(value is None or value != value for value in values):
                continue
            heading = HEADINGS.get(measure, measure) + (f" {way.name}-way" if len([*ways, *beside]) > 1 else "")
            columns.append(Column(heading, values, 4))
            if number == 0 and way is ways[0]:
                columns.append(Column(f"{level} interval", [_interval(row, way.name, measure) for row in rows]))
    if any(row.sound for row in evaluation.runs):
        columns.append(Column("labels and ranking", [_sound(row) for row in rows]))
    notes = ["in brackets: the trivial systems, computed exactly"]
    notes += [INFORMATION_NOTE] if "information" in measures else []
    notes += [AVERAGE_PRECISION_NOTE] if "average_precision" in measures else []
    notes += ["* manual runs"] if any(row.manual for row in evaluation.runs) else []
    labels = ", ".join(f"{count} {label}" for label, count in evaluation.key.labels.items())
    return Sheet(f"{evaluation.key.units} pairs: {labels}", tuple(columns), tuple(notes))


def _interval(row: RunScores, way: str, measure: str) -> str | None:
    bounds = row.intervals[way]
    if bounds is None or measure not in bounds or bounds[measure][0] != bounds[measure][0]:
        return None
    return f"{bounds[measure][0]:.3f} – {bounds[measure][1]:.3f}"


def _sound(row: RunScores) -> str | None:
    if row.sound is None:
        return None
    if row.sound.sound:
        return "sound (by sign)" if row.sound.by_sign else "sound"
    return f"{row.sound.disagreements} disagree"


def _conditioned(rows: list[RunScores], way: Way) -> Sheet:
    rows = [row for row in rows if row.values[way.name]]
    columns = [Column("run", [_name(row) for row in rows])]
    for kind, sign in (("recall", "of key"), ("precision", "of answers")):
        for label, symbol in zip(way.labels, way.symbols, strict=True):
            values = [_value(row, way.name, f"{kind}({label})") for row in rows]
            columns.append(Column(f"{kind} {symbol}", values, 3, f"right, {sign} {label}"))
    legend = ", ".join(f"{symbol} {label}" for symbol, label in zip(way.symbols, way.labels, strict=True))
    return Sheet(f"Accuracy conditioned on the key and on the response, {way.name}-way", tuple(columns), (legend,))


def _entropies(rows: list[RunScores], way: Way) -> Sheet:
    rows = [row for row in rows if row.values[way.name]]
    columns = [Column("run", [_name(row) for row in rows])]
    for measure in ("entropy_key", "entropy_response", "conditional_entropy"):
        columns.append(Column(HEADINGS[measure], [_value(row, way.name, measure) for row in rows], 4))
    for label, symbol in zip(way.labels, way.symbols, strict=True):
        values = [_value(row, way.name, f"conditional_entropy({label})") for row in rows]
        columns.append(Column(f"H(G|{symbol})", values, 4, f"after the run has answered {label}"))
    columns.append(Column("I/H(G)", [_value(row, way.name, "normalized_information") for row in rows], 4))
    return Sheet(f"What the key holds and the runs tell, {way.name}-way, in bits", tuple(columns))


def _slice_sheet(evaluation: Evaluation, attribute: str, ways: list[Way]) -> Sheet:
    measure, way = _measures(evaluation)[0], ways[0].name
    parts = [part for part in evaluation.slices if part.attribute == attribute]
    columns = [Column("run", [_name(row) for row in evaluation.runs])]
    for part in parts:
        values = [_value(row, way, measure) for row in part.runs]
        columns.append(Column(f"{part.value} ({part.units})", values, 4))
    return Sheet(f"{measure} by {attribute}, {way}-way", tuple(columns))


def _degradations(evaluation: Evaluation) -> Sheet:
    found = [(row, merge) for row in evaluation.runs for merge in row.degradations]
    columns = [
        Column("run", [_name(row) for row, _ in found]),
        Column("merge", [f"{merge.source} → {merge.target}" for _, merge in found]),
    ]
    for measure in ("accuracy", "kappa", "information"):
        columns.append(Column(measure, [getattr(merge, measure)[0] for _, merge in found], 4))
        columns.append(Column("after", [getattr(merge, measure)[1] for _, merge in found], 4))
    title = "Merges that would be rewarded though the run would say less"
    return Sheet(title, tuple(columns))


def _crossings(evaluation: Evaluation) -> Sheet:
    found = [(crossing, prior) for crossing in evaluation.crossings for prior in crossing.priors]
    priors = [
        ", ".join(f"{symbol} {share:.4f}" for symbol, share in zip(WAYS[one.way].symbols, prior, strict=True))
        for one, prior in found
    ]
    columns = (
        Column("run", [one.a for one, _ in found]),
        Column("and run", [one.b for one, _ in found]),
        Column("way", [one.way for one, _ in found]),
        Column("are equally accurate at", priors),
    )
    return Sheet("Label mixes at which two runs change places", columns)


def table(evaluation: Evaluation) -> Sheet:
    """Every number, one a row."""
    names = ("system", "kind", "attribute", "value_of_attribute", "way", "measure", "value", "low", "high")
    rows = list(_records(evaluation))
    return Sheet(
        "scores", tuple(Column(name, [row[place] for row in rows], 6) for place, name in enumerate(names))
    )


def _records(evaluation: Evaluation) -> Iterator[tuple[Cell, ...]]:
    groups: list[tuple[str, str | None, str | None, list[RunScores]]] = [
        ("run", None, None, evaluation.runs),
        ("baseline", None, None, evaluation.baselines),
        *(("run", part.attribute, part.value, part.runs) for part in evaluation.slices),
    ]
    for kind, attribute, value, rows in groups:
        for row in rows:
            for way, values in row.values.items():
                for measure, number in (values or {}).items():
                    low, high = (row.intervals[way] or {})[measure]
                    yield row.run, kind, attribute, value, way, measure, number, low, high


def charts(evaluation: Evaluation) -> list[Chart]:
    """Accuracy conditioned on the key, a dot a label."""
    made = []
    for way in shown_ways(evaluation):
        rows = [row for row in _order(evaluation)[: len(evaluation.runs)] if row.values[way.name]]
        if rows and f"recall({way.labels[0]})" in (rows[0].values[way.name] or {}):
            series = {
                label: [_value(row, way.name, f"recall({label})") or 0.0 for row in rows] for label in way.labels
            }
            title = f"Accuracy conditioned on the key, {way.name}-way"
            made.append(Chart("dots", title, tuple(_name(row) for row in rows), series))
    return made


@finding("below-trivial", study="score")
def below_trivial(evaluation: Evaluation) -> Iterable[str]:
    """Runs that a constant answer beats."""
    for way in shown_ways(evaluation):
        trivial = [
            (value, row.run) for row in evaluation.baselines if (value := _value(row, way.name, "accuracy"))
        ]
        if not trivial:
            continue
        best, name = max(trivial)
        scored = [row for row in evaluation.runs if row.values[way.name]]
        below = [row.run for row in scored if (_value(row, way.name, "accuracy") or 0) < best]
        if below:
            names = ", ".join(below[:8]) + (" …" if len(below) > 8 else "")
            yield f"{len(below)} of {len(scored)} runs are below {name} ({best:.4f}, {way.name}-way): {names}."


@finding("self-contradictory", study="score")
def self_contradictory(evaluation: Evaluation) -> Iterable[str]:
    """Runs whose labels and ranking cannot both be right."""
    for row in evaluation.runs:
        if row.sound and not row.sound.sound:
            yield (
                f"{row.run} contradicts itself: no cut-off of its ranking gives its labels; the best, after "
                f"{row.sound.cutoff} pairs, differs in {row.sound.disagreements}."
            )


@finding("inverted", study="score")
def inverted(evaluation: Evaluation) -> Iterable[str]:
    """Runs that tell much and say it the wrong way round."""
    for way in shown_ways(evaluation):
        for row in evaluation.runs:
            kappa, tells = _value(row, way.name, "kappa"), (row.intervals[way.name] or {}).get("information")
            if kappa is not None and kappa < 0 and tells and tells[0] > 0:
                yield f"{row.run} tells of the key but is worse than chance ({way.name}-way): labels swapped?"


@finding("degradation", study="score")
def degradation(evaluation: Evaluation) -> Iterable[str]:
    """Runs that would be rewarded for saying less."""
    rewarded = [row.run for row in evaluation.runs if row.degradations]
    if rewarded:
        names = ", ".join(rewarded[:8]) + (" …" if len(rewarded) > 8 else "")
        yield f"{len(rewarded)} of {len(evaluation.runs)} runs would score better by merging two answers: {names}."

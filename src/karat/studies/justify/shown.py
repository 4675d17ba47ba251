"""Justifications as tables and charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from karat.data.criteria import Criterion
from karat.data.result import Cell, Column, Field, Sheet
from karat.data.undefined import pointer
from karat.studies.justify.parts import (
    Correlation,
    CriterionAgreement,
    GroupComparison,
    RatedRun,
    RatingJudge,
    RawRating,
    RunDifference,
)
from karat.studies.wording import p_value

ORDINAL = (
    "A mean takes the steps of a scale as equal, which judges were not asked to do: see medians and distributions."
)


def counting(scales: Sequence[Criterion], policies: Mapping[str, str]) -> list[str]:
    """What counts where a criterion was not asked, or a pair skipped."""
    made = []
    for scale in scales:
        if scale.name in policies:
            counts = "it counts 0" if policies[scale.name] == "zero" else "it is left out"
            why = "" if scale.zero is not None else f": from {scale.low} to {scale.high} no number is free for it"
            made.append(f"Where {scale.name} was not asked {counts}{why}.")
    return [*made, "Skipped pairs are left out."]


def run_sheets(runs: Sequence[RatedRun], told: Sequence[str], exchangeable: bool) -> list[Sheet]:
    """A row a run, best first, a table a criterion; and right decisions with poor reasons."""
    made: list[Sheet] = []
    for name in runs[0].criteria:
        fields = [
            Field("run"),
            Field("mean", ("criteria", name, "mean", "value"), 2, "over all ratings"),
            Field("low", ("criteria", name, "mean", "low"), 2, "of the interval over pairs"),
            Field("high", ("criteria", name, "mean", "high"), 2),
            Field("median", ("criteria", name, "median"), 1),
        ]
        fields += [] if exchangeable else [Field("mean rank", ("criteria", name, "mean_rank"), 2, "1 is best")]
        fields += [Field("rated", ("criteria", name, "rated")), Field("not asked", ("criteria", name, "not_asked"))]
        if any(run.criteria[name].not_applicable for run in runs):
            fields.append(Field("not applicable", ("criteria", name, "not_applicable"), note="ratings that say so"))
        fields.append(Field("skipped"))
        notes = () if made else told
        sheet = Sheet.of(f"Runs: {name}", runs, *fields, at="runs", notes=notes)
        means = [_down(run.criteria[name].mean.value) for run in runs]
        made.append(sheet.ordered(sorted(range(len(runs)), key=means.__getitem__)))
    if any(run.wrong_reason for run in runs):
        fields = [Field("run"), Field("poor reasons", ("wrong_reason", "count"))]
        fields.append(Field("of", ("wrong_reason", "of"), note="ratings of right decisions"))
        fields += [Field(part, ("wrong_reason", "share", part), 3) for part in ("value", "low", "high")]
        made.append(Sheet.of("Right for the wrong reason", runs, *fields, at="runs"))
    return made


def _down(value: float) -> float:
    return float("inf") if value != value else -value


def distributions(runs: Sequence[RatedRun], scales: Sequence[Criterion]) -> list[Sheet]:
    """How often each number was given, a table a criterion."""
    made = []
    for scale in scales:
        name = scale.name
        fields = [Field(value, ("criteria", name, "distribution", value)) for value in numbers_of(runs, name)]
        notes = ("0: not asked.",) if has_zero(runs, scale) else ()
        made.append(Sheet.of(f"Ratings given: {name}", runs, Field("run"), *fields, at="runs", notes=notes))
    return made


def has_zero(runs: Sequence[RatedRun], scale: Criterion) -> bool:
    """Whether there is a 0 that stands for not asked."""
    return scale.zero is not None and any(run.criteria[scale.name].not_asked for run in runs)


def numbers_of(runs: Sequence[RatedRun], name: str) -> list[str]:
    """The numbers of a scale that can be given."""
    return list(runs[0].criteria[name].distribution)


def judge_sheets(judges: Sequence[RatingJudge]) -> list[Sheet]:
    """Mean ranks of the runs judge by judge, a table a criterion; and what the judges said."""
    if not judges:
        return []
    made = []
    for name in judges[0].criteria:
        fields = [Field("judge"), Field("mean", ("criteria", name, "mean"), 2)]
        fields += [Field("median", ("criteria", name, "median"), 1)]
        fields += [Field(run, ("criteria", name, "mean_ranks", run), 2) for run in judges[0].criteria[name].mean_ranks]
        sheet = Sheet.of(f"Judges: mean ranks by {name}", judges, *fields, at="judges", notes=("Rank 1 is best.",))
        ranked = [" ".join(judge.criteria[name].ranking) for judge in judges]
        rankings = (Column("ranking", ranked),) if any(ranked) else ()
        made.append(Sheet(sheet.title, (*sheet.columns, *rankings), sheet.notes))
    said = [judge for judge in judges if judge.summary or judge.attributes]
    if said:
        attributes = list(dict.fromkeys(name for judge in said for name in judge.attributes))
        columns = [Column("judge", [judge.judge for judge in said])]
        columns += [Column(name, [judge.attributes.get(name) for judge in said]) for name in attributes]
        columns += [Column("rated", [judge.rated for judge in said]), Column("skipped", [j.skipped for j in said])]
        if any(judge.summary for judge in said):
            columns.append(Column("in closing", [judge.summary for judge in said]))
        made.append(Sheet("Who judged", tuple(columns)))
    return made


def agreement_sheet(agreement: Sequence[CriterionAgreement], policies: Mapping[str, str]) -> Sheet:
    """A row a criterion."""
    fields = [Field("criterion")]
    if any(one.concordance for one in agreement):
        fields += [
            Field("W", ("concordance", "w"), 4, "Kendall's, of the judges' mean ranks, corrected for ties"),
            Field("p", ("concordance", "p"), 4, "were each judge's ranking blind"),
            Field("± p", ("concordance", "p_error"), 4, "Monte-Carlo standard error of p"),
            Field("W, pairs", ("concordance", "w_pairs"), 4, "the mean of W over single pairs"),
        ]
    for name in dict.fromkeys(name for one in agreement for name in one.alpha):
        fields += [
            Field(f"alpha, {name}", ("alpha", name, "value"), 4, f"Krippendorff's, ordinal; not asked: {name}"),
            Field("low", ("alpha", name, "low"), 4, "over pairs, as `agree` has it over units"),
            Field("high", ("alpha", name, "high"), 4),
        ]
    notes = [
        f"W of {name} is of scores with what was not asked as {'0' if policy == 'zero' else 'missing'}."
        for name, policy in policies.items()
        if any(one.concordance for one in agreement)
    ]
    return Sheet.of("Agreement between judges", agreement, *fields, at="agreement", notes=notes)


def kappa_sheet(agreement: Sequence[CriterionAgreement]) -> Sheet:
    """A row two judges and a criterion."""
    rows = [(place, at, one) for place, on in enumerate(agreement) for at, one in enumerate(on.kappas)]
    columns = [
        Column("criterion", [agreement[place].criterion for place, _, _ in rows]),
        Column("judge", [one.a for *_, one in rows]),
        Column("judge ", [one.b for *_, one in rows]),
        Column("rated", [one.rated for *_, one in rows]),
    ]
    for name, title in (("kappa", "kappa"), ("kappa_linear", "linear"), ("kappa_quadratic", "quadratic")):
        at = [pointer("agreement", place, "kappas", number, name) for place, number, _ in rows]
        columns.append(Column(title, [getattr(one, name) for *_, one in rows], 4, at=at))
    return Sheet("Judges two by two: kappa, plain and weighted", tuple(columns))


def correlation_sheet(correlation: Sequence[Correlation]) -> Sheet:
    """A row two criteria and a policy."""
    fields = [Field("criterion", "a"), Field("and", "b"), Field("not asked", "not_asked"), Field("rated")]
    fields += [Field("Pearson", "pearson", 4), Field("tau-b", "tau_b", 4)]
    notes = ("With what was not asked as 0 a criterion goes with the one that decides whether it is asked.",)
    zero = any(one.not_asked == "zero" for one in correlation)
    return Sheet.of("Do the criteria differ?", correlation, *fields, at="correlation", notes=notes if zero else ())


def difference_sheet(differences: Sequence[RunDifference]) -> Sheet:
    """A row two runs and a criterion."""
    fields = [Field("criterion"), Field("run", "a"), Field("run ", "b"), Field("rated"), Field("pairs")]
    fields += [Field(name, digits=3) for name in ("difference", "low", "high")]
    if any(one.p_error > 0 for one in differences):
        fields.append(Field("± p", "p_error", 4, "Monte-Carlo standard error of p"))
    sheet = Sheet.of("Which runs differ", differences, *fields, at="differences")
    p_values = {
        "p": ("p", "scores change places for all judges of a pair at once"),
        "p, Holm": ("p_corrected", "over all pairs of runs on all criteria"),
        "p, judges": ("p_judges", "scores change places for each judge alone: these pairs, not others"),
    }
    columns = [
        Column(
            name,
            [p_value(getattr(one, field)) for one in differences],
            note=note,
            at=[pointer("differences", row, field) for row in range(len(differences))],
        )
        for name, (field, note) in p_values.items()
    ]
    return Sheet(sheet.title, (*sheet.columns, *columns))


def group_sheets(compared: GroupComparison) -> list[Sheet]:
    """Means of each group, and each against the other judges."""
    made = []
    for name in compared.groups[0].means:
        runs = list(compared.groups[0].means[name])
        fields = [Field(run, ("means", name, run), 2) for run in runs]
        sheet = Sheet.of(
            f"{name} by {compared.attribute}",
            compared.groups,
            Field(compared.attribute, "value"),
            *fields,
            at="groups/groups",
        )
        count = Column("judges", [len(group.judges) for group in compared.groups])
        ranked = [" ".join(group.ranking[name]) for group in compared.groups if name in group.ranking]
        ranking = (Column("ranking", ranked),) if ranked else ()
        made.append(Sheet(sheet.title, (sheet.columns[0], count, *sheet.columns[1:], *ranking)))
    fields = [Field("criterion"), Field("run"), Field("group", "value"), Field("difference", digits=3)]
    fields.append(Field("p", digits=4, note="the share of groups of as many judges that differ as much"))
    fields.append(Field("corrected", "p_corrected", 4, "over all groups, runs and criteria, by the largest difference"))
    title = "Each group less the other judges"
    return [*made, Sheet.of(title, compared.differences, *fields, at="groups/differences")]


def raw_sheet(ratings: Sequence[RawRating]) -> Sheet:
    """All ratings of one run."""
    columns = [Column("pair", [one.unit for one in ratings]), Column("judge", [one.judge for one in ratings])]
    for name in ratings[0].values:
        cells: list[Cell] = ["skip" if one.skipped else one.values[name] for one in ratings]
        columns.append(Column(name, cells, 0))
    return Sheet(f"All ratings of {ratings[0].run}", tuple(columns))

"""Studies: a user's question answered, one a file, with what it is made of beside it; each is loaded on its own."""

from typing import NamedTuple


class Listed(NamedTuple):
    """A study before it is loaded."""

    module: str
    """In `karat.studies`."""
    help: str
    """A line about its command."""
    figures: tuple[str, ...] = ()
    """The names of its figures, in order."""
    is_function: bool = True
    """Whether `karat` has a function of its name; otherwise there is only a command."""


OVERVIEW = {
    "check": Listed("check", "Validate runs against a test set: every problem, line by line."),
    "score": Listed(
        "score.study",
        "Score runs, two-way and three-way, with baselines for comparison.",
        ("slices", "conditioned", "information", "confidence"),
    ),
    "diagnose": Listed(
        "diagnose.study",
        "What a system can and cannot do, by phenomenon.",
        ("phenomena", "categories", "category-indices", "indices"),
    ),
    "compare": Listed("compare.study", "Which runs differ significantly, and by how much.", ("groups", "differences")),
    "qa": Listed(
        "qa.study",
        "Score answers to questions: factoid, list and other, by type and by series.",
        ("question-runs", "series", "question-scores", "question-beta"),
    ),
    "nuggets": Listed(
        "nuggets.study", "Score answers by what they should say: vital and okay nuggets.", ("nugget-scores", "beta")
    ),
    "sample": Listed("sample.study", "Draw pairs for rating justifications, with a sheet for the judges."),
    "justify": Listed(
        "justify.study",
        "Ratings of justifications: means, agreement, right for the wrong reason.",
        ("mean-ranks", "ratings"),
    ),
    "items": Listed("items", "Item analysis: which pairs are hard, and of what kind.", ("difficulty",)),
    "agree": Listed(
        "agree.study",
        "Agreement of assessors: every coefficient, with intervals.",
        ("coefficients", "agreement", "confusions"),
    ),
    "keys": Listed(
        "keys.study",
        "Other keys from the same ballots, and the rankings they give.",
        ("key-scores", "random-ranks", "key-ranks", "key-tau"),
    ),
    "judge": Listed(
        "judge.study", "How well an automatic judge agrees with people.", ("judge-rates", "judge-scores", "judge-bias")
    ),
    "sensitivity": Listed(
        "sensitivity.study",
        "How the ranking changes with other measures, keys and settings.",
        ("setting-ranks", "sensitivity"),
    ),
    "swap": Listed(
        "swap.study",
        "How often another test set would reverse two runs, by its size.",
        ("error-by-size", "error-by-difference"),
    ),
    "size": Listed("size.study", "How many units it takes to detect a difference.", ("planning",)),
    "run": Listed("run", "Answer a test set with a reference engine, or with any program."),
    "ablate": Listed(
        "ablate.study", "What each part of an engine contributes to its accuracy.", ("worth", "worth-by-value")
    ),
    "engines": Listed("engine_catalogue", "The engines, their parameters and their parts.", is_function=False),
    "measures": Listed("catalogue", "The measures: what they respect, their range and source.", is_function=False),
    "formats": Listed("catalogue", "The file formats that are read and written.", is_function=False),
    "report": Listed("report.study", "Everything the data allow, as one self-contained page."),
}
"""Every study, in the order of the commands."""

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
    question: str = ""
    """What it answers: the heading of its page, and of its section in a report."""
    is_function: bool = True
    """Whether `karat` has a function of its name; otherwise there is only a command."""


OVERVIEW = {
    "check": Listed(
        "check", "Validate runs against a test set: every problem, line by line.", question="Are the files valid?"
    ),
    "score": Listed(
        "score.study",
        "Score runs, two-way and three-way, with baselines for comparison.",
        ("slices", "conditioned", "information", "confidence"),
        question="How good are the runs?",
    ),
    "diagnose": Listed(
        "diagnose.study",
        "What a system can and cannot do, by phenomenon.",
        ("phenomena", "categories", "category-indices", "indices"),
        question="What do the runs fail at?",
    ),
    "compare": Listed(
        "compare.study",
        "Which runs differ significantly, and by how much.",
        ("groups", "differences"),
        question="Which differences are significant?",
    ),
    "qa": Listed(
        "qa.study",
        "Score answers to questions: factoid, list and other, by type and by series.",
        ("question-runs", "series", "question-scores", "question-beta"),
        question="How well are the questions answered?",
    ),
    "nuggets": Listed(
        "nuggets.study",
        "Score answers by what they should say: vital and okay nuggets.",
        ("nugget-scores", "beta"),
        question="How complete are the generated answers?",
    ),
    "prefer": Listed(
        "prefer.study",
        "Rank runs by preferences between two answers.",
        ("preferences", "win-rates"),
        question="Which answers do people prefer?",
    ),
    "support": Listed(
        "support.study",
        "Score generated answers by what the documents that they cite support.",
        ("support-scores",),
        question="Do the cited documents support the answers?",
    ),
    "sample": Listed("sample", "Draw pairs for rating justifications, with a sheet for the judges."),
    "justify": Listed(
        "justify.study",
        "Ratings of justifications: means, agreement, right for the wrong reason.",
        ("mean-ranks", "ratings"),
        question="How good are the justifications?",
    ),
    "items": Listed(
        "items",
        "Item analysis: which pairs are hard, and of what kind.",
        ("difficulty",),
        question="Which pairs are hard?",
    ),
    "agree": Listed(
        "agree.study",
        "Agreement of assessors: every coefficient, with intervals.",
        ("coefficients", "agreement", "confusions"),
        question="Do the assessors agree?",
    ),
    "keys": Listed(
        "keys.study",
        "Other keys from the same ballots, and the rankings they give.",
        ("key-scores", "random-ranks", "key-ranks", "key-tau"),
        question="Would another key change the ranking?",
    ),
    "judge": Listed(
        "judge.study",
        "How well an automatic judge agrees with people.",
        ("judge-rates", "judge-scores", "judge-bias"),
        question="Can the automatic judge replace a person?",
    ),
    "meta": Listed(
        "meta.study",
        "Two judgments of the same runs: what another judge does to the ranking.",
        ("meta-ranks", "meta-bias", "meta-scores"),
        question="Would another judge rank the runs the same way?",
    ),
    "sensitivity": Listed(
        "sensitivity.study",
        "How the ranking changes with other measures, keys and settings.",
        ("setting-ranks", "sensitivity"),
        question="Does the ranking depend on our choices?",
    ),
    "swap": Listed(
        "swap.study",
        "How often another test set would reverse two runs, by its size.",
        ("error-by-size", "error-by-difference"),
        question="Would a new test set rank them the same way?",
    ),
    "size": Listed(
        "size.study",
        "How many units it takes to detect a difference.",
        ("planning",),
        question="Is the test set big enough?",
    ),
    "blind": Listed("blind.study", "A test set without its key, and whether anything in it gives the key away."),
    "sheet": Listed("sheet", "Sheets for assessors to fill in: who labels which units, in which order."),
    "adjudicate": Listed("adjudicate.study", "Disputed units for a decision, and the key with its history."),
    "run": Listed("run", "Answer a test set with a reference engine, or with any program."),
    "ablate": Listed(
        "ablate",
        "What each part of an engine contributes to its accuracy.",
        ("worth", "worth-by-value"),
        question="What does each part of the engine contribute?",
    ),
    "engines": Listed("engine_catalogue", "The engines, their parameters and their parts.", is_function=False),
    "measures": Listed("catalogue", "The measures: what they respect, their range and source.", is_function=False),
    "formats": Listed("catalogue", "The file formats that are read and written.", is_function=False),
    "report": Listed("report.study", "Everything the data allow, as one self-contained page."),
}
"""Every study, in the order of the commands."""

"""Whether nuggets and matches belong to the questions and the runs they are given with."""

from __future__ import annotations

from karat.data.answers import Answers
from karat.data.nuggets import Matches, Nuggets
from karat.data.questions import Questions
from karat.errors import Problems
from karat.studies.qa.aggregate import OTHER

NEEDED = "matches of every run; one that holds no nugget has a row of degree 0"


def check_list(questions: Questions, listed: Nuggets, problems: Problems) -> None:
    """An error where a nugget is of no question that is answered by nuggets; questions taken out are passed over."""
    named = listed.source.name or "nuggets"
    for unit in listed.units:
        if unit in questions.dropped:
            continue
        place = questions.index.get(unit)
        if place is None:
            problems.add("unknown-id", f"nuggets of question {unit!r}", file=named, line=listed.line_of(unit))
        elif (kind := questions.questions[place].type) != "OTHER":
            found = f"nuggets of {kind.lower()} question {unit!r}"
            problems.add("not-other", found, file=named, line=listed.line_of(unit))


def check_matches(questions: Questions, answers: Answers, matches: Matches, problems: Problems) -> None:
    """An error where a run that answers such questions has no matches."""
    others = questions.types[answers.question] == OTHER
    answering = {answers.runs[run] for run in answers.run[others].tolist()}  # one that says nothing holds no nugget
    file = matches.sources[0].name if len(matches.sources) == 1 else "matches"
    for run in answers.runs:
        if run not in matches.runs and run in answering:
            problems.add("run-without", f"no matches of run {run!r}", file=file, what=NEEDED)
    if beside := [run for run in matches.runs if run not in answers.runs]:
        told = ", ".join(map(repr, beside))
        problems.add("run-beside", f"matches of {told}, whose answers are not given", file=file)

"""Everything questions are scored with, checked for consistency and prepared."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from karat.data.answers import Answers
from karat.data.importance import pyramid
from karat.data.nuggets import Matches, Nuggets
from karat.data.patterns import Patterns
from karat.data.provenance import IN_MEMORY, Source
from karat.data.questions import Questions
from karat.data.verdicts import CORRECT, INCORRECT, UNJUDGED, Verdicts, judged
from karat.errors import DataError, Problem, Problems, UsageError
from karat.studies.qa.aggregate import FACTOID, OTHER, Parts
from karat.studies.qa.measured import MeasuredRuns, measured
from karat.studies.qa.parameters import JudgedBy, QaParameters
from karat.studies.qa.scoring import QuestionScores, score_questions

Key = tuple[int, str, str]
"""Question, document and string."""
MATCHES_NEEDED = "matches of every run; an answer without any nugget has a row of degree 0"


def unjudged(answers: Answers, verdicts: Verdicts, questions: Questions) -> dict[Key, int]:
    """Answers without a row in the judgments, and where each first occurs; OTHER questions are judged by nuggets."""
    found: dict[Key, int] = {}
    for row in np.flatnonzero(judged(answers, verdicts)[0] == UNJUDGED).tolist():
        if questions.types[answers.question[row]] != OTHER:
            found.setdefault(answers.judged_as(row), row)
    return found


def not_judged(questions: Questions, answers: Answers, verdicts: Verdicts) -> list[str]:
    """The questions on which nothing was judged although runs answer them, or the series of these."""
    known = set(verdicts.question.tolist())
    silent = [questions.questions[key[0]] for key in unjudged(answers, verdicts, questions) if key[0] not in known]
    return list(dict.fromkeys(one.series or one.id for one in silent))


def refuse(found: dict[Key, int], answers: Answers, questions: Questions, problems: Problems) -> None:
    """Report every answer that was not judged."""
    for (question, document, string), row in found.items():
        run, name = answers.runs[answers.run[row]], questions.questions[question].id
        file, line = answers.places[row] if answers.places else ("answers", None)
        place = f" from {document}" if document else ""
        problems.add("unjudged", f"answer {string!r}{place} to question {name!r} (run {run!r})", file=file, line=line)


def completed(
    verdicts: Verdicts, found: dict[Key, int], answers: Answers, questions: Questions, patterns: Patterns | None
) -> Verdicts:
    """The verdicts with one more row per unjudged answer: the verdict of the patterns, otherwise incorrect.

    Answers that only the patterns know are added too, for factoid questions and for lists on which people judged
    nothing: otherwise NIL would be right where a pattern has an answer. An answer that people know keeps the name they
    gave it. Nothing is added for a question that neither people nor patterns cover.
    """
    rows: dict[Key, tuple[int, str]] = dict.fromkeys(found, (INCORRECT, ""))
    if patterns is not None:
        others, theirs = patterns.judge(answers), patterns.groups_of(verdicts)
        by_people = set(verdicts.question.tolist())
        rows = {key: row for key, row in rows.items() if key[0] in by_people or patterns.covered[key[0]]}
        for key, row in others.index.items():
            group = others.groups[row]
            known = others.verdict[row] == CORRECT and (
                questions.questions[key[0]].type == "FACTOID" or key[0] not in by_people
            )
            if key in found or (known and key not in verdicts.index):
                rows[key] = int(others.verdict[row]), theirs.get((key[0], group), group)
    return replace(
        verdicts,
        question=np.concatenate([verdicts.question, np.array([key[0] for key in rows], dtype=np.int32)]),
        documents=(*verdicts.documents, *(key[1] for key in rows)),
        strings=(*verdicts.strings, *(key[2] for key in rows)),
        verdict=np.concatenate([verdicts.verdict, np.array([code for code, _ in rows.values()], dtype=np.int8)]),
        groups=(*verdicts.groups, *(group for _, group in rows.values())),
    )


def report_unknown(given: Verdicts, counted: Verdicts, questions: Questions, problems: Problems) -> None:
    """Warn of factoid questions without any judgment, on which NIL counts as right."""
    known = {*given.question.tolist(), *counted.question[counted.verdict == CORRECT].tolist()}
    factoids = [place for place, one in enumerate(questions.questions) if one.type == "FACTOID"]
    silent = [place for place in factoids if place not in known]
    if len(silent) < len(factoids):  # otherwise no factoid question is scored, which is reported with the scores
        for place in silent:
            found = f"nothing about factoid question {questions.questions[place].id!r}"
            problems.add("no-verdicts", found, file=_file(given.sources, "judgments"))


def report_uncovered(patterns: Patterns, counted: Verdicts, questions: Questions, problems: Problems) -> None:
    """Warn of factoid questions with neither a pattern nor a judgment: they are not scored."""
    covered = set(counted.question.tolist())
    for place, one in enumerate(questions.questions):
        if one.type == "FACTOID" and place not in covered:
            what = "accepted answer" if patterns.in_words else "pattern"
            found = f"no {what} for factoid question {one.id!r}"
            problems.add("no-pattern", found, file=_file(patterns.sources, f"{what}s"))


def check_list(questions: Questions, listed: Nuggets, problems: Problems) -> None:
    """Report nuggets of anything but an OTHER question; excluded questions are ignored."""
    for unit in listed.units:
        if unit in questions.dropped:
            continue
        place, file, line = questions.index.get(unit), listed.source.name or "nuggets", listed.line_of(unit)
        if place is None:
            problems.add("unknown-id", f"nuggets of question {unit!r}", file=file, line=line)
        elif (kind := questions.questions[place].type) != "OTHER":
            problems.add("not-other", f"nuggets of {kind.lower()} question {unit!r}", file=file, line=line)


def check_matches(questions: Questions, answers: Answers, matches: Matches, problems: Problems) -> None:
    """Report runs that answer OTHER questions and have no matches, and warn of matches of other runs."""
    others = questions.types[answers.question] == OTHER
    answering = {answers.runs[run] for run in answers.run[others].tolist()}
    file = _file(matches.sources, "matches")
    names = ", ".join(repr(run) for run in matches.runs if run not in answers.runs)
    what = f"{MATCHES_NEEDED}; there are matches of {names}" if names else MATCHES_NEEDED
    for run in answers.runs:
        if run not in matches.runs and run in answering:
            problems.add("run-without", f"no matches of run {run!r}", file=file, what=what)
    if names:
        problems.add("run-beside", f"matches of {names}, whose answers are not given", file=file)


def check_factoids(questions: Questions, answers: Answers, verdicts: Verdicts | None, problems: Problems) -> None:
    """Report runs without any answer to factoids, if these are judged: their files have other questions only."""
    factoids = questions.types == FACTOID
    if verdicts is None or not factoids[verdicts.question].any():
        return
    for run in np.flatnonzero(~answers.counts[:, factoids].any(axis=1)).tolist():
        found = f"no answer of run {answers.runs[run]!r} to any factoid question"
        what = "answers to factoid questions, since they are judged"
        problems.add("run-without", found, file=_file(answers.sources, "answers"), what=what)


def _file(sources: tuple[Source, ...], several: str) -> str:
    """The name of the only file, or the name of the kind if there are several."""
    return sources[0].name if len(sources) == 1 else several


@dataclass(frozen=True, eq=False)
class Given:
    """Questions and answers, the verdicts that count, and the nuggets found in the answers."""

    questions: Questions
    answers: Answers
    verdicts: Verdicts | None
    judged_by: JudgedBy | None
    matches: Matches | None
    accepted: Patterns | None
    """Accepted answers in words, if they are given."""
    each: tuple[tuple[str, Verdicts], ...]
    """What each of several assessors said, if the verdicts are the majority's."""
    sources: list[Source]
    warnings: tuple[Problem, ...]

    @classmethod
    def of(
        cls,
        questions: Questions,
        answers: Answers,
        verdicts: Verdicts | None,
        matches: Matches | None,
        patterns: Patterns | None,
        asked: QaParameters,
    ) -> Given:
        """Check and prepare what was given; an error says what does not fit."""
        verdicts = _of_assessor(verdicts, asked.assessor)
        for noun in (answers, verdicts, patterns):
            if noun is not None and noun.units != tuple(questions.index):
                name = type(noun).__name__.lower()
                raise UsageError(
                    f"the {name} were read against other questions; read them again: read_{name}(…, questions)"
                )
        if verdicts is None and matches is None and patterns is None:
            raise UsageError("there is nothing to score by: give judgments, patterns, or nuggets and their matches")
        if not len(questions):
            raise UsageError("no question is left to score")
        if not np.isfinite(asked.beta):
            raise UsageError("--beta: expected a finite number that is not negative")
        if not (min(asked.weights) >= 0 and 0 < sum(asked.weights) < np.inf):
            raise UsageError("--weights: expected three finite numbers that are not negative, and not all 0")
        problems = Problems()
        if matches is not None:
            check_list(questions, matches.nuggets, problems)
            check_matches(questions, answers, matches, problems)
        check_factoids(questions, answers, verdicts, problems)
        problems.raise_errors()
        judged_by, counted = _verdicts(questions, answers, verdicts, patterns, asked)
        if counted is not None and verdicts is not None and judged_by == "people":
            report_unknown(verdicts, counted, questions, problems)
        elif counted is not None and patterns is not None:
            report_uncovered(patterns, counted, questions, problems)
        nouns = [noun for noun in (questions, verdicts, patterns) if noun is not None]  # in the order of the command
        sources = [source for noun in nouns for source in noun.sources]
        if matches is not None:
            sources += [matches.nuggets.source, *matches.sources]
            matches = (pyramid(matches) if asked.recall == "pyramid" else matches).with_texts(answers)
        sources = [one for one in dict.fromkeys([*sources, *answers.sources]) if one != IN_MEMORY]
        each = () if verdicts is None else verdicts.each
        accepted = patterns if patterns is not None and patterns.in_words else None
        return cls(questions, answers, counted, judged_by, matches, accepted, each, sources, problems.warnings)

    def score(self, asked: QaParameters) -> QuestionScores:
        """The score of every run on every question."""
        return score_questions(self.questions, self.answers, self.verdicts, self.judged_by, self.matches, asked)

    def measure(self, scored: QuestionScores, asked: QaParameters) -> MeasuredRuns:
        """The measure that ranks the runs."""
        return measured(scored, parts_of(scored, asked), self.answers, self.accepted, asked)


def _of_assessor(verdicts: Verdicts | None, name: str | None) -> Verdicts | None:
    """The verdicts of the assessor asked for."""
    if name is None:
        return verdicts
    each = {} if verdicts is None else dict(verdicts.each)
    if not each:
        raise UsageError(f"--assessor {name}: the judgments do not come from several assessors")
    if name not in each:
        raise UsageError.unknown("assessor", name, list(each))
    return each[name]


def parts_of(scored: QuestionScores, asked: QaParameters) -> Parts:
    """The means to which weights apply, under the policies asked for."""
    exact, need_other = asked.no_list == "exact", asked.no_other == "left-out"
    return Parts.of(scored.values, scored.questions, scored.silent, exact, need_other)


def _verdicts(
    questions: Questions, answers: Answers, verdicts: Verdicts | None, patterns: Patterns | None, asked: QaParameters
) -> tuple[JudgedBy | None, Verdicts | None]:
    """The verdicts that count: those of people, completed as asked, or otherwise those of the patterns."""
    if asked.unjudged == "patterns" and (patterns is None or patterns.in_words):
        raise UsageError("--unjudged patterns: give the patterns, --patterns FILE")
    if verdicts is None:
        if patterns is None:
            return None, None
        return ("accepted answers" if patterns.in_words else "patterns"), patterns.judge(answers)
    left = unjudged(answers, verdicts, questions)
    if left and asked.unjudged == "refuse":
        problems = Problems()
        refuse(left, answers, questions, problems)
        raise DataError(problems)
    if asked.unjudged == "patterns":
        return "people and patterns", completed(verdicts, left, answers, questions, patterns)
    return "people", completed(verdicts, left, answers, questions, None)

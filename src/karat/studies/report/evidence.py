"""What a report is made from: everything it may be given, how its command reads that, and what it can be asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta

from karat.data.answers import Answers
from karat.data.ballots import Ballots
from karat.data.decomposition import Decomposition
from karat.data.nuggets import Matches
from karat.data.pairs import SETTING, Pairs
from karat.data.parameters import SeedOption, WayOption, parameters
from karat.data.patterns import Patterns
from karat.data.provenance import BallotReading, QuestionFiles, RatingReading, Reading
from karat.data.questions import Questions
from karat.data.ratings import Ratings
from karat.data.responses import Responses
from karat.data.scores import Scores
from karat.data.verdicts import Verdicts
from karat.errors import UsageError
from karat.formats.ballots import read_ballots
from karat.formats.decomposed import read_decomposition
from karat.formats.justification_ratings import read_justifications
from karat.formats.nugget_table import read_matches, read_nuggets
from karat.formats.question_set import read_question_set
from karat.formats.registry import read_runs
from karat.labels import NO_ENTAILMENT, THREE, Way
from karat.studies.base import studies
from karat.studies.nuggets.result import NuggetScores
from karat.studies.nuggets.study import nuggets
from karat.studies.qa.parameters import AS_USUAL, QaParameters
from karat.studies.qa.result import QuestionAnswering
from karat.studies.qa.study import qa
from karat.studies.score.result import Evaluation
from karat.studies.score.study import score

KNOWN_LABELS = (*THREE.labels, NO_ENTAILMENT)
PAIRS, TAKEN_APART, QUESTIONS, GENERATED = "pairs", "pairs taken apart", "questions", "generated answers"
"""The kinds of things that runs answer."""
MOST_TESTED = 200
"""The most runs that are all tested against each other. Fewer would be too few to correct for: runs are picked by their
scores, and p-values are corrected for the pairs that are tested."""
LEADING = 50
"""The most runs that are shown one by one, and that other sections are about: a page of a thousand runs, or of
all their answers, could not be opened."""


def leading_scores(scores: Scores) -> Scores:
    """The scores; of very many runs, those with the highest means."""
    return scores if len(scores.runs) <= LEADING else scores.of_runs(scores.leading(LEADING))


class ReportParameters(msgspec.Struct, frozen=True, kw_only=True):
    """What `report` can be asked; the studies that take the same parameter are given its value."""

    title: Annotated[str, Meta(description="title of the page; by default the name of the test set")] = ""
    way: WayOption = "auto"
    by: Annotated[
        tuple[str, ...], Meta(description="an attribute of the pairs to score by; by default `task` if there is one")
    ] = ()
    cluster: Annotated[
        str | None,
        Meta(description="an attribute of the pairs, or `text`: runs are compared by clusters with the same value"),
    ] = None
    automatic: Annotated[
        tuple[str, ...], Meta(description="an assessor that is a program, to be evaluated", examples=["NAME"])
    ] = ()
    without: Annotated[
        tuple[str, ...], Meta(description="a section to leave out, by its name", examples=["SECTION"])
    ] = ()
    seed: SeedOption = 0


Nouns = Mapping[str, Any]


@dataclass(frozen=True)
class File:
    """An option of the command line that names a file, or several if `many`."""

    name: str
    help: str
    many: bool = False


class Read:
    """How the command reads a noun.

    `read` takes the nouns that were read before, by name; then the values of the files' options, which have to be given
    together; and the options of `how` as keywords. It returns the noun, or a dictionary if the files hold several.
    """

    def __init__(self, read: Callable[..., Any], how: type[msgspec.Struct] | None, *files: File) -> None:
        self.read, self.how, self.files = read, how, files


def _ballots(nouns: Nouns, path: str, **how: Any) -> Ballots:
    """Ballots on the pairs that the runs answer, if there are any."""
    runs = nouns["runs"]
    return read_ballots(path, runs.key if isinstance(runs, Responses) else None, **how)


def _decomposed(_: Nouns, path: str, runs: Sequence[str], **how: Any) -> dict[str, Any]:
    decomposed = read_decomposition(path, **how)
    return {"decomposed": decomposed, "decomposed_runs": read_runs(runs, decomposed.pairs, **how)}


def _ratings(_: Nouns, paths: Sequence[str], **how: Any) -> Ratings:
    return read_justifications(paths, **how)


def _questions(_: Nouns, path: str, runs: Sequence[str], **how: Any) -> dict[str, Any]:
    found = read_question_set(path, runs, parameters(QuestionFiles, how))
    return {"questions": found.questions, "answers": found.answers, **found.nouns()}


def _generated(_: Nouns, path: str, assignments: Sequence[str]) -> Matches:
    return read_matches(assignments, read_nuggets(path))


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Everything that a report may be made from; None where it was not given."""

    runs: Responses | Scores | None = field(default=None, kw_only=False)
    ballots: Annotated[
        Ballots | None,
        Read(_ballots, BallotReading, File("ballots", "assessors' labels: agreement, and other keys")),
    ] = None
    judged: Annotated[
        Ballots | None,
        Read(
            _ballots,
            BallotReading,
            File("judged", "ballots that include those of an automatic judge (see --automatic)"),
        ),
    ] = None
    decomposed: Annotated[
        Decomposition | None,
        Read(
            _decomposed,
            Reading,
            File("decomposed", "a decomposed test set: which phenomena runs fail at"),
            File("decomposed_runs", "the runs on it", many=True),
        ),
    ] = None
    decomposed_runs: Responses | None = None
    ratings: Annotated[
        Ratings | None,
        Read(_ratings, RatingReading, File("ratings", "people's ratings of the runs' justifications", many=True)),
    ] = None
    questions: Annotated[
        Questions | None,
        Read(
            _questions,
            QuestionFiles,
            File("questions", "a test set of questions; its files as `karat qa` takes them"),
            File("question_runs", "the runs that answer them", many=True),
        ),
    ] = None
    answers: Answers | None = None
    verdicts: Verdicts | None = None
    matches: Matches | None = None
    patterns: Patterns | None = None
    scoring: QaParameters = AS_USUAL
    generated: Annotated[
        Matches | None,
        Read(
            _generated,
            None,
            File("nugget_list", "what generated answers should say, as `karat nuggets` takes it"),
            File("assignments", "which of these nuggets the answers hold", many=True),
        ),
    ] = None
    asked: ReportParameters

    def check(self) -> None:
        """Refuse what cannot be meant, rather than leave out a section."""
        asked, ballots = self.asked, self.ballots if self.judged is None else self.judged
        if asked.cluster is not None and self.key is not None:
            self.key.clusters(asked.cluster)
        elif asked.cluster is not None:
            raise UsageError("--cluster groups the pairs of a key: give the key and its runs")
        for name in asked.by:
            if self.key is None or name not in self.key.attributes:
                raise UsageError.unknown("attribute of the pairs", name, self.key.attributes if self.key else ())
        if asked.automatic and ballots is None:
            raise UsageError(f"to judge {asked.automatic[0]}, give the ballots: --ballots FILE or --judged FILE")
        for name in asked.automatic:
            if ballots is not None and name not in ballots.assessors:
                raise UsageError.unknown("assessor", name, ballots.assessors)
        if self.judged is not None and not asked.automatic:
            raise UsageError("name the automatic assessor: --automatic NAME")

    @property
    def responses(self) -> Responses | None:
        """The runs, if they are not a score matrix."""
        return self.runs if isinstance(self.runs, Responses) else None

    @property
    def scores(self) -> Scores | None:
        """The score matrix, if there is one."""
        return self.runs if isinstance(self.runs, Scores) else None

    @property
    def key(self) -> Pairs | None:
        """The key of the runs."""
        return None if self.responses is None else self.responses.key

    @cached_property
    def scored(self) -> Evaluation | None:
        """The scores of the runs, both ways if the key and a run allow it."""
        runs, asked = self.responses, self.asked
        if runs is None:
            return None
        by = list(asked.by) or [name for name in (SETTING,) if name in runs.key.attributes]
        way = asked.way if asked.way != "auto" else "both" if runs.allows(THREE).any() else "2"
        return score(runs, way=way, by=by, seed=asked.seed)

    @cached_property
    def qa_result(self) -> QuestionAnswering | None:
        """The scored questions, which several sections use."""
        if self.questions is None or self.answers is None:
            return None
        nouns = {"verdicts": self.verdicts, "matches": self.matches, "patterns": self.patterns}
        return qa(self.questions, self.answers, **msgspec.structs.asdict(self.scoring), **nouns)

    @cached_property
    def nugget_result(self) -> NuggetScores | None:
        """The scored generated answers, under the options for questions where these apply and are not the defaults."""
        if self.generated is None:
            return None
        known = studies["nuggets"].facts["parameters"].__struct_fields__
        said = {name: getattr(self.scoring, name) for name in known if name in QaParameters.__struct_fields__}
        return nuggets(self.generated, **{name: one for name, one in said.items() if one != getattr(AS_USUAL, name)})

    @cached_property
    def question_scores(self) -> Scores | None:
        """The scores of two or more answering runs whose mean ranks the runs.

        If they are ranked by a mean over types that are not all scored, those of the first scored type.
        """
        if self.qa_result is None or len(self.qa_result.runs) < 2:
            return None
        units = [None, "factoid", "list", "other"]
        found = (self.qa_result.scores(unit) for unit in units)
        return next((leading_scores(one) for one in found if not np.isnan(one.values).all()), None)

    @cached_property
    def nugget_scores(self) -> Scores | None:
        """The scores of two or more runs that generate answers."""
        return (
            None
            if self.nugget_result is None or len(self.nugget_result.runs) < 2
            else leading_scores(self.nugget_result.scores())
        )

    @cached_property
    def tested(self) -> Responses | Scores | None:
        """The runs or scores that are tested against each other."""
        runs = self.runs
        if runs is None or len(runs.names if isinstance(runs, Responses) else runs.runs) <= MOST_TESTED:
            return runs
        return runs.of_runs((runs.right(self.way) if isinstance(runs, Responses) else runs).leading(MOST_TESTED))

    @cached_property
    def compared(self) -> Responses | Scores | None:
        """The runs or scores that sections on the ranking are about."""
        return self.leading if self.scores is None else leading_scores(self.scores)

    def number_of_runs(self, about: str) -> int:
        """The number of runs that answer the pairs (or have scores), the questions, or in their own words."""
        source = self.qa_result if about == QUESTIONS else self.nugget_result if about == GENERATED else self.runs
        return 0 if source is None else len(source.runs)

    @cached_property
    def leading(self) -> Responses | None:
        """The runs; if there are very many, those with the highest accuracy."""
        runs = self.responses
        return runs if runs is None or len(runs) <= LEADING else runs.of_runs(runs.right(self.way).leading(LEADING))

    @cached_property
    def way(self) -> Way:
        """The way in which pairs are compared."""
        assert self.responses is not None
        return self.responses.ways(self.asked.way if self.asked.way in ("2", "3") else "auto")[0]

    @cached_property
    def people(self) -> Ballots | None:
        """The ballots without those of automatic assessors, from which no key is made."""
        if self.ballots is None or not set(self.asked.automatic) & set(self.ballots.assessors):
            return self.ballots
        return self.ballots.of([name for name in self.ballots.assessors if name not in self.asked.automatic])

    @property
    def with_judges(self) -> Ballots | None:
        """The ballots that have those of automatic assessors among them, if any assessor is automatic."""
        ballots = self.ballots if self.judged is None else self.judged
        return ballots if self.asked.automatic else None

    @cached_property
    def noise(self) -> Ballots | None:
        """People's ballots if their labels are the key's; others say nothing about its errors."""
        known = self.key is not None and self.people is not None and set(self.people.scale.values) <= set(KNOWN_LABELS)
        return self.people if known else None

    def options(self, study: str, *, of_labels: bool = True) -> dict[str, Any]:
        """The parameters of the report that a study has too; scores and questions have no way."""
        known = studies[study].facts["parameters"].__struct_fields__
        shared: dict[str, Any] = {"seed": self.asked.seed, "automatic": self.asked.automatic}
        if of_labels and self.responses is not None:
            # Ballots that were not read with the key do not know the attributes of its pairs.
            known_to_people = self.people is not None and self.asked.cluster in self.people.attributes
            if study != "agree" or known_to_people:
                shared["cluster"] = self.asked.cluster
            if "way" in known:
                shared["way"] = self.way.name  # refused for a blind key, which most studies of people do not need
        return {name: value for name, value in shared.items() if name in known}

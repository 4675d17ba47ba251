"""Tests of NIST's own files of question answering: runs, judgments, judged lists and OTHER questions.

Where the forms are documented is said in `tests.nist_files`.
"""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import karat
from karat.data.provenance import QuestionFiles
from karat.data.verdicts import LETTERS
from karat.errors import DataError, Problems, UsageError
from karat.formats.documents import document_of
from karat.formats.question_set import read_question_set
from karat.formats.registry import Formats, answer_formats, find_format, match_formats, verdict_formats
from karat.formats.verdict_table import read_verdicts, write_verdicts
from karat.studies.nuggets.result import NuggetScores
from karat.studies.qa.result import QuestionAnswering
from tests import nist_files as nist
from tests.cli import calls
from tests.files import codes_of
from tests.nugget_files import match_problems, matches_in, nuggets_in
from tests.question_files import answers_of, codes_and_lines, questions_of, tabs, told, verdicts_in, verdicts_of

QUESTIONS = questions_of()
EXAMPLES = Path(karat.__file__).parent / "examples" / "qa"
NUGGETS = "Qid 1.4: Other\n1.4 1\tvital\tit freezes\n1.4 2\tokay\teels\n1.4 3\tvital\tlong\n"
LISTED = "# 1.3\nQ:Which?\nUpper Town\nLower Town\nMiddle Town\n"


def test_a_run_as_submitted() -> None:
    """Blanks or tabs between fields, several lines for a list, NIL without an answer."""
    answers = answers_of(nist.RUN, QUESTIONS, "one.txt")
    assert list(answers.rows()) == [
        (0, 0, "D1", "100 km"),
        (0, 1, "NIL", ""),
        (0, 2, "D1", "Upper Town"),
        (0, 2, "D2", "Lower Town"),
        (0, 3, "D1", "it freezes in winter"),
    ]
    assert answers.runs == ("one",)
    assert told(answer_formats, nist.RUN, QUESTIONS, "one.txt") == []
    assert list(answers_of(nist.RUN.replace("NIL", "NIL NIL"), QUESTIONS, "one.txt").rows())[1] == (0, 1, "NIL", "NIL")


def test_a_ranked_run() -> None:
    """Five answers with ranks and scores, as until 2001."""
    two = "1.1 Q0 D2 2 3 one 62 miles\n" + nist.RANKED
    answers = answers_of(two, QUESTIONS, "one.txt", answers=5)
    assert answers.rank.tolist() == [1, 2, 1, 1, 1]
    assert answers.strings[:3] == ("100 km", "62 miles", "")
    assert answers.confidence is not None
    assert answers.confidence.tolist() == [17.5, 3, 0.5, 1, 1]
    assert codes_of(told(answer_formats, two, QUESTIONS, "one.txt")) == ["several-answers"]
    assert told(answer_formats, nist.RANKED, QUESTIONS, "one.txt") == []


def test_judgments() -> None:
    """NIST's codes are -1 wrong, 1 right, 2 unsupported, 3 inexact; letters are read too."""
    verdicts = verdicts_of(nist.JUDGED, QUESTIONS, "qrels.txt")
    assert "".join(LETTERS[code] for code in verdicts.verdict.tolist()) == "RXURW"
    assert verdicts.documents == ("D1", "D2", "D3", "NIL", "D1")
    lettered = nist.JUDGED.replace(" 3 ", " L ").replace(" -1 ", " w ")
    assert "".join(LETTERS[code] for code in verdicts_of(lettered, QUESTIONS, "q").verdict.tolist()) == "RLURW"


def test_judged_lists() -> None:
    """A run's right answers count by their marks, and the known ones by the list."""
    answers = answers_of(nist.LIST_JUDGED, QUESTIONS, "lists")
    assert (answers.runs, answers.strings[0]) == (("one", "two"), "Upper Town")
    alone = verdicts_of(nist.LIST_JUDGED, QUESTIONS, "lists")
    assert len(alone.known()[2]) == 2
    assert codes_of(told(verdict_formats, nist.LIST_JUDGED, QUESTIONS, "lists")) == ["no-list"]
    for verdicts, known in ((alone, 2), (_with_list(LISTED), 3)):
        result = karat.qa(QUESTIONS, answers, verdicts=verdicts)
        f = [2 * d / (n + known) for d, n in ((1, 3), (1, 2))]  # "the upper town" repeats "Upper Town"
        assert [run.questions["1.3"] for run in result.runs] == pytest.approx(f)
        assert all(math.isnan(run.factoid.accuracy) for run in result.runs)


def _with_list(listed: str, judged: str = nist.LIST_JUDGED) -> karat.Verdicts:
    made, problems = verdicts_in(QUESTIONS, judged, listed)
    problems.raise_errors()
    assert made is not None
    assert list(problems) == []
    return made


def test_marks_of_different_runs_need_not_agree() -> None:
    """A string that repeats another in one list, and stands alone in another, counts in the second."""
    judged = "1.3 a D1 1 0 US\n1.3 a D2 1 1 United States\n1.3 b D1 1 1 US\n1.3 c D2 1 1 United States\n"
    verdicts = _with_list("# 1.3\nQ:?\nUSA\n", judged)
    result = karat.qa(QUESTIONS, answers_of(judged, QUESTIONS, "lists"), verdicts=verdicts)
    assert [run.questions["1.3"] for run in result.runs] == pytest.approx([2 / 3, 1, 1])


def test_a_list_shorter_than_a_run() -> None:
    """A recall above 1 says that the files do not belong together."""
    with pytest.raises(DataError, match=r"2 distinct answers of run 'a' to question '1.3', and 1 known answer"):
        _with_list("# 1.3\nQ:?\nUSA\n", "1.3 a D1 1 1 US\n1.3 a D2 1 1 UK\n")


def test_judged_lists_are_no_table(tmp_path: Path) -> None:
    """A table has groups, which marks do not give."""
    path = tmp_path / "lists"
    path.write_text(nist.LIST_JUDGED)
    with pytest.raises(UsageError, match="groups of equal answers"):
        write_verdicts(read_verdicts(path, QUESTIONS), tmp_path / "table.tsv")


def test_judged_other_questions() -> None:
    """The file has the response, for its length, and the nuggets; a run without any was judged too."""
    nuggets = nuggets_in(NUGGETS, "nuggets.txt")
    matches, said = matches_in(nuggets, nist.OTHER_JUDGED, suffix="")
    assert said == []
    assert matches.runs == ("one", "two")
    assert matches.degree.tolist() == [[2, 2, 0], [0, 0, 0]]
    assert matches.answered.all()
    assert matches.texts == (("it freezes in winter it has eels, and many",), ("it is long",))
    result = karat.nuggets(matches, beta=1)
    assert [run.f for run in result.runs] == pytest.approx([2 * 0.5 / 1.5, 0])
    assert answers_of(nist.OTHER_JUDGED, QUESTIONS, "o").strings[-1] == "it is long"
    several = nist.OTHER_JUDGED.replace("1.4 one 2 2", "1.4 one 2 2\n1.4 one 1 2")
    assert matches_in(nuggets, several, suffix="")[0].degree.tolist() == matches.degree.tolist()
    marks = "".join(line for line in nist.OTHER_JUDGED.splitlines(True) if len(line.split()) == 4)
    assert matches_in(nuggets, marks, suffix="")[0].degree.tolist() == [[2, 2, 0]]


def test_complex_interactive_questions() -> None:
    """Topics of ciQA are numbers: their runs, nuggets with votes of several assessors, and judged responses."""
    nuggets = nuggets_in("Qid 26: What evidence?\n26 1\tvital\tokay\tvital\tships\n26 2\tokay\tokay\tvital\tplanes\n")
    assert nuggets.weights is not None
    assert nuggets.weights.tolist() == [1, 0.5]
    judged = "26 ciqa1 1 NYT19990326.0303 by ship and by plane\n26 ciqa1 1 2\n"
    matches, _ = matches_in(nuggets, judged, suffix="")
    assert karat.nuggets(matches, recall="pyramid").runs[0].recall == pytest.approx(1 / 3)
    topics = questions_of(tabs("id|type|question", "26|OTHER|What evidence?"))
    assert answers_of("26 ciqa1 NYT19990326.0303 by ship\n", topics, "ciqa").strings == ("by ship",)


LINES = [
    (answer_formats, "one.txt", nist.RUN, ("1.2 one NIL", "1.2 one"), ("run-line", 2)),
    (answer_formats, "one.txt", nist.RUN, ("one  D1   100 km", "one D1"), ("empty-answer", 1)),
    (answer_formats, "one.txt", nist.RUN, ("1.2", "9.9"), ("unknown-id", 2)),
    (answer_formats, "one.txt", nist.RANKED, ("1 17.5", "first 17.5"), ("run-line", 1)),
    (answer_formats, "one.txt", nist.RANKED, ("17.5", "high"), ("confidence", 1)),
    (answer_formats, "one.txt", nist.RANKED, ("1.2 Q0 NIL 1 0.5 one", "1.2 Q0 NIL 1"), ("run-line", 2)),
    (verdict_formats, "qrels", nist.JUDGED, ("D2 3", "D2 4"), ("trec-verdict", 2)),
    (verdict_formats, "qrels", nist.JUDGED, ("D2 3 100", "D2"), ("run-line", 2)),
    (verdict_formats, "lists", nist.LIST_JUDGED, ("3 0 Lower", "3 1 Lower"), ("run-line", 3)),
    (verdict_formats, "lists", nist.LIST_JUDGED, ("3 0 Lower", "3 2 Lower"), ("run-line", 3)),
    (verdict_formats, "lists", nist.LIST_JUDGED, ("3 0 Lower", "3"), ("run-line", 3)),
    (verdict_formats, "lists", nist.LIST_JUDGED, ("1 1 Lower Town", "0 1 Lower Town"), ("trec-verdict", 4)),
]


@pytest.mark.parametrize(("formats", "name", "content", "change", "wanted"), LINES)
def test_broken_lines(
    formats: Formats, name: str, content: str, change: tuple[str, str], wanted: tuple[str, int]
) -> None:
    """Each is told with its line; the rest of the file is still recognised."""
    assert change[0] in content
    said = told(formats, content.replace(*change), QUESTIONS, name)
    assert wanted in codes_and_lines(said)


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (("1.4 one 2 2", "1.4 one 3 2"), ("run-line", 4)),
        (("1.4 one 2 2", "1.4 one 2 9"), ("unknown-nugget", 4)),
        (("1.4 one 2 2", "1.4 one 1 1"), ("duplicate-id", 4)),
        (("1.4 one 2 2", "1.4 one"), ("run-line", 4)),
        (("1.4 one 2 D2", "1.4 one 1 D2"), ("duplicate-id", 2)),
    ],
)
def test_broken_lines_of_judged_other_questions(change: tuple[str, str], wanted: tuple[str, int]) -> None:
    """Nuggets of items that the response lacks, or that the list lacks, and the same one twice."""
    said = match_problems(nuggets_in(NUGGETS, "n"), nist.OTHER_JUDGED.replace(*change), suffix="")
    assert wanted in codes_and_lines(said)


@pytest.mark.parametrize(
    ("formats", "content", "wanted"),
    [
        (answer_formats, nist.RUN, "trec"),
        (answer_formats, nist.RANKED, "trec-ranked"),
        (answer_formats, nist.LIST_JUDGED, "list-judged"),
        (answer_formats, nist.OTHER_JUDGED, "other-judged"),
        (answer_formats, "1.1 one D1 1 kg\n1.2 one D1 1 0\n1.3 one D1 3 miles\n", "trec"),
        (answer_formats, tabs("qid|doc|answer", "1.1|D1|Upper Town"), "table"),
        (answer_formats, nist.JUDGED, None),
        (answer_formats, "1.1 D1 R 100 km\n", None),
        (answer_formats, "1.1\tD1\tParis\n1.2\tD2\tthe Garonne\n1.3\tD3\t1871\n", None),
        (answer_formats, "run qid doc answer\n", None),
        (verdict_formats, nist.JUDGED, "trec"),
        (verdict_formats, nist.LIST_JUDGED, "list-judged"),
        (verdict_formats, "1.1 D1 1 1 0 kings\n1.1 D1 -1 2 1 queens\n", "trec"),
        (verdict_formats, nist.RUN, None),
        (verdict_formats, LISTED, "list-answers"),
        (match_formats, nist.OTHER_JUDGED, "other-judged"),
        (match_formats, nist.LIST_JUDGED, None),
    ],
)
def test_recognised_by_content(formats: Formats, content: str, wanted: str | None) -> None:
    """The forms differ in their lines; what has none of them is refused with the names of all formats."""
    problems = Problems()
    document = document_of("file.txt", content.encode(), problems)
    assert document is not None
    found = find_format(formats, document, None, problems)
    assert (found and found.name) == wanted
    assert codes_of(list(problems)) == ([] if wanted else ["format"])


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The examples, with one assessor's nuggets and no partial support, in tables and in NIST's forms."""
    own, theirs = (tmp_path_factory.mktemp(name) for name in ("own", "nist"))
    runs = {path.stem: nist.table(path) for path in sorted((EXAMPLES / "runs").iterdir())}
    judgments = nist.table(EXAMPLES / "judgments.tsv")
    nuggets = [one for one in nist.table(EXAMPLES / "nuggets.tsv") if one["assessor"] == "anna"]
    matches = [
        one for one in nist.table(EXAMPLES / "matches.tsv") if one["assessor"] == "anna" and one["degree"] == "support"
    ]
    matches += [dict(nuggets[0], run=run, degree="0") for run in runs if run not in {one["run"] for one in matches}]
    types = {one.id: one.type for one in karat.read_questions(EXAMPLES / "questions.xml").questions}
    lists = [one for one in judgments if types[one["qid"]] == "LIST"]
    for folder in (own, theirs):
        for name in ("runs", "lists", "others"):
            (folder / name).mkdir()
    for name, rows in runs.items():
        (own / "runs" / f"{name}.tsv").write_text((EXAMPLES / "runs" / f"{name}.tsv").read_text())
        (theirs / "runs" / f"input.{name}").write_text(nist.run_lines(rows))
        of_type = {kind: [one for one in rows if types[one["qid"]] == kind] for kind in ("LIST", "OTHER")}
        (theirs / "lists" / f"{name}.list_judged").write_text(nist.list_judged(of_type["LIST"], lists))
        (theirs / "others" / f"{name}.otherjudged").write_text(nist.other_judged(of_type["OTHER"], matches))
    (own / "judgments.tsv").write_text((EXAMPLES / "judgments.tsv").read_text())
    (own / "nuggets.tsv").write_text(tabs("qid|nugget|importance|text", *(_row(one, "text") for one in nuggets)))
    (own / "matches.tsv").write_text(tabs("run|qid|nugget|degree", *(_row(one, "degree") for one in matches)))
    (theirs / "factoid.txt").write_text(nist.judged_lines(one for one in judgments if types[one["qid"]] == "FACTOID"))
    (theirs / "list_answers.txt").write_text(nist.list_answers(lists))
    (theirs / "nuggets.txt").write_text(nist.nugget_lines(nuggets))
    return own, theirs


def _row(one: dict[str, str], last: str) -> str:
    names = ("run", "qid", "nugget") if last == "degree" else ("qid", "nugget", "importance")
    return "|".join(one[name] for name in (*names, last))


def _scored(runs: Path, judgments: list[Path], nuggets: Path, matches: Path) -> QuestionAnswering:
    files = QuestionFiles(judgments=tuple(map(str, judgments)), nuggets=str(nuggets), matches=(str(matches),))
    found = read_question_set(EXAMPLES / "questions.xml", [runs], files)
    assert found.questions is not None
    assert found.answers is not None
    return karat.qa(found.questions, found.answers, **found.nouns())


def test_the_same_numbers_from_tables_and_from_files_of_nist(folders: tuple[Path, Path]) -> None:
    """Factoids, lists, OTHER questions, series and all that is made of them."""
    own, theirs = folders
    ours = _scored(own / "runs", [own / "judgments.tsv"], own / "nuggets.tsv", own / "matches.tsv")
    judgments = [theirs / "factoid.txt", theirs / "lists", theirs / "list_answers.txt"]
    same = _scored(theirs / "runs", judgments, theirs / "nuggets.txt", theirs / "others")
    assert len(ours.runs) == 7
    assert repr(same.runs) == repr(ours.runs)
    assert repr(same.series) == repr(ours.series)
    only_lists = _scored(theirs / "lists", judgments[1:], theirs / "nuggets.txt", theirs / "others")
    assert [repr(run.list) for run in only_lists.runs] == [repr(run.list) for run in ours.runs]


def test_the_same_nugget_scores(folders: tuple[Path, Path]) -> None:
    """A released file alone has matches and lengths."""
    own, theirs = folders
    questions = karat.read_questions(EXAMPLES / "questions.xml")
    matches = karat.read_matches(own / "matches.tsv", karat.read_nuggets(own / "nuggets.tsv"))
    ours = karat.nuggets(matches.with_texts(karat.read_answers(own / "runs", questions)))
    same = karat.nuggets(karat.read_matches(theirs / "others", karat.read_nuggets(theirs / "nuggets.txt")))
    assert _by_run(same) == _by_run(ours)
    assert any(run.f > 0 for run in same.runs)


def _by_run(result: NuggetScores) -> dict[str, str]:
    return {run.run: repr(run) for run in result.runs}


def test_the_commands_read_them(folders: tuple[Path, Path]) -> None:
    """`check`, `qa` and `nuggets` take the files as they are, and refuse lists of runs where factoids are judged."""
    theirs = folders[1]
    questions, judged = str(EXAMPLES / "questions.xml"), ["--judgments", str(theirs / "factoid.txt")]
    lists = ["--judgments", str(theirs / "lists"), "--judgments", str(theirs / "list_answers.txt")]
    nuggets = ["--nuggets", str(theirs / "nuggets.txt"), "--matches", str(theirs / "others")]
    for command in ("check", "qa"):
        done = calls.karat(command, questions, str(theirs / "runs"), *judged, *lists, *nuggets)
        assert done.returncode == 0, done.stderr
        assert "verbose" in done.stdout or "7 of 7 runs" in done.stdout
        done = calls.karat(command, questions, str(theirs / "lists"), *judged, *lists)
        assert done.returncode == 1
        assert "no answer of run 'careful' to any factoid question" in done.stdout + done.stderr
        done = calls.karat(command, questions, str(theirs / "lists"), *lists)
        assert done.returncode == 0, done.stdout + done.stderr
        done = calls.karat(command, questions, str(theirs / "others"), *nuggets)
        assert done.returncode == 0, done.stdout + done.stderr
    done = calls.karat("nuggets", str(theirs / "nuggets.txt"), str(theirs / "others"))
    assert done.returncode == 0, done.stderr
    assert "F" in done.stdout

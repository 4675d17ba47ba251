"""`karat figure` as a user meets it: a file, or a sentence that says what to do and nothing written."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from tools.gallery import by_study

from karat.cli import load_command, main
from karat.cli.command import StudyCommand
from karat.cli.figure import command
from karat.data.charts import Bars, Chart, Series
from karat.errors import UsageError
from karat.examples import HERE
from karat.registry import Registered
from karat.studies import OVERVIEW, base
from karat.studies.items import ItemAnalysis, ItemsParameters
from karat.studies.judge.study import judge
from tests.cli.calls import karat
from tests.studies.test_judge import ballots
from tests.test_house import loaded

Call = Callable[..., tuple[int, str]]
ITEMS = ("pairs.xml", "runs", "--quiet")


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """`karat figure` in the folder of the examples: its exit status and all that it says."""
    monkeypatch.chdir(HERE)

    def do(*arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as left:
            main(["figure", *arguments])
        said = capsys.readouterr()
        return int(left.value.code or 0), said.out + said.err

    return do


@pytest.mark.parametrize(("ending", "begins"), [(".svg", b"<svg"), (".pdf", b"%PDF"), (".PNG", b"\x89PNG")])
def test_a_file_of_each_kind(call: Call, tmp_path: Path, ending: str, begins: bytes) -> None:
    """The end of the name says what is written; nothing is printed."""
    file = tmp_path / f"x{ending}"
    assert call("conditioned", *ITEMS, "-o", str(file)) == (0, "")
    assert file.read_bytes().startswith(begins)


def test_the_study_s_own_options(call: Call, tmp_path: Path) -> None:
    """What the study is asked is what is drawn: the file keeps the signature of that call."""
    file = tmp_path / "x.svg"
    for way in "23":
        assert call("conditioned", *ITEMS, "--way", way, "-o", str(file))[0] == 0
        assert f"way:{way}" in re.findall("<metadata>(.*)</metadata>", file.read_text())[0]


def test_overview() -> None:
    """Every figure with what it shows, below the command whose arguments it takes, and that command's arguments."""
    done = karat("figure", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    sections = dict(re.findall(r"^karat (\w+ .*):\n((?:  .*\n)+)", done.stdout, re.M))
    told = {name.split()[0]: " ".join(text.split()) for name, text in sections.items()}
    assert "diagnose ORIGINALS [MONO] RUN..." in sections
    assert list(told) == list(by_study())
    for study, entries in by_study().items():
        assert [entry.name for entry in entries if f"{entry.name} {entry.summary}" not in told[study]] == []


def test_help_of_one(call: Call) -> None:
    """All of the caption, what the data must have, every option of the study but where its tables go, and -o."""
    status, text = call("series", "--help")
    flat = " ".join(text.split())
    assert status == 0
    assert "The whiskers extend to the lowest" in flat
    assert "It needs two runs or more" in flat
    assert "-o, --output FILE" in text
    assert "[required]" in text
    study = load_command("qa")
    offered = set(re.findall(r"(--[\w-]+)", text))
    every = {flag for option in study.params for flag in option.opts if flag.startswith("--")}
    of_tables = {"--format", "--table", "--columns", "--caption", "--tex-label", "--all", "--verbose"}
    assert every - offered == {*of_tables, "--scores-out", "--unit"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("conditioned", *ITEMS), r"Missing option .*-o.*\. Name the file to write: -o FILE, .*\.svg, \.pdf or \.png"),
        (("conditioned", *ITEMS, "-o", "{0}/x.jpg"), "x.jpg' does not end in .svg, .pdf or .png"),
        (("conditioned", *ITEMS, "-o", "{0}/x"), "does not end in"),
        (("conditioned", *ITEMS, "-o", "{0}/none/x.svg"), "none' is not a folder: create it first"),
        (("conditioned", *ITEMS, "-o", "{0}/folder.svg"), "is a folder: name a file in it"),
        (("conditionned", *ITEMS, "-o", "{0}/x.svg"), "no figure is called 'conditionned'; did you mean 'conditioned'"),
        (("ratings", "ratings.tsv", "-o", "{0}/x.svg"), "choose one of ratings-understandable, ratings-compelling"),
        (("ratings-tasty", "ratings.tsv", "-o", "{0}/x.svg"), "no figure of this result is called 'ratings-tasty'"),
        (
            ("indices", *ITEMS, "--by", "task", "-o", "{0}/x.svg"),
            "it needs a decomposed test set.*Available: phenom",
        ),
        (
            ("series", "qa/questions.xml", "qa/runs/careful.tsv", "--judgments", "qa/judgments.tsv", "-o", "{0}/x.svg"),
            "nothing to draw for series; it needs two runs or more",
        ),
        (("difficulty", "pairs.xml", "-o", "{0}/x.svg"), "Missing argument 'RUN...'"),
        (("difficulty", *ITEMS, "--format", "csv", "-o", "{0}/x.svg"), "No such option"),
        ((), "NAME FILES"),
    ],
)
def test_wrong_calls(call: Call, tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    """Each is an error of the call, in words, with nothing written."""
    (tmp_path / "folder.svg").mkdir()
    status, text = call(*(argument.format(tmp_path) for argument in arguments))
    assert status == 2, text
    assert re.search(told, " ".join(text.split())), text
    assert "Traceback" not in text
    assert [path.name for path in tmp_path.rglob("*")] == ["folder.svg"]


def test_problems_of_data(call: Call, tmp_path: Path) -> None:
    """Data with errors are told as ever, with status 1, and nothing is written."""
    run = tmp_path / "run.txt"
    run.write_text("nobody ENTAILMENT\n")
    status, text = call("difficulty", "pairs.xml", str(run), "-o", str(tmp_path / "x.svg"))
    assert status == 1
    assert "unknown-id" in text
    assert not (tmp_path / "x.svg").exists()


def test_where_it_goes_is_asked_first(call: Call, tmp_path: Path) -> None:
    """A wrong name is told before anything is read: nobody waits for a study to hear of it."""
    status, text = call("difficulty", str(tmp_path / "none.xml"), "runs", "-o", "x.jpg")
    assert status == 2
    assert "x.jpg" in text
    assert "none.xml" not in text


def test_a_file_that_is_there_stays_whole(call: Call, tmp_path: Path) -> None:
    """What cannot be drawn leaves an older file as it is."""
    file = tmp_path / "x.svg"
    file.write_text("mine")
    assert call("ratings", "ratings.tsv", "-o", str(file))[0] == 2
    assert file.read_text() == "mine"


def test_names_are_fit_for_a_terminal() -> None:
    """A figure named after a run whose name would move the cursor is told with that spelled out."""
    nasty = "run\x1b[2J<&$\x00 名"
    said = {name: [0, 1, 2, 0, 1, 2, 0, 1] for name in ("person", f"{nasty}0", f"{nasty}1")}
    result = judge(ballots(said), automatic=[f"{nasty}0", f"{nasty}1"])
    for asked in ("judge-rates", "judge-ratings"):
        with pytest.raises(UsageError) as caught:
            result.figure(asked)
        assert str(caught.value).isprintable()
        assert "名0, " in str(caught.value)
    assert result.figure(f"judge-rates-{nasty}1").chart.title.startswith(f"Share of each label, {nasty}1")


def test_the_longest_name_counts(call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`difficulty-by-x` is not one of the figures `difficulty` where it is a figure itself."""

    def planted(_: ItemAnalysis) -> Iterable[Chart]:
        """Two of a kind."""
        chart = Bars(title="planted", labels=("a",), series=(Series("b", [1.0]),))
        return [replace(chart, name="x"), replace(chart, name="y")]

    drawn = Registered("figure", "difficulty-by", planted, {"needs": ""})
    monkeypatch.setitem(OVERVIEW, "items", OVERVIEW["items"]._replace(figures=("difficulty", "difficulty-by")))
    monkeypatch.setitem(base.studies["items"].facts, "figures", (drawn,))
    assert call("difficulty-by-x", *ITEMS, "-o", str(tmp_path / "x.svg")) == (0, "")
    assert "planted" in (tmp_path / "x.svg").read_text()
    assert "choose one of difficulty-by-x, difficulty-by-y" in call("difficulty-by", *ITEMS, "-o", "y.svg")[1]


def clashes(by_study: dict[str, list[str]]) -> list[str]:
    """Names that begin the name of another study's figure: they would be taken for one of several of a kind."""
    return [
        f"{one} {other}"
        for study, names in by_study.items()
        for one in names
        for elsewhere, others in by_study.items()
        for other in others
        if study != elsewhere and other.startswith(f"{one}-")
    ]


def test_names_of_studies_do_not_clash() -> None:
    """No figure begins with the name of another study's, and the test would see one."""
    names = {study: [entry.name for entry in entries] for study, entries in by_study().items()}
    assert clashes(names) == []
    assert clashes({"a": ["key"], "b": ["key-ranks"]}) == ["key key-ranks"]


def test_every_study_that_draws_has_a_command() -> None:
    """The command of a study that draws is one whose result can be asked for."""
    assert all(isinstance(load_command(name), StudyCommand) for name, one in OVERVIEW.items() if one.figures)


def test_figures_are_named_where_they_are_looked_for() -> None:
    """A study whose figures are not those of the list is refused when it is loaded."""
    with pytest.raises(TypeError, match=r"the figures of size are not those that karat\.studies\.OVERVIEW names"):
        base.study("size", ItemsParameters)


def test_a_figure_for_a_column(call: Call, tmp_path: Path) -> None:
    """Asked for a paper's width, the file has it; another word is refused, with those that are known."""
    file = tmp_path / "x.svg"
    assert call("conditioned", *ITEMS, "--width", "column", "-o", str(file)) == (0, "")
    assert 'width="3.3in"' in file.read_text("utf-8")
    code, told = call("conditioned", *ITEMS, "--width", "page", "-o", str(file))
    assert code
    assert "column" in told


@pytest.mark.parametrize("study", by_study())
def test_no_dead_options(study: str) -> None:
    """A figure has every option of its study but those that say where else the result goes, and in what form."""
    elsewhere = {"score": {"scores_out"}, "qa": {"scores_out", "unit"}, "justify": {"scores_out", "weight"}}
    elsewhere |= {name: {"scores_out", "measure"} for name in ("nuggets", "support")}
    elsewhere["nuggets"] |= {"nuggets_out", "matches_out"}
    showing = {"format", "table", "columns", "caption", "tex_label", "all", "verbose"}
    left_out = showing | elsewhere.get(study, set())
    drawing = command.load(by_study()[study][0].name)
    own = {option.name for option in load_command(study).params} - left_out
    assert {option.name for option in drawing.params} == own | {"width"}


def test_loads_what_it_needs() -> None:
    """One figure loads its own study, a wrong name none; nothing is drawn to tell how it is called."""
    code = "from karat.cli import main\ntry: main(['figure', {}])\nexcept SystemExit: pass"
    one, wrong, overview = (loaded(code.format(words)) for words in ("'planning', '--help'", "'planing'", "'--help'"))
    found = [{name for name in modules if re.fullmatch(r"karat\.studies\.\w+\.\w+", name)} for modules in (one, wrong)]
    assert {name.split(".")[2] for name in found[0]} == {"size"}
    assert found[1] == set()
    assert not (one | wrong) & {"karat.engines"}
    assert not (one | wrong | overview) & {"matplotlib", "polars"}


def test_without_matplotlib(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What to install is all that is said, without the warnings about the files before it."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    odd = tmp_path / "odd.txt"
    odd.write_text((HERE / "runs" / "overlap.txt").read_text().rstrip("\n"))  # which brings a warning
    status, told = call("conditioned", "pairs.xml", "runs", str(odd), "-o", str(tmp_path / "x.svg"))
    assert status != 0
    assert "karat[figures]" in told
    assert "no-final-newline" not in told

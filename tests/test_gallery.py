"""The page of figures shows what is drawn today: every figure, its words, its command, its image."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from functools import cache

import pytest
from tools.gallery import FOLDER, Shown, by_study, chart_in, shown

from karat.cli.figure import command
from karat.registry import Registered
from karat.render.figures import document

LONGEST = 110
MOST_BYTES = 800_000
PAGE = FOLDER.parent.parent / "figures.md"


@cache
def all_shown() -> tuple[Shown, ...]:
    """Every figure of the page, worked out once."""
    return tuple(shown())


def all_figures() -> list[Registered]:
    """Every figure that a command draws."""
    return [entry for entries in by_study().values() for entry in entries]


def wrong_words(caption: str) -> list[str]:
    """What a caption should have and has not."""
    seen, *more = caption.split("\n")
    return [
        *(["no first line"] if not seen else []),
        *([f"a first line of {len(seen)} characters"] if len(seen) > LONGEST else []),
        *(["a first line that is no sentence"] if seen and not seen.endswith(".") else []),
        *(["no empty line after the first"] if more and more[0] else []),
    ]


@pytest.mark.parametrize("entry", all_figures(), ids=lambda entry: entry.name)
def test_captions(entry: Registered) -> None:
    """The first line of a caption says in short what is seen; how to read it stands apart."""
    text = re.sub(r"\n[ ]+", "\n", entry.function.__doc__ or "").rstrip()
    assert wrong_words(text) == []


def test_wrong_captions_are_seen() -> None:
    """The test of captions finds each slip."""
    assert wrong_words("What is seen.\n\nHow to read it.") == []
    assert len(wrong_words("")) == 1
    assert len(wrong_words("x" * 111)) == 2
    assert wrong_words("What is seen.\nand so on") == ["no empty line after the first"]


def test_page_has_every_figure() -> None:
    """Each figure has its heading, its image and its words."""
    page = PAGE.read_text(encoding="utf-8")
    assert [one.figure for one in all_shown()] == re.findall(r"^### (\S+)$", page, re.M)
    assert {one.figure for one in all_shown()} == {entry.name for entry in all_figures()}
    for one in all_shown():
        assert f"](assets/figures/{one.file})" in page
        assert one.caption.partition("\n\n")[2] in page


def test_every_figure_has_a_thumbnail() -> None:
    """The page begins with every figure in small, each of which leads to the large one."""
    begun = PAGE.read_text(encoding="utf-8").partition("\n## ")[0]
    small = re.findall(
        r'^<a href="#([^"]+)" title="[^"]+"><img src="assets/figures/([^"]+)" alt="" width="\d+"', begun, re.M
    )
    assert small == [(one.figure, one.file) for one in all_shown()]


def test_images_are_current() -> None:
    """Each image shows the chart of today (its bytes are matplotlib's affair), and there is no other."""
    assert {file.name for file in FOLDER.iterdir()} == {one.file for one in all_shown()}
    stale = [one.file for one in all_shown() if _image(one) != chart_in(document(one.chart))]
    assert stale == [], "run `make docs`"
    changed = replace(all_shown()[0].chart, title="another")
    assert chart_in(document(changed)) not in ("", _image(all_shown()[0]))


def _image(one: Shown) -> str:
    return chart_in((FOLDER / one.file).read_text(encoding="utf-8"))


def test_images_are_whole() -> None:
    """Every shape that an image uses is in it, under the short name."""
    for file in FOLDER.iterdir():
        image = file.read_text(encoding="utf-8")
        used, there = set(re.findall(r'href="#([^"]+)"', image)), set(re.findall(r'id="([^"]+)"', image))
        assert used <= there, file.name
        assert image.count("<metadata>karat ") == 1


def test_images_are_small() -> None:
    """All images together weigh less than a photograph."""
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < MOST_BYTES


def test_commands_are_what_is_drawn() -> None:
    """Each command on the page names its chart, and parses to the files and options that the image was made from."""
    first, *told = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)
    assert first in told
    assert len(told) == len(all_shown())
    for text, one in zip(told, all_shown(), strict=True):
        assert max(map(len, text.splitlines())) <= 110
        words = shlex.split(text.replace("\\\n", ""))
        assert words[:3] == ["karat", "figure", one.chart.name]
        assert words[3:-2] == shlex.split(one.arguments)
        assert words[-2:] == ["-o", one.file]
        drawing = command.load(one.chart.name)
        assert drawing is not None
        assert drawing.make_context(one.figure, words[3:]).params["output"] == one.file


def test_nothing_of_this_machine() -> None:
    """Files are named as in their own folder, on the page and in the images."""
    for file in (PAGE, *FOLDER.iterdir()):
        assert str(FOLDER.parents[2]) not in file.read_text(encoding="utf-8")

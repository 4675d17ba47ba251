"""Takes the pictures of the documentation again: the first screen of the report, and an organiser's page of the server.

Called by hand, since a browser's letters differ from machine to machine: `python -m tools.screenshot`. It writes
docs/assets/report.png and, for dark pages, docs/assets/report-dark.png, and docs/assets/server.png; it needs Debian's
chromium (`make system`).
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tools.examples import result_of

README = Path(__file__).parent.parent / "README.md"
ASSETS = README.parent / "docs" / "assets"
PICTURES: dict[str, Literal["light", "dark"]] = {"report.png": "light", "report-dark.png": "dark"}
WIDTH, TALLEST = 1280, 1000
"""Of the picture, in pixels of the window: a small laptop's, so that words can be read when a README shrinks it."""
SHARPNESS = 1.5
"""Dots per pixel: more than one, for dense screens."""
COLOURS = 64
"""A page has few; a palette keeps the file small."""
MARGIN = 5
LAST = "#result .board >> visible=true"
"""What the first screen ends with: the leaderboard."""
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def quoted() -> str:
    """The arguments of the report that the README shows above its picture."""
    (found,) = re.findall(r"^karat report ((?:.|\\\n)*?) -o report\.html$", README.read_text(encoding="utf-8"), re.M)
    return " ".join(str(found).replace("\\\n", " ").split())


def first_screen(page: Path, browser: Browser, scheme: Literal["light", "dark"]) -> bytes:
    """A report from its top to the end of its leaderboard."""
    opened = browser.new_page(
        viewport={"width": WIDTH, "height": TALLEST}, device_scale_factor=SHARPNESS, color_scheme=scheme
    )
    opened.goto(page.as_uri())
    box = opened.locator(LAST).first.bounding_box()
    assert box is not None
    height = min(box["y"] + box["height"] + MARGIN, TALLEST)
    return opened.screenshot(clip={"x": 0, "y": 0, "width": WIDTH, "height": height})


def organisers_page(browser: Browser) -> bytes:
    """The example campaign as an organiser sees it, from a server that runs for as long as that takes."""
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-c", "from karat.cli import main; main()", "serve", "--example", "--port", "0"]
        with subprocess.Popen([*command, "--home", home], stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                said = dict(server.stdout.readline().split() for _ in range(2))
                opened = browser.new_page(viewport={"width": WIDTH, "height": 720}, device_scale_factor=SHARPNESS)
                opened.goto(said["organiser:"])
                opened.goto(f"{said['serving:']}/c/example/")
                return opened.screenshot()
            finally:
                server.terminate()


def keep(name: str, taken: bytes) -> None:
    """Write a picture with few colours."""
    picture = Image.open(io.BytesIO(taken)).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(ASSETS / name, optimize=True)
    sys.stdout.write(f"{name}: {(ASSETS / name).stat().st_size // 1024} KB\n")


def main() -> None:
    """Make the report, look at it, keep what is seen."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("chromium is not installed: make system")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder) / "report.html"
        page.write_text(result_of("report", quoted()).render("html"), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        for name, scheme in PICTURES.items():
            keep(name, first_screen(page, browser, scheme))
        keep("server.png", organisers_page(browser))
        browser.close()


if __name__ == "__main__":
    main()

"""Takes the picture of the README anew: how the report that it names begins, and a figure; docs/assets/report.png.

Called by hand, since a browser's letters differ from machine to machine: `python -m tools.screenshot`. It needs
Debian's chromium (`make system`).
"""

from __future__ import annotations

import io
import re
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tools.examples import result_of

README = Path(__file__).parent.parent / "README.md"
PICTURE = README.parent / "docs" / "assets" / "report.png"
WIDTH = 900
"""Of the window: a README is about so wide, and words stay large enough to be read."""
SHARPNESS = 1.6
"""Dots a pixel: more than one, for dense screens."""
COLOURS = 64
"""A page has few; a palette keeps the file small."""
SHOWN = (
    "nav, .top, .first li:nth-child(n + 6), main > section:not(#findings, #compare), "
    "#compare > :not(h2, :has(svg.chart)) { display: none }"
)
"""The first of what was found, and the chart of the section that compares the runs."""
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def quoted() -> str:
    """The arguments of the report that the README says its picture is from."""
    (found,) = re.findall(
        r"^That is from `karat report (.*) -o report\.html`", README.read_text(encoding="utf-8"), re.M
    )
    return str(found)


def report_page(folder: Path) -> Path:
    """That report."""
    page = folder / "report.html"
    page.write_text(result_of("report", quoted()).render("html"), encoding="utf-8")
    return page


def photographed(page: Path, chromium: str) -> bytes:
    """Some of a page, by day."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        opened = browser.new_page(
            viewport={"width": WIDTH, "height": 100}, device_scale_factor=SHARPNESS, color_scheme="light"
        )
        opened.goto(page.as_uri())
        taken = opened.screenshot(full_page=True, style=SHOWN)
        browser.close()
    return taken


def main() -> None:
    """Make the report, look at it, keep what is seen."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("chromium is not installed: make system")
    with tempfile.TemporaryDirectory() as folder:
        taken = photographed(report_page(Path(folder)), chromium)
    picture = Image.open(io.BytesIO(taken)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    picture.save(PICTURE, optimize=True)
    sys.stdout.write(f"{PICTURE.relative_to(Path.cwd())}: {PICTURE.stat().st_size // 1024} KB\n")


if __name__ == "__main__":
    main()

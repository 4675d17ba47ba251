"""Pages: one self-contained file, readable on a phone, in dark mode and on paper."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path

from karat.data.result import Result
from karat.render.composite import body
from karat.render.figures.palette import DARK, LIGHT, variables
from karat.render.html import fragment

HERE = Path(__file__).parent


def _joined(*names: str) -> str:
    return "\n".join((HERE / name).read_text("utf-8") for name in names)


SCRIPT = _joined("page.js", "explored.js", "explorer.js")
STYLE = (
    f":root {{ color-scheme: light dark; {variables(LIGHT)} }}\n"
    f"@media (prefers-color-scheme: dark) {{ :root {{ {variables(DARK)} }} }}\n"
    f"{_joined('page.css', 'explorer.css')}"
)


def page(result: Result, date: str = "") -> str:
    """The result as a complete page; the parts of a composite result are its sections."""
    if result.chapters():
        return _whole(result.heading, body(result, date), SCRIPT)
    return _whole(result.heading, f"<main>\n<h1>{escape(result.heading)}</h1>\n{fragment(result)}</main>\n")


def policy(script: str) -> str:
    """The content security policy of a page: it may be displayed and run the one script that karat wrote.

    Figures have style attributes, which cannot be allowed by a hash; but anything they could load is forbidden.
    """
    allowed = f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" if script else "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )


def _whole(title: str, body: str, script: str = "") -> str:
    run = f"<script>{script}</script>" if script else ""
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(script)}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}{run}</body>\n</html>\n"
    )

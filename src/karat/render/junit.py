"""JUnit's XML, which build servers read: one test case per check of a result."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from karat.data.result import Checked, Result
from karat.errors import UsageError, spelled_out


def render(result: Result) -> str:
    """One suite, with the signature as a property."""
    checks = result.checks()
    if not checks:
        raise UsageError(
            "JUnit's format is for results that pass or fail: karat compare with --fail-if-worse, and karat check"
        )
    counts = {outcome: sum(one.outcome == outcome for one in checks) for outcome in ("failed", "skipped")}
    numbers = f'tests="{len(checks)}" failures="{counts["failed"]}" errors="0" skipped="{counts["skipped"]}"'
    suite = f"karat {result.study}"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<testsuites {numbers}>",
        f"  <testsuite name={_quoted(suite)} {numbers}>",
        f'    <properties><property name="signature" value={_quoted(str(result.signature))}/></properties>',
        *(line for one in checks for line in _case(one, suite, result)),
        "  </testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def of_error(study: str, said: str) -> str:
    """One suite for a call that ended with an error, so that a build server does not read the file of another call."""
    numbers, suite = 'tests="1" failures="0" errors="1" skipped="0"', _quoted(f"karat {study}")
    first = _quoted(said.split("\n")[0])
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<testsuites {numbers}>",
        f"  <testsuite name={suite} {numbers}>",
        f"    <testcase classname={suite} name={suite}>",
        f"      <error message={first}>{_escaped(said)}</error>",
        "    </testcase>",
        "  </testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _case(one: Checked, suite: str, result: Result) -> list[str]:
    start = f"    <testcase classname={_quoted(suite)} name={_quoted(one.name)}"
    if one.outcome == "passed":
        return [f"{start}>", f"      <system-out>{_escaped(one.text)}</system-out>", "    </testcase>"]
    first = _quoted(one.text.split("\n")[0])
    if one.outcome == "skipped":
        return [f"{start}>", f"      <skipped message={first}/>", "    </testcase>"]
    said = "\n".join([one.text, *(text for text in result.findings() if one.name in text.runs)])
    return [f"{start}>", f"      <failure message={first}>{_escaped(said)}</failure>", "    </testcase>"]


def _escaped(text: str) -> str:
    """Text in XML, without the control characters that it may not contain."""
    return "\n".join(escape(spelled_out(line)) for line in text.split("\n"))


def _quoted(text: str) -> str:
    return quoteattr(spelled_out(text))

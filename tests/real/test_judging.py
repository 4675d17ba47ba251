"""Real judgments, replayed: VariErr's four assessors through the interface, then the votes on their reasons."""

from __future__ import annotations

import json
import re
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.real.test_campaign import FILE, PAGE, told
from tests.real.varierr import PEOPLE, VariErr, read
from tests.server.clients import Answer, Client, prepared
from tests.server.conftest import karat, servers
from tests.server.test_judging_organiser import cells
from tests.server.walking import Browser

JUDGE = "judge"
API = "/api/campaigns/varierr/tasks/three-way"
JUDGING = "/c/varierr/tasks/three-way/judging/"


@pytest.fixture(scope="module")
def varierr(real: Path) -> VariErr:
    """The data."""
    return read(real)


@pytest.mark.nightly
def test_varierr_judged_again(varierr: VariErr, tmp_path: Path) -> None:
    """Labels, then decisions: the page says what `karat agree` says, and the agreed key is previewed as a new one."""
    with servers(tmp_path) as serve:
        replay(varierr, serve, tmp_path)


def replay(varierr: VariErr, serve: Callable[..., Any], tmp_path: Path) -> None:
    """The whole judging, step by step."""
    now = datetime.now(UTC)
    dates = {"opens": (now - timedelta(days=1)).isoformat(), "closes": (now + timedelta(days=1)).isoformat()}
    (tmp_path / "varierr.toml").write_text(FILE.format(**dates), encoding="utf-8")
    (tmp_path / "pairs.xml").write_bytes(varierr.xml(1))
    home = tmp_path / "home"
    teams = prepared(home, tmp_path / "varierr.toml", *varierr.runs)
    for who in (*PEOPLE, JUDGE):
        told(home, "enrol", "varierr", "--assessor", who, "--signed", who)
    tokens = {who: told(home, "token", "varierr", who)["token"] for who in (*PEOPLE, JUDGE)}
    people = [word for who in PEOPLE for word in ("--assessor", who)]
    counts = told(home, "assign", "varierr", "three-way", *people, "--per-unit", "4")
    assert counts["units"]["open"] == 500
    told(home, "assign", "varierr", "three-way", "--assessor", JUDGE, "--stage", "adjudication")
    served = serve(home=home)
    for team, token in teams.items():
        assert Client(served.address, token).submit("varierr", varierr.run(team), run="1").status == 201
    by_texts = {texts: id for id, texts in varierr.texts.items()}

    def label(who: str) -> int:
        """All that one person said, one pair after the other."""
        return judged(Client(served.address, tokens[who]), lambda show: first(varierr, by_texts, who, show))

    with ThreadPoolExecutor(len(PEOPLE)) as pool:
        assert list(pool.map(label, PEOPLE)) == [500] * len(PEOPLE)
    counts = told(home, "ballots", "varierr", "three-way")
    given = {who: sum(one.label is not None for one in of.values()) for who, of in varierr.said.items()}
    assert {
        one["assessor"]: one["judged"] - one["skipped"] for one in counts["assessors"] if one["units"] == 500
    } == given
    labels = {id: [one for of in varierr.said.values() if (one := of[id].label) is not None] for id in varierr.texts}
    assert counts["units"] == {
        "open": 0,
        "agreed": sum(len(of) > 1 == len(set(of)) for of in labels.values()),
        "disputed": sum(len(set(of)) > 1 for of in labels.values()),
        "undecided": sum(len(of) < 2 for of in labels.values()),  # one label agrees with none
        "adjudicated": 0,
    }
    agreement = same_as_karat_agree(served, home, tmp_path)
    assert agreement["ballots"] == sum(given.values())

    # Decisions: for whichever label more of the votes on its reasons found that it makes sense.
    decided = judged(
        Client(served.address, tokens[JUDGE]), lambda show: second(varierr, by_texts, show), counts["units"]["disputed"]
    )
    assert decided == counts["units"]["disputed"]
    after = told(home, "ballots", "varierr", "three-way")
    assert after["units"] == counts["units"] | {"disputed": 0, "adjudicated": decided}
    again = same_as_karat_agree(served, home, tmp_path)
    assert {**again, "signature": None, "warnings": None} == {**agreement, "signature": None, "warnings": None}

    told(home, "ballots", "varierr", "three-way", "--file", "key", "-o", str(tmp_path / "agreed.xml"))
    change = [str(tmp_path / "agreed.xml"), "--reason", "the labels that were agreed on"]
    preview = told(home, "rescore", "varierr", *change)
    assert told(home, "board", "varierr")["key_version"] == 1, "a preview changes nothing"
    printed = karat(home, "campaign", "rescore", "varierr", *change).stdout
    assert told(home, "verify", "varierr")["equal"] is True
    moved = [one for one in preview["ranks_changed"] if str(one.get("way", "3")) == "3"]
    reasons = [line.split("\t")[3] for line in (tmp_path / "ballots.tsv").read_text("utf-8").splitlines()[1:]]
    alpha = agreement["coefficients"]["alpha"]
    facts = [
        f"{sum(given.values()):,} labels",
        f"{counts['units']['agreed']} pairs",
        f"{decided} pairs",
        f"alpha is {alpha['value']:.2f} (95% CI {alpha['low']:.2f} to {alpha['high']:.2f})",
        f"{reasons.count('error')} of the disagreements errors and {reasons.count('difference')} differences",
        f"{len(moved)} of ten runs",
    ]
    text = " ".join(PAGE.read_text("utf-8").split())
    missing = [one for one in facts if one not in text]
    assert not missing, f"docs/replayed.md should say: {missing}\n{printed[-1500:]}"


def judged(one: Client, answer: Callable[[Any], dict[str, Any]], most: int = 500) -> int:
    """Judge all that there is, by a function of what is shown; how much that was."""
    for count in range(most + 1):
        shown = patiently(one, "GET", f"{API}/next")
        if shown.status == 204:
            return count
        body = {"id": str(uuid.uuid4()), "unit": shown.json["unit"], "guidelines": 0} | answer(shown.json["show"])
        sent = patiently(one, "POST", f"{API}/ballots", body)
        assert sent.status == 201, sent.body
    raise AssertionError(f"more than {most} units")


def patiently(one: Client, method: str, path: str, body: Any = None) -> Answer:
    """A request, again after a while if the server asks to wait."""
    raw = None if body is None else json.dumps(body).encode()
    for _ in range(100):
        answer = one.ask(method, path, raw, **{"Content-Type": "application/json"})
        if answer.status != 429:
            return answer
        time.sleep(float(answer.headers["Retry-After"]))
    raise AssertionError("the server never answered")


def first(varierr: VariErr, by_texts: dict[tuple[str, str], str], who: str, show: Any) -> dict[str, Any]:
    """What somebody said in the first round; who gave two labels or none skips the pair, and says so."""
    said = varierr.said[who][by_texts[show["text"], show["hypothesis"]]]
    if said.label is None:
        return {"skipped": said.why}
    return {"values": {"label": said.label}, "comment": said.why[:2000]}


def second(varierr: VariErr, by_texts: dict[tuple[str, str], str], show: Any) -> dict[str, Any]:
    """The label whose reasons more of the votes found to make sense, in case of a tie that of more people.

    If a label that loses has no majority of its votes either, it was an error; else people differ legitimately.
    """
    votes = varierr.votes[by_texts[show["text"], show["hypothesis"]]]
    given = [one["label"] for one in show["labels"] if one["label"] in votes]
    assert {one["comment"] for one in show["labels"] if one["label"] in votes} != {""}
    valid = {label: votes[label][0] / votes[label][1] for label in dict.fromkeys(given)}
    best = max(valid, key=lambda label: (valid[label], given.count(label), label))
    error = all(share <= 0.5 for label, share in valid.items() if label != best)
    note = "; ".join(f"{label}: {votes[label][0]} of {votes[label][1]} votes" for label in valid)
    return {"values": {"label": best, "reason": "error" if error else "difference", "note": note}}


def same_as_karat_agree(served: Any, home: Path, tmp_path: Path) -> Any:
    """Compare every row of the page with what the command prints for the export; the result of the command."""
    told(home, "ballots", "varierr", "three-way", "-o", str(tmp_path / "ballots.tsv"))
    if not hasattr(served, "browser"):
        served.browser = Browser(served.address)
        assert served.browser.ask(served.link)[0] == 200
    page = ""
    for _ in range(60):
        status, _, body = served.browser.ask(JUDGING)
        assert status == 200
        page = body.decode()
        if "being computed" not in page:
            break
        time.sleep(1)
    assert "being computed" not in page
    printed = karat(home, "agree", str(tmp_path / "ballots.tsv"), "--format", "html")
    assert printed.returncode == 0, printed.stderr
    rows = cells(printed.stdout)
    assert len(rows) > 30
    shown = cells(page)
    assert [row for row in rows if row not in shown] == []
    assert {row[0] for row in shown} >= {"official key", "agreed key", *PEOPLE}
    assert re.search(r"The best are taken to be the better half by agreement with the others: ann-\d, ann-\d\.", page)
    return json.loads(karat(home, "agree", str(tmp_path / "ballots.tsv"), "--format", "json").stdout)

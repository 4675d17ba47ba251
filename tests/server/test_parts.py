"""Decomposition through the interface for programs and by plain forms, to a file that `karat diagnose` reads."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.campaign.definition import Task
from karat.data.decomposition import REWRITE, SUBSTITUTION
from tests.cli.calls import as_json
from tests.server.test_pages_judging import Desk

PAIRS = b"""<?xml version="1.0" encoding="UTF-8"?>
<entailment-corpus>
<pair id="1" entailment="CONTRADICTION"><t>Doctors who treat the
  sick treat children, and the sick recover.</t><h>Doctors treat nobody.</h></pair>
<pair id="2" entailment="ENTAILMENT"><t>Anna bought a red car in Bonn.</t><h>Anna bought a car.</h></pair>
<pair id="2-a" entailment="ENTAILMENT"><t>It rained.</t><h>It was wet.</h></pair>
</entailment-corpus>
"""
TASK = Task(name="parts", kind="decomposition", test="parts.xml")
PART = {
    "phenomenon": "syntactic:modifier",
    "pattern": "m x ⇒ x",
    "constraint": "restrictive(m, x)",
    "lhs": "a red car",
    "rhs": "a car",
    "label": "ENTAILMENT",
}


@pytest.fixture
def made(panels: Any) -> Any:
    """Anna and Ben; Anna has all three pairs."""
    from karat.server import assigning

    panel = panels.make("anna", "ben", tasks=(TASK,), files={"parts.xml": PAIRS})
    assigning.assign(panel.name, "parts", panel.names("anna"))
    return panel


def units(panel: Any, who: str = "anna") -> dict[str, str]:
    """The names of somebody's units, by the id of the pair."""
    from karat.campaign.judging.dealing import token
    from karat.server import store

    state = store.state_of(panel.name)
    (account,) = panel.names(who)
    queue = state.work_of("parts").queues["parts", account]
    return {item.unit: token(state.seed, "parts", item) for item in queue}


def send(panel: Any, who: str, pair: str, entry: str = "", **values: str) -> Any:
    """Write a part of a pair, or finish it."""
    unit = units(panel, who)[pair] + f"/{entry}" * bool(entry)
    return panel.judge(who, unit, "parts", values=values)


def problems(answer: Any) -> str:
    """What was wrong, in words."""
    assert answer.status_code == 422, answer.content
    return "; ".join(f"{one['found']}: {one['expected']}" for one in answer.json()["problems"])


def exported(panel: Any, tmp_path: Path) -> Any:
    """The file as the laboratory reads it."""
    from karat.server import assigning

    path = tmp_path / "decomposed.xml"
    path.write_bytes(assigning.file_of(panel.name, "parts"))
    return karat.read_decomposition(path)


def test_what_is_shown_and_asked(made: Any) -> None:
    """The pair with the key's answer; the phenomena stand in a menu, by category."""
    shown = made.next("anna", "parts")
    assert set(shown["show"]) == {"text", "hypothesis", "key"}
    assert shown["ask"] == []
    asked = {one["name"]: one for one in shown["entry"]}
    assert list(asked) == ["phenomenon", "pattern", "constraint", "lhs", "rhs", "hypothesis", "label"]
    assert "discourse:apposition" in asked["phenomenon"]["values"]
    assert asked["label"]["values"] == ["ENTAILMENT", "UNKNOWN", "CONTRADICTION"]


def test_a_hypothesis_is_composed_and_what_is_changed_is_a_rewrite(made: Any, tmp_path: Path) -> None:
    """Whoever typed it: a hypothesis that the rule gives at any place is a substitution, another one a rewrite."""
    assert send(made, "anna", "2", "one", **PART).status_code == 201
    second = "Doctors who treat the sick treat children, and the ill recover."
    opposed = PART | {"phenomenon": "lexical:synonymy", "lhs": "sick", "rhs": "ill"}
    assert send(made, "anna", "1", "second", **opposed, hypothesis=second).status_code == 201
    own = {"phenomenon": "reasoning:general-inference", "hypothesis": "Children are treated.", "label": "UNKNOWN"}
    assert send(made, "anna", "1", "own", **own).status_code == 201
    assert send(made, "anna", "1").status_code == 201
    assert send(made, "anna", "2").status_code == 201
    found = exported(made, tmp_path)
    said = zip(found.pairs.hypotheses, found.pairs.attributes["composed"], strict=True)
    rows = dict(zip(found.pairs.ids, said, strict=True))
    assert list(rows) == ["1", "1-a", "1-b", "2", "2-b", "2-a"], "no part has the id of another pair"
    assert rows["2-b"] == ("Anna bought a car in Bonn.", SUBSTITUTION)
    assert rows["1-a"] == (second, SUBSTITUTION)
    assert rows["1-b"] == ("Children are treated.", REWRITE)
    assert {str(one) for one in found.phenomena} == {
        "lexical:synonymy",
        "syntactic:modifier",
        "reasoning:general-inference",
    }
    assert {one.code for one in found.warnings} <= {"not-decomposed", "parts-and-whole"}
    run = tmp_path / "run.txt"
    run.write_text("".join(f"{id} ENTAILMENT\n" for id in found.pairs.ids))
    told = json.dumps(as_json("diagnose", tmp_path / "decomposed.xml", run))
    assert all(f'"{one}"' in told for one in ("run", "modifier", "synonymy", "general-inference"))


def test_what_is_wrong_is_said_at_once(made: Any) -> None:
    """A phenomenon of no list, a left side that is not in the text, no hypothesis; and a pair without parts."""
    told = problems(send(made, "anna", "2", "x", **PART | {"phenomenon": "magic", "lhs": "a blue car"}))
    assert "phenomenon 'magic'" in told
    assert "lhs 'a blue car', which is not in the text" in told
    nothing = {"phenomenon": "lexical:identity", "label": "UNKNOWN"}
    assert "a left side that is in the text" in problems(send(made, "anna", "2", "x", **nothing))
    assert "at least one part" in problems(send(made, "anna", "2"))


def test_a_part_is_changed_taken_out_and_taken_back(made: Any, tmp_path: Path) -> None:
    """Every step is in the record, which can be verified; a pair whose last part is taken out is not finished."""
    from karat.server import store

    assert send(made, "anna", "2", "one", **PART).status_code == 201
    assert send(made, "anna", "2", "one", **PART | {"rhs": "a vehicle"}).status_code == 201
    assert send(made, "anna", "2").status_code == 201
    assert "Anna bought a vehicle in Bonn." in exported(made, tmp_path).pairs.hypotheses
    unit = units(made)["2"]
    assert made.ask("anna", "undo", {"id": "u1", "unit": f"{unit}/one"}, "parts").status_code == 201
    assert "Anna bought a car in Bonn." in exported(made, tmp_path).pairs.hypotheses
    assert made.judge("anna", f"{unit}/one", "parts", skipped="a slip").status_code == 201
    from karat.server import assigning

    assert b"composed=" not in assigning.file_of(made.name, "parts")
    assert store.verify(made.name)["equal"]


def test_two_decompose_the_same_pair_alone(panels: Any, tmp_path: Path) -> None:
    """Neither sees the other's parts; those of whoever was first given units are taken, once they are finished."""
    from karat.server import assigning

    made = panels.make("anna", "ben", tasks=(TASK,), files={"parts.xml": PAIRS})
    assigning.assign(made.name, "parts", made.names("ben", "anna"), units=["2"], per_unit=2)
    assert send(made, "anna", "2", "one", **PART).status_code == 201
    assert send(made, "anna", "2").status_code == 201
    assert "a car" not in str(made.next("ben", "parts")["entries"])
    assert "Anna bought a car in Bonn." in exported(made, tmp_path).pairs.hypotheses
    assert send(made, "ben", "2", "one", **PART | {"rhs": "a thing"}).status_code == 201
    assert "Anna bought a car in Bonn." in exported(made, tmp_path).pairs.hypotheses, "Ben has not finished"
    assert send(made, "ben", "2").status_code == 201
    assert "Anna bought a thing in Bonn." in exported(made, tmp_path).pairs.hypotheses


def test_the_campaign_has_its_own_phenomena(panels: Any) -> None:
    """Those of its file, and no others."""
    from karat.server import assigning

    own = Task(name="parts", kind="decomposition", test="parts.xml", phenomena="own.tsv")
    files = {"parts.xml": PAIRS, "own.tsv": b"category\tphenomenon\nreasoning\tmagic\nlexical\tsynonymy\n"}
    made = panels.make("anna", tasks=(own,), files=files)
    assigning.assign(made.name, "parts", made.names("anna"))
    (asked,) = [one for one in made.next("anna", "parts")["entry"] if one["name"] == "phenomenon"]
    assert asked["values"] == ["reasoning:magic", "lexical:synonymy"]
    assert send(made, "anna", "2", "x", **PART | {"phenomenon": "reasoning:magic"}).status_code == 201
    assert "phenomenon 'syntactic:modifier'" in problems(send(made, "anna", "2", "y", **PART))


def fields(page: str, entry: int) -> dict[str, str]:
    """The hidden fields of an entry's form on a page."""
    form = re.findall(r"<form[^>]*data-entry-form.*?</form>", page, re.DOTALL)[entry]
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))


def test_plain_forms_do_all_of_it(made: Any) -> None:
    """Without a script, the server composes the hypothesis, and shows it with the part."""
    desk = Desk(made, "anna", "parts")
    page = desk.open(f"?unit={units(made)['2']}")
    assert '<optgroup label="lexical-syntactic">' in page
    given = {f"answer.{name}": value for name, value in PART.items()} | {"answer.hypothesis": ""}
    answer = desk.browser.post(desk.address, fields(page, 0) | given | {"do": "save"})
    assert answer.status_code == 302, answer.content.decode()
    sent = fields(page, 0)
    page = desk.open(answer.headers["Location"].removeprefix(desk.address))
    assert "Anna bought a car in Bonn.</textarea>" in page
    assert '<option value="syntactic:modifier" selected>modifier</option>' in page
    again = desk.browser.post(desk.address, sent | given | {"do": "save"})
    assert again.status_code == 302
    ((_, ballot),) = desk.mine.items()
    assert ballot.before is None, "the same form sent again is stored once"
    assert desk.send(page).status_code == 302
    page = desk.open(f"?unit={units(made)['2']}")
    assert "You have judged this" in page
    assert desk.browser.post(desk.address, fields(page, 0) | {"do": "remove"}).status_code == 302
    page = desk.open(f"?unit={units(made)['2']}")
    assert "Anna bought a car in Bonn." not in page


@pytest.mark.parametrize("who", ["organiser", "team", "assessor"])
def test_every_page_of_such_a_campaign_works(made: Any, who: str) -> None:
    """Although no team submits to it: overview, results, judging, release, people, settings."""
    from tests.server import campaigns

    assert send(made, "anna", "2", "one", **PART).status_code == 201
    assert send(made, "anna", "2").status_code == 201
    if who == "team":
        browser = campaigns.member(made.name, "Maple", f"{made.name}-maple", signed=False)
        pages = {"": 200, "tasks/parts/data/": 200} | dict.fromkeys(("tasks/parts/submit/", "results/"), 404)
    elif who == "assessor":
        browser = made.browser("anna")
        pages = {"": 200, "guidelines/": 200, "tasks/parts/judge/": 200, "tasks/parts/outcomes/": 200, "results/": 404}
    else:
        browser = campaigns.host()
        same = ("", "people/", "edit/", "record/", "release/", "results/", "attempts/", "mail/", "rescore/")
        pages = dict.fromkeys((*same, "tasks/parts/judging/", "tasks/parts/judging/files/decomposed/"), 200)
    found = {page: browser.get(f"/c/{made.name}/{page}").status_code for page in pages}
    assert found == pages


def test_signs_of_a_pattern_can_be_typed(made: Any) -> None:
    """No keyboard has them: what stands for them is stored as the signs that `karat check` knows."""
    from karat.server import store

    typed = {"one": ("m x => x", "m x ⇒ x"), "two": ("x <=/=> y", "x ⇎ y"), "three": ("x =/=> y", "x ⇏ y")}
    for entry, (pattern, _) in typed.items():
        assert send(made, "anna", "2", entry, **PART | {"pattern": pattern}).status_code == 201
    mine = store.state_of(made.name).work_of("parts").of(*made.names("anna"))
    stored = {item.entry: ballot.said.values["pattern"] for item, ballot in mine.items()}
    assert stored == {entry: sign for entry, (_, sign) in typed.items()}

"""Judging through the interface for programs: what is shown, what is stored, and what others learn of it."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import jsonschema

import karat
from karat import examples
from karat.campaign.definition import Judging, Task

EXAMPLES = b"""<?xml version="1.0" encoding="UTF-8"?>
<entailment-corpus>
<pair id="x1" entailment="ENTAILMENT"><t>All ran.</t><h>Somebody ran.</h></pair>
<pair id="x2" entailment="CONTRADICTION"><t>Nobody ran.</t><h>Somebody ran.</h></pair>
</entailment-corpus>
"""
MORE = b"""<pair id="x3" entailment="ENTAILMENT"><t>All sang.</t><h>Somebody sang.</h></pair>
<pair id="x4" entailment="CONTRADICTION"><t>Nobody sang.</t><h>Somebody sang.</h></pair>
</entailment-corpus>
"""
FOUR = EXAMPLES.replace(b"</entailment-corpus>\n", MORE)
"""Examples of which two can stand among the units."""
REASONS = Task(name="reasons", kind="justifications", test="pairs.xml", justifications="required")


def by_length(show: Any) -> dict[str, str]:
    """A label that follows from the pair."""
    return {"label": ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")[len(show["hypothesis"]) % 3]}


def test_two_judge_everything_and_the_files_say_so(panels: Any, tmp_path: Path) -> None:
    """From the next unit to the ballots that `karat agree` reads."""
    from karat.server import assigning

    made = panels.make("anna", "ben")
    told = assigning.assign(made.name, "three-way", made.names("anna", "ben"), units=[str(n) for n in range(1, 13)])
    assert told["units"] == {"open": 12, "agreed": 0, "disputed": 0, "undecided": 0, "adjudicated": 0}
    shown = made.next("anna")
    assert set(shown) >= {"unit", "show", "ask", "lease"}
    assert set(shown["show"]) == {"text", "hypothesis"}
    assert made.next("anna") == shown
    assert made.play("anna", by_length) == 12
    assert made.play("ben", lambda _: {"label": "ENTAILMENT"}) == 12
    told = assigning.counts(made.name, "three-way")
    assert told["units"]["agreed"] + told["units"]["disputed"] == 12
    assert 0 < told["units"]["agreed"] < 12
    path = tmp_path / "ballots.tsv"
    path.write_bytes(assigning.file_of(made.name, "three-way"))
    assert karat.agree(karat.read_ballots(path)).units == 12
    key = tmp_path / "key.xml"
    key.write_bytes(assigning.file_of(made.name, "three-way", "key"))
    pairs = karat.read_pairs(key)
    assert int((pairs.labels >= 0).sum()) == told["units"]["agreed"]


def test_what_is_sent_twice_is_stored_once(panels: Any) -> None:
    """And answered alike; an id that was used for something else is refused."""
    from karat.server import assigning, store

    made = panels.make("anna", "ben")
    assigning.assign(made.name, "three-way", made.names("anna", "ben"))
    shown = made.next("anna")
    answers = [made.judge("anna", shown["unit"], id="one", values={"label": "UNKNOWN"}) for _ in range(2)]
    assert [one.status_code for one in answers] == [201, 201]
    assert answers[0].content == answers[1].content
    other = made.next("anna")
    assert other["unit"] != shown["unit"]
    assert made.judge("ben", other["unit"], id="one", values={"label": "UNKNOWN"}).status_code == 409
    state = store.state_of(made.name)
    assert len(state.work_of("three-way").of(made.names("anna")[0])) == 1


def test_refusals_say_what_was_expected(panels: Any) -> None:
    """All at once, with their statuses."""
    from karat.server import assigning

    made = panels.make("anna", "ben")
    assigning.assign(made.name, "three-way", made.names("anna"), per_unit=1)
    unit = made.next("anna")["unit"]
    for who, body, status in (
        ("anna", {"unit": unit, "values": {"label": "MAYBE"}}, 422),
        ("anna", {"unit": unit, "values": {}}, 422),
        ("anna", {"unit": "nothing", "values": {"label": "UNKNOWN"}}, 403),
        ("ben", {"unit": unit, "values": {"label": "UNKNOWN"}}, 403),
    ):
        answer = made.judge(who, **body)
        assert answer.status_code == status, answer.content
        assert answer.json()["problems"]
    assert made.ask("anna", "ballots", {"id": "x"}).status_code == 422
    assert made.ask("anna", "ballots", {"id": "x", "unit": unit, "vlaues": {}}).status_code == 422


def test_examples_come_first_and_stay_unknown(panels: Any) -> None:
    """Nothing in an answer tells the label of an example, or that a unit is one."""
    from karat.server import assigning, store

    facts = {"judging": Judging(examples="x.xml", planted=2, repeats=2), "files": {"x.xml": FOUR}}
    made = panels.make("anna", **facts)
    (account,) = made.names("anna")
    assigning.assign(made.name, "three-way", [account], per_unit=1, units=["1", "2", "3", "4", "5", "6"])
    assert made.next("anna")["stage"] == "qualification"
    right = {"All": "ENTAILMENT", "Nobody": "CONTRADICTION"}
    stages = []

    def label(show: Any) -> dict[str, str]:
        stages.append(made.next("anna")["stage"])
        return {"label": right.get(show["text"].split()[0], "UNKNOWN")}

    assert made.play("anna", label) == 2 + 6 + 2 + 2
    assert set(stages[2:]) == {"labels"}
    state = store.state_of(made.name)
    planted = [one for item, one in state.work_of("three-way").of(account).items() if item.stage == "planted"]
    assert [one.said.expected == one.label for one in planted] == [True, True]


def test_justifications_are_rated_without_names(panels: Any) -> None:
    """Each run of a pair in turn; the key and the decision are shown, the team is not; a wrong one has no 5."""
    from karat.campaign.judging.agenda import agenda
    from karat.server import assigning, store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns

    made = panels.make("anna", "ben", tasks=(REASONS,))
    raw = (examples.RUNS / "chatty.jsonl").read_bytes()
    for team in ("Maple", "Willow"):
        campaigns.member(made.name, team, f"{made.name}-{team}", signed=False)
        declared = Declared(task="reasons", justifications=True)
        at = store.now() - timedelta(days=2)
        sent = submit(made.name, f"{made.name}-{team}", "run.jsonl", raw, declared, at)
        assert sent.run is not None, sent.problems
    people = made.names("anna", "ben")
    assigning.assign(made.name, "reasons", people, sample=4)
    seen = []

    def rate(show: Any) -> dict[str, str]:
        seen.append(show)
        return {"understandable": "2"} if len(seen) % 2 else {"understandable": "4", "compelling": "3"}

    shown = made.next("anna", "reasons")
    assert not {"Maple", "Willow"} & set(json.dumps(shown).split('"'))
    wrong = shown["show"]["key"] != shown["show"]["decision"]
    assert shown["ask"][1]["values"] == [str(n) for n in range(1, 5 if wrong else 6)]
    assert made.play("anna", rate, "reasons") == 8
    assert [one["text"] for one in seen[::2]] == [one["text"] for one in seen[1::2]]
    state = store.state_of(made.name)
    assert agenda(state, "reasons", people[0]) == agenda(state, "reasons", people[1])
    table = assigning.file_of(made.name, "reasons").decode().splitlines()
    assert table[0].split("\t")[:5] == ["run", "unit", "judge", "understandable", "compelling"]
    assert len(table) == 9


def test_what_is_taken_back_is_in_hand_again(panels: Any) -> None:
    """In a pool, nobody else gets a unit while its assessor is about to judge it anew."""
    from karat.server import assigning

    made = panels.make("anna", "ben")
    assigning.assign(made.name, "three-way", made.names("anna", "ben"), per_unit=1, units=["1"], shared=True)
    unit = made.next("anna")["unit"]
    assert made.next("ben") is None
    assert made.judge("anna", unit, values={"label": "UNKNOWN"}).status_code == 201
    assert made.ask("anna", "undo", {"id": "back", "unit": unit}).status_code == 201
    assert made.next("ben") is None
    assert made.next("anna")["unit"] == unit


def test_answers_are_as_described(panels: Any) -> None:
    """Units, judgments, refusals and guidelines have the shape that the description gives, and requests too."""
    from karat.server import assigning
    from karat.server.openapi import DESCRIPTION
    from tests.server import campaigns

    told: Any = json.loads(json.dumps(DESCRIPTION))
    made = panels.make("anna", "ben", guidelines="g.md", files={"g.md": b"# Look at the tense\n"})
    assigning.assign(made.name, "three-way", made.names("anna", "ben"), units=["1", "2", "3"], shared=True)

    def check(answer: Any, path: str, method: str = "post") -> Any:
        content = told["paths"][path][method]["responses"][str(answer.status_code)]["content"]
        jsonschema.validate(answer.json(), content["application/json"]["schema"] | {"components": told["components"]})
        return answer.json()

    task = "/api/campaigns/{name}/tasks/{task}"
    unit = check(made.ask("anna", "next"), f"{task}/next", "get")["unit"]
    body = {"id": "a", "unit": unit, "values": {"label": "UNKNOWN"}, "guidelines": 1, "comment": "hm"}
    jsonschema.validate(
        body, told["paths"][f"{task}/ballots"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    )
    check(made.ask("anna", "ballots", body), f"{task}/ballots")
    check(made.ask("anna", "ballots", body | {"id": "b", "values": {}}), f"{task}/ballots")
    check(made.ask("anna", "ballots", body | {"unit": "x"}), f"{task}/ballots")
    check(made.ask("anna", "undo", {"id": "c", "unit": unit}), f"{task}/undo")
    check(made.ask("anna", "undo", {"id": "d", "unit": unit}), f"{task}/undo")
    address = f"/api/campaigns/{made.name}/guidelines"
    headers = {"Authorization": f"Bearer {made.tokens['anna']}"}
    path = "/api/campaigns/{name}/guidelines"
    newest = check(campaigns.client().get(address, headers=headers), path, "get")
    assert newest == {"version": 1, "text": "# Look at the tense\n"}
    for version, status in (("1", 200), ("2", 404), ("0", 404), ("x", 404)):
        answer = campaigns.client().get(f"{address}?version={version}", headers=headers)
        assert answer.status_code == status
        check(answer, path, "get")

"""`karat assess` at a real server: with a model behind an endpoint, and with programs, good and bad."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import karat as library
from tests.cli.calls import karat
from tests.client.endpoints import Fault, completion, endpoint
from tests.server.assessors import Judging, prepared, stored
from tests.server.conftest import KARAT, Served, servers
from tests.surroundings import surroundings

SECRET = "sk-very-secret-1234"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for the tests of this module; each makes a campaign of its own."""
    with servers(tmp_path_factory.mktemp("assess")) as start:
        yield start()


def call(site: Served, name: str, token: str, *words: str) -> tuple[int, Any, str]:
    """Run the command: status, counts, and what it says to people."""
    done = karat(
        *("assess", "--to", site.address, "--token", token, "--campaign", name, "--task", "three-way"),
        *("--format", "json", *words),
    )
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def by_length(text: str) -> str:
    """A label that follows from what is shown."""
    return json.dumps({"label": ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")[len(text) % 3]})


def test_a_model_behind_an_endpoint(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """It judges everything, through all that goes wrong; its judgments are marked, and bind nobody."""
    monkeypatch.setenv("MY_KEY", SECRET)
    tokens = prepared(site.home, "model", "anna", "ben", "robot", per_unit=3)
    people = [Judging(site.address, "model", tokens[who]) for who in ("anna", "ben")]
    assert [one.play(label) for one, label in zip(people, ("UNKNOWN", "ENTAILMENT"), strict=True)] == [12, 12]
    before = stored(site.home, "model")
    faults: list[Fault] = [
        (429, {"error": "slow down"}, {"Retry-After": "0.01"}),
        (500, b"oops", {"Retry-After": "0"}),
        None,
        "I would say that it might.",
        '{"label": "PERHAPS"}',
    ]
    with endpoint(by_length, *faults) as there:
        options = (
            "--endpoint",
            there.address,
            "--model",
            "tiny",
            "--parameter",
            "temperature=0",
            "--api-key-env",
            "MY_KEY",
        )
        status, counts, said = call(
            site, "model", tokens["robot"], *options, "--price-in", "2", "--price-out", "5", "--parameter", "seed=7"
        )
    assert (status, said) == (0, "")
    assert (counts["judged"], counts["left"], counts["tried_again"], counts["sent_again"]) == (12, 0, 2, 3)
    assert (counts["tokens_in"], counts["tokens_out"]) == (1400, 140)
    assert counts["cost"] == pytest.approx(1400 * 2e-6 + 140 * 5e-6)
    path, headers, body = there.met[0]
    assert (path, headers["Authorization"]) == ("/v1/chat/completions", f"Bearer {SECRET}")
    assert (body["model"], body["temperature"], body["seed"]) == ("tiny", 0, 7)
    assert "Look at the tense" in body["messages"][0]["content"]
    assert "ENTAILMENT, UNKNOWN, CONTRADICTION" in body["messages"][1]["content"]
    after = stored(site.home, "model")
    own = [one for one in after["ballots"] if one["assessor"] == "robot"]
    told = json.loads(own[0]["program"])
    assert (len(own), told["kind"], told["model"], told["answered_by"]) == (12, "endpoint", "tiny", "tiny-1")
    assert told["parameters"] == {"temperature": 0, "seed": 7}
    assert "You are an assessor" in told["prompt"]["text"]
    assert len(told["prompt"]["sha256"]) == 64
    assert {one["guidelines"] for one in own} == {1}
    assert SECRET not in json.dumps(after)
    # The files of people and their key are as they were; units no longer wait for it, since it is a program.
    assert (after["people"], after["key"], before["disputed"]) == (before["people"], before["key"], [])
    assert len(after["disputed"]) == 12
    assert "robot" not in after["people"]
    assert after["all"].count("robot") == 12
    assert after["verify"]["equal"]


def test_its_ballots_are_what_karat_judge_reads(site: Served, tmp_path: Path) -> None:
    """Ballots of people and of a program in one file, compared."""
    tokens = prepared(site.home, "compared", "anna", "ben", "cleo", "robot", units=80, per_unit=4)
    for who, label in (("anna", "UNKNOWN"), ("ben", "ENTAILMENT"), ("cleo", "ENTAILMENT")):
        assert Judging(site.address, "compared", tokens[who]).play(label) == 80
    with endpoint(by_length) as there:
        status, counts, _ = call(site, "compared", tokens["robot"], "--endpoint", there.address, "--model", "tiny")
    assert (status, counts["judged"], counts["cost"]) == (0, 80, None)
    file = tmp_path / "ballots.tsv"
    file.write_text(stored(site.home, "compared")["all"], encoding="utf-8")
    done = karat("judge", file, "--automatic", "robot", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert "robot" in done.stdout
    (found,) = library.judge(library.read_ballots(file), automatic=("robot",)).judges
    assert found.judge == "robot"


PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print("not for you", file=sys.stderr)
    print(json.dumps({{"unit": "another", "values": {{}}}}))
    {answer}
    sys.stdout.flush()
"""


def program(folder: Path, answer: str) -> str:
    """A program that answers by this statement."""
    file = folder / "judge.py"
    file.write_text(PROGRAM.format(answer=answer), encoding="utf-8")
    return shlex.join([sys.executable, str(file)])


GOOD = (
    'print(json.dumps({"unit": asked["unit"], "values": {"label": asked["ask"][0]["values"][1]}, '
    '"program": {"model": "m"}}))'
)


def test_a_program(site: Served, tmp_path: Path) -> None:
    """One object per line, answers matched by unit, in a pool beside people; what it tells of itself is stored."""
    tokens = prepared(site.home, "lines", "anna", "ben", "robot", per_unit=2, shared=True)
    status, counts, said = call(site, "lines", tokens["robot"], "--program", program(tmp_path, GOOD), "--limit", "5")
    assert (status, counts["judged"], said) == (0, 5, "")
    status, counts, _ = call(site, "lines", tokens["robot"], "--program", program(tmp_path, GOOD))
    assert (status, counts["judged"]) == (0, 7)
    assert call(site, "lines", tokens["robot"], "--program", program(tmp_path, GOOD))[1]["judged"] == 0
    people = [Judging(site.address, "lines", tokens[who]).play("ENTAILMENT") for who in ("anna", "ben")]
    assert people == [12, 12]  # a program takes no place from them
    found = stored(site.home, "lines")
    told = json.loads(next(one["program"] for one in found["ballots"] if one["program"]))
    assert (told["kind"], told["model"]) == ("program", "m")
    assert str(tmp_path) not in json.dumps(told)
    assert found["counts"]["units"]["agreed"] == 12


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        ("print('hello')", "not JSON"),
        ('print(json.dumps({"unit": asked["unit"], "label": "MAYBE"}))', "MAYBE"),
        ('print(json.dumps({"unit": asked["unit"], "error": "too long"}))', "gave it up: too long"),
        ("sys.exit(3)", "left with status 3"),
    ],
)
def test_a_program_that_cannot_judge(site: Served, tmp_path: Path, answer: str, what: str) -> None:
    """Its units are counted and left unjudged, and nothing is made up."""
    name = f"bad-{len(answer)}"
    tokens = prepared(site.home, name, "robot", units=3, per_unit=1)
    status, counts, _ = call(site, name, tokens["robot"], "--program", program(tmp_path, answer), "--tries", "2")
    assert (status, counts["judged"], counts["unreadable"], counts["tried_again"]) == (1, 0, 3, 3)
    assert what in counts["last_problem"]
    assert stored(site.home, name)["ballots"] == []


def test_some_units_are_left(site: Served, tmp_path: Path) -> None:
    """In a pool too, the others are judged; started again with a better program, the rest is."""
    tokens = prepared(site.home, "partly", "robot", "anna", per_unit=2, shared=True)
    picky = f'{GOOD} if len(asked["show"]["text"]) % 2 else print(json.dumps({{"unit": asked["unit"]}}))'
    status, counts, _ = call(site, "partly", tokens["robot"], "--program", program(tmp_path, picky))
    assert (status, counts["judged"] + counts["unreadable"]) == (1, 12)
    assert min(counts["judged"], counts["unreadable"]) > 0
    left = counts["unreadable"]
    status, counts, _ = call(site, "partly", tokens["robot"], "--program", program(tmp_path, GOOD))
    assert (status, counts["judged"]) == (0, left)


def test_ratings(site: Served) -> None:
    """Conditions of the scales hold: a second score only where it is asked, no 5 for a wrong decision."""
    tokens = prepared(site.home, "rated", "anna", "robot", units=6, rated=("Maple", "Willow"), per_unit=2)

    def rate(text: str) -> str:
        wrong = "One of: 1, 2, 3, 4. 1 means" in text
        scores = {"understandable": 1 + len(text) % 5, "compelling": 4 if wrong else 5}
        return f"Here you are:\n```json\n{json.dumps(scores)}\n```"

    with endpoint(rate) as there:
        status, counts, said = call(site, "rated", tokens["robot"], "--endpoint", there.address, "--model", "tiny")
        assert not any(team in json.dumps([body for *_, body in there.met]) for team in ("Maple", "Willow"))
    assert (status, counts["judged"], counts["left"]) == (0, 12, 0), (counts, said)
    ballots = stored(site.home, "rated")["ballots"]
    assert {"compelling" in one["values"] for one in ballots} == {
        int(one["values"]["understandable"]) >= 3 for one in ballots
    }
    assert all(("compelling" in one["values"]) == (int(one["values"]["understandable"]) >= 3) for one in ballots)


def test_an_endpoint_that_is_no_help(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the call is wrong, it stops at once with status 2, and never shows the key."""
    monkeypatch.setenv("MY_KEY", SECRET)
    tokens = prepared(site.home, "helpless", "robot", units=12, per_unit=1)
    options = ("--model", "tiny", "--api-key-env", "MY_KEY", "--attempts", "1", "--timeout", "5")
    wrong: Fault = (401, {"error": {"message": f"Incorrect API key provided: {SECRET}"}}, {})
    for faults, status, what in (
        ([wrong], 2, "status 401"),
        ([(503, b"", {})], 2, "status 503"),
        ([None], 2, "no answer"),
    ):
        with endpoint(by_length, *faults) as there:
            done = call(site, "helpless", tokens["robot"], "--endpoint", there.address, *options)
        assert done[0] == status
        assert what in done[2]
        assert SECRET not in done[2]
    garbage: list[Fault] = [(200, b"<html>", {}), (200, {"choices": []}, {}), (400, {"error": "too long"}, {})] * 11
    with endpoint(by_length, *garbage) as there:
        status, counts, _ = call(
            site, "helpless", tokens["robot"], "--endpoint", there.address, *options, "--tries", "1"
        )
    assert (status, counts["judged"], counts["unreadable"]) == (1, 0, 10)  # so many in a row
    assert stored(site.home, "helpless")["ballots"] == []


def test_a_slow_endpoint(site: Served) -> None:
    """An answer that does not come in time is asked for again."""
    tokens = prepared(site.home, "slow", "robot", units=2, per_unit=1)
    slow = [True]

    def answer(text: str) -> str:
        if slow.pop() if slow else False:
            time.sleep(3)
        return by_length(text)

    with endpoint(answer) as there:
        status, counts, _ = call(
            site, "slow", tokens["robot"], "--endpoint", there.address, "--model", "m", "--timeout", "1"
        )
    assert (status, counts["judged"]) == (0, 2)
    assert counts["sent_again"] >= 1


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ((), "give either"),
        (("--program", "x", "--endpoint", "http://127.0.0.1:1"), "give either"),
        (("--endpoint", "http://127.0.0.1:1"), "give either"),
        (("--endpoint", "nowhere", "--model", "m"), "expected the address"),
        (("--endpoint", "http://a:b@127.0.0.1", "--model", "m"), "password"),
        (("--endpoint", "http://127.0.0.1:1", "--model", "m", "--api-key-env", "NO_SUCH_KEY"), "no such environment"),
        (("--endpoint", "http://127.0.0.1:1", "--model", "m", "--parameter", "messages=[]"), "NAME=VALUE"),
        (("--program", "'"), "quotation"),
        (("--program", "x", "--prompt", __file__), "for --endpoint"),
    ],
)
def test_wrong_calls(words: tuple[str, ...], what: str) -> None:
    """They say how to do it, with status 2."""
    done = karat("assess", "--to", "http://127.0.0.1:1", "--token", "t", "--campaign", "c", "--task", "t", *words)
    assert done.returncode == 2
    assert what in done.stderr


def test_who_cannot_judge(site: Served, tmp_path: Path) -> None:
    """A wrong token is a wrong call; a program that does not exist, too; somebody without units has nothing to do."""
    tokens = prepared(site.home, "strangers", "robot", units=3, per_unit=1)
    good = program(tmp_path, GOOD)
    assert call(site, "strangers", "wrong", "--program", good)[0] == 2
    assert call(site, "strangers", tokens["robot"], "--program", "/no/such/program")[0] == 2
    assert call(site, "nowhere", tokens["robot"], "--program", good)[0] == 1
    assert call(site, "strangers", tokens["robot"], "--program", good)[1]["judged"] == 3


SLOW = f"import time; time.sleep(0.05); {GOOD}"


def test_stopped_and_started_again(site: Served, tmp_path: Path) -> None:
    """Ctrl-C leaves whole judgments; the next start goes on, and no unit is judged twice."""
    tokens = prepared(site.home, "stopped", "robot", units=60, per_unit=1)
    words = ["assess", "--to", site.address, "--campaign", "stopped", "--task", "three-way", "--format", "json"]
    command = [*KARAT, *words, "--program", program(tmp_path, SLOW)]
    around = {**surroundings(), "KARAT_TOKEN": tokens["robot"]}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=around)
    anna, begun = Judging(site.address, "stopped", tokens["robot"]), time.monotonic()
    while (shown := anna.next()) is not None and shown["done"] < 5 and time.monotonic() - begun < 60:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGINT, err
    first = json.loads(out)
    assert first["finished"] is False
    assert 0 < first["judged"] < 60
    status, counts, _ = call(site, "stopped", tokens["robot"], "--program", program(tmp_path, GOOD))
    assert status == 0
    judged = stored(site.home, "stopped")["judged"]
    assert len(judged) == 60
    # One that was on its way when the signal came may have been stored without having been counted.
    assert counts["judged"] + first["judged"] in (59, 60)


def test_the_key_is_in_no_list_of_processes() -> None:
    """There is no option for it: only the name of an environment variable."""
    from karat.cli.assess import command

    assert not any("key" in option and option != "--api-key-env" for one in command.params for option in one.opts)
    assert completion("x")[0] == 200
    assert os.environ.get("NO_SUCH_KEY") is None


def test_a_prompt_of_ones_own(site: Served, tmp_path: Path) -> None:
    """It is sent, and stored with its hash; guidelines stand where it says."""
    tokens = prepared(site.home, "prompted", "robot", units=2, per_unit=1)
    file = tmp_path / "prompt.txt"
    file.write_text("Judge as a lawyer does. {guidelines}", encoding="utf-8")
    with endpoint(by_length) as there:
        words = ("--endpoint", there.address, "--model", "m", "--prompt", str(file), "--rate", "6000")
        assert call(site, "prompted", tokens["robot"], *words)[0] == 0
        assert there.met[0][2]["messages"][0]["content"] == "Judge as a lawyer does. # Look at the tense"
    told = json.loads(stored(site.home, "prompted")["ballots"][0]["program"])
    assert told["prompt"]["text"] == "Judge as a lawyer does. {guidelines}"

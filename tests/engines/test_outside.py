"""Tests of programs as engines, with real programs: good ones, and each way of being bad."""

from __future__ import annotations

import gc
import json
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.data.pairs import Pairs
from karat.data.provenance import IN_MEMORY
from karat.engines.answering import Answerer
from karat.engines.batch import Batch
from karat.engines.engine import Decisions, Justification, Setup, Span, Training
from karat.engines.knowledge import Knowledge
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.engines.model import Model, make_engine
from karat.engines.outside.engine import Outside
from karat.engines.outside.program import Program
from karat.engines.outside.replies import Replies
from karat.engines.predicting import predict
from karat.engines.text.chunker import Chunker
from karat.errors import UsageError
from karat.labels import THREE, TWO, Way

Run = Callable[..., Decisions]

LOOP = """
import json, os, sys, time
def say(**what):
    print(json.dumps(what), flush=True)
opening = json.loads(sys.stdin.readline())
say(ready=True, name="test")
seen = 0
for line in sys.stdin:
    pair = json.loads(line)
    if "end" in pair:
        say(end=True)
        continue
    name = pair["id"]
    seen += 1
"""
"""The frame of a test's program; what stands after it is done for each pair."""
GOOD = LOOP + '    say(id=name, label="UNKNOWN" if "not" in pair["hypothesis"] else "YES", confidence=len(name) / 10)\n'


@pytest.fixture
def knowledge() -> Knowledge:
    """No dictionary: programs bring their own."""
    return Knowledge(NO_WORDNET, Chunker())


def make_pairs(many: int, way: Way | None = None) -> Pairs:
    """Pairs of which every third is denied."""
    hypotheses = tuple("not so" if row % 3 == 2 else "so" for row in range(many))
    labels = np.array([row % len(way.labels) if way else -1 for row in range(many)], dtype=np.int8)
    tasks = tuple("QA" if row % 2 else None for row in range(many))
    ids = tuple(str(row) for row in range(many))
    return Pairs(ids, ("It is sö.\n",) * many, hypotheses, labels, way, IN_MEMORY, attributes={"task": tasks})


def model_of(command: str, way: str, state: dict[str, Any], timeout: float) -> Model:
    """A model without having learnt."""
    spelling = f"outside(command={command!r}, timeout={timeout})"
    return Model(engine=spelling, way=way, knowledge={}, state=state)


@pytest.fixture
def run(write: Callable[[str, str], Path], knowledge: Knowledge) -> Run:
    """Answers pairs with a Python program."""

    def answer(code: str, many: int = 9, way: str = "3", timeout: float = 20, **state: Any) -> Decisions:
        command = shlex.join([sys.executable, str(write("system.py", code))])
        return predict(
            model_of(command, way, state, timeout), make_pairs(many), justify=True, jobs=1, knowledge=knowledge
        )

    return answer


def reasons(decisions: Decisions) -> dict[str, str]:
    """What failed; and every failure is answered UNKNOWN at 0."""
    places = [failure.place for failure in decisions.failures]
    assert (decisions.codes[places] == 1).all()
    assert (decisions.confidence[places] == 0).all()
    return {failure.id: failure.reason for failure in decisions.failures}


def test_good_program(run: Run) -> None:
    """Its labels and its confidence in them come through, over several batches."""
    decisions = run(GOOD, many=2500)
    assert not decisions.failures
    np.testing.assert_array_equal(decisions.codes, [row % 3 == 2 for row in range(2500)])
    np.testing.assert_allclose(decisions.confidence, [len(str(row)) / 10 for row in range(2500)])


def test_started_once(run: Run) -> None:
    """One process serves all batches: it still counts in the last what it saw in the first."""
    decisions = run(LOOP + '    say(id=name, label="YES", justification=str(seen))\n', many=2100)
    assert [why.text for why in decisions.justifications] == [str(row + 1) for row in range(2100)]


def test_any_order_and_numbers(run: Run) -> None:
    """Answers may come backwards at the end, in one go, with ids as numbers; a label without confidence is sure."""
    code = """
import json, sys
sys.stdin.readline()
print('{"ready": true}', flush=True)
held = []
for line in sys.stdin:
    pair = json.loads(line)
    if "end" in pair:
        held.append('{"end": true}')
        print("\\n".join(held), flush=True)
        held = []
    else:
        held.insert(0, json.dumps({"id": int(pair["id"]), "label": "no" if pair["setting"] else "E"}))
"""
    decisions = run(code)
    assert not decisions.failures
    np.testing.assert_array_equal(decisions.codes, [2 * (row % 2) for row in range(9)])
    np.testing.assert_array_equal(decisions.confidence, 1)


def test_what_it_is_told(run: Run) -> None:
    """The opening says task, way, seed and state; a pair has its text in full, and no label."""
    code = LOOP + '    say(id=name, label="YES", justification=json.dumps([opening, pair], sort_keys=True))\n'
    told = run(code, many=2, way="2", program="test", state={"a": [1]}).justifications
    opening = {"karat": 1, "task": "predict", "way": "2", "seed": 0, "state": {"a": [1]}}
    pair = {"id": "1", "text": "It is sö.\n", "hypothesis": "so", "setting": "QA"}
    assert json.loads(told[1].text) == [opening, pair]
    assert json.loads(told[0].text)[1]["setting"] is None


def test_justifications(run: Run) -> None:
    """Justification and evidence come through; evidence outside the text fails the pair."""
    code = (
        LOOP
        + """
    evidence = {"0": [["T", 0, 9], ["H", 0, 2]], "1": [["T", 0, 99]], "2": [["X", 0, 1]], "3": "all", "4": None}
    text = {"5": 7, "7": chr(0xD800)}.get(name, "Because.")
    say(id=name, label="C", evidence=evidence.get(name), **({} if name == "6" else {"justification": text}))
"""
    )
    decisions = run(code, many=8)
    assert decisions.justifications[0] == Justification("Because.", (Span("T", 0, 9), Span("H", 0, 2)))
    assert decisions.justifications[4] == Justification("Because.")
    assert decisions.justifications[6].text == "The system gave no justification."
    assert sorted(reasons(decisions)) == ["1", "2", "3", "5", "7"]
    assert decisions.justifications[1].text.startswith("No answer")


def test_bad_answers(run: Run) -> None:
    """Each bad answer fails its own pair, with a reason for people, and no other."""
    code = (
        LOOP
        + """
    if name == "0": say(id=name, label="MAYBE")
    elif name == "1": say(id=name, label="YES", confidence=float("nan"))
    elif name == "2": say(id=name, label="YES", confidence=1.5)
    elif name == "3": say(id=name, label="YES"); say(id=name, label="UNKNOWN")
    elif name == "4": say(id=name, error="too hard")
    elif name == "5": say(id="no such", label="YES")
    elif name == "6": print("[1, 2]"); print("oops", flush=True); say(id=name, label="YES", confidence=True)
    elif name == "7": say(id=name)
    else: say(id=name, label="YES")
"""
    )
    found = reasons(run(code))
    assert found.pop("0") == 'the label is "MAYBE", not one of ENTAILMENT, UNKNOWN, CONTRADICTION'
    assert found.pop("1") == "the confidence is NaN, not a number from 0 to 1"
    assert found.pop("2") == "the confidence is 1.5, not a number from 0 to 1"
    assert found.pop("3") == "it was answered twice"
    assert found.pop("4") == "the program gave it up: too hard"
    assert found.pop("5").startswith("the program did not answer it; there is no pair 'no such'")
    assert found.pop("6").startswith("the confidence is true")
    assert found.pop("7").startswith("the label is missing")
    assert not found


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=3)
    | st.sampled_from(["E", "T", "H", "1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=4,
)
FIELDS = dict.fromkeys(("id", "label", "confidence", "justification", "evidence", "error", "wait"), JSON)
LINES = st.fixed_dictionaries({}, optional=FIELDS).map(lambda said: json.dumps(said).encode()) | st.binary(max_size=9)


@given(st.lists(LINES, max_size=6))
def test_whatever_it_says(lines: list[bytes]) -> None:
    """No line breaks the reading: afterwards each pair has an answer that can be written, or a reason."""
    batch = Batch(Knowledge(NO_WORDNET, Chunker()), ["1", "2"], ["text"] * 2, ["so"] * 2)
    replies = Replies(batch, THREE)
    for line in lines:
        assert not replies.take(line)
    owed = set(replies.owed)
    answers = replies.finish(None)
    assert owed <= set(answers.reasons) <= {0, 1}
    assert ((answers.confidence >= 0) & (answers.confidence <= 1)).all()
    for why in [*answers.reasons.values(), *(why.text for why in answers.justifications)]:
        why.encode()


def test_two_way_label_in_three(run: Run) -> None:
    """NO_ENTAILMENT is no three-way label; three-way labels fold in two ways."""
    assert len(reasons(run(LOOP + '    say(id=name, label="NO_ENTAILMENT")\n', many=2))) == 2
    decisions = run(LOOP + '    say(id=name, label="CONTRADICTION")\n', many=2, way="2")
    assert not decisions.failures
    np.testing.assert_array_equal(decisions.codes, 1)


def test_garbage(run: Run) -> None:
    """A program that only talks fails every pair, quoting what it said."""
    found = reasons(run(LOOP + '    print("hello", name, flush=True)\n'))
    assert len(found) == 9
    assert "a line is not JSON: 'hello 0'" in found["8"]
    assert "standard error" in found["8"]


def test_endless_garbage(run: Run) -> None:
    """A program that writes without end is given up."""
    assert "belong to no pair" in reasons(run(LOOP + '    while True: print("x" * 100)\n'))["0"]


def test_crash(run: Run) -> None:
    """A pair that kills the program costs no other pair; its reason quotes the error."""
    code = (
        LOOP
        + """
    if name == "4": raise SystemExit("cannot do it")
    say(id=name, label="YES", justification=str(seen))
"""
    )
    decisions = run(code)
    assert list(reasons(decisions)) == ["4"]
    assert reasons(decisions)["4"] == "the program left with status 1; its standard error ends: cannot do it"
    assert decisions.justifications[5].text == "1"


def test_killed(run: Run) -> None:
    """A program ended by a signal is told so, and is tried again with the next batch."""
    found = reasons(run(LOOP + "    os.kill(os.getpid(), 9)\n", many=1001))
    assert len(found) == 1001
    assert set(found.values()) == {"the program was ended by signal 9"}


def test_hangs(run: Run) -> None:
    """A program that falls silent is given up after the time-out, and tried again with the rest."""
    started = time.monotonic()
    found = reasons(run(LOOP + '    time.sleep(60 if name == "3" else 0)\n    say(id=name, label="YES")\n', timeout=1))
    assert list(found) == ["3"]
    assert found["3"] == "the program said nothing for 1 seconds"
    assert time.monotonic() - started < 20


def test_waits(run: Run) -> None:
    """Saying that it needs time is no silence."""
    code = (
        LOOP
        + """
    for _ in range(4 if name == "1" else 0):
        time.sleep(0.5)
        say(wait=True)
    say(id=name, label="YES")
"""
    )
    assert not run(code, many=3, timeout=1.5).failures


def test_closes_output(run: Run) -> None:
    """A program that closes its output and goes on is ended, and told of."""
    code = (
        LOOP
        + """
    if name == "2":
        os.close(1)
        time.sleep(60)
    say(id=name, label="YES")
"""
    )
    found = reasons(run(code))
    assert found == {"2": "the program closed its output"}


def test_leaves_after_each_end(run: Run) -> None:
    """A program may leave when its batch is done: it is started again for the next."""
    code = GOOD.replace("        continue", "        sys.exit()")
    assert not run(code, many=2001).failures
    assert not run(code.replace("say(end=True)", "pass"), many=1001).failures


def test_never_ends(run: Run) -> None:
    """A program that does not answer the end is stopped at the first batch, and told what to do."""
    with pytest.raises(UsageError, match=r"answered all pairs, but then .* has to answer \{\"end\":true\}"):
        run(GOOD.replace("        say(end=True)\n", ""), timeout=1)


def test_large_and_noisy(run: Run) -> None:
    """Much in, much out and much on standard error at once block nothing."""
    code = (
        LOOP
        + """
    sys.stderr.write("y" * 5000)
    say(id=name, label="YES", justification="z" * 5000)
"""
    )
    assert not run(code, many=1000).failures


def test_answers_before_reading(run: Run) -> None:
    """A program that writes a megabyte before it reads on blocks nothing."""
    code = LOOP.replace("seen = 0", "seen = 0\nfor _ in range(500): say(id='x' * 2000)")
    assert not run(code + '    say(id=name, label="YES")\n', many=1000).failures


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import sys; sys.exit('no model here')", "left with status 1; its standard error ends: no model here"),
        ("print('Loading …', flush=True); input()", "did not say that it is ready: a line is not JSON"),
        ("print('{}', flush=True); input()", "where .* was expected"),
        ("import time; time.sleep(60)", "said nothing for 1 seconds"),
    ],
)
def test_not_ready(run: Run, code: str, told: str) -> None:
    """A program that never gets ready is an error of the call, not of each pair."""
    with pytest.raises(UsageError, match=told):
        run(code, timeout=1)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("no-such-program -x", "no program 'no-such-program'"),
        ("echo 'open", "No closing quotation"),
        ("", "needs a command"),
    ],
)
def test_no_program(command: str, told: str, knowledge: Knowledge) -> None:
    """A command that names no program is refused before anything is asked."""
    with pytest.raises(UsageError, match=told):
        Outside(Setup(knowledge, THREE), command, 1)


def test_no_shell(knowledge: Knowledge, tmp_path: Path) -> None:
    """What means something to a shell is an argument like any other."""
    trap = tmp_path / "trap"
    engine = Outside(
        Setup(knowledge, THREE), f"{sys.executable} -c 'import sys; sys.exit(sys.argv[1])' '; touch {trap}'", 5
    )
    with pytest.raises(UsageError, match="touch"):
        engine.fit(Training(make_pairs(2, THREE), Setup(knowledge, THREE)))
    assert not trap.exists()


LEARNER = """
import collections, json, sys
opening = json.loads(sys.stdin.readline())
print(json.dumps({"ready": True, "name": "learner"}), flush=True)
seen = collections.Counter()
for line in sys.stdin:
    pair = json.loads(line)
    if "end" in pair:
        print(json.dumps({"state": seen} if opening["task"] == "fit" else {"end": True}), flush=True)
    elif opening["task"] == "fit":
        seen[pair["label"]] += 1
    else:
        print(json.dumps({"id": pair["id"], "label": max(opening["state"], key=opening["state"].get)}), flush=True)
"""


@pytest.mark.parametrize("way", [TWO, THREE])
def test_fit(way: Way, write: Callable[[str, str], Path], knowledge: Knowledge) -> None:
    """It learns from all pairs with their labels, and is given back what it learnt."""
    command = shlex.join([sys.executable, str(write("learner.py", LEARNER))])
    setup = Setup(knowledge, way)
    state = dict(Outside(setup, command, 20).fit(Training(make_pairs(1501, way), setup)))
    counts = np.bincount(np.arange(1501) % len(way.labels))
    assert state == {"program": "learner", "state": dict(zip(way.labels, counts.tolist(), strict=True))}
    decisions = predict(model_of(command, way.name, state, 20), make_pairs(3), jobs=1, knowledge=knowledge)
    np.testing.assert_array_equal(decisions.codes, 0)
    other = model_of(command, way.name, state | {"program": "another"}, 20)
    with pytest.raises(UsageError, match="learnt by 'another'"):
        predict(other, make_pairs(3), jobs=1, knowledge=knowledge)


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (LEARNER.replace('{"state": seen}', '{"state": float("nan")}'), "NaN"),
        (LEARNER.replace("seen[pair", "seen.missing[pair"), "left with status 1; .*AttributeError"),
        (LEARNER.replace('{"state": seen}', '{"status": 1}'), "said nothing for 1 seconds"),
        (
            LEARNER.replace("seen[pair", "while True: print(1)\n        seen[pair"),
            "but not .*; the first: a line is JSON but",
        ),
    ],
)
def test_fit_fails(broken: str, told: str, write: Callable[[str, str], Path], knowledge: Knowledge) -> None:
    """A program that does not learn says why in one sentence."""
    setup = Setup(knowledge, THREE)
    command = shlex.join([sys.executable, str(write("learner.py", broken))])
    with pytest.raises(UsageError, match=f"learnt nothing: it .*{told}"):
        Outside(setup, command, 1).fit(Training(make_pairs(3, THREE), setup))


SHELL = r"""
read -r opening
echo '{"ready": true, "name": "shell"}'
while read -r line; do
    id=${line#*:\"}
    id=${id%%\"*}
    case $line in
    *'"end"'*) echo '{"end": true}' ;;
    *'"hypothesis":"not'*) echo "{\"id\": $id, \"label\": \"CONTRADICTION\"}" ;;
    *) echo "{\"id\": $id, \"label\": \"ENTAILMENT\"}" ;;
    esac
done
"""


@pytest.mark.skipif(not shutil.which("sh"), reason="there is no sh")
def test_shell(write: Callable[[str, str], Path], knowledge: Knowledge) -> None:
    """A system need not be Python: ten lines for a shell are one."""
    command = shlex.join(["sh", str(write("system.sh", SHELL))])
    decisions = predict(model_of(command, "3", {}, 20), make_pairs(1200), jobs=1, knowledge=knowledge)
    assert not decisions.failures
    np.testing.assert_array_equal(decisions.codes, [2 * (row % 3 == 2) for row in range(1200)])


CHILD = """
import subprocess
subprocess.run([sys.executable, "-c", "import time; time.sleep(63)", __file__])
"""
"""What a program does that does not leave when its input ends."""


@pytest.mark.skipif(not shutil.which("pgrep"), reason="there is no pgrep to look for processes")
def test_leaves_nothing_running(write: Callable[[str, str], Path], knowledge: Knowledge) -> None:
    """With its engine, the program and what it started are gone."""
    mark = str(write("stubborn.py", GOOD + CHILD))
    answerer = Answerer(model_of(shlex.join([sys.executable, mark]), "3", {}, 20), False, knowledge)
    pairs = make_pairs(2)
    answerer.answer((pairs.ids, pairs.texts, pairs.hypotheses, {}))
    assert subprocess.run(["pgrep", "-f", mark], capture_output=True).returncode == 0
    del answerer
    gc.collect()
    assert subprocess.run(["pgrep", "-f", mark], capture_output=True).returncode == 1


def test_a_line_without_end(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who never ends its line is given up at a limit, with what it filled no more than that."""
    monkeypatch.setattr("karat.engines.outside.program.LINE", 1 << 20)
    code = LOOP + "    while True:\n        sys.stdout.write('x' * 65536)\n"
    assert "wrote a line of more than 1 MiB" in reasons(run(code, many=2))["0"]
    with pytest.raises(UsageError, match="was not ready: it wrote a line of more than 1 MiB"):
        run("while True: print('x' * 65536, end='')\n")


def test_a_line_that_drips(run: Run) -> None:
    """Who writes a byte now and then, and never a line, is as silent as who writes nothing."""
    code = LOOP + "    while True:\n        print('x', end='', flush=True)\n        time.sleep(0.05)\n"
    assert "said nothing for 1 seconds" in reasons(run(code, many=2, timeout=1))["0"]


def test_lines_on_their_way_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A flood of lines that nobody asks for waits outside of karat."""
    monkeypatch.setattr("karat.engines.outside.program.HELD", 1 << 20)
    flood = Program([sys.executable, "-c", "while True: print('x' * 65535)"], 5, 5)
    time.sleep(1)
    assert sum(len(line or b"") for line in flood._lines.queue) <= (1 << 20) + 65536
    assert flood.read() == b"x" * 65535 + b"\n"
    flood.stop(at_once=True)


@pytest.mark.parametrize(
    ("loop", "told"),
    [
        ("say(wait=True); time.sleep(0.05)", "answered nothing for 1 seconds, though it wrote"),
        ("say(id=name, label='YES')", "it was answered twice"),
        ("say(id='nobody', label='YES')", "lines that belong to no pair, or to one answered before"),
    ],
)
def test_who_never_comes_to_an_end(
    write: Callable[[str, str], Path], knowledge: Knowledge, loop: str, told: str
) -> None:
    """Who asks to wait for ever, or answers the same for ever, is given up."""
    program = write("system.py", LOOP + f"    while True:\n        {loop}\n")
    spelled = f"outside(command={shlex.join([sys.executable, str(program)])!r}, timeout=20, patience=1)"
    model = Model(engine=spelled, way="3", knowledge={}, state={})
    decisions = predict(model, make_pairs(2), justify=True, jobs=1, knowledge=knowledge)
    assert told in reasons(decisions)["1"]


def test_what_a_program_leaves_behind(tmp_path: Path) -> None:
    """What it started ends with it, also where it left by itself."""
    code = f"import subprocess; open({str(tmp_path / 'pid')!r}, 'w').write(str(subprocess.Popen(['sleep', '600']).pid))"
    program = Program([sys.executable, "-c", code], 20, 20)
    until = time.monotonic() + 20
    while not ((tmp_path / "pid").exists() and (tmp_path / "pid").read_text()) and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.3)
    program.stop()
    left = Path(f"/proc/{(tmp_path / 'pid').read_text()}/stat")
    until = time.monotonic() + 5
    while left.exists() and left.read_text().rpartition(")")[2].split()[0] != "Z" and time.monotonic() < until:
        time.sleep(0.05)
    assert not left.exists() or left.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.parametrize("limit", ["timeout=0", "timeout=1e300", "patience=0", "patience=-1"])
def test_limits_are_times(limit: str) -> None:
    """A limit of no time, and one that no clock can wait for, is refused."""
    with pytest.raises(UsageError, match="it must be more than 0 seconds"):
        make_engine(f"outside(command='true', {limit})", Setup(Knowledge(NO_WORDNET, Chunker()), THREE))

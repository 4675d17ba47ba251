"""Nuggets through the interface for programs: lists, matches, citations, and files that the laboratory reads."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.errors import UsageError, counted
from tests.server import nugget_panels as panel

TASK = "answers"
pytestmark = pytest.mark.usefixtures("panels")


def rows(text: str) -> list[dict[str, str]]:
    """The rows of a file."""
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def mark_of(shown: Any, begins: str) -> str:
    """The mark of the string that begins so."""
    (found,) = [one["id"] for one in shown["show"]["strings"] if one["text"].startswith(begins)]
    return str(found)


def listed(made: Any, who: str) -> None:
    """Somebody writes a list for each question, and finishes it."""
    while (shown := made.next(who, TASK)) is not None and shown["stage"] == "nuggets":
        unit, mill = shown["unit"], "mill" in shown["show"]["question"]
        for number, text in enumerate(("flood", "steam", "moved") if mill else ("eels", "frogs")):
            importance = "okay" if number else "vital"
            answer = panel.write(made, who, unit, f"{who}{number}", text=text, importance=importance)
            assert answer.status_code == 201, answer.content
        assert made.judge(who, unit, TASK, values={}).status_code == 201


def test_strings_are_pooled_and_blind() -> None:
    """Equal strings stand once, with the number of responses; the order is not that of the runs."""
    made = panel.make("anna", "ben")
    panel.given(made, "nuggets", "anna", "ben")
    shown = made.next("anna", TASK)
    if "heron" in shown["show"]["question"]:
        shown = made.ask("anna", f"next?after={shown['unit']}", task=TASK).json()
    strings = {one["text"]: one for one in shown["show"]["strings"]}
    assert len(strings) == 5
    flood = strings["The wheel of the mill broke in the spring flood of 1871."]
    assert (len(flood["responses"]), {one["id"] for one in flood["documents"]}) == (2, {"d1", "d2"})
    assert shown["show"]["responses"] == 3
    assert [one["name"] for one in shown["entry"]] == ["text", "importance", "sources"]
    told = json.dumps(shown).casefold()
    assert [team for team in panel.SAID if team.casefold() in told] == []


@pytest.mark.parametrize("stage", ["nuggets", "matches", "quality", "preferences"])
def test_what_was_asked_before_is_shown(stage: str) -> None:
    """OTHER is what was not asked: whoever judges it sees the target and the questions before it, page and program."""
    made = panel.make("anna", series=True, start=False)
    if stage == "matches":
        panel.given(made, "nuggets", "anna")
        while (shown := made.next("anna", TASK)) is not None:
            assert panel.write(made, "anna", shown["unit"], "one", text="x", importance="vital").status_code == 201
            assert made.judge("anna", shown["unit"], TASK, values={}).status_code == 201
        from karat.server import assigning

        assigning.set_round(made.name, TASK, "nuggets", opened=False)
    panel.given(made, stage, "anna", per_unit=1)
    show = made.next("anna", TASK)["show"]
    asked = {"the harbour mill": "When was the mill built?", "Quill the heron": "Where does Quill nest?"}
    assert show["earlier"] == [asked[show["target"]]]
    page = made.page("anna", f"tasks/{TASK}/judge/").content.decode()
    assert f"<li>{show['earlier'][0]}</li>" in page
    assert show["target"] in page


def test_lists_show_the_texts_of_documents() -> None:
    """Those at hand, each once, on the page as for programs; none where the campaign has none."""
    for documents in (True, False):
        made = panel.make("anna", documents=documents)
        panel.given(made, "nuggets", "anna", units=["t1"])
        texts = {"d1": "In spring 1871 the flood took the great wheel.", "d3": "Steam came to the harbour in 1871."}
        show = made.next("anna", TASK)["show"]
        assert show["texts"] == (texts if documents else {})
        page = made.page("anna", f"tasks/{TASK}/judge/").content.decode()
        assert [page.count(text) for text in texts.values()] == [int(documents)] * 2


def test_a_list_needs_a_vital_nugget_or_a_tick() -> None:
    """Whoever finishes a list without one is told what is missing."""
    made = panel.make("anna")
    panel.given(made, "nuggets", "anna")
    unit = made.next("anna", TASK)["unit"]
    refused = made.judge("anna", unit, TASK, values={})
    assert refused.status_code == 422
    assert "at least one vital nugget" in refused.json()["problems"][0]["expected"]
    assert panel.write(made, "anna", unit, "a1", text="x", importance="okay").status_code == 201
    assert made.judge("anna", unit, TASK, values={}).status_code == 422
    assert made.judge("anna", unit, TASK, values={"vital": "no_vital"}).status_code == 201
    assert panel.write(made, "anna", unit, "a1", text="x", importance="vital").status_code == 201
    assert made.judge("anna", unit, TASK, values={}).status_code == 201
    assert panel.write(made, "anna", unit, "a2", text="x").status_code == 422


def test_two_windows_finish_no_list_without_a_vital_nugget(monkeypatch: pytest.MonkeyPatch) -> None:
    """The only vital nugget becomes okay in one window while the other sends that the list is finished: refused."""
    from karat.server import judging, store

    made = panel.make("anna")
    panel.given(made, "nuggets", "anna")
    unit, execute = made.next("anna", TASK)["unit"], judging.execute  # type: ignore[attr-defined]
    assert panel.write(made, "anna", unit, "a1", text="x", importance="vital").status_code == 201

    def overtaken(*arguments: Any) -> Any:
        monkeypatch.setattr(judging, "execute", execute)
        assert panel.write(made, "anna", unit, "a1", text="x", importance="okay").status_code == 201
        return execute(*arguments)

    monkeypatch.setattr(judging, "execute", overtaken)
    assert made.judge("anna", unit, TASK, values={}).status_code == 422
    assert store.verify(made.name)["equal"]


def test_the_starting_list_is_there_until_it_is_changed() -> None:
    """Entries of the file can be changed and taken out; each assessor's list is their own; undone, they are back."""
    from karat.server import assigning

    made = panel.make("anna", "ben", start=True)
    panel.given(made, "nuggets", "anna", "ben")
    shown = made.next("anna", TASK)
    if "heron" in shown["show"]["question"]:
        shown = made.ask("anna", f"next?after={shown['unit']}", task=TASK).json()
    unit = shown["unit"]
    assert list(shown["entries"]) == ["1", "2"]
    assert shown["entries"]["1"] == {"text": "the flood of 1871 broke the wheel", "importance": "vital"}
    assert panel.write(made, "anna", unit, "1", text="a flood", importance="okay").status_code == 201
    assert made.judge("anna", f"{unit}/2", TASK, skipped="merged into a flood").status_code == 201
    assert panel.write(made, "anna", unit, "new", text="fire", importance="vital").status_code == 201

    def now(who: str) -> dict[str, str]:
        from karat.server.judging import find, shown
        from karat.server.store import state_of

        (account,) = made.names(who)
        state = state_of(made.name)
        return {
            name: one["text"]
            for name, one in shown(state, account, TASK, find(state, account, TASK, unit)).entries.items()
        }

    assert now("anna") == {"1": "a flood", "new": "fire"}
    assert list(now("ben")) == ["1", "2"]
    undone = made.ask("anna", "undo", {"id": "back", "unit": f"{unit}/2"}, TASK)
    assert undone.status_code == 201, undone.content
    assert now("anna") == {"1": "a flood", "2": "steam took over", "new": "fire"}
    assert [one["nugget"] for one in rows(panel.file_of(made, "nuggets"))] == ["1", "2", "new"]
    assert assigning.counts(made.name, TASK)["ballots"] == 2


def test_rounds_follow_each_other() -> None:
    """Matches wait for the lists to be closed, and lists cannot be opened again once there are matches."""
    from karat.server import assigning, store

    made = panel.make("anna")
    with pytest.raises(UsageError, match="there is no list of nuggets"):
        panel.given(made, "matches", "anna")
    panel.given(made, "nuggets", "anna")
    with pytest.raises(UsageError, match="still being written"):
        panel.given(made, "matches", "anna")
    listed(made, "anna")
    assigning.set_round(made.name, TASK, "nuggets", opened=False)
    panel.given(made, "matches", "anna")
    with pytest.raises(UsageError, match="the round is closed"):
        panel.given(made, "nuggets", "anna")
    shown = made.next("anna", TASK)
    assert shown["stage"] == "matches"
    assigning.set_round(made.name, TASK, "nuggets", opened=True, reason="one is missing")
    assert made.judge("anna", shown["unit"], TASK, values={"anna0": "support"}).status_code == 403
    assigning.set_round(made.name, TASK, "nuggets", opened=False)
    values = {ask["name"]: "support" for ask in shown["ask"] if ask["values"]}
    assert made.judge("anna", shown["unit"], TASK, values=dict(list(values.items())[1:])).status_code == 422
    assert made.judge("anna", shown["unit"], TASK, values=values).status_code == 201
    with pytest.raises(UsageError, match="1 response has been matched"):
        assigning.set_round(made.name, TASK, "nuggets", opened=True, reason="one is missing")
    back = made.ask("anna", "undo", {"id": "back", "unit": shown["unit"]}, TASK)
    assert back.status_code == 201, back.content
    assigning.set_round(made.name, TASK, "nuggets", opened=True, reason="one is missing")
    assert store.verify(made.name)["equal"]


HAND_NUGGETS = """qid\tnugget\tassessor\timportance\ttext
t1\tX0\tX\tvital\tflood
t1\tX1\tX\tokay\tsteam
t1\tX2\tX\tokay\tmoved
t2\tX0\tX\tvital\teels
t2\tX1\tX\tokay\tfrogs
"""
HAND_MATCHES = """run\tqid\tnugget\tassessor\tdegree
Maple-1\tt1\tX0\tX\tsupport
Maple-1\tt1\tX1\tX\tsupport
Maple-1\tt2\tX0\tX\tsupport
Maple-1\tt2\tX1\tX\tpartial_support
Willow-1\tt1\tX0\tX\tsupport
Willow-1\tt1\tX2\tX\tsupport
Hazel-1\tt1\tX0\tX\tnot_support
"""
FOUND = {
    "flood": {"1871": "support", "Floods": "support"},
    "steam": {"steam": "support"},
    "moved": {"inland": "support"},
    "eels": {"never eats eels": "contradicted", "eats eels": "support"},
    "frogs": {"frogs": "partial_support"},
}


def matched(made: Any, who: str) -> int:
    """Somebody matches every response with their list, by words; the number of contradictions."""
    contrary = 0
    while (shown := made.next(who, TASK)) is not None:
        said = " ".join(one["text"] for one in shown["show"]["strings"])
        values: dict[str, str] = {}
        for ask in shown["ask"]:
            if ask["values"]:
                degrees = [degree for word, degree in FOUND[ask["text"]].items() if word in said]
                values[ask["name"]] = next(iter(degrees), "not_support")
                contrary += values[ask["name"]] == "contradicted"
            elif values[ask["name"].removeprefix("evidence.")] == "support":
                values[ask["name"]] = "1"
        answer = made.judge(who, shown["unit"], TASK, values=values)
        assert answer.status_code == 201, answer.content
    return contrary


def test_scores_are_those_of_files_made_by_hand(tmp_path: Path) -> None:
    """Two assessors, each by their own list: what the exports give equals what `karat nuggets` gives for the same."""
    from karat.server import assigning, store

    made = panel.make("anna", "ben")
    panel.given(made, "nuggets", "anna", "ben")
    for who in ("anna", "ben"):
        listed(made, who)
    assigning.set_round(made.name, TASK, "nuggets", opened=False)
    panel.given(made, "matches", "anna", "ben")
    assert [matched(made, who) for who in ("anna", "ben")] == [1, 1]
    for name in ("nuggets", "matches"):
        (tmp_path / f"{name}.tsv").write_text(panel.file_of(made, name), encoding="utf-8")
    nuggets = karat.read_nuggets(tmp_path / "nuggets.tsv")
    exported = karat.nuggets(karat.read_matches(tmp_path / "matches.tsv", nuggets))
    hands = []
    for who, account in zip(("anna", "ben"), made.names("anna", "ben"), strict=True):
        hands.append(
            [
                text.replace("\tX\t", f"\t{account}\t").replace("\tX", f"\t{who}")
                for text in (HAND_NUGGETS, HAND_MATCHES)
            ]
        )
    names = sorted({row["run"] for row in rows(panel.file_of(made, "matches"))})
    for place, name in enumerate(("nuggets", "matches")):
        both = hands[0][place] + hands[1][place].split("\n", 1)[1]
        for team in panel.SAID:
            (real,) = [one for one in names if team.casefold() in one.casefold()]
            both = both.replace(f"{team}-1\t", f"{real}\t")
        (tmp_path / f"hand-{name}.tsv").write_text(both, encoding="utf-8")
    by_hand = karat.nuggets(
        karat.read_matches(tmp_path / "hand-matches.tsv", karat.read_nuggets(tmp_path / "hand-nuggets.tsv"))
    )

    def scores(result: Any) -> Any:
        return sorted((run.run, str(run.scores)) for run in result.runs)

    assert len(scores(exported)) >= 3
    assert scores(exported) == scores(by_hand)
    assert [one["degree"] for one in rows(panel.file_of(made, "matches"))].count("contradicted") == 2
    assert sum(run.contradicted for run in exported.runs) == 2
    assert {one["evidence"] for one in rows(panel.file_of(made, "matches"))} == {"", "1"}
    assert store.verify(made.name)["equal"]


def test_a_run_that_is_judged_in_part_is_not_in_the_file() -> None:
    """It would be scored as if the rest of it said nothing."""
    made = panel.make("anna", start=True)
    panel.given(made, "matches", "anna")
    first = made.next("anna", TASK)
    values = {ask["name"]: "support" for ask in first["ask"] if ask["values"]}
    assert made.judge("anna", first["unit"], TASK, values=values).status_code == 201
    names = {row["run"] for row in rows(panel.file_of(made, "matches"))}
    assert len(names) <= 1
    from karat.server import assigning

    left_out = sorted({"Hazel-1", "Maple-1", "Willow-1"} - names)
    assert assigning.lacking(made.name, TASK, "matches").endswith(f"who has not judged all of {', '.join(left_out)}")
    while (shown := made.next("anna", TASK)) is not None:
        values = {ask["name"]: "not_support" for ask in shown["ask"] if ask["values"]}
        assert made.judge("anna", shown["unit"], TASK, values=values).status_code == 201
    assert len({row["run"] for row in rows(panel.file_of(made, "matches"))}) == 3
    assert assigning.lacking(made.name, TASK, "matches") == ""
    back = made.ask("anna", "undo", {"id": "back", "unit": first["unit"]}, TASK)
    assert back.status_code == 201, back.content
    (account,) = made.names("anna")
    said = assigning.lacking(made.name, TASK, "matches")
    number = counted(len(panel.SAID[said.split()[-1].removesuffix("-1")]), "response")
    assert said.startswith(f"{number} given to {account}, who has not judged all of ")


def test_a_topic_of_a_series_names_its_target() -> None:
    """The question alone is “Other”, which says nothing to whoever reads the topics."""
    made = panel.make("anna", series=True)
    panel.given(made, "nuggets", "anna")
    listed(made, "anna")
    found = [json.loads(line)["query"] for line in panel.file_of(made, "nuggetizer").splitlines()]
    assert sorted(found) == ["Quill the heron: Other", "the harbour mill: Other"]


def test_lists_go_in_and_back_out(tmp_path: Path) -> None:
    """A file of TREC RAG becomes the starting list, and comes out as it was where nobody changed it."""
    made = panel.make("anna", start=True)
    panel.given(made, "nuggets", "anna")
    while (shown := made.next("anna", TASK)) is not None:
        assert made.judge("anna", shown["unit"], TASK, values={}).status_code == 201
    path = tmp_path / "n.jsonl"
    path.write_text(panel.file_of(made, "nuggetizer"), encoding="utf-8")
    (tmp_path / "start.jsonl").write_bytes(panel.START)
    out, back = karat.read_nuggets(path), karat.read_nuggets(tmp_path / "start.jsonl")
    assert (out.units, out.names, out.texts, out.spelled) == (back.units, back.names, back.texts, back.spelled)
    assert out.assessors == tuple(made.names("anna"))


def test_what_a_list_says_beside_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys that karat does not use, and labels without a meaning; a nugget that was changed keeps the rest."""
    nuggets = [
        {"text": "the flood broke the wheel", "importance": "failed", "source": "original"},
        {"text": "the flood broke the wheel", "importance": "vital", "mapped_sub_narrative": '"floods"'},
        {"text": "steam", "importance": "okay", "source": "post-edit"},
        {"text": "out", "importance": "okay"},
    ]
    lines: list[dict[str, Any]] = [
        {"qid": "t1", "nuggets": nuggets, "year": 1871},
        {"query": "Eels?", "qid": "t2", "nuggets": nuggets[1:2]},
    ]
    monkeypatch.setattr(panel, "START", "".join(json.dumps(line) + "\n" for line in lines).encode())
    made = panel.make("anna", start=True)
    panel.given(made, "nuggets", "anna")
    for _ in lines:
        shown = made.next("anna", TASK)
        assert made.judge("anna", shown["unit"], TASK, values={}).status_code == 201
    (anna,) = made.names("anna")
    assert [json.loads(line) for line in panel.file_of(made, "nuggetizer").splitlines()] == [
        line | {"assessor": anna} for line in lines
    ]
    first = shown_again(made, "t1")
    panel.write(made, "anna", first, "3", text="steam came", importance="vital")
    panel.write(made, "anna", first, "own", text="mine", importance="okay")
    made.judge("anna", f"{first}/4", TASK, skipped="not needed")
    found = json.loads(panel.file_of(made, "nuggetizer").splitlines()[0])["nuggets"]
    assert found == [
        *nuggets[:2],
        {"text": "steam came", "importance": "vital", "source": "post-edit"},
        {"text": "mine", "importance": "okay", "id": "own"},
    ]
    made.judge("anna", f"{first}/1", TASK, skipped="not needed")
    found = json.loads(panel.file_of(made, "nuggetizer").splitlines()[0])["nuggets"]
    assert [one["id"] for one in found] == ["2", "3", "own"], "each has the name that it has in other files"


def shown_again(made: Any, question: str) -> str:
    """The unit of a question that anna has finished."""
    from karat.campaign.events import Item
    from karat.campaign.judging.dealing import token
    from karat.server import store

    return token(store.state_of(made.name).seed, TASK, Item("nuggets", question))


def test_sources_name_the_strings() -> None:
    """For the organisers, with the runs that said them."""
    made = panel.make("anna")
    panel.given(made, "nuggets", "anna")
    shown = made.next("anna", TASK)
    if "heron" in shown["show"]["question"]:
        shown = made.ask("anna", f"next?after={shown['unit']}", task=TASK).json()
    marks = f"{mark_of(shown, 'The wheel')} {mark_of(shown, 'Floods')}"
    nugget = {"text": "flood", "importance": "vital"}
    answer = panel.write(made, "anna", shown["unit"], "a", **nugget, sources=f"{marks} nonsense")
    assert answer.status_code == 422
    assert answer.json()["problems"][0]["found"] == "the source 'nonsense'"
    answer = panel.write(made, "anna", shown["unit"], "a", **nugget, sources=marks)
    assert answer.status_code == 201
    found = rows(panel.file_of(made, "sources"))
    assert len(found) == 3
    assert {one["string"][:9] for one in found} == {"The wheel", "Floods br"}


def test_series_ask_for_three_degrees_of_other_questions() -> None:
    """Of a series, OTHER questions have nuggets; nothing is contradicted there."""
    from karat.server import assigning

    made = panel.make("anna", series=True)
    panel.given(made, "nuggets", "anna")
    assert assigning.counts(made.name, TASK)["assessors"][0]["units"] == 2
    shown = made.next("anna", TASK)
    assert shown["show"]["target"] in ("the harbour mill", "Quill the heron")
    while (shown := made.next("anna", TASK)) is not None:
        assert panel.write(made, "anna", shown["unit"], "a", text="x", importance="vital").status_code == 201
        assert made.judge("anna", shown["unit"], TASK, values={}).status_code == 201
    assigning.set_round(made.name, TASK, "nuggets", opened=False)
    panel.given(made, "matches", "anna")
    shown = made.next("anna", TASK)
    assert shown["ask"][0]["values"] == ["support", "partial_support", "not_support"]
    with pytest.raises(UsageError, match="assessors judge"):
        panel.given(made, "citations", "anna")


def test_citations_are_judged_one_by_one() -> None:
    """Each document of each sentence; its text is shown where the campaign has it."""
    from karat.server import store

    made = panel.make("anna")
    panel.given(made, "citations", "anna")
    count = 0
    while (shown := made.next("anna", TASK)) is not None:
        asks = [ask["name"] for ask in shown["ask"]]
        documents = {one["id"]: one["text"] for said in shown["show"]["strings"] for one in said["documents"]}
        assert documents.get("d3", "Steam came to the harbour in 1871.") == "Steam came to the harbour in 1871."
        assert made.judge("anna", shown["unit"], TASK, values=dict.fromkeys(asks, "partial")).status_code == 201
        count += len(asks)
    found = rows(panel.file_of(made, "citations"))
    assert len(found) == count == 8
    assert list(found[0]) == ["run", "qid", "sentence", "doc", "support", "assessor"]
    assert store.verify(made.name)["equal"]


def test_judged_citations_are_scored(tmp_path: Path) -> None:
    """The files of runs and citations are read as they are; a contradiction counts like no support, or costs."""
    made = panel.make("anna", "ben")
    panel.given(made, "citations", "anna", "ben", per_unit=2)
    for who, verdict in (("anna", "full"), ("ben", "contradicted")):
        while (shown := made.next(who, TASK)) is not None:
            assert shown["ask"][0]["values"] == ["full", "partial", "none", "contradicted"]
            asks = [ask["name"] for ask in shown["ask"]]
            assert made.judge(who, shown["unit"], TASK, values=dict.fromkeys(asks, verdict)).status_code == 201
    files = {"citations": "citations.tsv", "runs": "runs.jsonl"}
    for name, file in files.items():
        (tmp_path / file).write_text(panel.file_of(made, name))
    judged = karat.read_support(tmp_path / "citations.tsv", tmp_path / "runs.jsonl")
    by_anna, by_ben = (karat.support(judged, assessor=made.names(who)) for who in ("anna", "ben"))
    # Of the two answers of Willow one has three sentences, of which two cite; Hazel answers one topic of two.
    assert sorted(run.f1.value for run in by_anna.runs) == pytest.approx([0.5, (0.8 + 1) / 2, 1])
    assert [run.f1.value for run in by_ben.runs] == [0, 0, 0]
    costs = karat.support(judged, assessor=made.names("ben"), worth={"contradicted": -1})
    assert sorted(run.f1.value for run in costs.runs) == pytest.approx([-1, -0.9, -0.5])
    both = karat.read_ballots(
        tmp_path / "citations.tsv",
        ballot_column={"unit": "run+qid+sentence+doc", "label": "support"},
        level="ordinal",
        order=("contradicted", "none", "partial", "full"),
    )
    (tmp_path / "ballots.tsv").write_text(panel.file_of(made, "agreement-citations"))
    agreed = karat.read_ballots(tmp_path / "ballots.tsv", level="ordinal", order=both.scale.values)
    assert len(both.units) == len(agreed.units) == 8


def test_responses_come_to_those_who_have_a_list() -> None:
    """Each assessor matches by their own list; nobody gets a question for which somebody else has one."""
    from karat.server import assigning

    made = panel.make("anna", "ben", "cleo")
    panel.given(made, "nuggets", "anna", "ben", per_unit=1)
    for who in ("anna", "ben"):
        listed(made, who)
    assigning.set_round(made.name, TASK, "nuggets", opened=False)
    with pytest.raises(UsageError, match="are judged by lists of"):
        panel.given(made, "matches", "cleo", "anna")
    panel.given(made, "matches", "anna", "ben")
    for who in ("anna", "ben"):
        shown = made.next(who, TASK)
        assert {ask["name"].removeprefix("evidence.")[:-1] for ask in shown["ask"]} == {who}


def test_the_starting_list_cannot_be_exchanged() -> None:
    """What assessors left as it was is part of their lists."""
    from karat.server import assigning, store

    made = panel.make("anna", start=True)
    state = store.state_of(made.name)
    files = {"q.tsv": panel.TOPICS, "n.jsonl": panel.START.replace(b"eels", b"eel"), "d.tsv": panel.DOCUMENTS}
    assigning.check_units(state, state.definition, files)
    panel.given(made, "nuggets", "anna")
    state = store.state_of(made.name)
    assigning.check_units(state, state.definition, files | {"n.jsonl": panel.START})
    with pytest.raises(UsageError, match="keep the file as it is"):
        assigning.check_units(state, state.definition, files)


def test_evidence_is_in_the_response() -> None:
    """A number of one of its strings, with words of that string or without; anything else is refused."""
    made = panel.make("anna", start=True)
    panel.given(made, "matches", "anna")
    shown = made.next("anna", TASK)
    names = [ask["name"] for ask in shown["ask"] if not ask["name"].startswith("evidence.")]
    said, values = shown["show"]["strings"][0]["text"], dict.fromkeys(names, "support")
    evidence = f"evidence.{names[0]}"
    for wrong in ("0", "99", "one", f"99: {said}", "1: no such words", "1:", "-1", "1 2", "1" * 30):
        answer = made.judge("anna", shown["unit"], TASK, values=values | {evidence: wrong})
        assert answer.status_code == 422, wrong
        assert f"{evidence} {wrong!r}" in [one["found"] for one in answer.json()["problems"]]
    for right in ("1", f"1: {said}", f"1:  {said[:9]}", ""):
        assert made.judge("anna", shown["unit"], TASK, values=values | {evidence: right}).status_code == 201


def test_agreement_on_the_importance_of_nuggets() -> None:
    """Of a list that all began with: who kept a nugget as what, or took it out; by those who have finished."""
    from karat.server import assigning

    made = panel.make("anna", "ben", "carl", start=True)
    panel.given(made, "nuggets", "anna", "ben", "carl", per_unit=3)
    for who in ("anna", "ben"):
        while (shown := made.next(who, TASK)) is not None:
            if who == "ben" and len(shown["entries"]) == 2:
                made.judge(who, f"{shown['unit']}/1", TASK, values={"text": "otherwise", "importance": "okay"})
                made.judge(who, f"{shown['unit']}/2", TASK, skipped="not needed")
                made.judge(who, f"{shown['unit']}/new", TASK, values={"text": "own", "importance": "vital"})
            assert made.judge(who, shown["unit"], TASK, values={}).status_code == 201
    found = rows(assigning.file_of(made.name, TASK, "agreement-nuggets").decode())
    anna, ben = made.names("anna", "ben")
    assert [(one["unit"], one["assessor"], one["label"]) for one in found] == [
        ("t1 1", anna, "vital"),
        ("t1 1", ben, "okay"),
        ("t1 2", anna, "okay"),
        ("t1 2", ben, "taken out"),
        ("t2 1", anna, "vital"),
        ("t2 1", ben, "vital"),
    ]


def test_nuggets_of_the_same_name_are_not_the_same() -> None:
    """Two lists with an `n1` that says something else: people agree on nuggets of the starting list, as they stand."""
    from karat.server import assigning

    made = panel.make("anna", "ben", start=True)
    panel.given(made, "nuggets", "anna", "ben", per_unit=2)
    for who in ("anna", "ben"):
        while (shown := made.next(who, TASK)) is not None:
            panel.write(made, who, shown["unit"], "n1", text=f"what {who} thinks", importance="okay")
            if who == "ben" and len(shown["entries"]) == 2:
                panel.write(made, who, shown["unit"], "2", text="steam was never used", importance="okay")
            assert made.judge(who, shown["unit"], TASK, values={}).status_code == 201
    assigning.set_round(made.name, TASK, "nuggets", opened=False)
    panel.given(made, "matches", "anna", "ben", per_unit=2)
    for who in ("anna", "ben"):
        while (shown := made.next(who, TASK)) is not None:
            values = {ask["name"]: "support" for ask in shown["ask"] if ask["values"]}
            assert made.judge(who, shown["unit"], TASK, values=values).status_code == 201
    found = rows(assigning.file_of(made.name, TASK, "agreement-matches").decode())
    assert {one["unit"].partition(" ")[2] for one in found} == {"t1 1", "t1 2", "t2 1"}
    anna, ben = made.names("anna", "ben")
    assert {one["assessor"] for one in found if one["unit"].endswith("t1 2")} == {anna}
    assert len({(row["qid"], row["nugget"], row["assessor"]) for row in rows(panel.file_of(made, "nuggets"))}) == 10
    assert ben in {one["assessor"] for one in found}
    assert made.page("organiser", f"tasks/{TASK}/judging/").status_code == 200

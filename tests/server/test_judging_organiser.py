"""The organisers' page of judging: forms, files, and numbers that are those of the laboratory."""

from __future__ import annotations

import html
import json
import re
from io import BytesIO
from pathlib import Path
from threading import Event
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from karat import examples
from karat.campaign.definition import Judging
from tests.cli.calls import karat
from tests.server.test_judging import FOUR, REASONS, by_length

LABELS = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")
TASK = "three-way"
UNITS = [str(number) for number in range(1, 7)]


def address(made: Any, rest: str = "", task: str = TASK) -> str:
    """The page of the judging of a task, or something below it."""
    return f"/c/{made.name}/tasks/{task}/judging/{rest}"


def host() -> Any:
    """The host, with a browser."""
    from tests.server import campaigns

    return campaigns.host()


def page_of(made: Any, task: str = TASK) -> str:
    """The page as text."""
    answer = host().get(address(made, task=task))
    assert answer.status_code == 200
    return str(answer.content.decode())


def cells(page: str) -> list[list[str]]:
    """The rows of all tables of a page."""
    rows = re.findall(r"<tr.*?</tr>", page, re.S)
    found = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in rows]
    return [[html.unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in row] for row in found]


def differing(by: int) -> Any:
    """A label that follows from the pair, another one on every so many pairs."""

    def label(show: Any) -> dict[str, str]:
        size = len(show["hypothesis"])
        return {"label": LABELS[(size + (len(show["text"]) % by == 0)) % 3]}

    return label


def test_nothing_is_there_at_first(panels: Any) -> None:
    """The page says so, and how to begin; without assessors, whom to invite."""
    page = page_of(panels.make("anna"))
    assert "Nobody has anything to judge yet" in page
    assert "Give them out" in page
    assert "Invite one" in page_of(panels.make())


def test_units_are_given_out_by_a_form(panels: Any) -> None:
    """With everything that the command line has; what is wrong is said, and the form keeps what was entered."""
    from karat.server import assigning

    made = panels.make("anna", "ben")
    people = made.names("anna", "ben")
    form = {"stage": "labels", "assessor": people, "per_unit": "2", "units": "1\r\n2\r\n3\r\n"}
    one = host()
    assert one.post(address(made, "assign/"), form).status_code == 302
    assert "The units are given out" in one.get(address(made)).content.decode()
    assert assigning.counts(made.name, TASK)["units"]["open"] == 3
    sheet = SimpleUploadedFile("sheet.csv", b"run,unit\nx,4\ny,5\n")
    sent = {"stage": "labels", "assessor": people, "per_unit": "1", "file": sheet, "repeats": "0"}
    assert one.post(address(made, "assign/"), sent).status_code == 302
    assert [one["units"] for one in assigning.counts(made.name, TASK)["assessors"]] == [4, 4]
    for wrong, words in (
        ({"units": "none"}, "none"),
        ({"per_unit": "9"}, "2 named"),
        ({"per_unit": "many"}, "Expected a number"),
        ({"stage": "singing"}, "Expected labels"),
        ({"assessor": []}, "Nobody was named"),
    ):
        answer = one.post(address(made, "assign/"), form | wrong)
        assert answer.status_code == 422, wrong
        assert words in html.unescape(answer.content.decode()), wrong
    assert 'value="9"' in one.post(address(made, "assign/"), form | {"per_unit": "9"}).content.decode()


def test_the_page_says_what_karat_agree_says(panels: Any, tmp_path: Path) -> None:
    """Every number of every table, overall and for each pair of assessors, is that of the command on the export."""
    from karat.server import assigning

    made = panels.make("anna", "ben", "carla")
    people = made.names("anna", "ben", "carla")
    assigning.assign(made.name, TASK, people, per_unit=2)
    for by, who in ((3, "anna"), (4, "ben"), (1000, "carla")):
        made.play(who, differing(by))
    answer = host().get(address(made, "files/ballots/"))
    (tmp_path / "ballots.tsv").write_bytes(answer.content)
    assert answer.content == assigning.file_of(made.name, TASK)
    done = karat("agree", str(tmp_path / "ballots.tsv"), "--format", "html")
    assert done.returncode == 0, done.stderr
    printed, shown = cells(done.stdout), cells(page_of(made))
    assert len(printed) > 15
    assert all(row in shown for row in printed), [row for row in printed if row not in shown]
    told = json.loads(karat("agree", str(tmp_path / "ballots.tsv"), "--format", "json").stdout)
    alpha = next(row for row in shown if row[0].startswith("Krippendorff"))
    assert alpha[1] == f"{told['coefficients']['alpha']['value']:.2f}"
    assert len(told["pairwise"]) == 3


def test_a_small_sample_is_called_small(panels: Any) -> None:
    """Numbers are shown from the first pair on, but no sentence concludes anything from a few."""
    from karat.server import assigning

    made = panels.make("anna", "ben")
    assigning.assign(made.name, TASK, made.names("anna", "ben"), units=[str(n) for n in range(1, 9)])
    assert "There is nothing yet that two people have judged" in page_of(made)
    made.play("anna", by_length)
    made.play("ben", differing(2))
    page = page_of(made)
    assert "A small sample: 8 units" in page
    assert " (few)" in page
    assert page.count("There is too little") == 3


def test_self_consistency_and_examples(panels: Any) -> None:
    """Repeated units and planted examples are counted, with their intervals."""
    from karat.server import assigning

    facts = {"judging": Judging(examples="x.xml", planted=2, repeats=4), "files": {"x.xml": FOUR}}
    made = panels.make("anna", **facts)
    assigning.assign(made.name, TASK, made.names("anna"), per_unit=1)
    right = {"All": "ENTAILMENT", "Nobody": "CONTRADICTION"}
    made.play("anna", lambda show: {"label": right.get(show["text"].split()[0], "UNKNOWN")})
    rows = [row for row in cells(page_of(made)) if row[0] == made.names("anna")[0]]
    assert rows[1][1:] == ["–", "100.0% [51.0%, 100.0%] of 4 (few)", "100.0% [34.2%, 100.0%] of 2 (few)"]


def test_reassigned_and_closed(panels: Any) -> None:
    """By forms; what cannot be done is said."""
    from karat.server import assigning

    made = panels.make("anna", "ben", "carla")
    anna, ben, carla = made.names("anna", "ben", "carla")
    assigning.assign(made.name, TASK, [anna, ben], units=["1", "2", "3"])
    one = host()
    move = {"move.from": anna, "move.to": carla, "move.stage": "labels", "move.reason": ""}
    answer = one.post(address(made, "reassign/"), move)
    assert answer.status_code == 422
    assert "Nothing was entered" in answer.content.decode()
    assert one.post(address(made, "reassign/"), move | {"move.reason": "on leave"}).status_code == 302
    assert {one["assessor"]: one["units"] for one in assigning.counts(made.name, TASK)["assessors"]}[carla] == 3
    assert one.post(address(made, "round/"), {"stage": "labels"}).status_code == 302
    assert "labels closed" in page_of(made)
    assert made.judge("ben", made.next("ben")["unit"] if made.next("ben") else "", values={}).status_code == 403
    assert one.post(address(made, "round/"), {"stage": "labels", "open": "yes"}).status_code == 422
    assert one.post(address(made, "round/"), {"stage": "labels", "open": "yes", "reason": "late"}).status_code == 302
    assert one.post(address(made, "round/"), {"stage": "singing"}).status_code == 404
    there = f"/c/{made.name}/tasks/{TASK}/discussion/"
    assert there not in page_of(made)
    assert "There is no norming round" in one.post(there, {"do": "reveal"}).content.decode()
    assigning.assign(made.name, TASK, [anna, ben], stage="norming", units=["4"])
    assert there in page_of(made)
    assert "have not voted" in one.post(there, {"do": "reveal"}).content.decode()


def test_judgments_are_brought_in_by_a_form(panels: Any) -> None:
    """All or nothing; problems are listed by line, the record says who brought which file."""
    from karat.server import archives, store

    made = panels.make("anna", "ben")
    anna, ben = made.names("anna", "ben")
    good = f"unit\tassessor\tlabel\n1\t{anna}\tyes\n1\t{ben}\tUNKNOWN\n"
    one = host()
    bad = SimpleUploadedFile("bad.tsv", (good + f"none\t{anna}\tUNKNOWN\n").encode())
    answer = one.post(address(made, "import/"), {"ballots": bad})
    assert answer.status_code == 422
    assert "&#x27;none&#x27;" in answer.content.decode()
    assert not store.state_of(made.name).work_of(TASK).ballots
    sent = SimpleUploadedFile("good.tsv", good.encode())
    assert one.post(address(made, "import/"), {"ballots": sent}).status_code == 302
    assert "2 judgments brought in" in one.get(address(made)).content.decode()
    record = one.get(f"/c/{made.name}/record/").content.decode()
    assert f"2 judgments of {TASK} brought in from good.tsv (SHA-256 {store.digest_of(good.encode())})" in record
    assert one.post(address(made, "import/"), {}).status_code == 422
    # With names, an archive has the file too; without names, it has the judgments alone.
    with_names, without = (archives.export(made.name, anonymous).data for anonymous in (False, True))
    found = [ZipFile(BytesIO(data)).namelist() for data in (with_names, without)]
    digest = store.digest_of(good.encode())
    assert [any(digest in name for name in names) for names in found] == [True, False]
    told = b"".join(ZipFile(BytesIO(without)).read(name) for name in found[1])
    assert digest.encode() not in told
    assert anna.encode() not in told
    assert store.verify(made.name)["equal"] is True


def test_the_effect_on_the_ranking(panels: Any) -> None:
    """The official key, each assessor's and the agreed one, as `karat keys` compares them; only where runs are."""
    from datetime import timedelta

    from karat.server import assigning, store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns

    made = panels.make("anna", "ben")
    people = made.names("anna", "ben")
    assigning.assign(made.name, TASK, people)
    made.play("anna", by_length)
    made.play("ben", differing(2))
    assert "Effect on the ranking" not in page_of(made)
    for team, raw in (("Maple", campaigns.RUN), ("Willow", campaigns.OTHER_RUN)):
        campaigns.member(made.name, team, f"{made.name}-{team}", signed=False)
        sent = submit(
            made.name, f"{made.name}-{team}", "run", raw, Declared(task=TASK), store.now() - timedelta(days=2)
        )
        assert sent.run is not None, sent.problems
    rows = {row[0]: row for row in cells(page_of(made))}
    assert rows["official key"][2:4] == ["0", "–"]
    assert {*people, "agreed key"} <= set(rows)
    agreed = assigning.counts(made.name, TASK)["units"]["agreed"]
    assert rows["agreed key"][1] == str(agreed)
    import karat as library

    key = library.read_pairs(examples.HERE / "pairs.xml")
    labels = dict(zip(key.ids, key.labels, strict=True))
    work = store.state_of(made.name).work_of(TASK)
    differ = sum(labels[unit] != LABELS.index(of[people[0]].label or "") for unit, of in work.labels.items())
    assert rows[people[0]][2] == str(differ)


def test_ratings_have_their_own_agreement(panels: Any) -> None:
    """As `karat justify` gives it; the summaries can be downloaded."""
    from datetime import timedelta

    from karat.server import assigning, store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns

    made = panels.make("anna", "ben", tasks=(REASONS,))
    raw = (examples.RUNS / "chatty.jsonl").read_bytes()
    for team in ("Maple", "Willow"):
        campaigns.member(made.name, team, f"{made.name}-{team}", signed=False)
        declared = Declared(task="reasons", justifications=True)
        at = store.now() - timedelta(days=2)
        assert submit(made.name, f"{made.name}-{team}", "run.jsonl", raw, declared, at).run is not None
    one = host()
    form = {"stage": "ratings", "assessor": made.names("anna", "ben"), "sample": "4"}
    assert one.post(address(made, "assign/", "reasons"), form).status_code == 302
    made.play("anna", lambda show: {"understandable": str(len(show["text"]) % 2 + 1)}, "reasons")
    made.play("ben", lambda show: {"understandable": str(len(show["hypothesis"]) % 2 + 1)}, "reasons")
    page = page_of(made, "reasons")
    assert "karat justify" in page
    raw = one.get(address(made, "files/ratings/", "reasons")).content
    assert raw == assigning.file_of(made.name, "reasons")
    assert one.get(address(made, "files/summaries/", "reasons")).content.startswith(b"judge\tsummary")
    # Brought back into the same campaign, nothing is new.
    sent = SimpleUploadedFile("ratings.tsv", raw)
    assert one.post(address(made, "import/", "reasons"), {"ballots": sent}).status_code == 302
    assert "0 judgments brought in; 16 already there" in one.get(address(made, task="reasons")).content.decode()


def test_files(panels: Any) -> None:
    """Each has its name; others do not exist."""
    made = panels.make("anna")
    for what, name in (
        ("ballots", "ballots.tsv"),
        ("ballots-with-programs", "with-programs"),
        ("all", "judgments.jsonl"),
        ("key", "agreed-key.xml"),
    ):
        answer = host().get(address(made, f"files/{what}/"))
        assert answer.status_code == 200
        assert name in answer.headers["Content-Disposition"]
    assert host().get(address(made, "files/secrets/")).status_code == 404
    assert host().get(f"/c/{made.name}/tasks/none/judging/").status_code == 404


def test_agreement_as_it_stood_while_it_is_computed_again(panels: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If that takes long, the page shows the last finished agreement and its time; then the new one."""
    from karat.server import assigning, watching
    from karat.server.pages import judging_organiser

    made, gate, watch = panels.make("anna", "ben", "carl"), Event(), watching._watch
    assigning.assign(made.name, TASK, made.names("anna", "ben"), units=UNITS[:4])
    for who in ("anna", "ben"):
        made.play(who, by_length)
    assert "As judgments stood" not in page_of(made)

    def slowly(*given: Any) -> Any:
        assert gate.wait(20)
        return watch(*given)

    with monkeypatch.context() as patch:
        patch.setattr(judging_organiser, "PATIENCE", 0)
        patch.setattr(watching, "_watch", slowly)
        assigning.assign(made.name, TASK, made.names("carl"), units=UNITS[:1], per_unit=1)
        made.play("carl", by_length)
        shown = page_of(made)
        assert "As judgments stood" in shown
        assert "is being computed" not in shown
        (coming,) = watching._watched._coming.values()
        gate.set()
        coming.result(20)
        assert "As judgments stood" not in page_of(made)

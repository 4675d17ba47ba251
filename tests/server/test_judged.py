"""The pages beside the judging page: guidelines, results of examples, the discussion of votes, and outcomes."""

from __future__ import annotations

import re
from typing import Any

from karat.campaign.definition import Judging
from tests.server.test_judging import FOUR

GUIDE = {"guide.md": b"# How to judge\n\nDecide by the text alone.\n\n- Mind the **tense**.\n"}
SECOND = b"# How to judge\n\nDecide by the text and by what every reader knows.\n\n- Mind the **tense**.\n"
FACTS: dict[str, Any] = {"judging": Judging(examples="x.xml", planted=1), "files": {"x.xml": FOUR}}
RIGHT = {"All": "ENTAILMENT", "Nobody": "CONTRADICTION"}


def text(answer: Any) -> str:
    """A page that was given, as text."""
    assert answer.status_code == 200, answer.content
    return str(answer.content.decode())


def edit_guidelines(name: str, data: bytes, reason: str) -> None:
    """Replace the guidelines."""
    from karat.campaign.commands import Edit
    from karat.server import store

    state, digest = store.state_of(name), store.digest_of(data)
    command = Edit(definition=state.definition, files=state.files | {"guide.md": digest}, reason=reason)
    store.execute(name, command, "organiser", {digest: data})


def test_every_version_of_the_guidelines_can_be_read(panels: Any) -> None:
    """With its date, its reason and what changed; the version is stored with each judgment."""
    from karat.server import assigning, store

    made = panels.make("anna", guidelines="guide.md", files=GUIDE)
    assert "Version 1 of 1" in text(made.page("anna", "guidelines/"))
    assigning.assign(made.name, "three-way", made.names("anna"), per_unit=1, units=["1", "2"])
    made.judge("anna", made.next("anna")["unit"], values={"label": "UNKNOWN"}, guidelines=1)
    edit_guidelines(made.name, SECOND, "readers know things")
    for who in ("anna", "organiser"):
        page = text(made.page(who, "guidelines/"))
        assert "Version 2 of 2" in page
        assert "readers know things" in page
        assert re.search("<del>.*Decide by the text alone", page)
        assert re.search("<ins>.*what every reader knows", page)
        former = text(made.page(who, "guidelines/1/"))
        assert "Decide by the text alone." in former
        assert "There is a newer version" in former
        assert "<ins>" not in former
    for number in (0, 3):
        assert made.page("anna", f"guidelines/{number}/").status_code == 404
    made.judge("anna", made.next("anna")["unit"], values={"label": "UNKNOWN"}, guidelines=2)
    given = store.state_of(made.name).work_of("three-way").of(made.names("anna")[0])
    assert sorted(one.said.guidelines for one in given.values()) == [1, 2]


def test_no_guidelines_yet(panels: Any) -> None:
    """The page says so."""
    assert "no guidelines yet" in text(panels.make("anna").page("anna", "guidelines/"))


def test_results_of_examples_come_when_all_are_labelled(panels: Any) -> None:
    """Until then no page and no answer has a known label; afterwards each example has both, and one can try again."""
    from karat.server import assigning

    made = panels.make("anna", "ben", **FACTS)
    assigning.assign(made.name, "three-way", made.names("anna", "ben"), units=["1", "2"])
    there = "tasks/three-way/qualification/"
    assert "Label 3 examples before you begin" in text(made.page("anna", there))
    for number in (1, 2, 3):
        shown = made.next("anna")
        for part in (text(made.page("anna", there)), repr(shown)):
            assert "the known label is" not in part
            assert "expected" not in part
        assert made.judge("anna", shown["unit"], values={"label": "UNKNOWN"}).status_code == 201
        assert (f"{number} of 3 examples labelled" in text(made.page("anna", there))) == (number < 3)
    page = text(made.page("anna", there))
    assert "Not yet: 0 of 3 right, 3 needed." in page
    assert page.count("the known label is") == 3
    assert "Try again" in page
    assert made.names("ben")[0] not in page
    while made.next("anna")["stage"] == "qualification":
        shown = made.next("anna")
        made.judge("anna", shown["unit"], values={"label": RIGHT[shown["show"]["text"].split()[0]]})
    page = text(made.page("anna", there))
    assert "You have qualified." in page
    assert "Attempt 2: 3 of 3 right, passed" in page
    assert "Attempt 1: 0 of 3 right" in page
    of_all = text(made.page("organiser", there))
    assert "has not begun" in of_all
    assert "Attempt 1: 0 of 3 right" in of_all
    assert "There are no examples for you" in text(panels.make("cleo").page("cleo", there))


def test_planted_examples_look_like_any_unit(panels: Any) -> None:
    """What is answered about one has the same names, and the same values but for the texts and the opaque name."""
    from karat.campaign.judging.dealing import held_out
    from karat.server import assigning, store

    made = panels.make("anna", **FACTS)
    assigning.assign(made.name, "three-way", made.names("anna"), per_unit=1, units=["1", "2", "3", "4"])
    shapes, seen = set(), []

    def label(show: Any) -> dict[str, str]:
        shown = made.next("anna")
        if shown["stage"] == "labels":
            seen.append(show["text"])
            hidden = {"unit", "show", "done", "guidelines"}
            shapes.add(repr({name: value for name, value in shown.items() if name not in hidden}))
            assert set(show) == {"text", "hypothesis"}
            assert re.fullmatch("[0-9a-f]{20}", shown["unit"])
        return {"label": RIGHT.get(show["text"].split()[0], "UNKNOWN")}

    assert made.play("anna", label) == 3 + 4 + 1
    assert len(shapes) == 1
    (planted,) = held_out(store.state_of(made.name).seed, ("x1", "x2", "x3", "x4"), 1)
    pairs = store.material(store.state_of(made.name), "three-way").examples
    assert pairs.texts[pairs.index[planted]] in seen
    told = text(made.page("anna", "tasks/three-way/qualification/"))
    assert f"<dd>{pairs.texts[pairs.index[planted]]}</dd>" not in told


def discussed(panels: Any) -> Any:
    """A norming round of three assessors on four units, in which all have voted."""
    from karat.server import assigning

    made = panels.make("anna", "ben", "cleo", "dora")
    people = made.names("anna", "ben", "cleo")
    assigning.assign(made.name, "three-way", people, stage="norming", units=["1", "2", "3", "4"])
    for who, label in (("anna", "ENTAILMENT"), ("ben", "ENTAILMENT"), ("cleo", "CONTRADICTION")):
        made.play(who, lambda _, label=label: {"label": label})
    return made


def test_votes_are_discussed_after_the_reveal(panels: Any) -> None:
    """Before it nobody sees a vote of others; afterwards all see them without names, and talk about them."""
    from karat.server import store

    made, there = discussed(panels), "tasks/three-way/discussion/"
    before = text(made.page("anna", there))
    assert "CONTRADICTION" not in before
    assert "You have voted on 4 of 4 pairs" in before
    organised = text(made.page("organiser", there))
    assert not re.search("CONTRADICTION|ENTAILMENT", organised.partition("<main")[2])
    assert made.page("anna", there, {"do": "reveal"}).status_code == 422
    assert not store.state_of(made.name).work_of("three-way").revealed
    assert made.page("organiser", there, {"do": "reveal"}).status_code == 302
    page = text(made.page("anna", there))
    assert page.count("CONTRADICTION") == 4
    assert page.count("votes differ") == 4
    assert not [name for name in made.names("ben", "cleo") if name in page]
    assert "do not take part" in text(made.page("dora", there))
    unit = re.findall(r'name="unit" value="(\w+)"', page)[0]
    assert made.page("anna", there, {"unit": unit, "text": "  "}).status_code == 422
    assert made.page("dora", there, {"unit": unit, "text": "I too"}).status_code == 422
    assert made.page("anna", there, {"unit": "nothing", "text": "What?"}).status_code == 422
    sent = made.page("anna", there, {"unit": unit, "text": "It says <may>."})
    assert sent.headers["Location"].endswith(f"#unit-{unit}")
    page = text(made.page("ben", there))
    assert "It says &lt;may&gt;." in page
    assert made.names("anna")[0] not in page


def test_blind_votes_and_votes_after_them(panels: Any) -> None:
    """The link leads to another item; the blind vote stays; agreement is told before and after, with intervals."""
    from karat.server import assigning, store
    from karat.server.norming import agreement

    made, there = discussed(panels), "tasks/three-way/discussion/"
    assigning.reveal(made.name, "three-way")
    links = re.findall(r"judge/\?unit=(\w+)", text(made.page("cleo", there)))
    assert len(links) == 4
    for link in links:
        assert made.judge("cleo", link, values={"label": "ENTAILMENT"}).status_code == 201
    for who in ("anna", "ben"):
        made.play(who, lambda _: {"label": "ENTAILMENT"})
    page = text(made.page("cleo", there))
    assert page.count("CONTRADICTION") == 4
    assert page.count("Your vote after the discussion") == 4
    state = store.state_of(made.name)
    task = state.definition.task("three-way")
    blind, after = agreement(state, task, 1), agreement(state, task, 2)
    assert blind is not None
    assert after is not None
    assert blind.units == after.units == 4
    assert blind.few
    assert blind.figures["Observed agreement"].startswith("0.33 (95% CI ")
    assert after.figures["Observed agreement"].startswith("1.00")
    organised = text(made.page("organiser", there))
    assert "0.33 (95% CI " in organised
    assert "uncertain" in organised


def test_outcomes_are_told_after_the_close(panels: Any) -> None:
    """Where one was overruled comes first, with reason, kind and note; before the close there is nothing."""
    from karat.server import assigning

    made, there = panels.make("anna", "ben", "cleo"), "tasks/three-way/outcomes/"
    assigning.assign(made.name, "three-way", made.names("anna", "ben"), units=["1", "2", "3"])
    assigning.assign(made.name, "three-way", made.names("cleo"), stage="adjudication")
    made.play("anna", lambda _: {"label": "ENTAILMENT"})
    first = made.next("ben")["show"]
    made.play("ben", lambda show: {"label": "CONTRADICTION" if show == first else "ENTAILMENT"})
    said = {"label": "CONTRADICTION", "reason": "difference", "kind": "tense", "note": "Read 2.3."}
    assert made.play("cleo", lambda _: said) == 1
    for who in ("anna", "ben"):
        page = text(made.page(who, there))
        assert "The round is still open." in page
        assert "CONTRADICTION" not in page
        assert there not in text(made.page(who, ""))
    assigning.set_round(made.name, "three-way", "labels", opened=False)
    page = text(made.page("anna", there))
    assert "3 pairs labelled by you, 1 decided otherwise." in page
    assert "a legitimate difference, tense" in page
    assert "Read 2.3." in page
    assert page.index("decided otherwise</span>") < page.index("all who gave a label gave this one")
    assert not [name for name in made.names("ben", "cleo") if name in page]
    assert there in text(made.page("anna", ""))
    assert "none decided otherwise" in text(made.page("ben", there))
    assert "You labelled nothing" in text(made.page("cleo", there))


def test_a_unit_that_one_of_two_skipped_is_not_decided(panels: Any) -> None:
    """Its outcome says that too few gave a label, not that nobody did."""
    from karat.server import assigning

    made = panels.make("anna", "ben")
    assigning.assign(made.name, "three-way", made.names("anna", "ben"), units=["1"])
    made.judge("anna", made.next("anna")["unit"], values={"label": "UNKNOWN"})
    made.judge("ben", made.next("ben")["unit"], skipped="no idea")
    assigning.set_round(made.name, "three-way", "labels", False)
    page = made.page("anna", "tasks/three-way/outcomes/").content.decode()
    assert "too few gave a label" in page
    assert "nobody gave a label" not in page

"""What is not theirs does not reach anybody: not in a page, a file, a header or an address that can be guessed."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from karat.campaign import sight

NUMBER = re.compile(rb"(?<![\w.])(?<!\w-)(?<!\d:)\d+\.\d+(?![\w-]|[.:]\d)(?<!version=.1.0)")
"""A number as people read it, which is no part of a time, a version or a name."""
LABEL = re.compile(rb"(qx\d\d)\W{1,40}(?:entailment\W{1,5})?(ENTAILMENT|UNKNOWN|CONTRADICTION)\b", re.I)


def official(world: Any, only: Container[str] | None = None) -> set[float]:
    """Every score of every run, or of some, as a share and in per cent, but for those that many things are."""
    runs = [run for id, run in world.state.runs.items() if only is None or id in only]
    of = [way for run in runs for scores in (run.scores, run.received.scores) for way in scores.values()]
    values = {value for measures in of for value in measures.values() if value is not None}
    return {abs(value) * scale for value in values for scale in (1, 100) if 0.05 < abs(value) < 0.95}


def spelled(body: bytes, scores: Iterable[float]) -> list[str]:
    """The numbers of a text that are a score, however it is rounded."""
    met = {text.decode() for text in NUMBER.findall(body)}
    return [
        text
        for text in sorted(met)
        if any(
            abs(float(text) - score) <= 0.5001 * 10.0 ** -len(text.partition(".")[2])
            for score in scores
            # Of a share, two digits could be anything.
            if len(text.partition(".")[2]) >= (3 if score < 1 else 1)
        )
    ]


def leaks(world: Any, answers: dict[str, Any], scores: Iterable[float]) -> Iterator[str]:
    """Whatever of these answers is none of the team's business before the release."""
    from karat.server.store import digest_of

    hidden = [one.encode() for one in world.secrets()]
    correct = {run.scores["3"]["accuracy"] * len(world.labels) for run in world.state.runs.values()}
    counts = [
        f"{round(one)}{between}{len(world.labels)}".encode() for one in correct for between in ("/", " of ", " / ")
    ]
    key = {f"qx{place:02d}".encode(): label.encode() for place, label in enumerate(world.labels)}
    sent = {run.received.sent.sha256 for run in world.state.runs.values() if run.received.team == "Alder"}
    for address, answer in answers.items():
        for part in answer.parts():
            yield from (f"{address}: {one!r}" for one in hidden if one in part and one not in address.encode())
            yield from (f"{address}: the score {one}" for one in spelled(part, scores))
            yield from (f"{address}: {one!r} right" for one in counts if one in part)
            labelled = LABEL.findall(part)
            if labelled and digest_of(part) not in sent and all(key[id] == label.upper() for id, label in labelled):
                yield f"{address}: {len(labelled)} labels of the key"


def test_no_team_meets_a_score_the_key_or_another_team(sights: Any) -> None:
    """From the first page on and at every address of its own, before the release nothing is told."""
    from tests.server.crawling import everything

    for world, live in ((sights.World(), False), (sights.World(share=0.4), True)):
        for stage in world.stages():
            if stage == "teams":
                break
            # A live board has other scores, some of which are spelled alike; that it tells nothing else is tested
            # with campaigns that differ in what it must not show.
            scores = set() if live else official(world)
            for role in ("team", "nobody", "stranger") if stage in ("open", "closed") else ("team",):
                met = everything(world, role)
                found = list(leaks(world, met, scores))
                assert found == [], f"{stage}, {role}: " + "\n".join(found)
                assert len(met) > 30
            assert {answer.status for answer in met.values()} <= {200, 204, 302, 401, 403, 404, 405, 410}


def test_anonymous_teams_stay_anonymous(sights: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the public release and before the date of the names, all that is shown names nobody, whole reports too."""
    from karat.server import results
    from karat.server.making import Kept, Line
    from tests.server.crawling import crawl, everything

    world = sights.World(share=0.4).until("anonymous")
    with monkeypatch.context() as patch:
        patch.setattr(results, "_page", sights.whole_page)
        patch.setattr(results, "whole", Kept(Line(), results.MOST_BYTES, len))
        address = f"/c/{world.name}/tasks/three-way/report/"
        report = crawl(world, "nobody", (address,), address)
        assert world.aliases()["Zebrawood"].encode() in report[address].body
    for role, own in (("team", ("Alder",)), ("stranger", ()), ("nobody", ()), ("assessor", ())):
        # With half of the seed, by which units are drawn, no alias can be computed from a name.
        secret = world.state.seed[len(world.state.seed) // 2 :]
        hidden, met = world.identities(*own) | {secret}, report | everything(world, role)
        found = [
            f"{role}, {address}: {one}"
            for address, answer in met.items()
            for part in answer.parts()
            for one in hidden
            if one.encode() in part and one not in address
        ]
        assert found == []
        assert len(met) > 60


def test_an_anonymous_archive_names_nobody(sights: Any) -> None:
    """Neither a team, a person, an address, a remark nor a name of a file is in it, and nothing that aliases need."""
    from karat.server import archives
    from tests.server.crawling import Answer

    world = sights.World(share=0.4).until("anonymous")
    hidden = {one for one in world.identities() if not re.fullmatch("[0-9a-f]{64}", one)}
    hidden |= {one.person for one in world.state.members.values()} | {*world.state.members}
    hidden |= {world.state.seed[len(world.state.seed) // 2 :], "had no power", "erred"}
    for anonymous in (False, True):
        parts = Answer(200, "", archives.export(world.name, anonymous=anonymous).data).parts()
        found = {one for part in parts for one in hidden if one.encode() in part}
        assert found == (set() if anonymous else hidden)


def test_a_letter_tells_a_team_of_itself(sights: Any) -> None:
    """No letter has the name, the person or the scores of another team, whatever it is about."""
    from karat.campaign.letters import ABOUT
    from karat.server.releasing import mailing

    world = sights.World().until("anonymous")
    written = [
        letter for about in ABOUT for letter in mailing(world.state, about, sights.Clock.at, "http://here").letters
    ]
    for letter in written:
        text = f"{letter.subject}\n{letter.text}".replace(world.name, "")
        assert [one for one in world.identities(letter.team) if one in text] == []
        own = {run.received.id for run in world.state.active(letter.team)}
        known = spelled(text.encode(), official(world, own))
        assert [one for one in spelled(text.encode(), official(world)) if one not in known] == []
    assert len(written) > 2 * len(world.others)


def test_a_planted_leak_is_found(sights: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the rules gave scores, runs and names away, the same walk would find them."""
    from tests.server.crawling import everything

    world = sights.World().until("closed")
    true = sight.sight

    def careless(*args: Any, **more: Any) -> Any:
        return replace(true(*args, **more), own_scores=True, scores=True, all_runs=True, key=True, names=True)

    for module in ("karat.campaign.sight", "karat.server.pages", "karat.server.api"):
        monkeypatch.setattr(f"{module}.sight", careless)
    found = "\n".join(leaks(world, everything(world, "team"), official(world)))
    assert "/api/" in found
    assert "the score" in found


def test_the_search_finds_every_spelling(sights: Any) -> None:
    """A score is recognised however it is rounded, and times and versions are not taken for one."""
    assert spelled(b"0.7018 and 70.2 % and 70.18, 0.702", {0.7017543859649122, 70.17543859649122}) == [
        "0.7018",
        "0.702",
        "70.18",
        "70.2",
    ]
    assert spelled(b"12:34:70.175438 v0.702.1 run-0.702 70", {0.7017543859649122, 70.17543859649122}) == []
    world = sights.World().until("open")
    key = sights.test_file(world.labels)
    from tests.server.crawling import Answer

    found = list(leaks(world, {"/x": Answer(200, "", key)}, ()))
    assert found == [f"/x: {len(world.labels)} labels of the key"]
    assert list(leaks(world, {"/x": Answer(200, "Location: /Zebrawood", b"")}, ())) == ["/x: b'Zebrawood'"]


def test_what_is_not_yours_is_as_if_it_were_not_there(sights: Any) -> None:
    """An address with the run, the team or the account of others is answered as one that nobody has ever had."""
    from tests.server.crawling import ask, filled, guesses

    never: dict[str, tuple[Any, ...]] = {
        "id": ("f" * 16,),
        "team": ("Elm",),
        "number": (10**6,),
        "account": ("nobody-here",),
    }
    world = sights.World()
    for stage in world.stages():
        if stage == "teams":
            break
        others = guesses(world, own=False)
        for role in ("team", "unsigned", "assessor", "stranger", "nobody"):
            for place, values in others.items():
                for value in values[:3]:
                    for theirs, nobodys in zip(
                        filled(world, never | {place: (value,)}), filled(world, never), strict=True
                    ):
                        if theirs == nobodys or (role == "unsigned" and "Cedar" in theirs):
                            continue
                        one, other = ask(world, role, theirs), ask(world, role, nobodys)
                        same = as_if(one, theirs, value) == as_if(other, nobodys, never[place][0])
                        assert same, f"{stage}, {role}: {theirs} differs from {nobodys}"


def test_a_campaign_that_is_not_yours_is_as_if_it_were_not_there(sights: Any) -> None:
    """Whoever has no part in a campaign cannot tell that there is one, before its results are public."""
    from tests.server.crawling import ask, filled, guesses

    world = sights.World().until("closed")
    values = {place: found[:1] for place, found in guesses(world, own=True).items()}
    for role in ("stranger", "nobody"):
        for there in filled(world, values):
            nowhere = there.replace(f"/{world.name}", "/nowhere")
            one, other = ask(world, role, there), ask(world, role, nowhere)
            assert as_if(one, world.name, "") == as_if(other, "nowhere", ""), f"{role}: {there}"


def as_if(answer: Any, address: str, value: str | int) -> tuple[int, str, str]:
    """An answer without the address and the value that was asked for."""
    body = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", answer.body.decode()).replace(address, "X")
    return answer.status, answer.headers.replace(address, "X"), body.replace(f"'{value}'", "X")

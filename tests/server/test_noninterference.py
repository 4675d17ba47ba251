"""What somebody gets does not depend on what they may not know: two campaigns that differ only in that look alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

if TYPE_CHECKING:
    from tests.server.crawling import Met

BLIND = ("preparing", "registering", "data", "open", "grace", "closed")
ALL = (*BLIND, "teams", "teams with key", "anonymous", "named")
EVERYBODY = ("team", "unsigned", "assessor", "stranger", "nobody")
"""Everybody but those who organise, or belong to what differs."""
STRANGE = {"Ginkgo": (0.3,), "Hazel": (0.85, 0.7, 0.66)}
"""Other teams than those of the first campaign, with other runs."""
RENAMED = {"Zebrawood": "Aspen", "Yellowwood": "Birch", "Walnut": "Catalpa", "Teakwood": "Dogwood"}
"""Other names for the same teams, in the other order."""


def seen(world: Any, role: str) -> Met:
    """Everything that somebody gets, without what differs from one campaign to the next in any case."""
    from tests.server.crawling import ask, everything, plain
    from tests.server.sights import TASK, upload

    answers = dict(everything(world, role))
    # What is said of a file, without storing it, is an answer too.
    for number, data in enumerate(probes(world) if role in ("team", "unsigned") else ()):
        for address in (f"/c/{world.name}/tasks/{TASK}/submit/", f"/api/campaigns/{world.name}/tasks/{TASK}/runs"):
            form = {"file": upload(data, "probe.txt"), "dry_run": "yes"}
            answers[f"{number} to {address}"] = ask(world, role, address, form)
    return plain(world, answers)


def probes(world: Any) -> Iterator[bytes]:
    """Files with which somebody might try to learn something about the key."""
    from tests.server.sights import KEY, LABELS, run_file

    del world
    yield run_file("probe", 1.0)
    yield run_file("probe", 0.0)
    yield b"".join(f"qx{place:02d} {LABELS[0]}\n".encode() for place in range(len(KEY)))
    yield b"qx20 UNKNOWN\nqx07 PERHAPS\n"


def differences(one: Met, other: Met) -> list[str]:
    """Where two people get something else, with the first lines of the difference."""
    found = [f"{address}: met by one alone" for address in one.keys() ^ other.keys()]
    for address in one.keys() & other.keys():
        if one[address] != other[address]:
            texts = [
                b"\n".join(given[2]).replace(b"><", b">\n<").splitlines() for given in (one[address], other[address])
            ]
            there = set(texts[1])
            lines = [line.decode("utf-8", "replace") for line in texts[0] if line not in there]
            found.append(f"{address}: {one[address][:2]}, {other[address][:2]}\n" + "\n".join(lines[:8]))
    return sorted(found)


def compare(one: Any, other: Any, when: Mapping[str, Iterable[str]]) -> list[str]:
    """Lead two campaigns through their states; whatever looks different to these people in these states."""
    found, left = [], set(when)
    for stage, _ in zip(one.stages(), other.stages(), strict=True):
        for role in when.get(stage, ()):
            found += [f"{stage}, {role}: {line}" for line in differences(seen(one, role), seen(other, role))]
        left.discard(stage)
        if not left:
            break
    return found


def turned(sights: Any) -> list[str]:
    """A key in which every label is wrong."""
    return [sights.LABELS[(sights.LABELS.index(one) + 1) % 3] for one in sights.KEY]


WATCHED = [
    pytest.param({"data": ("team",), "open": ("team", "assessor"), "closed": ("team", "nobody")}, id="some"),
    pytest.param(
        dict.fromkeys(BLIND, ("team",)) | dict.fromkeys(("open", "closed"), EVERYBODY),
        id="everybody",
        marks=pytest.mark.nightly,
    ),
]
"""Who is watched in which states before the release."""


@pytest.mark.parametrize("when", WATCHED)
def test_neither_the_key_nor_other_teams_show(sights: Any, when: Mapping[str, tuple[str, ...]]) -> None:
    """Before the release, nobody but an organiser gets a byte that depends on a label or on the other teams."""
    labels = turned(sights)
    other = sights.World(labels=(*labels[:20], "", *labels[21:]), others=STRANGE)
    assert compare(sights.World(), other, when) == []


def test_a_live_board_tells_of_its_share_alone(sights: Any) -> None:
    """Labels of the units that are not on the live board do not matter to anything that a team sees."""
    from karat.server.store import test_set

    one = sights.World(share=0.4).until("preparing")
    board = test_set(one.state, one.state.definition.tasks[0]).live.labels >= 0
    assert 0 < board.sum() < len(board)
    labels = tuple(kept if on else new for kept, new, on in zip(sights.KEY, turned(sights), board, strict=True))
    other = sights.World(share=0.4, labels=labels)
    when = {"open": ("team", "unsigned", "nobody"), "closed": ("team",)}
    assert compare(sights.World(share=0.4), other, when) == []


def test_results_of_few_teams_do_not_show(sights: Any) -> None:
    """With its own results and the key, a team learns nothing of others as long as fewer than five have runs."""
    few = dict(list(sights.OTHERS.items())[:3])
    when = {"teams": ("team",), "teams with key": ("team", "unsigned", "nobody")}
    one, other = sights.World(others=few), sights.World(others=STRANGE)
    assert compare(one, other, when) == []
    many = sights.World().until("teams")
    assert differences(seen(one, "team"), seen(many, "team")) != [], "with five, the extremes and the median are shown"


def same_aliases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let teams have the aliases that they would have under their former names."""
    import hmac

    former = {new.encode(): old.encode() for old, new in RENAMED.items()}

    def made(key: bytes, message: bytes, digest: Any) -> Any:
        return hmac.new(key, former.get(message, message), digest)

    monkeypatch.setattr("karat.campaign.sight.hmac", SimpleNamespace(new=made))


def test_anonymous_teams_have_no_names(sights: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the date of the names, nothing that the public or another team gets depends on what a team is called."""
    same_aliases(monkeypatch)
    one, other = sights.World(share=0.4), sights.World(share=0.4, renamed=RENAMED)
    when = {"open": ("team",), "teams with key": ("team", "nobody"), "anonymous": ("team", "assessor", "nobody")}
    assert compare(one, other, when) == []
    sights.Clock.at = sights.WHEN["named"]
    found = "\n".join(differences(seen(one, "nobody"), seen(other, "nobody")))
    assert "Zebrawood" in found, "after that date they have"


def test_a_planted_order_is_found(sights: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If anonymous teams stood in the order of their names, two campaigns would look different."""
    from karat.server import results

    by_alias = results.counting

    def counting(*args: Any) -> Any:
        return dict(sorted(by_alias(*args).items(), key=lambda one: one[1].received.team))

    monkeypatch.setattr(results, "counting", counting)
    same_aliases(monkeypatch)
    one, other = sights.World().until("anonymous"), sights.World(renamed=RENAMED).until("anonymous")
    assert differences(seen(one, "nobody"), seen(other, "nobody")) != []


@pytest.mark.parametrize("shown", ["scores", "names"])
def test_a_planted_dependence_is_found(sights: Any, monkeypatch: pytest.MonkeyPatch, shown: str) -> None:
    """If the rules gave one thing away, two campaigns would look different."""
    from karat.campaign import sight

    true = sight.sight

    def careless(*args: Any, **more: Any) -> Any:
        return replace(true(*args, **more), **{"scores": {"own_scores": True}, "names": {"names": True}}[shown])

    for module in ("karat.campaign.sight", "karat.server.pages", "karat.server.api"):
        monkeypatch.setattr(f"{module}.sight", careless)
    same_aliases(monkeypatch)
    one = sights.World(share=0.4).until("closed")
    other = sights.World(share=0.4, renamed=RENAMED, labels=sights.KEY[::-1] if shown == "scores" else sights.KEY)
    assert differences(seen(one, "team"), seen(other.until("closed"), "team")) != []


EYES = {
    "team:Alder": ("team",),
    "team:Cedar": ("unsigned",),
    "team:Zebrawood": ("other",),
    "assessor": ("assessor",),
    "public": ("stranger", "nobody"),
}
"""Through whose eyes an organiser looks, and who has these eyes."""


STATES = [
    pytest.param(("data", "open", "closed", "teams with key", "anonymous"), id="some states"),
    pytest.param(ALL, id="every state", marks=pytest.mark.nightly),
]


@pytest.mark.parametrize("states", STATES)
def test_through_their_eyes(sights: Any, states: tuple[str, ...]) -> None:
    """What an organiser sees as somebody else is what they see themselves, byte for byte, in every state."""
    from tests.server.crawling import crawl, main_of

    world = sights.World(share=0.4)
    for stage in (one for one in world.stages() if one in states):
        normal = world.normalising()
        home = f"/c/{world.name}/"
        for eyes, roles in EYES.items():
            assert world.people["as team"].post(f"{home}see-as/", {"as": eyes}).status_code == 302
            looked = crawl(world, "as team", (home,), home)
            for role in roles:
                own = crawl(world, role, (home,), home)
                if own[home].status != 200:  # the public, before anything is public
                    assert stage not in ("anonymous", "named")
                    assert main_of(looked[home].body).count(b"href=") == 0
                    continue
                # The form that leads back stands before the content, and is the organiser's alone.
                for address in looked.keys() - {f"{home}see-as/"} | own.keys():
                    place = f"{stage}, {role}: {address}"
                    assert address in looked.keys() & own.keys(), place
                    one, other = looked[address], own[address]
                    assert (one.status, one.headers) == (other.status, other.headers), place
                    assert normal(main_of(one.body)) == normal(main_of(other.body)), place

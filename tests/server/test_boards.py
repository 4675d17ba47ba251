"""Whatever has happened in a campaign, its boards are those of the files that count, found from the record alone."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest

from karat.campaign.archive import packed, verified
from karat.campaign.events import Created, Edited, Entry, Rekeyed, RunReceived, RunRefused, RunWithdrawn
from tests.campaign.whole_worlds import TASKS, WholeWorld
from tests.campaign.worlds import OPENS

PEOPLE = ["quokka-1", "quokka-2", "zorilla", "wombat", "kinkajou"]


def dragged_on(seed: int) -> WholeWorld:
    """A campaign in which runs were sent, replaced, withdrawn, late and refused, deadlines moved, and keys replaced."""
    world = WholeWorld(seed, name=f"boards-{seed}")
    world.now = OPENS - timedelta(days=1)
    world.arrive()
    world.drag_on(90)
    return world


def standing(entries: Iterable[Entry], task: str) -> dict[str, str]:
    """The file of each run that counts, by its name: the last that was accepted there and not withdrawn."""
    places: dict[str, tuple[str, str]] = {}
    for event in (entry.event for entry in entries):
        if isinstance(event, RunReceived) and (event.sent.task, event.sent.area) == (task, "official"):
            places[f"{event.team}-{event.number}"] = event.id, event.sent.sha256
        elif isinstance(event, RunWithdrawn):
            places = {name: one for name, one in places.items() if one[0] != event.id}
    return {name: sha256 for name, (_, sha256) in places.items()}


def labels_of(raw: bytes) -> dict[str, str]:
    """The labels in a test set or a run of these campaigns, read without a reader of karat."""
    found = {}
    for line in raw.decode().splitlines():
        if line.startswith("{"):
            row = json.loads(line)
            found[row["id"]] = row["label"]
        elif line.startswith("p"):
            cells = line.split("\t") if "\t" in line else line.split(" ", 1)
            found[cells[0]] = cells[-1].replace(" ", "_")
    return found


@pytest.mark.parametrize("seed", range(4))
def test_boards_are_those_of_the_files_that_count(home: Any, seed: int) -> None:
    """Names, files and accuracies of every board, in both ways, equal what is counted by hand from the record."""
    del home
    from karat.server import archives, models, results, store

    world = dragged_on(seed)
    models.Account.objects.filter(name__in=PEOPLE).delete()
    archives.import_archive(verified(packed(world.entries, world.contents)))
    state = store.state_of(world.campaign.definition.name)
    keys = [one.event.files for one in world.entries if isinstance(one.event, Created | Edited | Rekeyed)]
    key = labels_of(world.contents[[files["pairs.tsv"] for files in keys if "pairs.tsv" in files][-1]])
    for task in TASKS[:2]:
        runs, wanted = results.official(state, task), standing(world.entries, task.name)
        assert {name: run.received.sent.sha256 for name, run in runs.items()} == wanted
        scored = store.test_set(state, task).scored
        counts = [id for id, label in zip(scored.ids, scored.labels.tolist(), strict=True) if label >= 0]
        answers = {name: labels_of(world.contents[sha256]) for name, sha256 in wanted.items()}
        for view in results.report(state, task, runs).opening.views if runs else ():
            fold = view.board.way == "2"
            right = {
                name: sum(_folded(given[id], fold) == _folded(key[id], fold) for id in counts)
                for name, given in answers.items()
            }
            shown = {one.run: one.value for one in view.board.entries}
            assert shown == pytest.approx({name: count / len(counts) for name, count in right.items()})


def _folded(label: str, fold: bool) -> str:
    return label if not fold or label == "ENTAILMENT" else "NO_ENTAILMENT"


def test_something_happens_in_these_campaigns() -> None:
    """Runs are replaced, withdrawn and refused, and keys replaced; a board that forgot it would be another one."""
    worlds = [dragged_on(seed) for seed in range(4)]
    kinds = {type(entry.event) for world in worlds for entry in world.entries}
    assert {RunWithdrawn, RunRefused, Rekeyed} <= kinds
    forgetful = [
        {name for entry in world.entries if isinstance(entry.event, RunReceived) for name in [entry.event.sent.sha256]}
        for world in worlds
    ]
    kept = [{*standing(world.entries, "three-way").values()} for world in worlds]
    assert all(few < many for few, many in zip(kept, forgetful, strict=True))
    assert any(kept)

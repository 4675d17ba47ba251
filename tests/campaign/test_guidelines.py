"""Tests of the versions of the guidelines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from karat.campaign.commands import Edit
from karat.campaign.guidelines import changes
from tests.campaign.test_judging import Assessed

texts = st.lists(st.sampled_from(["one", "two", "three", ""]), max_size=8).map("\n".join)


@given(old=texts, new=texts)
def test_changes_lead_from_one_text_to_the_other(old: str, new: str) -> None:
    """What was removed and kept stood in the old text, what was added and kept in the new one, in this order."""
    found = changes(old, new)
    assert bool(found) == (old.splitlines() != new.splitlines())
    for text, gone in ((old, "added"), (new, "removed")):
        rest = iter(text.splitlines())
        assert all(line.text in rest for line in found if line.kind not in (gone, "gap"))


def test_a_gap_stands_between_changes() -> None:
    """Lines that did not change are left out, but for two on each side."""
    old = "\n".join("abcdefghijkl")
    found = changes(old, old.replace("a", "A").replace("l", "L"))
    assert "".join(line.text or "…" for line in found) == "aAbc…jklL"
    assert [line.kind for line in found if line.text in "aA"] == ["removed", "added", "gap"]


def test_every_version_is_kept() -> None:
    """A new text is a new version with its date and reason; other changes of the campaign are none."""
    world = Assessed()
    assert list(world.campaign.guidelines) == []
    definition = world.campaign.definition
    for number, (title, digest) in enumerate((("A", "1"), ("B", "1"), ("B", "2"), ("B", "1"))):
        new = replace(definition, guidelines="guide.md", title=title)
        files = world.campaign.files | {"guide.md": digest * 64}
        world.do(Edit(definition=new, files=files, reason=f"change {number}"))
    versions = world.campaign.guidelines
    assert [one.sha256[0] for one in versions] == ["1", "2", "1"]
    assert [one.reason for one in versions] == ["change 0", "change 2", "change 3"]
    assert all(one.at == world.now for one in versions)

"""Keys from ballots: every rule against a loop over units, ties, dropped units, what does not fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.align.ballots import align_ballots
from karat.data.ballots import Ballots, Scale, anonymous_ballots
from karat.data.keys import (
    anchored_key,
    assessor_key,
    disputed,
    is_tally,
    majority_key,
    named_keys,
    slot_key,
    unanimous_key,
    unknown_key,
)
from karat.labels import THREE, TWO

E, U, C = 0, 1, 2
Make = Callable[..., tuple[karat.Pairs, karat.Responses]]
ballot_lists = st.lists(st.lists(st.integers(0, 2), max_size=5), min_size=1, max_size=8)


def ballots(*units: list[int], exchangeable: bool = True) -> Ballots:
    """Ballots a unit, in order."""
    made = anonymous_ballots([str(place) for place in range(1, len(units) + 1)], units, Scale(THREE.labels))
    return replace(made, exchangeable=exchangeable)


@given(ballot_lists, st.data())
def test_rules_against_loops(units: list[list[int]], data: st.DataObject) -> None:
    """Majority, disagreement to UNKNOWN, unanimous, first, second: unit by unit with a counter."""
    given_key = data.draw(st.lists(st.integers(0, 2), min_size=len(units), max_size=len(units)))
    made, official = ballots(*units), np.array(given_key, dtype=np.int8)
    for place, said in enumerate(units):
        counts = Counter(said).most_common()
        tied = len(counts) > 1 and counts[0][1] == counts[1][1]
        top = counts[0][0] if said else -1
        for ties, instead in (("adjudicated", given_key[place]), ("unknown", U), ("drop", -1)):
            assert majority_key(made, official, ties)[place] == (instead if tied else top)  # type: ignore[arg-type]
        assert unknown_key(made)[place] == (U if len(counts) > 1 else top)
        assert unanimous_key(made)[place] == (-1 if len(counts) > 1 or len(said) < 2 else top)
        for slot in (0, 1):
            assert slot_key(made, slot)[place] == (said[slot] if slot < len(said) else -1)
        assert disputed(made)[place] == (len(counts) > 1)


def test_anchored() -> None:
    """⊢ of the anchor stays; the rest is decided between ◇ and ⊣, by ballots, then by the key, then ◇."""
    made = ballots([U, U], [E, C], [E, E], [U, C], [U, C], [E, E], [E, U])
    anchor = np.array([E, 1, 1, 1, 1, 1, -1], dtype=np.int8)
    official = np.array([E, U, C, C, E, E, U], dtype=np.int8)
    assert anchored_key(made, anchor, official).tolist() == [E, C, C, C, U, U, -1]


def test_assessors_have_keys_of_their_own(make: Make) -> None:
    """Persons who judged enough have a key; units they did not judge have no label in it."""
    key, _ = make("E U C E", a="1 E\n2 E\n3 E\n4 U")
    made = Ballots(
        key.ids, ("anna", "ben", "carl"), Scale(THREE.labels),
        np.array([0, 1, 2, 3, 0, 1, 0], dtype=np.int32),
        np.array([0, 0, 0, 0, 1, 1, 2], dtype=np.int32),
        np.array([E, U, C, E, U, U, C], dtype=np.int32),
    )  # fmt: skip
    assert assessor_key(made, "ben").tolist() == [U, U, -1, -1]
    keys, withheld = named_keys(made, key)
    assert [one.name for one in keys] == [
        "adjudicated", "assessor anna", "assessor ben", "majority", "disagreement-unknown", "unanimous", "anchored",
    ]  # fmt: skip
    assert withheld == {"each assessor": "1 of 3 assessors judged less than 50% of the units"}


def test_slots_are_nobody(make: Make) -> None:
    """Exchangeable ballots give the first and the second ballot's key, and no assessor's."""
    key, _ = make("E U C", a="1 E\n2 E\n3 E")
    names = [one.name for one in named_keys(ballots([E, U], [U, U], [C, E]), key)[0]]
    assert names[:3] == ["adjudicated", "first", "second"]


def test_a_tally_has_no_first_ballot(make: Make) -> None:
    """Where equal labels always stand side by side, nobody was first."""
    key, _ = make(" ".join(["E"] * 30), a="\n".join(f"{place} E" for place in range(1, 31)))
    key = replace(key, way=THREE)
    tally = ballots(*[[E, E, U, U, C]] * 30)
    assert is_tally(tally)
    keys, withheld = named_keys(tally, key)
    assert "first" not in [one.name for one in keys]
    assert "do not say who cast them" in withheld["first, second"]
    assert not is_tally(ballots(*[[E, E, U, U, C]] * 29, [E, U, E, U, C]))
    assert not is_tally(ballots(*[[E, U]] * 30))
    assert not is_tally(ballots(*[[E, E, U]] * 5))


def test_two_way(make: Make) -> None:
    """Three-way ballots fold to a two-way key; UNKNOWN is then NO ENTAILMENT, and nothing is anchored."""
    key, _ = make("YES NO YES", a="1 YES\n2 NO\n3 NO")
    made = align_ballots(ballots([E, U], [U, C], [E, E]), key)
    assert made.scale.values == TWO.labels
    assert disputed(made).tolist() == [True, False, False]
    assert unknown_key(made).tolist() == [1, 1, 0]
    assert "anchored" in named_keys(made, key)[1]


def test_alignment(make: Make) -> None:
    """Ballots in another order of units are put in the key's; strange units and labels are refused in words."""
    key, _ = make("E U C", a="1 E\n2 E\n3 E")
    turned = replace(ballots([C, C], [E]), units=("3", "1"))
    assert majority_key(align_ballots(turned, key), key.labels).tolist() == [E, -1, C]
    with pytest.raises(karat.UsageError, match="the ballots have 1 unit that"):
        align_ballots(replace(turned, units=("3", "9")), key)
    with pytest.raises(karat.UsageError, match="the ballots say good, bad"):
        align_ballots(replace(turned, scale=Scale(("good", "bad", "ugly"))), key)
    with pytest.raises(karat.UsageError, match="has no key"):
        align_ballots(turned, replace(key, way=None))


def test_anchor_from_a_file(make: Make) -> None:
    """An anchor labels every unit of the key, or is refused."""
    key, _ = make("E U C", a="1 E\n2 E\n3 E")
    made = ballots([U, U], [C, C], [E, E])
    anchor = replace(key, labels=np.array([1, 0, 0], dtype=np.int8), way=TWO)
    keys, _ = named_keys(made, key, anchor)
    assert keys[-1].codes.tolist() == [U, E, E]
    with pytest.raises(karat.UsageError, match="does not label 1 of the key's units"):
        named_keys(made, key, replace(anchor, ids=("1", "2", "x")))
    with pytest.raises(karat.UsageError, match="no labels to keep"):
        named_keys(made, key, replace(anchor, way=None))

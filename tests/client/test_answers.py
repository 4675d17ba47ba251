"""What programs say: read where it answers what was asked, and never made up where it does not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.campaign.judging.asking import check_values
from karat.client.answers import UnreadableError, from_object, from_text
from tests.campaign.asks import form

LABEL, RATING, WRONG = form("labels"), form("ratings"), form("ratings", wrong=True)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ('{"label": "UNKNOWN"}', "UNKNOWN"),
        ('{"label": "unknown"}', "UNKNOWN"),
        ('```json\n{"label": "CONTRADICTION", "comment": "no"}\n```', "CONTRADICTION"),
        ('I think so: {"label": "ENTAILMENT"}', "ENTAILMENT"),
        ('<think>{"label": "UNKNOWN"}?</think>{"label": "ENTAILMENT"}', "ENTAILMENT"),
        ('{"values": {"label": "ENTAILMENT"}}', "ENTAILMENT"),
        ("Entailment.", "ENTAILMENT"),
    ],
)
def test_labels_are_read(text: str, label: str) -> None:
    """As JSON, alone or among words, or as the bare label."""
    assert from_text(text, LABEL).values == {"label": label}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ENTAILMENT or UNKNOWN",
        "The text entails it.",
        '{"label": "MAYBE"}',
        '{"label": ["UNKNOWN"]}',
        '{"label": true}',
        '{"lable": "UNKNOWN"}',
        '{"label": "UNKNOWN"} no, {"label": "ENTAILMENT"}',
        "[" * 5000,
        '{"values": 3}',
    ],
)
def test_what_is_no_answer(text: str) -> None:
    """It says so; no label is guessed."""
    with pytest.raises(UnreadableError):
        from_text(text, LABEL)


def test_conditions_of_ratings() -> None:
    """A score that is not asked is left out, one that is asked is required, and a wrong decision gets no 5."""
    assert from_object({"understandable": 2, "compelling": 4}, RATING).values == {"understandable": "2"}
    assert from_object({"understandable": 4.0, "compelling": "3"}, RATING).values == {
        "understandable": "4",
        "compelling": "3",
    }
    for said, asks in (
        ({"understandable": 4}, RATING),
        ({"understandable": 6}, RATING),
        ({"compelling": 3}, RATING),
        ({"understandable": 4.5, "compelling": 3}, RATING),
        ({"understandable": 5, "compelling": 5}, WRONG),
    ):
        with pytest.raises(UnreadableError):
            from_object(said, asks)


def test_skipping_needs_a_reason() -> None:
    """With one, there are no values; without, there is no answer."""
    assert from_text('{"skip": "The key is wrong."}', RATING).skipped == "The key is wrong."
    with pytest.raises(UnreadableError):
        from_text('{"skip": ""}', RATING)


JSON: Any = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False)
    | st.sampled_from(["UNKNOWN", "5", "x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["label", "understandable", "compelling", "values", "skip"]), inner)
    ),
    max_leaves=8,
)


@given(said=st.dictionaries(st.sampled_from(["label", "understandable", "compelling", "values", "skip"]), JSON))
def test_whatever_is_read_answers_the_form(said: dict[str, Any]) -> None:
    """Any object is a judgment that the server takes, a reason to skip, or none."""
    for asks in (LABEL, RATING, WRONG):
        try:
            found = from_object(said, asks)
        except UnreadableError:
            continue
        if not found.skipped:
            check_values(asks, found.values)  # which would raise

"""Numbers and names in sentences."""

from __future__ import annotations

from karat.studies.wording import counted, p_is, part_of, per_cent, said, some_of


def test_counted() -> None:
    """One is singular, nothing and several are not."""
    assert [counted(number, "unit") for number in (0, 1, 2)] == ["0 units", "1 unit", "2 units"]
    assert [counted(number, "person", "people") for number in (1, 3)] == ["1 person", "3 people"]


def test_some_of() -> None:
    """Few names are all there; of many the first."""
    assert some_of(["a", "b"]) == "a, b"
    assert some_of(list("abcdef"), 3) == "a, b, c and 3 more"


def test_numbers_as_in_tables() -> None:
    """Half a tenth of a point is rounded as a table rounds it, whatever the last binary digit; a true minus."""
    assert [per_cent(share) for share in (0.6375, 0.6125, 102 / 160, 1.0)] == ["63.8%", "61.2%", "63.8%", "100.0%"]
    assert (said("accuracy", 0.6375), said("kappa", -0.0234)) == ("63.8%", "−0.023")


def test_p_in_sentences() -> None:
    """Four decimals, and very small ones only as small."""
    given = (0.04999, 0.0001, 0.00009, 0.0)
    assert list(map(p_is, given)) == ["p = 0.05", "p = 0.0001", "p < 0.0001", "p < 0.0001"]


def test_part_of() -> None:
    """All of several, none of them, or some; two are both or neither."""
    made = {whole: [part_of(some, whole, "run", "runs") for some in range(whole + 1)] for whole in (1, 2, 3)}
    assert made == {
        1: ["0 of 1 run", "1 of 1 run"],
        2: ["neither of the 2 runs", "1 of 2 runs", "both runs"],
        3: ["none of the 3 runs", "1 of 3 runs", "2 of 3 runs", "all 3 runs"],
    }

"""What is found of scores: merges that are rewarded, labels that contradict their ranking."""

from __future__ import annotations

from collections.abc import Callable

import karat

Make = Callable[..., tuple[karat.Pairs, karat.Responses]]


BERGMAIR = {"EE": 20, "EU": 25, "EC": 5, "UE": 9, "UU": 18, "UC": 9, "CE": 1, "CU": 7, "CC": 6}


def answered(counts: dict[str, int], times: int) -> tuple[str, str]:
    """Labels, and the lines of a run: so many pairs of each label and answer."""
    pairs = [pair for pair, count in counts.items() for _ in range(count * times)]
    return " ".join(pair[0] for pair in pairs), "".join(f"{at} {pair[1]}\n" for at, pair in enumerate(pairs, 1))


def test_findings_of_merges(make: Make) -> None:
    """The merge that is rewarded most is given in numbers, Bergmair's; a hundred pairs do not show the loss."""
    labels, text = answered(BERGMAIR, 10)
    said = (
        "Merging UNKNOWN into ENTAILMENT would raise {}'s three-way accuracy on these pairs from 44.0% to 51.0%, "
        "although "
    )
    (alone,) = [one for one in karat.score(make(labels, bergmair=text)[1]).findings() if "Merging" in one]
    assert alone.startswith(said.format("bergmair") + "it would lose 0.0261 bits of information (at least 0.0")
    assert alone.endswith("corrected for all runs and merges): accuracy would reward the run for saying less.")
    (both,) = [one for one in karat.score(make(labels, a=text, b=text)[1]).findings() if "Merging" in one]
    assert both.startswith(said.format("a"))
    assert both.endswith("reward the run for saying less. The same holds, with other numbers, for b.")
    labels, text = answered(BERGMAIR, 1)
    result = karat.score(make(labels, bergmair=text)[1])
    assert [one.lost[0] for one in result.runs[0].degradations] == [0, 0]
    assert not [one for one in result.findings() if "Merging" in one]


def test_what_a_merge_loses(make: Make) -> None:
    """The interval of what is lost holds the loss, which is the information among the pairs answered with either."""
    labels, text = answered(BERGMAIR, 10)
    for one in karat.score(make(labels, run=text)[1]).runs[0].degradations:
        assert one.lost[0] < one.information[0] - one.information[1] < one.lost[1]


def test_finding_of_kappa_alone(make: Make) -> None:
    """Where accuracy stays and kappa rises it is kappa that the merge is said to raise."""
    labels, text = answered({"EE": 1, "EU": 1, "EC": 1, "UE": 1, "UU": 1, "CE": 1, "CC": 1}, 40)
    (told,) = [one for one in karat.score(make(labels, run=text)[1]).findings() if "Merging" in one]
    # Po = 3/7 both times; Pe = (9 + 4 + 4)/49 at first, and (0 + 10 + 4)/49 once ◇ is said for ⊢:
    # (3/7 − 17/49)/(32/49) = 1/8, and (3/7 − 14/49)/(35/49) = 1/5.
    assert told.startswith(
        "Merging ENTAILMENT into UNKNOWN would raise run's three-way kappa on these pairs from 0.125 to 0.200, although"
    )


def test_finding_of_soundness(make: Make) -> None:
    """The run that contradicts its ranking most is named with its numbers, the others by name."""
    head = "ranked-by: entailment\n"
    _, runs = make(
        "E E U U",
        once=head + "1 E\n3 U\n2 E\n4 U\n",
        twice=head + "3 U\n4 U\n1 E\n2 E\n",
        sound=head + "1 E\n2 E\n3 U\n4 U\n",
    )
    found = [one for one in karat.score(runs).findings() if "contradict its ranking" in one]
    # ◇ ◇ ⊢ ⊢ from the top: cut after 0, two are below that should be above.
    assert found == [
        "twice's labels contradict its ranking: no cut-off of the ranking gives these labels. With ENTAILMENT for no "
        "pair, the best cut-off, 2 labels would differ. The same holds, with other numbers, for once."
    ]


def test_identical_runs_in_one_sentence(make: Make) -> None:
    """A run that was submitted twice is named with its twin; of several such groups there is one sentence."""
    labels = "E E U U C C"
    first, second, third = "EEUUCC", "EEUUUU", "UUUUCC"

    def run(answers: str) -> str:
        return "".join(f"{place} {label}\n" for place, label in enumerate(answers, start=1))

    one = karat.score(make(labels, a=run(first), b=run(second), c=run(first))[1])
    (told,) = [said for said in one.findings() if "identical" in said]
    assert (told, told.flag, told.runs) == ("a and c give identical answers.", "identical", ("a", "c"))
    runs = {"a": first, "b": second, "c": first, "d": second, "e": third}
    (told,) = [
        said
        for said in karat.score(make(labels, **{name: run(text) for name, text in runs.items()})[1]).findings()
        if said.flag == "identical"
    ]
    assert told == "2 groups of runs give identical answers: a and c; b and d."
    assert told.runs == ("a", "c", "b", "d")
    constant = karat.score(make(labels, a=run("E" * 6), b=run("E" * 6))[1])
    assert [said.flag for said in constant.findings() if said.flag in ("identical", "constant answer")] == [
        "constant answer"
    ]

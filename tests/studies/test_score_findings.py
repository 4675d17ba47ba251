"""What is found of scores: merges that are rewarded, labels that contradict their ranking."""

from __future__ import annotations

from collections.abc import Callable

import karat

Make = Callable[..., tuple[karat.Pairs, karat.Responses]]


def test_findings_of_merges(make: Make) -> None:
    """The merge that is rewarded most is told in numbers; the figures are Bergmair's."""
    counts = {("E", "E"): 20, ("E", "U"): 25, ("E", "C"): 5, ("U", "E"): 9, ("U", "U"): 18, ("U", "C"): 9}
    counts |= {("C", "E"): 1, ("C", "U"): 7, ("C", "C"): 6}
    pairs = [pair for pair, count in counts.items() for _ in range(count)]
    text = "".join(f"{at} {answer}\n" for at, (_, answer) in enumerate(pairs, 1))
    labels = " ".join(label for label, _ in pairs)
    said = "Merging UNKNOWN into ENTAILMENT would raise {}'s 3-way accuracy from 0.4400 to 0.5100 and lose 0.0261 bits"
    (alone,) = [one for one in karat.score(make(labels, bergmair=text)[1]).findings() if "Merging" in one]
    assert alone == said.format("bergmair") + " of information: rewarded for saying less."
    (both,) = [one for one in karat.score(make(labels, a=text, b=text)[1]).findings() if "Merging" in one]
    assert both == said.format("a") + (" of information: rewarded for saying less. The same goes for 1 other run: b.")


def test_finding_of_kappa_alone(make: Make) -> None:
    """Where accuracy stays and kappa rises it is kappa that the merge is said to raise."""
    _, runs = make("E E E U U C C", run="1 E\n2 U\n3 C\n4 E\n5 U\n6 E\n7 C\n")
    (told,) = [one for one in karat.score(runs).findings() if "Merging" in one]
    # Po = 3/7 both times; Pe = (9 + 4 + 4)/49 at first, and (0 + 10 + 4)/49 once ◇ is said for ⊢:
    # (3/7 − 17/49)/(32/49) = 1/8, and (3/7 − 14/49)/(35/49) = 1/5.
    assert told.startswith(
        "Merging ENTAILMENT into UNKNOWN would raise run's 3-way kappa from 0.1250 to 0.2000 and lose"
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
        "twice's labels contradict its ranking: no cut-off of it gives them, and the best, after 0 pairs, still "
        "differs in 2. The same goes for 1 other run: once."
    ]

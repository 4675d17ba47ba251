"""Whether tests, intervals and corrections hold what they promise: simulated data whose truth is known.

`python -m benchmarks.calibration` writes docs/calibration.md. Every share stands beside what was promised; one that is
further off than chance allows (three Monte-Carlo standard errors) is marked, and the page says why. A test holds the
page against the intervals that studies return.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks import (
    calibration_agree,
    calibration_compare,
    calibration_diagnose,
    calibration_judge,
    calibration_justify,
    calibration_rankings,
    calibration_score,
    calibration_tests,
)

PAGE = Path(__file__).parent.parent / "docs" / "calibration.md"
SECTIONS = (
    calibration_compare,
    calibration_agree,
    calibration_tests,
    calibration_score,
    calibration_judge,
    calibration_rankings,
    calibration_diagnose,
    calibration_justify,
)
WORDS = """# Calibration

Do tests and intervals hold what they promise? Those of [compare](compare.md) come first, then those of
[agree](agreement.md), [score](entailment.md), [judge](judge.md), [keys](keys.md) and [swap](reliability.md), and what
[diagnose](diagnosis.md) and [justify](justifications.md) claim in words. Data were made up whose truth is known; what
follows is how often each method was wrong. Written, with fixed seeds, by `python -m benchmarks.calibration`. ▲ and ▽
mark shares further above or below what was promised than three Monte-Carlo standard errors.

Some numbers look like the ends of an interval and are none, so that nothing is promised of them: the bounds of a bin of
differences in `swap`, and of a tenth of the confidences in `score`; `low` and `high` of `size`, which are for pairs of
runs that disagree little and much (the 10th and the 90th percentile of the pairs at hand); `random` of `keys`, whose
ends are quantiles of the keys that were drawn from the ballots at hand; and `by_luck` of `score`, between whose ends
the calibration error of a run lies that is as sure as it is right. `sensitivity`, `items` and `check` give no
intervals. Of `diagnose` and `justify` only what they claim in words was simulated, not their intervals; nor were two
permutation tests of `justify` that no sentence rests on, of Kendall's W and of two runs over judges (`p_judges`).
"""


def main() -> None:
    PAGE.write_text("\n".join([WORDS, *(module.section() for module in SECTIONS)]), encoding="utf-8")
    print(PAGE.name)


if __name__ == "__main__":
    main()

"""Whether tests, intervals and corrections have their nominal error rates, on simulated data whose truth is known.

`python -m benchmarks.calibration` writes docs/calibration.md. Rates that differ from the nominal ones by more than
three Monte Carlo standard errors are marked, and the page says why. A test checks that the page covers every interval
that studies return.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks import (
    calibration_agree,
    calibration_biases,
    calibration_clusters,
    calibration_compare,
    calibration_confidences,
    calibration_diagnose,
    calibration_judge,
    calibration_justify,
    calibration_meta,
    calibration_prefer,
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
    calibration_confidences,
    calibration_judge,
    calibration_meta,
    calibration_biases,
    calibration_rankings,
    calibration_diagnose,
    calibration_justify,
    calibration_prefer,
    calibration_clusters,
)
WORDS = """# Do tests and intervals keep their level?

```
python -m benchmarks.calibration
```

The command simulates data for which the truth is known, with fixed seeds, and writes this page: how often each test and
each interval was wrong. First come those of [compare](compare.md), then those of [agree](agreement.md),
[score](entailment.md), [judge and meta](judge.md), [keys](keys.md) and [swap](reliability.md), the verbal claims of
[diagnose](diagnosis.md) and [justify](justifications.md), [prefer](preferences.md), and intervals over
[clusters](clusters.md). ▲ and ▽ mark rates more than three Monte Carlo standard errors above or below the nominal one.

Some numbers look like the ends of an interval but are not, so they have no nominal coverage: the bounds of a bin of
differences in `swap`, and of a tenth of the confidences in `score`; `low` and `high` of `size`, which are for similar
and dissimilar pairs of runs (the 10th and the 90th percentile of the observed pairs); `random` of `keys`, whose ends
are quantiles over keys drawn from the observed ballots; and `by_luck` of `score`, the range of the calibration error of
a perfectly calibrated run. `sensitivity`, `items` and `check` give no intervals. For `diagnose` and `justify` only the
verbal claims were simulated, not the intervals; nor were two permutation tests of `justify` on which no sentence is
based, of Kendall's W and of two runs over judges (`p_judges`).
"""


def main() -> None:
    PAGE.write_text("\n".join([WORDS, *(module.section() for module in SECTIONS)]), encoding="utf-8")
    print(PAGE.name)


if __name__ == "__main__":
    main()

"""What the tests of differences between runs test, in words."""

from __future__ import annotations

TESTS_WHAT = {
    "exact": "whether the scores of the two runs could be swapped on every unit",
    "randomisation": "whether the answers of the two runs could be swapped on every unit",
    "bootstrap": "whether the difference is 0, by its distribution over resampled units, centred at 0",
    "bca": "whether the bias-corrected and accelerated interval of the difference contains 0",
    "t": "whether the mean difference is 0, assuming that it is normally distributed",
    "wilcoxon": "whether differences are symmetric about 0, not whether their mean is 0",
    "sign": "whether each run is better on equally many units, regardless of by how much",
}


def tests_what(test: str, jackknifed: bool) -> str:
    """The hypothesis of a test; where each score hangs on all units, it is tested only approximately."""
    if not jackknifed:
        return TESTS_WHAT[test]
    what = TESTS_WHAT["exact" if test == "randomisation" else test]
    why = "the measure is not a mean over units, and its scores of units, by the jackknife, depend on one another"
    return f"approximately {what}: {why}"

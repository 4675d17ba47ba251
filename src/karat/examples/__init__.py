"""A test set, ballots and runs that the project wrote itself, so that everything runs with no download."""

from pathlib import Path

HERE = Path(__file__).parent
PAIRS = HERE / "pairs.xml"
BALLOTS = HERE / "ballots.tsv"
JUDGED = HERE / "judged.tsv"
RUNS = HERE / "runs"

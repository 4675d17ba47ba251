"""Test sets, ballots, runs, questions and ratings that the project wrote itself, so that everything runs at once."""

from pathlib import Path

HERE = Path(__file__).parent
PAIRS = HERE / "pairs.xml"
BALLOTS = HERE / "ballots.tsv"
JUDGED = HERE / "judged.tsv"
RUNS = HERE / "runs"
QUESTIONS = HERE / "qa"
"""A folder: question series and all that belongs to them."""
RAG = QUESTIONS / "rag"
"""A folder: nuggets and assignments of retrieval-augmented answers."""
DECOMPOSED = HERE / "decomposed.xml"
DECOMPOSED_RUNS = HERE / "decomposed-runs"
RATINGS = HERE / "ratings.tsv"
JUDGES = HERE / "judges.tsv"

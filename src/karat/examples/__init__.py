"""Test sets, ballots, runs, questions and ratings that the project wrote itself, so that everything runs at once."""

from pathlib import Path

HERE = Path(__file__).parent
PAIRS = HERE / "pairs.xml"
BALLOTS = HERE / "ballots.tsv"
JUDGED = HERE / "judged.tsv"
REJUDGED = HERE / "rejudged"
"""A folder: scores of the same systems by people and by a program."""
RUNS = HERE / "runs"
QUESTIONS = HERE / "qa"
"""A folder: question series and all that belongs to them."""
PREFERENCES = QUESTIONS / "preferences.tsv"
RAG = QUESTIONS / "rag"
"""A folder: nuggets and assignments of retrieval-augmented answers."""
DECOMPOSED = HERE / "decomposed.xml"
DECOMPOSED_RUNS = HERE / "decomposed-runs"
RATINGS = HERE / "ratings.tsv"
JUDGES = HERE / "judges.tsv"
LOGS = HERE / "logs"
"""A folder: two runs on some of the pairs, as evaluation harnesses log them."""
EVERYTHING = {
    "ballots": "ballots.tsv",
    "judged": "judged.tsv",
    "decomposed": "decomposed.xml",
    "decomposed-runs": "decomposed-runs",
    "ratings": "ratings.tsv",
    "questions": "qa/questions.xml",
    "question-runs": "qa/runs",
    "judgments": "qa/judgments.tsv",
    "nuggets": "qa/nuggets.tsv",
    "matches": "qa/matches.tsv",
    "patterns": "qa/patterns.txt",
    "target-types": "qa/target-types.txt",
    "nugget-list": "qa/rag/nuggets.jsonl",
    "assignments": "qa/rag/assignments",
}
"""What `karat report` is given beside the pairs and their runs for every section: files of this folder, by option."""
AUTOMATIC = "auto"
"""Who of those who judged is a program."""

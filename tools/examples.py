"""One call of every command, on the files that come with karat: what the documentation, its pictures and tests show.

Quick ones, since tests ask all of them, and such that hardly a field of a result stays empty.
"""

from __future__ import annotations

import contextlib
import shlex
from functools import cache
from unittest.mock import patch

from karat import examples
from karat.cli.command import ask
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.studies.base import StudyResult

QUESTIONS = "--judgments qa/judgments.tsv --nuggets qa/nuggets.tsv --matches qa/matches.tsv"
ARGUMENTS = {
    "check": "pairs.xml runs",
    "score": "pairs.xml runs",
    "diagnose": "decomposed.xml decomposed-runs/surface.txt --replicates 500",
    "compare": "pairs.xml runs",
    "qa": f"qa/questions.xml qa/runs {QUESTIONS} --patterns qa/patterns.txt --target-types qa/target-types.txt",
    "nuggets": "qa/nuggets.tsv qa/matches.tsv --answers qa/runs --ratings qa/ratings.tsv",
    "prefer": "qa/preferences.tsv",
    "support": "qa/rag/citations.tsv qa/rag/runs",
    "sample": "pairs.xml runs --pairs 8 --by task",
    "justify": "ratings.tsv pairs.xml runs --judges judges.tsv --group training",
    "items": "pairs.xml runs",
    "agree": "ballots.tsv",
    "keys": "pairs.xml ballots.tsv runs",
    "judge": "judged.tsv --automatic auto --key pairs.xml runs",
    "meta": "rejudged/people.csv rejudged/program.csv --replicates 500",
    "sensitivity": "pairs.xml runs --ballots ballots.tsv",
    "swap": "pairs.xml runs --step 25 --bin-width 0.05",
    "size": "pairs.xml runs --noise 0.05 --candidates ballots.tsv --units 40",
    "blind": "pairs.xml --attribute task",
    "sheet": "pairs.xml --assessor anna --assessor ben --assessor cleo --overlap 2",
    "adjudicate": "ballots.tsv",
    "run": "overlap pairs.xml --train pairs.xml --justify",
    "ablate": "linguistic pairs.xml --train decomposed.xml --by task"
    " --without attitude --without negation --without number",
    "engines": "",
    "report": "pairs.xml runs --without score --without compare --without sensitivity --without swap",
    "measures": "",
    "formats": "",
}
"""What stands after `karat COMMAND`."""
FILES = " ".join(f"--{option} {file}" for option, file in examples.EVERYTHING.items())
EVERYTHING = f'pairs.xml runs --title "The examples" --automatic {examples.AUTOMATIC} {FILES}'
"""The report with every section; too long to be read as an example."""


@cache
def result_of(command: str, arguments: str | None = None) -> StudyResult:
    """What a command makes of its arguments, or of those above, in the folder of the examples."""
    words = shlex.split(ARGUMENTS[command] if arguments is None else arguments)
    # Engines without a dictionary, so that results are the same wherever one is found.
    with contextlib.chdir(examples.HERE), patch("karat.engines.knowledge.load_wordnet", return_value=NO_WORDNET):
        return ask(command, *words)

"""Which files of a folder are read: all of them, or those of the runs in its subfolders.

Harnesses write a folder for each run: lm-evaluation-harness one per model, with samples and a summary, and HELM one per
scenario and model, with eight files, inside the folder of a suite, which has files of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from karat.errors import Problems

SUMMARY = re.compile(r"results_\d{4}-\d\d-\d\dT[\d.-]+\.json")
"""The summary that lm-evaluation-harness writes beside its samples; it is no log."""
HIDDEN = (".", "~$")
"""How the names of files begin that are not the user's: hidden ones, and those beside a workbook that is open."""
STATE, INSTANCES = "scenario_state.json", "instances.json"
ANSWERS = ("display_predictions.json", STATE)
SCORES = ("display_predictions.json", "per_instance_stats.json")
TARGETS = (INSTANCES, STATE)
"""The files of a run of HELM that have answers, scores and the key; the first that is there is read."""
OF_MODEL = re.compile(r"(?<=[:,])model=[^,]*")
"""The part of the name of such a folder that does not say what was asked."""
SCENARIOS_NAMED = 3
"""The most scenarios that a message names."""


def files_in(folder: Path, problems: Problems, scored: bool = False) -> list[Path]:
    """The files of a folder, sorted by name; of runs of HELM those with answers or, if `scored`, those with scores."""
    try:
        if runs := _helm_runs(folder):
            return _of_helm(folder, runs, SCORES if scored else ANSWERS, problems)
        files = _logs_in(folder)
        files = files or [file for inner in sorted(folder.iterdir()) if inner.is_dir() for file in _logs_in(inner)]
    except OSError as error:
        problems.add("unreadable", error.strerror or str(error), file=str(folder))
        return []
    if not files:
        problems.add("empty-file", "a folder without files", file=str(folder), what="a folder of runs")
    return files


def key_in(folder: Path, problems: Problems) -> Path | None:
    """The file with the key of the runs of HELM in a folder; the folder if it has none, None if it is unclear."""
    try:
        runs = _helm_runs(folder)
    except OSError:
        return folder
    return next(iter(_of_helm(folder, runs, TARGETS, problems)), None) if runs else folder


def _logs_in(folder: Path) -> list[Path]:
    seen = (file for file in folder.iterdir() if file.is_file() and not file.name.startswith(HIDDEN))
    return sorted(file for file in seen if not SUMMARY.fullmatch(file.name))


def _helm_runs(folder: Path) -> list[Path]:
    """The folders of runs of HELM: this one, those inside it, or those inside the suites or the `runs` inside it."""
    for depth in (".", "*", "*/*", "*/*/*"):
        if runs := {file.parent for name in {*ANSWERS, *SCORES} for file in folder.glob(f"{depth}/{name}")}:
            return sorted(runs)
    return []


def _of_helm(folder: Path, runs: Sequence[Path], wanted: Sequence[str], problems: Problems) -> list[Path]:
    """One file of each run; runs that were asked other things are refused, since their ids are the same."""
    scenarios = sorted({OF_MODEL.sub("", run.name).strip(":,") for run in runs if OF_MODEL.search(run.name)})
    if len(scenarios) > 1:
        more = ", …" * (len(scenarios) > SCENARIOS_NAMED)
        found = f"runs on {len(scenarios)} scenarios ({'; '.join(scenarios[:SCENARIOS_NAMED])}{more})"
        what = "runs on one scenario, since HELM numbers the instances of each alike"
        fix = f"name the folders of one, for example {runs[0].parent.name}/{scenarios[0].partition(':')[0]}*"
        problems.add("log", found, file=str(folder), what=what, fix=fix)
        return []
    return [next((run / name for name in wanted if (run / name).is_file()), run / wanted[-1]) for run in runs]

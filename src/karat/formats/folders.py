"""Which files of a folder are read: its own or, if it has none, those of the folders inside it, level by level.

Harnesses write a folder for each run: lm-evaluation-harness one per model, with samples and a summary, and HELM one per
scenario and model, with eight files, inside the folder of a suite, which has files of its own: these are found first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from karat.errors import Problems

SAMPLES = re.compile(r"samples_(.+)_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(\.\d+)?")
"""What lm-evaluation-harness calls a file of samples, by the task."""
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
TASKS_NAMED = 10
"""The most scenarios and tasks that a message names."""
MOST_FOLDERS = 10_000
"""So many folders are looked through; who names a whole disk means something else."""


def files_in(folder: Path, problems: Problems, scored: bool = False) -> list[Path]:
    """The files of a folder, sorted by name; of runs of HELM those with answers or, if `scored`, those with scores."""
    try:
        if runs := _helm_runs(folder):
            return _of_helm(folder, runs, SCORES if scored else ANSWERS, problems)
        levels = ([file for one in level for file in _logs_in(one)] for level in _levels(folder))
        files = next(filter(None, levels), [])
    except OSError as error:
        problems.add("unreadable", error.strerror or str(error), file=str(folder))
        return []
    if not files:
        problems.add("empty-file", "a folder without files", file=str(folder), what="a folder of runs")
    return _of_one_task(folder, files, problems)


def _of_one_task(folder: Path, files: list[Path], problems: Problems) -> list[Path]:
    """The files, unless they are samples of several tasks of lm-evaluation-harness, whose ids are the same."""
    tasks = sorted({match[1] for file in files if (match := SAMPLES.fullmatch(file.stem))})
    if len(tasks) < 2:
        return files
    more = ", …" * (len(tasks) > TASKS_NAMED)
    found = f"samples of {len(tasks)} tasks ({', '.join(tasks[:TASKS_NAMED])}{more})"
    what = "samples of one task, since the harness numbers the documents of each alike"
    below = "*/" * len(files[0].relative_to(folder).parts[:-1])
    fix = f"name the files of one, for example {folder}/{below}samples_{tasks[0]}_2*.jsonl"
    problems.add("log", found, file=str(folder), what=what, fix=fix)
    return []


def key_in(folder: Path, problems: Problems) -> list[Path]:
    """The files that may have the key of the runs in a folder: one of HELM's, or any of the runs."""
    try:
        runs = _helm_runs(folder)
    except OSError:
        runs = []
    return _of_helm(folder, runs, TARGETS, problems)[:1] if runs else files_in(folder, problems)


def _levels(folder: Path) -> Iterator[list[Path]]:
    """The folder, those inside it, those inside these, and so on, each level sorted."""
    level, met = [folder], 1
    while level and met <= MOST_FOLDERS:
        yield level
        level = [one for outer in level for one in sorted(outer.iterdir()) if _is_folder(one)]
        met += len(level)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.name.startswith(HIDDEN)


def _logs_in(folder: Path) -> list[Path]:
    seen = (file for file in folder.iterdir() if file.is_file() and not file.name.startswith(HIDDEN))
    return sorted(file for file in seen if not SUMMARY.fullmatch(file.name))


def _helm_runs(folder: Path) -> list[Path]:
    """The folders of runs of HELM on the first level that has any."""
    names = {*ANSWERS, *SCORES}
    levels = ([one for one in level if any((one / name).is_file() for name in names)] for level in _levels(folder))
    return next(filter(None, levels), [])


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

"""All results at once as plain files, as far as whoever asks may see them."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from karat.campaign.definition import Task
from karat.campaign.sight import Sight, seen_as
from karat.campaign.state import Campaign, Run
from karat.server import results
from karat.server.making import awaited
from karat.server.releasing import methods_of
from karat.server.store import content, test_set

if TYPE_CHECKING:
    from karat.data.result import Result, Sheet
    from karat.studies.score.result import Evaluation

EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The date of every file: the same results are the same bytes."""
README = """{title}

Key version {version}{reason}. {scope}

One folder for each task. A file that is missing has not been released, or not to you.

scores.csv, scores.json   every measure of every run with its interval, as `karat score` gives them
ranking.csv               the average precision of runs that rank their answers
comparison.csv            every two runs compared, as `karat compare` does
board-*                   the leaderboards, with the ranks that each run could hold
spread.csv                the lowest, the median and the highest value of each measure over all runs
teams/                    the scores of each team
report.html               everything as one page
preferences.tsv           which of two answers is better, as `karat prefer` reads it
citations.tsv             what cited documents support: karat support citations.tsv runs
key.*                     the key as the organisers have it{official}
blind.*                   the test set without its key, as teams got it
runs/                     the runs that count, each under its name in the tables
runs.csv                  what each team calls its run, the file it sent, and the SHA-256 on its receipt
submitted/                files as they were sent, if they are not the same: those that call their run otherwise
SHA256SUMS                the hash of every file: sha256sum -c SHA256SUMS
{again}"""

JUDGED = {"verdicts": "judgments"}
"""What a file of judgments is called here, if not as the campaign calls it."""


class Reader(NamedTuple):
    """Who asks: what they see, their own team, and the task that they asked for, if it is only one."""

    seeing: Sight
    own: str | None = None
    task: str | None = None

    def runs(self, state: Campaign, task: Task) -> dict[str, Run]:
        """The runs whose scores they see: all, those of their own team, or none."""
        if self.seeing.scores:
            return results.official(state, task, self.seeing, self.own)
        own = self.seeing.own_scores and self.own is not None
        return results.official(state, task, self.seeing, self.own, self.own) if own else {}

    def tasks(self, state: Campaign) -> list[Task]:
        """The tasks that they asked for."""
        return [one for one in state.definition.tasks if one.takes_runs and self.task in (None, one.name)]


def packed(state: Campaign, reader: Reader) -> bytes:
    """Everything as a zip archive."""
    seeing = reader.seeing
    if seeing.scores and seeing.all_runs and seeing.names:
        reader = reader._replace(own=None)  # whoever sees everything under its name gets the same, and it is made once
    return awaited(results.whole.of((state.head, reader), lambda: _packed(state, reader)))


def _packed(state: Campaign, reader: Reader) -> bytes:
    folder, sums, file = f"{state.definition.name}-results", [], io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:

        def put(path: str, data: bytes) -> None:
            info = zipfile.ZipInfo(f"{folder}/{path}", EARLIEST)
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            archive.writestr(info, data)

        for path, data in _files(state, reader):
            sums.append(f"{hashlib.sha256(data).hexdigest()}  {path}\n")
            put(path, data)
        put("SHA256SUMS", "".join(sums).encode())
    return file.getvalue()


def _files(state: Campaign, reader: Reader) -> Iterator[tuple[str, bytes]]:
    """Every file with its path, one after the other."""
    signatures = []
    for task in reader.tasks(state):
        for name, data in _of_task(state, task, reader):
            yield f"{task.name}/{name}", data
        if reader.seeing.key and (runs := reader.runs(state, task)):
            signatures.append(f"{task.name}: {results.report(state, task, runs).signature}\n")
    if reader.seeing.scores and reader.seeing.key:
        text, references = methods_of(state, reader.seeing)
        yield "methods.md", text.encode()
        yield "references.bib", references.encode()
    if reader.seeing.all_runs and reader.seeing.names:
        for team in state.teams.values():
            if team.report is not None and state.active(team.name):
                yield f"reports/{team.name}{results.ending(team.report.file)}", content(team.report.sha256)
    yield "README.txt", _readme(state, reader, signatures).encode()


def _readme(state: Campaign, reader: Reader, signatures: list[str]) -> str:
    everything = reader.seeing.scores
    reason = f" ({state.keys[-1].reason})" if len(state.keys) > 1 and reader.seeing.official else ""
    shared = any(task.public_share for task in reader.tasks(state))
    official = "; key-official.xml without the pairs of the live board" * shared
    text = README.format(
        title=state.definition.title,
        version=len(state.keys),
        reason=reason,
        scope="All runs." if everything else "The runs of your own team.",
        official=official,
        again=_again(state, reader) if reader.seeing.key else "",
    )
    if reader.seeing.key:
        commitment = "the SHA-256 of the nonce and the SHA-256 of each test set, as JSON with sorted keys"
        text += f"\nCommitment: {state.commitment}\n({commitment})\nNonce: {state.nonce}\n"
        text += f"\n{''.join(signatures)}" * bool(signatures)
    return text


def _again(state: Campaign, reader: Reader) -> str:
    """The commands that compute the scores of each task again from its files."""
    lines = []
    for task in reader.tasks(state):
        test, judged = test_set(state, task), dict(state.judged_by(task.name))
        key = f"key{results.ending(task.test)}" if test.scored is test.units else "key-official.xml"
        said = [f" --{JUDGED.get(name, name)} {JUDGED.get(name, name)}.tsv" for name in judged]
        commands = {"questions": f"karat qa {key} runs{''.join(said)}" if judged else ""}
        commands["nuggets"] = "karat nuggets nuggets.tsv matches.tsv --answers runs" if judged else ""
        commands["ratings"] = ""  # the means of grades in quality.tsv, which no command computes from these alone
        if command := commands.get(task.kind, f"karat score {key} runs"):
            lines.append(f"    {task.name}: {command}\n")
    return f"\nIn the folder of a task, its scores can be computed again:\n\n{''.join(lines)}" if lines else ""


def _of_task(state: Campaign, task: Task, reader: Reader) -> Iterator[tuple[str, bytes]]:
    from karat.campaign.checking import as_xml
    from karat.data.result import Sheet
    from karat.render import render
    from karat.studies.score.result import Evaluation

    seeing, runs, test = reader.seeing, reader.runs(state, task), test_set(state, task)
    if runs:
        scored = results.scored(state, task, runs)
        yield "scores.csv", render(scored, "csv").encode()
        if seeing.key:  # its signature has the hash of the key, with which guesses could be tested
            yield "scores.json", render(scored, "json").encode()
        if isinstance(scored, Evaluation):
            yield from _tables(state, task, reader, scored)
    if runs and (ranked := results.ranked(runs)):
        sheet = Sheet.listed("ranking", ("run", "average_precision"), list(ranked.items()))
        yield "ranking.csv", _csv(scored, sheet)
    if seeing.scores and runs:
        yield from _compared(state, task, runs)
    if seeing.key and runs:
        yield "report.html", results.page(state, task, runs)
    if seeing.live and test.live is not None and (shown := results.official(state, task, seeing, reader.own)):
        made = results.report(state, task, shown, live=True)
        for view in made.opening.views:
            yield f"live-board-{view.board.way}-way.csv", _csv(made, view.board.sheet())
    if seeing.key:
        yield f"key{results.ending(task.test)}", content(state.files[task.test])
        # By the number of the key, also for a task that was added later; a file that stayed the same is there once.
        versions = {key.tests[task.name]: at for at, key in enumerate(state.keys[:-1], 1) if task.name in key.tests}
        for digest, number in versions.items():
            if digest != state.files[task.test]:
                yield f"former-keys/version-{number}{results.ending(task.test)}", content(digest)
        if task.asks:
            yield from results.judgments(state, task, seeing, reader.own).items()
        if test.scored is not test.units:
            yield "key-official.xml", as_xml(test.scored)
    if seeing.data:
        yield f"blind{results.ending(test.blind_name)}", test.blind
    if seeing.all_runs or reader.own:
        yield from _runs(state, task, reader, None if seeing.all_runs else reader.own)


def _runs(state: Campaign, task: Task, reader: Reader, team: str | None) -> Iterator[tuple[str, bytes]]:
    """The runs that count, of all teams or of one: under the names that the reader sees, and as they were sent.

    What a team calls its run can tell who it is, so only those get the latter who see names.
    """
    from karat.campaign.renaming import own_name
    from karat.formats.writing import write_rows

    rows = []
    for name, run in results.counting(state, task, reader.seeing, reader.own, team).items():
        sent, (file, raw) = run.received.sent, results.file_for(state, task, name, run)
        yield f"runs/{file}", raw
        if reader.seeing.names or team is not None:
            before = content(sent.sha256)
            own = own_name(test_set(state, task), sent.file, before)
            rows.append((name, own, sent.file, sent.sha256))
            if before != raw:
                yield f"submitted/{results.file_of(name, run)}", before
    if rows:
        columns = zip(("run", "own_name", "file", "sha256"), zip(*rows, strict=True), strict=True)
        yield "runs.csv", write_rows(dict(columns), ".csv")


def _tables(state: Campaign, task: Task, reader: Reader, scored: Evaluation) -> Iterator[tuple[str, bytes]]:
    """The scores of each team, and those of all runs together where they can be told."""
    from karat.studies.score.result import Evaluation
    from karat.studies.score.spread import spread_sheet

    records, teams = scored.records(), state.teams if reader.seeing.scores else [reader.own or ""]
    for name, team in sorted((seen_as(state, team, reader.seeing, reader.own), team) for team in teams):
        own = results.official(state, task, reader.seeing, reader.own, team)
        if own:
            yield f"teams/{name}.csv", _csv(scored, records.kept("system", own))
    runs = results.official(state, task)
    everybody = results.scored(state, task, runs)
    assert isinstance(everybody, Evaluation)
    if told := results.spread(everybody, runs, reader.seeing):
        yield "spread.csv", _csv(everybody, spread_sheet(told))


def _compared(state: Campaign, task: Task, runs: dict[str, Run]) -> Iterator[tuple[str, bytes]]:
    """The runs compared, and the leaderboards of both ways."""
    from karat.render import render
    from karat.render.latex import table as latex
    from karat.render.markdown import table as markdown

    made = results.report(state, task, runs)
    if (compared := made.of("compare") or made.of("qa-compare")) is not None:
        yield "comparison.csv", render(compared, "csv").encode()
    for view in made.opening.views:
        name, sheet = f"board-{view.board.way}-way" if view.board.way else "board", view.board.sheet()
        yield f"{name}.csv", _csv(made, sheet)
        yield f"{name}.md", markdown(made, sheet).encode()
        yield f"{name}.tex", latex(made, sheet, f"tab:{task.name}-{name}").encode()


def _csv(result: Result, sheet: Sheet) -> bytes:
    from karat.render.separated import table

    return table(result, sheet).encode()

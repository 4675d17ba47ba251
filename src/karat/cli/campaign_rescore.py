"""`karat campaign rescore`: a new key, first as a preview."""

from __future__ import annotations

from pathlib import Path

import click

from karat.cli import print_answer, tell
from karat.cli.campaign import NAME, REASON, listed, open_home
from karat.errors import DataError, summary

KEY = click.argument("key", type=click.Path(exists=True, dir_okay=False))
TASK = click.option("--task", metavar="NAME", help="only this task [default: every one with the pairs of the key]")
APPLY = click.option("--apply", is_flag=True, help="replace the key; otherwise nothing is changed")


@listed("rescore", NAME, KEY, REASON, TASK, APPLY)
def rescore(name: str, key: str, reason: str, task: str | None, apply: bool, home: str | None, form: str) -> None:
    """Show what a new key would change, or replace the key and score every run again.

    KEY has whole pairs, a table of ids and labels, or lines `id LABEL`; a pair with the label - is no longer scored.
    For a task of questions, named by --task, it has the judgments of all answers: qid doc answer verdict group.
    """
    open_home(home)
    from karat.render import render
    from karat.server.rescoring import rescore as carry_out

    try:
        made = carry_out(name, Path(key).name, Path(key).read_bytes(), reason, apply=apply, task=task)
    except DataError as error:
        if form == "json":
            nothing: dict[str, object] = {"old": None, "new": None, "ranks_changed": [], "applied": False}
            print_answer(nothing | {"problems": error.problems}, form, [])
            raise click.exceptions.Exit(1) from None
        raise
    if form == "text" and made.result.warnings:
        tell(summary(made.result.warnings))
    done = f"key version {made.result.new_version} is in force; every run has been scored again"
    if not made.applied:
        same = made.result.new_version == made.result.old_version
        done = (
            "no label changes: there is nothing to apply" if same else "nothing was changed; --apply replaces the key"
        )
    sentences = [str(one) for one in made.result.findings()]
    shown = [render(made.result, "text", verbose=True)] if made.result.runs else sentences
    print_answer(made.answer(), form, [*shown, done])

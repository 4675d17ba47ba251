"""A new key on a page: upload it, see what it changes, and agree to exactly that."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import mark_safe

from karat.campaign.definition import MOST_BYTES
from karat.errors import DataError, KaratError
from karat.render.html import table
from karat.server.pages import Visit, in_campaign, say, show
from karat.server.pages.forms import Field, filled, mark, sentence
from karat.server.pages.team import listed
from karat.server.store import digest_of

if TYPE_CHECKING:
    from karat.server.rescoring import Rescore

MOST_CARRIED = 1 << 20
"""A larger file is not kept in the form between preview and agreement, but asked for again."""
ALL = ""
CHANGED = "Something has changed since you looked: a run or another key has come in. This is what it would change now."
OTHER_FILE = "This is not the file that you looked at. Choose the same file again, or start over."


@in_campaign("organiser")
def rescore(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Ask for a new key; show what it changes; replace the old one if that was agreed to."""
    fields = _fields(visit)
    if request.method != "POST":
        return show(request, "rescore", visit, fields=fields)
    given = request.POST
    fields = filled(fields, given)
    name, raw = _file(request)
    seen, agreed = given.get("seen", ""), "agreed" in given
    if raw is None:
        fields = mark(fields, "key", "No file was chosen.")
    elif agreed and digest_of(raw) != given.get("sha256"):
        agreed, fields = False, mark(fields, "key", OTHER_FILE)
    if raw is None or any(one.wrong for one in fields):
        return show(request, "rescore", visit, 422, fields=fields)
    from karat.server.rescoring import rescore as carry_out  # here: it loads scipy

    task, reason = given.get("task", ALL) or None, given.get("reason", "")
    try:
        made = carry_out(visit.name, name, raw, reason, visit.account.name, agreed, task, seen if agreed else None)
    except DataError as error:
        return show(request, "rescore", visit, 422, fields=fields, **listed(error.problems))
    except KaratError as error:
        return show(request, "rescore", visit, 422, fields=fields, wrong=sentence(str(error)))
    if made.applied:
        say(request, f"Key version {made.result.new_version} is in force, and every run has been scored again.")
        return redirect("campaign", name=visit.name)
    facts = _preview(made, name, raw) | {"reason": reason, "task": task or ALL, "changed": CHANGED if agreed else ""}
    return show(request, "rescore_preview", visit, 409 if agreed else 200, **facts)


def _fields(visit: Visit) -> list[Field]:
    tasks = [one for one in visit.state.definition.tasks if not one.needs_people or one.kind == "questions"]
    choices = ((ALL, "every task with these pairs"), *((one.name, one.title or one.name) for one in tasks))
    about = (
        "Whole pairs, a table of ids and labels, or lines with an id and a label. It must have the same pairs; a "
        "pair with the label - is no longer scored. For questions: the judgments of all answers, a table with the "
        f"columns qid, doc, answer, verdict and group. At most {MOST_BYTES >> 20} MiB."
    )
    why = "The record keeps it. Teams see it with their results and not before, since it may give away a label."
    made = [Field("key", "The new key", "file", help=about), Field("reason", "Why it is replaced", help=why, wide=True)]
    return [*made, Field("task", "For", "select", required=False, choices=choices)] if len(tasks) > 1 else made


def _file(request: HttpRequest) -> tuple[str, bytes | None]:
    """The file that was chosen, or the one that the form has carried."""
    if (chosen := request.FILES.get("key")) is not None:
        return chosen.name or "key", chosen.read()
    name, carried = request.POST.get("file", "key")[:200], request.POST.get("content", "")
    try:
        return name, b64decode(carried, validate=True) if carried else None
    except ValueError:  # also what is not even ASCII
        return name, None


def _preview(made: Rescore, name: str, raw: bytes) -> dict[str, Any]:
    """What is shown, and what a form sends back unchanged."""
    result = made.result
    return {
        "result": result,
        "findings": result.findings(),
        # The renderer has escaped every cell.
        "tables": [mark_safe(table(sheet, 3)) for sheet in result.sheets()],
        "count": len(made.command.scores),
        "same": result.new_version == result.old_version,
        "again": Field("key", "Choose the same file again", "file") if len(raw) > MOST_CARRIED else None,
        "carried": {
            "file": name,
            "content": b64encode(raw).decode() if len(raw) <= MOST_CARRIED else "",
            "sha256": digest_of(raw),
            "seen": made.digest,
        },
        "warnings": result.warnings,
    }

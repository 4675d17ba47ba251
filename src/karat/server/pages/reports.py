"""System reports: the paper that a team writes about its system, with a date of its own."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from karat.campaign.commands import SendReport
from karat.campaign.definition import MOST_BYTES
from karat.errors import KaratError, UsageError
from karat.server.middleware import received
from karat.server.pages import Visit, download, in_campaign, say
from karat.server.pages.campaign import page, report_fields
from karat.server.pages.forms import mark, sentence
from karat.server.store import content, digest_of, execute
from karat.server.submitting import count_sending


@require_POST
@in_campaign("team")
def send(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Store the report of a team."""
    count_sending(visit.name, visit.account.name)
    sent, fields = request.FILES.get("report"), report_fields()
    try:
        if sent is None:
            raise UsageError("no file was chosen")
        if sent.size > MOST_BYTES:
            raise UsageError(f"the file has {sent.size:,} bytes; at most {MOST_BYTES >> 20} MiB are accepted")
        data = sent.read()
        digest = digest_of(data)
        command = SendReport(
            account=visit.account.name,
            file=sent.name[:200],
            sha256=digest,
            size=len(data),
            received=received(request),
        )
        execute(visit.name, command, visit.account.name, {digest: data})
    except KaratError as error:
        return page(request, visit, 422, reporting=mark(fields, "report", sentence(str(error))))
    say(request, "Your system report is stored.")
    return redirect("campaign", name=visit.name)


@require_safe
@in_campaign()
def report_file(request: HttpRequest, visit: Visit, team: str) -> HttpResponse:
    """The report of a team, for itself and the organisers; for everybody once runs and names are public."""
    del request
    found, public = visit.state.teams.get(team), visit.sight.all_runs and visit.sight.names
    if found is None or found.report is None or not (public or visit.organises or visit.team == team):
        raise Http404
    return download(content(found.report.sha256), found.report.file)

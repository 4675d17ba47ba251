"""Every address of the server."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.urls import include, path

from karat.server.pages import (
    account,
    campaign,
    editing,
    enter,
    front,
    judged,
    judging,
    judging_organiser,
    organiser,
    releasing,
    reports,
    rescoring,
    results,
    starting,
    team,
)


def healthz(request: HttpRequest) -> JsonResponse:
    """Whether the server answers."""
    del request
    return JsonResponse({"ok": True})


C = "c/<str:name>/"
pages = [
    path("", front.front, name="front"),
    path("welcome/", front.welcome, name="welcome"),
    path("welcome/look/", front.look, name="look"),
    path("welcome/start/", starting.start, name="start"),
    path("enter/<str:secret>", enter.enter, name="enter"),
    path("login/", account.log_in, name="login"),
    path("logout/", account.log_out, name="logout"),
    path("account/", account.account, name="account"),
    path("account/tokens/", account.make_token, name="make-token"),
    path("account/tokens/end/", account.end_token, name="end-token"),
    path(C, campaign.overview, name="campaign"),
    path(C + "join/", enter.join, name="join"),
    path(C + "sign/", campaign.sign, name="sign"),
    path(C + "report/", reports.send, name="send-report"),
    path(C + "reports/<str:team>/", reports.report_file, name="report"),
    path(C + "tasks/<str:task>/data/", campaign.data, name="data"),
    path(C + "tasks/<str:task>/key/", results.key, name="key"),
    path(C + "tasks/<str:task>/report/", results.task_report, name="task-report"),
    path(C + "tasks/<str:task>/qualification/", judged.qualification, name="qualification"),
    path(C + "tasks/<str:task>/discussion/", judged.discussion, name="discussion"),
    path(C + "tasks/<str:task>/outcomes/", judged.outcomes, name="outcomes"),
    path(C + "guidelines/", judged.guidelines, name="guidelines"),
    path(C + "guidelines/<int:version>/", judged.guidelines, name="guidelines-version"),
    path(C + "results/", results.overview, name="results"),
    path(C + "results.zip", results.files, name="results-files"),
    path(C + "teams/<str:team>/", results.team_results, name="team-results"),
    path(C + "teams/<str:team>/tasks/<str:task>/", results.team_report, name="team-report"),
    path(C + "tasks/<str:task>/judging/", judging_organiser.judging, name="judging"),
    path(C + "tasks/<str:task>/judging/assign/", judging_organiser.assign, name="judging-assign"),
    path(C + "tasks/<str:task>/judging/reassign/", judging_organiser.reassign, name="judging-reassign"),
    path(C + "tasks/<str:task>/judging/round/", judging_organiser.set_round, name="judging-round"),
    path(C + "tasks/<str:task>/judging/questions/", judging_organiser.make_questions, name="judging-questions"),
    path(C + "tasks/<str:task>/judging/import/", judging_organiser.bring, name="judging-import"),
    path(C + "tasks/<str:task>/judging/files/<str:what>/", judging_organiser.file, name="judging-file"),
    path(C + "tasks/<str:task>/submit/", team.submit, name="submit"),
    path(C + "tasks/<str:task>/judge/", judging.judging, name="judge"),
    path(C + "runs/<str:id>/", team.run, name="run"),
    path(C + "runs/<str:id>/file/", team.run_file, name="run-file"),
    path(C + "runs/<str:id>/withdraw/", team.withdraw, name="withdraw"),
    path(C + "runs/<str:id>/primary/", team.primary, name="primary"),
    path(C + "attempts/", organiser.attempts, name="attempts"),
    path(C + "attempts/<int:number>/", team.attempt, name="attempt"),
    path(C + "attempts/<int:number>/file/", team.attempt_file, name="attempt-file"),
    path(C + "see-as/", organiser.see_as, name="see-as"),
    path(C + "people/", organiser.people, name="people"),
    path(C + "people/invite/", organiser.invite, name="invite"),
    path(C + "people/end-link/", organiser.end_link, name="end-link"),
    path(C + "people/extend/", organiser.extend, name="extend"),
    path(C + "people/<str:account>/reset/", organiser.reset, name="reset"),
    path(C + "release/", releasing.release, name="release"),
    path(C + "mail/", releasing.mail, name="mail"),
    path(C + "rescore/", rescoring.rescore, name="rescore"),
    path(C + "edit/", editing.edit, name="edit"),
    path(C + "campaign.toml", editing.campaign_file, name="campaign-file"),
    path(C + "record/", organiser.record, name="record"),
    path(C + "record.jsonl", organiser.record_file, name="record-file"),
    path(C + "export.zip", organiser.export, name="export"),
    path("<path:path>", front.with_slash),
]

urlpatterns = [path("healthz", healthz, name="healthz"), path("api/", include("karat.server.api")), *pages]

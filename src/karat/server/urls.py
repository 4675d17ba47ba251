"""Every address of the server."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.urls import include, path


def healthz(request: HttpRequest) -> JsonResponse:
    """Whether the server answers."""
    del request
    return JsonResponse({"ok": True})


urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("api/", include("karat.server.api")),
]

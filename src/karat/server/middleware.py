"""Headers of every response, and the time at which a request was received."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from django.conf import settings
from django.http import HttpRequest, HttpResponse

RECEIVED = "karat.received"
"""Where the server notes when the last byte of a request arrived, in seconds since 1970."""


class Headers:
    """Adds the policy that forbids scripts from elsewhere, and keeps what people see out of shared caches."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._respond = get_response
        self._policy = "; ".join(f"{name} {' '.join(sources)}" for name, sources in settings.SECURE_CSP.items())

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The response with its headers."""
        response = self._respond(request)
        response.headers.setdefault("Content-Security-Policy", self._policy)
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        return response


def received(request: HttpRequest) -> datetime:
    """When a request was received: what waited its turn at the deadline was still in time."""
    stamp = request.META.get(RECEIVED)
    return datetime.now(UTC) if stamp is None else datetime.fromtimestamp(stamp, UTC)

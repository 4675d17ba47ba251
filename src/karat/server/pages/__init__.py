"""The pages that people use: each view reads the state, or carries out one command, and renders a template."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from karat import __version__


def context(request: HttpRequest) -> dict[str, Any]:
    """What every template knows."""
    del request
    return {"version": __version__}


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The answer to a form without a valid token: usually one that was open for too long."""
    del reason
    return render(request, "karat/problem.html", {"title": "This form has expired"}, status=403)

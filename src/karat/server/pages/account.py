"""Logging in and out, one's password, and tokens for programs."""

from __future__ import annotations

import math
import time

from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from karat.server import models
from karat.server.accounts import end_host_links, issue_token, revoke_token
from karat.server.pages import LOOKING, SAID, say, show, signed_in, too_often
from karat.server.pages.forms import Field, check, filled, mark, need_password, wrong
from karat.server.store import names, state_of
from karat.server.submitting import TooOftenError, count_sending
from karat.server.throttle import Delays

ATTEMPTS = Delays()
"""Failed attempts to log in, by address and account."""
LONGEST_NAME = 40
"""The most characters of the name of an account."""


def password_of(
    request: HttpRequest, name: str, password: str, may_be_new: bool = False
) -> tuple[models.Account | None, int]:
    """The account with this name and password, and the seconds to wait before another attempt is looked at."""
    # Cut off where no account has that name: what is remembered of attempts stays small.
    key = request.META.get("REMOTE_ADDR", ""), name.strip()[: LONGEST_NAME + 1]
    wait = ATTEMPTS.wait(key, time.monotonic())
    if wait > 0:
        return None, math.ceil(wait)
    if may_be_new and not models.Account.objects.filter(name=key[1]).exists():
        return None, 0  # a new name; there is nothing to guess
    # Counted before it is looked at, so that guesses sent at the same moment do not all count as the first.
    ATTEMPTS.failed(key, time.monotonic())
    account = authenticate(request, name=key[1], password=password)
    if account is not None:
        ATTEMPTS.succeeded(key)
    return account, 0


def too_soon(request: HttpRequest, seconds: int) -> HttpResponse:
    """The answer to an attempt that came too soon after failed ones."""
    response = show(request, "wait", seconds=seconds, status=429)
    response.headers["Retry-After"] = str(seconds)
    return response


def begin(request: HttpRequest, account: models.Account) -> None:
    """Begin a session of this account; nothing of an earlier one is left in it."""
    login(request, account)
    for key in (LOOKING, SAID):
        request.session.pop(key, None)


def _next(request: HttpRequest) -> str:
    """Where to go after logging in; never to another site."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    known = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, request.is_secure())
    return wanted if known and wanted.startswith("/") else reverse("front")


@sensitive_post_parameters("password")
def log_in(request: HttpRequest) -> HttpResponse:
    """Log in with name and password."""
    fields = [
        Field("account", "Login name", complete="username"),
        Field("password", "Password", "password", complete="current-password"),
    ]
    status = 200
    if request.method == "POST":
        fields = filled(fields, request.POST)
        account, wait = password_of(request, request.POST.get("account", ""), request.POST.get("password", ""))
        if wait:
            return too_soon(request, wait)
        if account is not None:
            begin(request, account)
            return redirect(_next(request))
        status = 403
        if not wrong(fields):
            fields = mark(fields, "password", "This name and password do not match.")
    return show(request, "login", fields=fields, next=_next(request), status=status)


@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    """Log out."""
    logout(request)
    return redirect("login")


@signed_in
@sensitive_post_parameters("password")
def account(request: HttpRequest, account: models.Account) -> HttpResponse:
    """One's password and tokens."""
    own = account.pk == request.user.pk
    fields = [Field("password", "New password", "password", help="At least 10 characters.", complete="new-password")]
    if account.has_usable_password():
        fields.insert(0, Field("current", "Current password", "password", complete="current-password"))
    status = 200
    if request.method == "POST" and own:
        fields = check(filled(fields, request.POST), request.POST, {"password": need_password})
        if account.has_usable_password() and not wrong(fields):
            known, wait = password_of(request, account.name, request.POST.get("current", ""))
            if wait:
                fields = mark(fields, "current", f"Too many attempts; wait for {wait} seconds.")
            elif known is None:
                fields = mark(fields, "current", "This is not your current password.")
        if not wrong(fields):
            account.set_password(request.POST["password"])
            account.save()
            end_host_links(account.name)
            update_session_auth_hash(request, account)
            say(request, "Your password is set. All other sessions of this account have ended.")
            return redirect("account")
        status = 422
    taking_part = [state for name in names() if account.name in (state := state_of(name)).members]
    tokens = [
        (state.definition, [print_ for print_, owner in state.tokens.items() if owner == account.name])
        for state in taking_part
    ]
    return show(request, "account", fields=fields, tokens=tokens, own=own, status=status)


@require_POST
@signed_in
def make_token(request: HttpRequest, account: models.Account) -> HttpResponse:
    """Make a token for programs, and show it once."""
    name = _campaign_of(request, account)
    try:
        count_sending(name, account.name)
    except TooOftenError as error:
        return too_often(request, error)
    token = issue_token(name, account.name, account.name)
    return show(request, "once", title="Your token", secret=token, kind="token", name=name, back=reverse("account"))


@require_POST
@signed_in
def end_token(request: HttpRequest, account: models.Account) -> HttpResponse:
    """Revoke a token."""
    name = _campaign_of(request, account)
    revoke_token(name, account.name, request.POST.get("fingerprint", ""), account.name)
    say(request, "The token no longer works.")
    return redirect("account")


def _campaign_of(request: HttpRequest, account: models.Account) -> str:
    """The campaign that a form names, if the account takes part in it."""
    name = request.POST.get("campaign", "")
    if name not in names() or account.name not in state_of(name).members:
        raise Http404
    return name

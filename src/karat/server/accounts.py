"""Logging in: passwords, one-time links and tokens; the last two are stored as hashes only."""

from __future__ import annotations

import secrets
import threading
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher, make_password
from django.http import HttpRequest

from karat.campaign.commands import IssueToken, RevokeToken
from karat.campaign.state import Campaign
from karat.server import models
from karat.server.store import Outcome, digest_of, execute, names, now, state_of

HOST = "organiser"
"""The account of the person who started the server."""
RESET, HOST_RESET = "reset", "host-reset"
"""The roles in links for a new password, made by an organiser of the campaign or by the host."""
HOST_LINK = timedelta(minutes=30)
SHORTEST_PASSWORD = 10
_hashing = threading.BoundedSemaphore(2)
"""Hashing takes all of a core for 30 ms; more at a time would only delay everybody else."""


class Argon2(Argon2PasswordHasher):
    """Argon2id with the parameters that OWASP recommends: 19 MiB, two passes, one lane."""

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """The hash of a password."""
        with _hashing:
            return str(super().encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        """Whether a password has this hash."""
        with _hashing:
            return bool(super().verify(password, encoded))


class ByPassword:
    """Authenticates by name and password; an unknown name takes as long as a wrong password."""

    def authenticate(self, request: HttpRequest | None, name: str = "", password: str = "") -> models.Account | None:
        """The account, or None."""
        del request
        account = models.Account.objects.filter(name=name).first()
        if account is None or not account.has_usable_password():
            make_password(password)
            return None
        return account if account.check_password(password) else None

    def get_user(self, key: Any) -> models.Account | None:
        """The account of a session."""
        return models.Account.objects.filter(pk=key).first()


def make_link(purpose: str, name: str, expires: datetime | None, campaign: str = "", role: str = "") -> str:
    """A new secret for a link or a token, which is shown once and not stored."""
    made = secrets.token_urlsafe(32)
    models.Secret.objects.create(
        sha256=digest_of(made.encode()), purpose=purpose, campaign=campaign, role=role, name=name, expires=expires
    )
    return made


def find_link(secret: str, *purposes: str) -> models.Secret | None:
    """The link or token with this secret, if it is unused and has not expired."""
    found = models.Secret.objects.filter(sha256=digest_of(secret.encode()), purpose__in=purposes, used=None).first()
    return None if found is None or (found.expires is not None and found.expires <= now()) else found


def use_link(link: models.Secret) -> bool:
    """Mark a link as used; False if somebody else was first."""
    return bool(models.Secret.objects.filter(pk=link.pk, used=None).update(used=now()))


def is_reset(role: str, name: str, state: Campaign) -> bool:
    """Whether a link is for somebody who is there already, and so for a new password.

    A link for a team never is: a new team can have the name of somebody's account.
    """
    if role in (RESET, HOST_RESET, "team"):
        return role != "team"
    return (role == "organiser" and name == HOST) or (name in state.members and state.members[name].role == role)


def beyond_reach(campaign: str) -> set[str]:
    """The accounts to which an organiser of a campaign can give no new password: those with rights in others."""
    return {HOST}.union(*(state_of(name).members for name in names() if name != campaign))


def host_link() -> str | None:
    """A one-time link for the host, made as long as the host cannot log in otherwise."""
    host, _ = models.Account.objects.get_or_create(name=HOST, defaults={"is_host": True, "password": "!"})
    if host.has_usable_password():
        return None
    return make_link("host", HOST, now() + HOST_LINK)


def end_host_links(account: str) -> None:
    """End the links of the host, who has a password now; those of nobody if the account is another."""
    models.Secret.objects.filter(purpose="host", name=account, used=None).update(used=now())


def issue_token(campaign: str, account: str, actor: str) -> str:
    """A token for programs; it is shown once."""
    made: list[str] = []
    token = f"karat_{secrets.token_urlsafe(32)}"
    digest = digest_of(token.encode())

    def store(_: Outcome) -> None:
        made.append(token)
        models.Secret.objects.create(sha256=digest, purpose="token", campaign=campaign, name=account)

    execute(campaign, IssueToken(account=account, fingerprint=digest[:12]), actor, also=store)
    return made[0]


def revoke_token(campaign: str, account: str, fingerprint: str, actor: str) -> None:
    """End a token."""

    def end(outcome: Outcome) -> None:
        found = models.Secret.objects.filter(purpose="token", campaign=campaign, name=account, used=None)
        if outcome.entries:
            found.filter(sha256__startswith=fingerprint).update(used=now())

    execute(campaign, RevokeToken(account=account, fingerprint=fingerprint), actor, also=end)


def is_organiser(account: models.Account, state: Campaign) -> bool:
    """Whether an account organises a campaign."""
    member = state.members.get(account.name)
    return account.is_host or (member is not None and member.role == "organiser")

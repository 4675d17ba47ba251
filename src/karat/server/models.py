"""The tables: events, the files that they name, accounts, and links and tokens by their hash."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models


class Account(AbstractBaseUser):
    """Somebody who can log in; what an account may do in a campaign follows from the campaign's events."""

    name = models.CharField(max_length=40, unique=True)
    is_host = models.BooleanField(default=False)
    """Whether it can make campaigns, and is an organiser of all of them."""
    example = models.BooleanField(default=False)
    """Whether it belongs to the example campaign, through which the host can look as this account."""
    USERNAME_FIELD = "name"
    objects: ClassVar[BaseUserManager[Account]] = BaseUserManager()


class Campaign(models.Model):
    """A campaign's name; its row is what a change of the campaign locks."""

    name = models.CharField(max_length=40, unique=True)


class Event(models.Model):
    """One entry of a campaign's record; a trigger refuses to change or delete it."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT)
    sequence = models.PositiveIntegerField()
    at = models.DateTimeField()
    actor = models.CharField(max_length=60)
    data = models.TextField()
    hash = models.CharField(max_length=64)

    class Meta:
        """Each number once."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["campaign", "sequence"], name="one_entry_per_number")]


class Content(models.Model):
    """The bytes of a file, stored once."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    data = models.BinaryField()


class Secret(models.Model):
    """A link or a token; only its hash is stored."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    purpose = models.CharField(max_length=10, choices=[(one, one) for one in ("host", "invitation", "token")])
    campaign = models.CharField(max_length=40, blank=True)
    role = models.CharField(max_length=10, blank=True)
    name = models.CharField(max_length=40)
    """The team, assessor, organiser or account it is for."""
    expires = models.DateTimeField(null=True)
    used = models.DateTimeField(null=True)

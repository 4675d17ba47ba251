"""Filters of the templates."""

from __future__ import annotations

from datetime import datetime

from django import template

from karat.campaign.dates import exact

register = template.Library()


@register.filter
def precisely(moment: datetime) -> str:
    """A moment to the microsecond, for receipts and machines."""
    return exact(moment)

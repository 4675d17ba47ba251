"""Tests of moments and how they read."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.campaign.dates import MomentError, exact, faces, moment_of, remaining

NEW_YORK, BERLIN, KIRITIMATI = (ZoneInfo(name) for name in ("America/New_York", "Europe/Berlin", "Pacific/Kiritimati"))


def test_local_times_are_exact() -> None:
    """The same words are another moment in another zone, in winter and in summer; an offset has the last word."""
    for words, zone, moment in (
        ("2027-05-08T23:59:59", NEW_YORK, "2027-05-09T03:59:59+00:00"),
        ("2027-01-08T23:59:59", NEW_YORK, "2027-01-09T04:59:59+00:00"),
        ("2027-05-08 23:59:59", KIRITIMATI, "2027-05-08T09:59:59+00:00"),
        ("2027-05-08T23:59:59-12:00", KIRITIMATI, "2027-05-09T11:59:59+00:00"),
        ("2027-05-08T23:59:59Z", NEW_YORK, "2027-05-08T23:59:59+00:00"),
    ):
        assert moment_of(words, zone).isoformat() == moment


@pytest.mark.parametrize("value", ["2027-05-08x", "", "soon", date(2027, 5, 8), time(12), 7, None, True])
def test_what_is_no_moment(value: object) -> None:
    """A bare date has no end that everybody agrees on, and is refused like everything that is no time."""
    with pytest.raises(MomentError, match="a date and a time"):
        moment_of(value, BERLIN)


def test_a_bare_date_in_words() -> None:
    """A day in a text is no moment either: midnight is not what people mean by a deadline."""
    with pytest.raises(MomentError, match="24 hours"):
        moment_of("2027-05-08", BERLIN)


@settings(max_examples=200)
@given(
    st.datetimes(datetime(2000, 1, 1), datetime(2050, 1, 1)),
    st.sampled_from([NEW_YORK, BERLIN, KIRITIMATI, ZoneInfo("Australia/Lord_Howe"), ZoneInfo("Africa/Casablanca")]),
)
def test_there_and_back(local: datetime, zone: ZoneInfo) -> None:
    """A local time that is accepted is what the clocks of the zone show at that moment, and at no other."""
    try:
        moment = moment_of(local, zone)
    except MomentError:
        return
    shown = moment.astimezone(zone)
    assert shown.replace(tzinfo=None, fold=0) == local
    for hours in (-2, -1, -0.5, 0.5, 1, 2):
        other = (moment + timedelta(hours=hours)).astimezone(zone)
        assert other.replace(tzinfo=None, fold=0) != local


@settings(max_examples=50)
@given(st.datetimes(datetime(2027, 10, 30), datetime(2027, 11, 1), timezones=st.just(UTC)))
def test_every_moment_can_be_said(moment: datetime) -> None:
    """Each moment has an accepted spelling, also in the hour that comes twice."""
    assert moment_of(moment.astimezone(BERLIN), NEW_YORK) == moment
    assert moment_of(exact(moment), NEW_YORK) == moment


def test_how_it_reads() -> None:
    """A deadline reads in universal time, the organisers' time and anywhere on earth, where a day ends last."""
    assert faces(datetime(2027, 5, 9, 3, 59, 59, tzinfo=UTC), NEW_YORK) == {
        "UTC": "Sun 9 May 2027, 03:59:59",
        "America/New_York": "Sat 8 May 2027, 23:59:59",
        "anywhere on earth": "Sat 8 May 2027, 15:59:59",
    }


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (2 * 86_400 + 3_600, "in 2 days 1 hour"),
        (86_400 + 59, "in 1 day"),
        (3_601, "in 1 hour"),
        (1, "in 1 second"),
        (0, "0 seconds ago"),
        (-61, "1 minute 1 second ago"),
    ],
)
def test_remaining(seconds: int, said: str) -> None:
    """The time left is said in its largest unit and the next one: nobody counts seconds after a day."""
    now = datetime(2027, 3, 27, 12, tzinfo=UTC)
    assert remaining(now + timedelta(seconds=seconds), now) == said


def test_to_the_microsecond() -> None:
    """Receipts state the moment in universal time with six digits."""
    assert exact(datetime(2027, 5, 8, 1, 2, 3, 4, tzinfo=BERLIN)) == "2027-05-07T23:02:03.000004Z"

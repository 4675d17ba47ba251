"""The dates of a campaign for a page: what comes next, and each moment in every zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from karat.campaign.dates import faces, remaining
from karat.campaign.state import WHOLE_SECOND, Campaign

MEANING = {
    "register": "Registration begins",
    "data": "Test data come out",
    "opens": "Submissions open",
    "closes": "Submissions close",
    "results": "Results to teams, at the earliest",
    "public": "Results become public, at the earliest",
    "reports": "System reports are due",
    "names": "The names of the teams are shown",
}

END_OF_GRACE = "Late runs are no longer accepted"


@dataclass(frozen=True)
class Date:
    """One date of a campaign."""

    name: str
    moment: datetime
    faces: dict[str, str]
    remaining: str
    past: bool
    own: bool = False
    """Whether it holds for this team alone."""

    @property
    def meaning(self) -> str:
        """What happens then."""
        return MEANING.get(self.name, END_OF_GRACE)


def dates_of(state: Campaign, now: datetime, team: str | None = None) -> list[Date]:
    """The dates of a campaign in the order in which they come; the deadline is the team's own."""
    definition = state.definition
    named = dict(definition.dates.in_order()) | {"closes": state.deadline(team)}
    if definition.grace:
        named["grace"] = named["closes"] + WHOLE_SECOND + timedelta(minutes=definition.grace)
    named |= {name: at for name in ("reports", "names") if (at := getattr(definition.dates, name)) is not None}
    return [
        Date(
            name=name,
            moment=moment,
            faces=faces(moment, definition.clock),
            remaining=remaining(moment, now),
            past=moment <= now,
            own=name == "closes" and moment != definition.dates.closes,
        )
        for name, moment in sorted(named.items(), key=lambda item: item[1])
    ]


def next_date(state: Campaign, now: datetime, team: str | None = None) -> Date | None:
    """The date that comes next; None after the last."""
    return next((date for date in dates_of(state, now, team) if not date.past), None)

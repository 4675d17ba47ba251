"""`karat campaign release`: show results to the teams or to everybody, and write to the teams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from karat.cli import print_answer
from karat.cli.campaign import NAME, URL, listed, open_home
from karat.errors import spelled_out

if TYPE_CHECKING:
    from karat.campaign.events import Audience

TO = click.argument("to", type=click.Choice(["teams", "public"]))
APPLY = click.option("--apply", is_flag=True, help="release; without this, only say what a release would lead to")
MAIL = click.option("--mail", is_flag=True, help="show the letters to the teams; with --apply, send them")
AGAIN = click.option("--again", is_flag=True, help="with --mail, also to teams that have been sent the letter before")
SIGNS = {"good": "✓", "caution": "!", "bad": "✗"}


@listed("release", NAME, TO, APPLY, MAIL, AGAIN, URL)
def release(
    name: str,
    to: Audience,
    apply: bool,
    mail: bool,
    again: bool,
    url: str | None,
    home: str | None,
    form: str,
) -> None:
    """Show each team its own results, or everybody all of them; without --apply, the checklist.

    The answer says what each role sees now and what it would see afterwards.
    """
    place = open_home(home)
    from karat.server.releasing import release as carry_out

    found = carry_out(name, to, apply=apply, mailed=mail, again=again, address=url or place.address())
    print_answer(found, form, [spelled_out(line) for line in _lines(found, apply)])
    if apply and found["hindered"]:
        raise click.exceptions.Exit(1)


def _lines(found: dict[str, Any], apply: bool) -> Iterator[str]:
    """The answer for people."""
    for one in found["checklist"]:
        yield f"{SIGNS[one['level']]} {one['text']}"
    yield ""
    for role, sees in found["sees"].items():
        new = [what.replace("_", " ") for what, yes in sees["then"].items() if yes and not sees["now"][what]]
        gone = [what.replace("_", " ") for what, yes in sees["now"].items() if yes and not sees["then"][what]]
        said = [f"will see {', '.join(new)}"] * bool(new) + [f"can no longer: {', '.join(gone)}"] * bool(gone)
        yield f"{role}: {'; '.join(said) or 'nothing changes'}"
    for one in found["letters"]:
        yield ""
        yield f"to {one['team']}: {', '.join(one['to']) or 'no address'}"
        if one["mail"]:
            yield from one["mail"]
        else:
            before = f" (sent before, at {one['sent_before']})" if one["sent_before"] else ""
            yield f"subject: {one['subject']}{before}"
            yield from one["text"].splitlines()
    yield ""
    if found["applied"]:
        yield f"released to {'the teams' if found['to'] == 'teams' else 'everybody'}"
    elif found["hindered"]:
        yield f"{'not released' if apply else 'cannot be released yet'}: {'; '.join(found['hindered'])}"
    else:
        yield "nothing was released; add --apply to release"

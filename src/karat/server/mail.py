"""Mail: files in the outbox of the home, unless a mail server is set."""

from __future__ import annotations

from datetime import UTC, datetime
from secrets import token_hex

from django.conf import settings
from django.core.mail import EmailMessage, get_connection

from karat.errors import UsageError

INVITATION = """You are invited to {title} as {role} {name}.

Open this link; it works once, until {expires}:

{url}
"""


def send(to: str, subject: str, text: str) -> str:
    """Write or send a message; where it is now, in words."""
    if "@" not in to or any(sign.isspace() for sign in to):
        raise UsageError(f"{to!r} is not an e-mail address")
    message = EmailMessage(" ".join(subject.split()), text, settings.DEFAULT_FROM_EMAIL, [to])
    try:
        if settings.SENDS_MAIL:
            message.send()
        else:  # one file for each message, which a mail program opens; Django's own files can hold several
            name = f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}-{token_hex(4)}.eml"
            (settings.HOME.outbox / name).write_bytes(message.message().as_bytes())
    except (OSError, ValueError) as error:
        raise UsageError(f"the message to {to} could not be sent: {error}") from None
    return f"sent to {to}" if settings.SENDS_MAIL else f"written to {settings.HOME.outbox}, for {to}"


def check_server() -> None:
    """Refuse to go on if there is a mail server that does not answer: each message would wait for it."""
    if not settings.SENDS_MAIL:
        return
    try:
        with get_connection():
            pass
    except (OSError, ValueError) as error:
        raise UsageError(f"the mail server could not be reached: {error}; nothing was sent") from None

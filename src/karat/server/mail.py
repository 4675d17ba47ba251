"""Mail: files in the outbox of the home, unless a mail server is set."""

from __future__ import annotations

from datetime import UTC, datetime
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import make_msgid
from secrets import token_hex
from smtplib import SMTP
from ssl import create_default_context
from urllib.parse import unquote

from django.conf import settings

from karat.errors import UsageError

SECONDS_TO_WAIT = 20
USUAL_PORT = 587
HERE = ("localhost", "127.0.0.1")
INVITATION = """You are invited to {title} as {role} {name}.

Open this link; it works once, until {expires}:

{url}
"""


def send(to: str, subject: str, text: str) -> str:
    """Write or send a message; where it is now, in words."""
    message, sender = EmailMessage(), _address(settings.MAIL_FROM, "KARAT_MAIL_FROM: ")
    message["From"], message["To"], message["Subject"] = sender, _address(to), " ".join(subject.split())
    message["Date"], message["Message-ID"] = datetime.now(UTC), make_msgid(domain=sender.domain)
    message.set_content(text, cte="8bit")
    try:
        if settings.MAIL_SERVER.hostname:
            with _connected() as server:
                server.send_message(message)
            return f"sent to {to}"
        # One file for each message, which a mail program opens.
        name = f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}-{token_hex(4)}.eml"
        (settings.HOME.outbox / name).write_bytes(message.as_bytes())
    except (OSError, ValueError) as error:
        raise UsageError(f"the message to {to} could not be sent: {error}") from None
    return f"written to {settings.HOME.outbox}, for {to}"


def check_server() -> None:
    """Refuse to go on if there is a mail server that does not answer: each message would wait for it."""
    if not settings.MAIL_SERVER.hostname:
        return
    try:
        with _connected():
            pass
    except (OSError, ValueError) as error:
        raise UsageError(f"the mail server could not be reached: {error}; nothing was sent") from None


def _address(text: str, named: str = "") -> Address:
    try:
        return Address(addr_spec=text)
    except (ValueError, IndexError, MessageError):  # what its parser raises
        raise UsageError(f"{named}{text!r} is not an e-mail address") from None


def _connected() -> SMTP:
    """The mail server, encrypted unless it is on this machine, and logged in to if it has an account."""
    to = settings.MAIL_SERVER
    server = SMTP(to.hostname, to.port or USUAL_PORT, timeout=SECONDS_TO_WAIT)
    try:
        if to.hostname not in HERE:
            server.starttls(context=create_default_context())
        if to.username:
            server.login(unquote(to.username), unquote(to.password or ""))
    except BaseException:
        server.close()
        raise
    return server

"""Mail: files in the outbox, or sent to a real mail server on this machine."""

from __future__ import annotations

import socketserver
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from karat.errors import UsageError
from tests.server.conftest import karat
from tests.surroundings import surroundings

PREPARE = """
import sys
from karat.server.serving import prepare
prepare(sys.argv[1])
from karat.server.example import make_example
make_example()
from karat.server.operations import invite
print(invite("example", "team", "Elm", "http://127.0.0.1:1", mail_to=sys.argv[2])["mail"])
"""


class Session(socketserver.StreamRequestHandler):
    """Speaks just enough of SMTP to receive messages."""

    received: list[str]
    refuses = "@refused.example.org"
    """Messages to these addresses are refused."""

    def handle(self) -> None:
        """One connection."""
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline().decode().strip():
            if line.upper().startswith("DATA"):
                self.wfile.write(b"354 go on\r\n")
                lines = []
                while (text := self.rfile.readline().decode().rstrip("\r\n")) != ".":
                    lines.append(text)
                type(self).received.append("\n".join(lines))
            if line.upper().startswith("RCPT") and self.refuses in line:
                self.wfile.write(b"550 nobody of that name\r\n")
                continue
            self.wfile.write(b"250 fine\r\n" if line.upper() != "QUIT" else b"221 bye\r\n")
            if line.upper() == "QUIT":
                return


def invited(home: Path, to: str, **environment: str) -> str:
    """Make the example, invite a team by mail; what is said of the message."""
    done = subprocess.run(
        [sys.executable, "-c", PREPARE, str(home), to],
        capture_output=True,
        text=True,
        env=surroundings() | environment,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_files_without_a_mail_server(tmp_path: Path) -> None:
    """The message with the link is a file in the outbox; a wrong address is said, and the invitation stands."""
    said = invited(tmp_path / "home", "elm@example.org")
    assert said == f"written to {tmp_path}/home/outbox, for elm@example.org"
    (message,) = (tmp_path / "home" / "outbox").iterdir()
    text = message.read_text(encoding="utf-8")
    assert "To: elm@example.org" in text
    assert "http://127.0.0.1:1/enter/" in text
    told = karat(tmp_path / "home", "campaign", "invite", "example", "--team", "Elm", "--mail", "nobody")
    assert "mail: 'nobody' is not an e-mail address" in told.stdout


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    "address", ["", "@", "a@", "@b", "a b@c", "a@b,c@d", "a@b\nBcc: c@d", "a@b\r\nSubject: x", "<a@b>", "A <a@b>"]
)
def test_addresses_that_are_none(address: str) -> None:
    """An address is one address, and nothing that a header could end with."""
    from karat.server import mail

    with pytest.raises(UsageError, match="is not an e-mail address"):
        mail.send(address, "subject", "text")


def test_a_mail_server(tmp_path: Path) -> None:
    """With KARAT_SMTP the message is sent; a server that does not answer is said, and the invitation stands."""
    kind = type("Kept", (Session,), {"received": []})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), kind) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]
        said = invited(tmp_path / "home", "elm@example.org", KARAT_SMTP=f"smtp://127.0.0.1:{port}")
        server.shutdown()
    assert said == "sent to elm@example.org"
    assert "Subject: Invitation to Recognising textual entailment" in kind.received[0]  # type: ignore[attr-defined]
    assert list((tmp_path / "home" / "outbox").iterdir()) == []
    said = invited(tmp_path / "home", "elm@example.org", KARAT_SMTP=f"smtp://127.0.0.1:{port}")
    assert "could not be sent" in said

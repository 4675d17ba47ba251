"""Settings, all of which follow from the home folder and the address of the server."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from karat.server.home import MOST_BODY, Home

HOME = Home()
HERE = Path(__file__).parent
BOARD = HERE.parent / "render" / "board.css"
"""The style of a leaderboard, which reports have too."""
ADDRESS = os.environ.get("KARAT_URL", "http://127.0.0.1:8000")
"""Where people reach the server: with https, cookies are sent over https alone."""
_ENCRYPTED = ADDRESS.startswith("https://")

SECRET_KEY = HOME.secret()
DEBUG = False
_HOST = urlsplit(ADDRESS).hostname or "localhost"
ALLOWED_HOSTS = sorted({"127.0.0.1", "localhost", "[::1]", f"[{_HOST}]" if ":" in _HOST else _HOST})
if _HOST in ("0.0.0.0", "::"):
    ALLOWED_HOSTS = ["*"]  # listening everywhere, without saying under which name
CSRF_TRUSTED_ORIGINS = [ADDRESS] if _ENCRYPTED else []
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "karat.server",
]
MIDDLEWARE = [
    "karat.server.middleware.Headers",
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
APPEND_SLASH = False
ROOT_URLCONF = "karat.server.urls"
AUTH_USER_MODEL = "server.Account"
AUTHENTICATION_BACKENDS = ["karat.server.accounts.ByPassword"]
PASSWORD_HASHERS = ["karat.server.accounts.Argon2"]
LOGIN_URL = "login"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": ["django.template.context_processors.request", "karat.server.pages.context"],
            "builtins": ["django.templatetags.static", "karat.server.templatetags.karat"],
        },
    }
]
USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"


def _stamp() -> str:
    """A hash of all static files, so that browsers keep them for as long as they do not change."""
    digest = hashlib.sha256()
    for file in (*sorted((HERE / "static").rglob("*")), BOARD):
        if file.is_file():
            digest.update(file.read_bytes())
    return digest.hexdigest()[:10]


STATIC_URL = f"/static/{_stamp()}/"


def _database(address: str) -> dict[str, Any]:
    """The database: an SQLite file in the home, or the PostgreSQL at an address."""
    if not address:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": HOME.database,
            "CONN_MAX_AGE": None,
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 10,
                # FULL: an acknowledged run is on disk, even if the power fails.
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; "
                "PRAGMA temp_store=MEMORY",
            },
        }
    parts = urlsplit(address)
    options = dict(parse_qsl(parts.query))  # as in any address of PostgreSQL: host=/run/postgresql, sslmode=require
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", None) or parts.hostname or "",
        "PORT": options.pop("port", None) or str(parts.port or ""),
        "OPTIONS": options,
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
    }


DATABASES = {"default": _database(HOME.postgres)}

# A body larger than this is refused by the server before Django sees it.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 << 20
FILE_UPLOAD_MAX_MEMORY_SIZE = MOST_BODY
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
DATA_UPLOAD_MAX_NUMBER_FILES = 20

SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = _ENCRYPTED
CSRF_COOKIE_SECURE = _ENCRYPTED
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "karat.server.pages.csrf_failure"
SECURE_SSL_REDIRECT = _ENCRYPTED
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _ENCRYPTED else None
SECURE_HSTS_SECONDS = 31_536_000 if _ENCRYPTED else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = _ENCRYPTED
SECURE_HSTS_PRELOAD = _ENCRYPTED
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SECURE_CSP = {
    "default-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
}
"""No inline scripts, no inline styles, nothing from elsewhere."""

MAIL_SERVER = urlsplit(os.environ.get("KARAT_SMTP", ""))
"""KARAT_SMTP=smtp://USER:PASSWORD@HOST:PORT, or empty: then messages are files."""
MAIL_FROM = os.environ.get("KARAT_MAIL_FROM", f"karat@{urlsplit(ADDRESS).hostname or 'localhost'}")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django.security": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},  # anybody can send one, and gets a 400
        "django.request": {"level": "ERROR"},
        "waitress.queue": {"level": "ERROR"},  # a line for each request that waits a moment, while many judge at once
    },
}

"""Common parts of both applications: safe markup, headers, sessions, owners, limits, serving."""

from gfactor.studies.web.address import Address, Prefixed
from gfactor.studies.web.database import DatabaseBusyError
from gfactor.studies.web.headers import SecureHeaders
from gfactor.studies.web.limits import RateLimit, SmallPosts
from gfactor.studies.web.logins import Logins, logged_in
from gfactor.studies.web.markup import to_html
from gfactor.studies.web.pages import Pages
from gfactor.studies.web.posts import csrf_token, genuine_fields, redirect
from gfactor.studies.web.retrying import route
from gfactor.studies.web.secrets import Secrets
from gfactor.studies.web.serving import serve
from gfactor.studies.web.sessions import session_of, with_session

__all__ = [
    "Address",
    "DatabaseBusyError",
    "Logins",
    "Pages",
    "Prefixed",
    "RateLimit",
    "Secrets",
    "SecureHeaders",
    "SmallPosts",
    "csrf_token",
    "genuine_fields",
    "logged_in",
    "redirect",
    "route",
    "serve",
    "session_of",
    "to_html",
    "with_session",
]

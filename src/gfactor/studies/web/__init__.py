"""What both applications share: safe markup, headers, sessions, owners, limits, serving."""

from gfactor.studies.web.forgery import FORGERY_FIELD, FORGERY_HEADER, check_forgery, forgery_token
from gfactor.studies.web.headers import SecureHeaders
from gfactor.studies.web.limits import RateLimit, SmallPosts
from gfactor.studies.web.logins import Logins, logged_in
from gfactor.studies.web.markup import to_html
from gfactor.studies.web.pages import Pages
from gfactor.studies.web.secrets import Secrets
from gfactor.studies.web.serving import serve
from gfactor.studies.web.sessions import session_of, with_session

__all__ = [
    "FORGERY_FIELD",
    "FORGERY_HEADER",
    "Logins",
    "Pages",
    "RateLimit",
    "Secrets",
    "SecureHeaders",
    "SmallPosts",
    "check_forgery",
    "forgery_token",
    "logged_in",
    "serve",
    "session_of",
    "to_html",
    "with_session",
]

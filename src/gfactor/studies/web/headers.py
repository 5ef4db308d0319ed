"""Headers that permit a browser to run only the application's own files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "media-src 'self' blob:; font-src 'self'; connect-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
HEADERS: Mapping[str, str] = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


def with_policy(response: Any, *, forms_to: str = "", frames: Sequence[str] = ()) -> Any:
    """Return a response with a content security policy that permits more than `HEADERS`.

    Parameters
    ----------
    forms_to: origin to which its forms may post, besides our own; "" for none.
    frames: origins whose pages may show it in a frame.
    """
    policy = _POLICY
    if forms_to:
        policy = policy.replace("form-action 'self'", f"form-action 'self' {forms_to}")
    if frames:  # browsers then pass over x-frame-options
        policy = policy.replace("frame-ancestors 'none'", f"frame-ancestors {' '.join(frames)}")
    response.headers["content-security-policy"] = policy
    return response


STAY_ON_HTTPS = "max-age=31536000"
"""Strict-Transport-Security: browsers that came over HTTPS do not come over HTTP for a year."""


_SEEN = "gfactor.headers"


def header(request: Any, name: bytes) -> str:
    """Return the first header of a request with a name in lower case, "" if there is none.

    Starlette reads through all headers for each name; here they are read once for a request.
    """
    value = headers_of(request.scope).get(name)
    return value.decode("latin-1") if value else ""


def headers_of(scope: Any) -> dict[bytes, bytes]:
    """Return the headers of a request's scope by name; the first of several with the same name."""
    headers = scope.get(_SEEN)
    if headers is None:
        headers = scope[_SEEN] = dict(reversed(list(scope["headers"])))
    return headers


class SecureHeaders:
    """ASGI middleware that adds `HEADERS` to every response and forbids caching unless the response
    allows it; with `secure`, browsers have to keep using HTTPS."""

    def __init__(self, app: Any, *, secure: bool = False) -> None:
        self._app = app
        more = {"strict-transport-security": STAY_ON_HTTPS} if secure else {}
        headers = {**HEADERS, **more}
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]
        self._headers.append((b"cache-control", b"no-store"))
        self._names = frozenset(name for name, _ in self._headers)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        def send_with(message: Any) -> Any:
            if message["type"] == "http.response.start":
                headers, more = message["headers"], self._headers
                there = self._names.intersection([name for name, _ in headers])
                if there:
                    more = [pair for pair in more if pair[0] not in there]
                message["headers"] = [*headers, *more]
            return send(message)

        await self._app(scope, receive, send_with)

"""Endpoint of a model: address, key, limits. The key never leaves this object."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from gfactor.errors import ParameterError
from gfactor.examinees.base import Spec
from gfactor.examinees.http.wire import OPENAI, OPENAI_URL, Wire
from gfactor.examinees.image_limits import ImageLimit, limit_of_host

_PATHS = ("/chat/completions", "/responses", "/messages", ":generateContent")
"""Endings of the addresses to which requests are sent."""

_LEAST = {"request_s": 0.001, "attempts": 1, "first_wait_s": 0.0, "max_in_flight": 1,
          "max_reply": 1}  # fmt: skip


@dataclass(frozen=True)
class Endpoint:
    """A model behind a server.

    Parameters
    ----------
    model: the name that the server knows.
    base_url: everything before `/chat/completions` (`/responses`, `/messages`, `/models`).
    key: the secret sent as a bearer token, "" for servers that need none. Not shown by `repr`,
        not part of the examinee's name, never written anywhere.
    detail: OpenAI's image detail (`low`, `high`, `auto`), "" to leave it out.
    request_s: seconds that one request may take, until its last byte.
    attempts: number of attempts at an item before its failure is recorded. With the back-off's cap
        of 60 s, 6 attempts outlast a rate window of a minute.
    first_wait_s: the longest wait before the second attempt, in seconds; it doubles with every
    attempt, up to 60 s, and the wait itself is drawn between 0 and it. If the server names a time
    (Retry-After), that is the wait. max_in_flight: largest number of simultaneous requests; the
    scheduler adapts the actual number. image_limit: the largest image that the server accepts; by
    default that of its vendor, known by the address. Larger images are refused before anything is
    asked. max_reply: largest number of characters stored of a reply, and of its thoughts.
    rpm, tpm: requests and tokens per minute that the account allows, 0 for no known limit. wire:
    form of requests and responses.
    """

    model: str
    base_url: str = OPENAI_URL
    key: str = field(default="", repr=False)
    detail: str = ""
    request_s: float = 120.0
    attempts: int = 6
    first_wait_s: float = 1.0
    max_in_flight: int = 64
    rpm: int = 0
    tpm: int = 0
    image_limit: ImageLimit | None = None
    wire: Wire = OPENAI
    max_reply: int = 1_000_000

    def __post_init__(self) -> None:
        parts = _address(self.base_url)
        if parts.query or parts.fragment or parts.path.rstrip("/").endswith(_PATHS):
            raise ParameterError(
                f"base URL {self.base_url!r} is more than an address; write what stands before "
                "/chat/completions, as http://HOST:PORT/v1"
            )
        if parts.username or parts.password:
            raise ParameterError("the base URL holds a password; give the key by --key-env")
        if self.detail not in ("", "low", "high", "auto"):
            raise ParameterError(f"image detail {self.detail!r} is not low, high or auto")
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise ParameterError(f"{name} is {getattr(self, name)}; it must be >= {least}")

    @property
    def largest_image(self) -> ImageLimit | None:
        """The limit that the user named, or else the vendor's; None if neither is known."""
        return self.image_limit or limit_of_host(self.base_url)

    @property
    def url(self) -> str:
        """The address that requests are sent to."""
        return self.wire.url(self.base_url.rstrip("/"), self.model)

    @property
    def name(self) -> str:
        """The examinee's name; another address or image detail makes another examinee."""
        base_url = self.base_url.rstrip("/")
        elsewhere = "" if base_url == self.wire.base_url else base_url
        parameters = {"base_url": elsewhere, "detail": self.detail, **self.wire.named}
        non_empty = {name: value for name, value in parameters.items() if value}
        return str(Spec(self.wire.scheme, self.model, non_empty))


def address_of(given: str, wire: Wire) -> str:
    """Return the address of a model: the given one, or its own vendor's if the given one is
    OpenAI's."""
    return wire.base_url if given.rstrip("/") == OPENAI_URL else given


def reached(given: Endpoint | None, spec: Spec, wire: Wire, allowed: Sequence[str]) -> Endpoint:
    """Return the endpoint of a specification, with the limits and the key of the given endpoint.

    Raises ParameterError for a parameter other than those known, and for an image detail given to a
    vendor that has none.
    """
    unknown = sorted(set(spec.parameters) - set(allowed))
    if unknown:
        raise ParameterError(
            f"examinee {str(spec)!r} has no parameter {unknown[0]!r}; it takes "
            f"{' and '.join(allowed)}; give everything else in --condition or as an option of "
            "gfactor run"
        )
    endpoint = given or Endpoint(spec.argument)
    if endpoint.detail and "detail" not in allowed:
        raise ParameterError(
            f"only OpenAI-compatible servers take a level of image detail, and {str(spec)!r} is on "
            "another one; leave out --detail, and write it into the names of the others, such as "
            "openai:MODEL?detail=high"
        )
    base_url = spec.parameters.get("base_url") or address_of(endpoint.base_url, wire)
    detail = spec.parameters.get("detail", endpoint.detail)
    return replace(endpoint, model=spec.argument, base_url=base_url, detail=detail, wire=wire)


def _address(url: str) -> SplitResult:
    """The parts of a base URL; ParameterError if it cannot be the address of a server."""
    mistake = ParameterError(f"base URL {url!r} is not an address; write http://HOST:PORT/v1")
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
        if parts.scheme not in ("http", "https") or not host or not host.encode("idna"):
            raise mistake
    except ValueError as error:
        raise mistake from error
    if not url.isprintable() or " " in url:
        raise mistake
    return parts


def vendors_key(base_url: str, wire: Wire) -> str:
    """Return the vendor's key from the environment; "" for any other address.

    A vendor's key is sent only to that vendor.
    """
    if base_url.rstrip("/") != wire.base_url:
        return ""
    return read_key(next((name for name in wire.key_names if os.environ.get(name)), ""))


def read_key(variable: str = "", file: Path | None = None) -> str:
    """Read the key from an environment variable or a file's first line; "" if neither is named.

    Raises ParameterError if the variable is unset or the file unreadable or empty; the message
    never contains the key.
    """
    if file is not None:
        try:
            lines = file.read_text(encoding="utf-8").split()
        except (OSError, UnicodeDecodeError) as error:
            raise ParameterError(f"key file {str(file)!r} cannot be read") from error
        if not lines:
            raise ParameterError(f"key file {str(file)!r} is empty")
        if not lines[0].isprintable():
            raise ParameterError(
                f"key file {str(file)!r} has other characters than a key in its first line; "
                "write the key alone there"
            )
        return lines[0]
    if variable:
        if not os.environ.get(variable):
            raise ParameterError(f"environment variable {variable} holds no key; set it first")
        key = os.environ[variable].strip()
        if not key.isprintable():
            raise ParameterError(f"environment variable {variable} holds more than a key")
        return key
    return ""

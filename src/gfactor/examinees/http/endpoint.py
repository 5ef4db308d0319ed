"""Where and how a model is reached: address, key, limits. The key never leaves this object."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from gfactor.errors import ParameterError
from gfactor.examinees.image_limits import ImageLimit, limit_of_host

OPENAI_URL = "https://api.openai.com/v1"

_LEAST = {"request_s": 0.001, "attempts": 1, "first_wait_s": 0.0, "max_in_flight": 1}


@dataclass(frozen=True)
class Endpoint:
    """A model behind a server that speaks chat completions.

    Parameters
    ----------
    model: the name that the server knows.
    base_url: everything before `/chat/completions`.
    key: the secret sent as a bearer token, "" for servers that want none. Not shown by `repr`,
        not part of the examinee's name, never written anywhere.
    detail: OpenAI's image detail (`low`, `high`, `auto`), "" to leave it out.
    request_s: seconds that one request may take, until its last byte.
    attempts: how often an item is asked before its failure is recorded. With the back-off's cap
        of 60 s, 6 attempts outlast a rate window of a minute.
    first_wait_s: the longest wait before the second attempt, in seconds; it doubles with every
        attempt, up to 60 s, and the wait itself is drawn between 0 and it. A server that names a
        time (Retry-After) is waited for that long instead.
    max_in_flight: the most requests at once; the scheduler finds out how many are wise.
    image_limit: the largest image that the server takes; by default what is known of its vendor,
        told by the address. Larger ones are refused before anything is asked.
    rpm, tpm: requests and tokens per minute that the account allows, 0 for no limit known.
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

    def __post_init__(self) -> None:
        parts = _address(self.base_url)
        if parts.query or parts.fragment or parts.path.rstrip("/").endswith("/chat/completions"):
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
        """The limit that was named, else the vendor's; None where neither is known."""
        return self.image_limit or limit_of_host(self.base_url)

    @property
    def url(self) -> str:
        """The address that requests are sent to."""
        return self.base_url.rstrip("/") + "/chat/completions"

    @property
    def name(self) -> str:
        """The examinee's name: the same model elsewhere, or with other eyes, is another."""
        base_url = self.base_url.rstrip("/")
        said = {"base_url": "" if base_url == OPENAI_URL else base_url, "detail": self.detail}
        query = "&".join(f"{name}={value}" for name, value in said.items() if value)
        return f"openai:{self.model}" + (f"?{query}" if query else "")


def _address(url: str) -> SplitResult:
    """The parts of a base URL; ParameterError where it is none that can be reached."""
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


def read_key(variable: str = "", file: Path | None = None) -> str:
    """The key from an environment variable or a file's first line; "" where neither is named.

    Raises ParameterError where the variable is unset or the file unreadable or empty; the message
    never holds the key.
    """
    if file is not None:
        try:
            lines = file.read_text(encoding="utf-8").split()
        except (OSError, UnicodeDecodeError) as error:
            raise ParameterError(f"key file {str(file)!r} cannot be read") from error
        if not lines:
            raise ParameterError(f"key file {str(file)!r} is empty")
        if not lines[0].isprintable():
            raise ParameterError(f"key file {str(file)!r} holds more than a key in its first line")
        return lines[0]
    if variable:
        if not os.environ.get(variable):
            raise ParameterError(f"environment variable {variable} holds no key; set it first")
        key = os.environ[variable].strip()
        if not key.isprintable():
            raise ParameterError(f"environment variable {variable} holds more than a key")
        return key
    return ""

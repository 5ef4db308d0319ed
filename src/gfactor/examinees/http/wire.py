"""The wire format of a vendor: address, headers, requests, responses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from gfactor.examinees.base import RenderedItem
from gfactor.examinees.http.answer import AttemptVerdict, judge
from gfactor.examinees.http.payload import Dialect, Pieces, request_body


def limit_of(decoding: Mapping[str, Any]) -> int | None:
    """Return a condition's limit of an answer's length in tokens."""
    limit = decoding.get("max_tokens")
    return None if limit is None else int(limit)


OPENAI_URL = "https://api.openai.com/v1"


class Wire(Protocol):
    """A vendor's form of requests and responses.

    `scheme` is the scheme of its examinees, `base_url` the vendor's own address, `key_names` the
    environment variables with its users' keys, and `named` the parameters that belong to an
    examinee's name.
    """

    @property
    def scheme(self) -> str: ...
    @property
    def base_url(self) -> str: ...
    @property
    def key_names(self) -> tuple[str, ...]: ...
    @property
    def named(self) -> Mapping[str, str]: ...

    def url(self, base_url: str, model: str) -> str:
        """Return the address that requests are sent to."""
        ...

    def headers(self, key: str) -> dict[str, str]:
        """Return headers in addition to those of every request; `key` may be ""."""
        ...

    def dialect(self, model: str) -> Dialect:
        """Return the dialect that the model accepts, judged by its name."""
        ...

    def body(
        self, model: str, item: RenderedItem, dialect: Dialect, detail: str, encode: Pieces
    ) -> bytes:
        """Return the JSON of a request."""
        ...

    def longest(self, decoding: Mapping[str, Any]) -> int | None:
        """Return the largest number of tokens that a request allows its answer; None without a
        limit."""
        ...

    def judge(
        self, status: int, headers: Mapping[str, str], raw: bytes, now: float
    ) -> AttemptVerdict:
        """Read a complete response; `now` is the wall clock for dates in headers."""
        ...


@dataclass(frozen=True)
class OpenAI:
    """OpenAI's chat completions, the API of most servers."""

    scheme = "openai"
    base_url = OPENAI_URL
    key_names = ("OPENAI_API_KEY",)

    @property
    def named(self) -> Mapping[str, str]:
        """Return no names: all other settings are fields of the endpoint."""
        return {}

    def url(self, base_url: str, model: str) -> str:
        """Return the address that requests are sent to."""
        return f"{base_url}/chat/completions"

    def headers(self, key: str) -> dict[str, str]:
        """Return the key as a bearer token."""
        return {"Authorization": f"Bearer {key}"} if key else {}

    def dialect(self, model: str) -> Dialect:
        """Return the dialect that the model's name suggests."""
        return Dialect.guess(model)

    def body(
        self, model: str, item: RenderedItem, dialect: Dialect, detail: str, encode: Pieces
    ) -> bytes:
        """Return the JSON of a chat completion request."""
        return request_body(model, item, dialect, detail, encode)

    def longest(self, decoding: Mapping[str, Any]) -> int | None:
        """Return the condition's limit."""
        return limit_of(decoding)

    def judge(
        self, status: int, headers: Mapping[str, str], raw: bytes, now: float
    ) -> AttemptVerdict:
        """Read a chat completion."""
        return judge(status, headers, raw, now)


OPENAI = OpenAI()

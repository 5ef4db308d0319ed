"""Examinees behind an HTTP server: OpenAI's two APIs, Anthropic's and Google's own.

The examinee itself is loaded on first use, because commands that ask nobody need no HTTP.
"""

from typing import TYPE_CHECKING

from gfactor.examinees.http.anthropic import Anthropic
from gfactor.examinees.http.endpoint import Endpoint, read_key
from gfactor.examinees.http.google import Google
from gfactor.examinees.http.pricing import Budget, TokenPrice, read_prices
from gfactor.examinees.http.responses import ResponsesWire
from gfactor.examinees.http.wire import OPENAI, Wire
from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.examinees.http.client import HttpExaminee as HttpExaminee
else:
    __getattr__, _, _ = lazy_names(__name__, __file__)

VENDORS: dict[str, Wire] = {wire.scheme: wire for wire in (OPENAI, Anthropic(), Google())}
"""Ways of asking by the schemes that use them; models of `openai` may use `ResponsesWire`."""

__all__ = [
    "OPENAI",
    "VENDORS",
    "Anthropic",
    "Budget",
    "Endpoint",
    "Google",
    "HttpExaminee",
    "ResponsesWire",
    "TokenPrice",
    "Wire",
    "read_key",
    "read_prices",
]

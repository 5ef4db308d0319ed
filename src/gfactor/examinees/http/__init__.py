"""Examinees behind an HTTP server: OpenAI's two APIs, Anthropic's and Google's own."""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.examinees.http.anthropic import Anthropic as Anthropic
    from gfactor.examinees.http.client import HttpExaminee as HttpExaminee
    from gfactor.examinees.http.endpoint import Endpoint as Endpoint
    from gfactor.examinees.http.endpoint import read_key as read_key
    from gfactor.examinees.http.google import Google as Google
    from gfactor.examinees.http.pricing import Budget as Budget
    from gfactor.examinees.http.pricing import TokenPrice as TokenPrice
    from gfactor.examinees.http.pricing import read_prices as read_prices
    from gfactor.examinees.http.responses import ResponsesWire as ResponsesWire
    from gfactor.examinees.http.vendors import VENDORS as VENDORS
    from gfactor.examinees.http.wire import OPENAI as OPENAI
    from gfactor.examinees.http.wire import Wire as Wire
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, __file__)

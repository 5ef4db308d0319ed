"""The vendors whose APIs can be asked."""

from __future__ import annotations

from gfactor.examinees.http.anthropic import Anthropic
from gfactor.examinees.http.google import Google
from gfactor.examinees.http.wire import OPENAI, Wire

VENDORS: dict[str, Wire] = {wire.scheme: wire for wire in (OPENAI, Anthropic(), Google())}
"""Ways of asking by the schemes that use them; models of `openai` may use `ResponsesWire`."""

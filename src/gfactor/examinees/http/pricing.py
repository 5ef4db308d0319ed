"""What a run costs: a user's price file, an estimate before, an account and a cap during it."""

from __future__ import annotations

import asyncio
import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gfactor.errors import ParameterError
from gfactor.examinees.base import RenderedItem
from gfactor.examinees.http.limits import RunStoppedError

_WIDE = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")

TEXT_CHARACTERS_PER_TOKEN = 4
"""A rule of thumb for alphabetic scripts; a Chinese, Japanese or Korean character counts as one."""

IMAGE_TOKENS = 1000
"""A cautious flat estimate per image; what was really used is in every response's usage."""


@dataclass(frozen=True)
class Price:
    """Money per million tokens, in the currency of the user's file."""

    input: float
    output: float

    def of(self, usage: Mapping[str, int]) -> float:
        """What a request with this usage costs.

        Some vendors (xAI, Gemini) leave what a model thought out of `completion_tokens` and count
        it in the total alone; it is paid for like the rest.
        """
        read, written = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
        written = max(written, usage.get("total_tokens", 0) - read)
        return (self.input * read + self.output * written) / 1e6


def read_prices(path: Path) -> dict[str, Price]:
    """Prices by model from a TOML file of tables `["MODEL"]` with `input` and `output`.

    Raises ParameterError with the file and the model where something is missing or negative.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ParameterError(f"price file {str(path)!r} cannot be read: {error}") from error
    prices = {}
    for model, table in tables.items():
        values = [table.get(k) if isinstance(table, dict) else None for k in ("input", "output")]
        if not all(_is_price(v) for v in values):
            raise ParameterError(
                f"price file {str(path)!r}, model {model!r}: give input and output, money per "
                "million tokens"
            )
        prices[model] = Price(float(values[0] or 0), float(values[1] or 0))
    return prices


def _is_price(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value < math.inf


def estimate_tokens(item: RenderedItem) -> int:
    """Tokens that an item's request will hold, by the rules of thumb above."""
    wide = characters = images = 0
    for turn in (*item.earlier, item.content):
        for segment in turn:
            if isinstance(segment, str):
                wide += len(_WIDE.findall(segment))
                characters += len(segment)
            else:
                images += 1
    text = wide + (characters - wide + TEXT_CHARACTERS_PER_TOKEN - 1) // TEXT_CHARACTERS_PER_TOKEN
    return text + images * IMAGE_TOKENS


class Budget:
    """Counts what is spent, and stops the run before it exceeds the cap.

    Parameters
    ----------
    price: the model's price; None where no price file was given (nothing is counted).
    cap: the most money to spend, None for no cap.
    """

    def __init__(self, price: Price | None = None, cap: float | None = None) -> None:
        if cap is not None and price is None:
            raise ParameterError("a spending cap needs the model's price; give --prices FILE")
        self.price = price
        self.cap = cap
        self.spent = 0.0
        self.estimated = 0
        """Answers whose usage the server did not tell, booked at their estimate."""
        self._reserved = 0.0
        self._open = 0
        self._settled = asyncio.Event()

    async def reserve(self, tokens: int, output_tokens: int) -> float:
        """Set money aside for a request; RunStoppedError where the cap would be exceeded.

        What others have set aside is an estimate, and mostly too much: where there is not enough
        left, they are waited for, so that no answer that is being paid for is given up.
        """
        if self.price is None:
            return 0.0
        asked = self.price.of({"prompt_tokens": tokens, "completion_tokens": output_tokens})
        while self.cap is not None and self.spent + self._reserved + asked > self.cap:
            if not self._open:
                raise RunStoppedError(
                    f"the spending cap of {self.cap:g} would be exceeded by the next question, "
                    f"which may cost {asked:.4g}; what was answered is kept, raise --max-cost to "
                    "go on"
                )
            self._settled.clear()
            await self._settled.wait()
        self._reserved += asked
        self._open += 1
        return asked

    def settle(self, reserved: float, usage: Mapping[str, int], *, answered: bool) -> float | None:
        """Give a reservation back and book what the request really cost.

        An answer whose usage the server does not tell is booked at what was set aside for it.
        """
        if self.price is None:
            return None
        self._open -= 1
        # Sums of floats that are taken back leave crumbs, which must not count against the cap.
        self._reserved = self._reserved - reserved if self._open else 0.0
        told = "prompt_tokens" in usage or "completion_tokens" in usage
        cost = self.price.of(usage) if told or not answered else reserved
        self.estimated += answered and not told
        self.spent += cost
        self._settled.set()
        return cost

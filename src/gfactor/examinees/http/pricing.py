"""Cost of a run: a user's price file, an account and a cap."""

from __future__ import annotations

import asyncio
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gfactor.errors import ParameterError
from gfactor.examinees.http.limits import CapReachedError
from gfactor.examinees.token_usage import read_and_written

OUTPUT_TOKENS = 1000
"""Tokens reserved for an answer if no `max_tokens` is set and no answer is known yet: the longest
that Percept-V allows.
"""

LEARNED_FROM = 10
"""Number of answers needed to predict the length of the next ones."""

_MARGIN = 2.0
"""Largest expected length of the next answer, as a multiple of the longest so far."""

_INPUT_MARGIN = 1.1
"""The same factor for the ratio of the tokens that servers read to the estimate."""


_PRICES = ("input", "output", "cache_read", "cache_write")


@dataclass(frozen=True)
class TokenPrice:
    """Money per million tokens, in the currency of the user's file.

    `cache_read` and `cache_write` are the prices of tokens read from and written to a vendor's
    cache; None if these cost as much as others.
    """

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None

    @property
    def dearest_input(self) -> float:
        """Largest possible price of an input token."""
        return max(self.input, self.cache_write or 0.0)

    def of(self, usage: Mapping[str, int]) -> float:
        """Return the cost of a request with this usage, including reasoning tokens."""
        read, written = read_and_written(usage)
        cost = self.output * written
        for name, price in (("read", self.cache_read), ("write", self.cache_write)):
            if price is not None:
                cached = min(read, usage.get(f"cache_{name}_tokens", 0))
                cost += price * cached
                read -= cached
        return (cost + self.input * read) / 1e6


def read_prices(path: Path) -> dict[str, TokenPrice]:
    """Return prices by model from a TOML file of tables `["MODEL"]` with `input` and `output`, and
    `cache_read` and `cache_write` if these differ.

    Raises ParameterError, with the file and the model, if a price is missing or negative, and if
    there is no model.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise ParameterError(f"price file {str(path)!r} cannot be read: {error}") from error
    if not tables:
        raise ParameterError(
            f'price file {str(path)!r} names no model; give each a table ["MODEL"] with input and '
            "output, the prices of a million tokens"
        )
    prices = {}
    for model, table in tables.items():
        rates = table if isinstance(table, dict) else {}
        values = {name: rates[name] for name in _PRICES if name in rates}
        if not {"input", "output"} <= set(values) or not all(map(_is_price, values.values())):
            raise ParameterError(
                f"price file {str(path)!r}, model {model!r}: give input and output, the prices of "
                "a million tokens, and also cache_read and cache_write if the vendor's cache is "
                "used"
            )
        prices[model] = TokenPrice(**{name: float(value) for name, value in values.items()})
    return prices


def _is_price(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value < math.inf


@dataclass(frozen=True)
class Reservation:
    """Money reserved for a request, and the estimate of its input tokens."""

    tokens: int
    money: float


_NOTHING = Reservation(0, 0.0)
"""Reservation if nothing is counted."""


class Budget:
    """The spent money of an examinee, with a cap before which the run stops.

    Parameters
    ----------
    price: the model's price; None if no price file was given (costs are not counted). cap: largest
    amount to spend, None for no cap.
    """

    def __init__(self, price: TokenPrice | None = None, cap: float | None = None) -> None:
        if cap is not None and price is None:
            raise ParameterError("a spending cap needs the model's price; give --prices FILE")
        self.price = price
        self.cap = cap
        self.spent = 0.0
        self.estimated = 0
        """Number of answers without a usage from the server, counted at their estimate."""
        self._reserved = 0.0
        self._open = 0
        self._settled = asyncio.Event()
        self._n_counted = 0
        self._longest = 0
        self._input_ratio = 0.0

    async def reserve(self, tokens: int, most_output: int | None) -> Reservation:
        """Reserve money for a request; raise CapReachedError if the cap would be exceeded.

        Reservations of other requests are estimates, and mostly too high. If the rest is not
        sufficient, the request waits until they are settled, so that no answer that is already
        being paid for is lost.

        Parameters
        ----------
        tokens: estimate of the request's tokens. most_output: the longest answer that the request
        allows (`max_tokens`), None if nothing limits it. Without a limit, the length is predicted
        from the answers so far; money for one much longer answer is kept back, so that it does not
        exceed the cap either.
        """
        if self.price is None:
            return _NOTHING
        while True:
            expected, kept_back = self.expected_output(most_output)
            money = self._cost(tokens, expected)
            needed = self._cost(tokens, max(expected, kept_back))
            if self.cap is None or self.spent + self._reserved + needed <= self.cap:
                break
            if not self._open:
                limit = "" if most_output is not None else " as no max_tokens limits its answer"
                raise CapReachedError(
                    f"the spending cap of {self.cap:g} would be exceeded by the next question, "
                    f"which may cost {needed:.4g}{limit}; all answers so far are stored; raise "
                    "--max-cost to go on"
                )
            self._settled.clear()
            await self._settled.wait()
        self._reserved += money
        self._open += 1
        return Reservation(tokens, money)

    @property
    def has_learned(self) -> bool:
        """Return True if there are enough answers to predict the length of the next ones."""
        return self._n_counted >= LEARNED_FROM

    def expected_output(self, most: int | None) -> tuple[int, int]:
        """Return the expected length of an answer, and its length at worst."""
        if most is not None:
            return most, most
        longest = math.ceil(_MARGIN * self._longest)
        if not self.has_learned:
            return max(OUTPUT_TOKENS, longest), max(OUTPUT_TOKENS, longest)
        return longest, max(OUTPUT_TOKENS, longest)

    def _cost(self, tokens: int, output: int) -> float:
        assert self.price is not None
        # Estimates of input tokens are corrected by the servers' counts.
        learned = self.has_learned and self._input_ratio
        ratio = _INPUT_MARGIN * self._input_ratio if learned else 1.0
        sent = math.ceil(tokens * ratio)
        return (self.price.dearest_input * sent + self.price.output * output) / 1e6

    def settle(
        self,
        reservation: Reservation,
        usage: Mapping[str, int],
        *,
        answered: bool,
        unanswered: int = 0,
    ) -> float | None:
        """Release a reservation and record the actual cost of the request.

        An answer without usage is counted at the reserved amount. `unanswered` is the number of
        requests that may have been charged without an answer; only shared budgets count these.
        """
        if self.price is None:
            return None
        self._open -= 1
        # Adding and subtracting floats leaves rounding errors, which must not count against the
        # cap.
        self._reserved = self._reserved - reservation.money if self._open else 0.0
        counted = "prompt_tokens" in usage or "completion_tokens" in usage
        cost = self.price.of(usage) if counted or not answered else reservation.money
        self.estimated += answered and not counted
        if answered and counted:
            self.learn(usage, reservation.tokens)
        self.spent += cost
        self._settled.set()
        return cost

    def stored(self, costs: Sequence[float]) -> None:
        """Record that replies with these costs are stored; only shared budgets use this."""

    async def close(self) -> None:
        """Release reserved money; only shared budgets have any at the end."""

    def learn(self, usage: Mapping[str, int], tokens: int = 0) -> None:
        """Update the expected length of answers by the usage of an answer.

        `tokens` is the estimate of its question, 0 if it is not known.
        """
        read, written = read_and_written(usage)
        self._n_counted += 1
        self._longest = max(self._longest, written)
        if tokens:
            self._input_ratio = max(self._input_ratio, read / tokens)

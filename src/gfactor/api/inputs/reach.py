"""Options for models over HTTP: address, key, limits, money."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypedDict

from gfactor.api.inputs.calls import option
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.examinees import EXAMINEES, Examinee, Spec, make_examinee
from gfactor.examinees.http import (
    OPENAI,
    VENDORS,
    Budget,
    Endpoint,
    TokenPrice,
    Wire,
    read_key,
    read_prices,
)
from gfactor.examinees.http.endpoint import address_of, vendors_key
from gfactor.examinees.http.limits import RunStoppedError
from gfactor.examinees.image_limits import DOWNSCALE, ImageLimit
from gfactor.parameters import Count, Money, Seconds

_FIELDS = {
    **{
        name: name
        for name in ("base_url", "detail", "rpm", "tpm", "max_in_flight", "attempts", "max_reply")
    },
    "timeout": "request_s",
}
"""Options that are fields of an endpoint."""

NAMES = (*_FIELDS, "image_limit", "key_env", "key_file", "deadline", "prices", "max_cost")
"""All options, in the order of messages."""

CURRENCY = "in the currency of the price file"


class ReachOptions(TypedDict, total=False):
    """Options of every function that asks models over HTTP: address, key, limits, money.

    Parameters
    ----------
    base_url : str
        Address of the server of models over HTTP, such as http://HOST:PORT/v1; by default the
        address of the vendor (OpenAI, Anthropic or Google).
    key_env : str
        Environment variable with the API key; by default, at the vendors' own addresses,
        OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY.
    key_file : path
        File with the API key.
    detail : {"low", "high", "auto"}
        Level of image detail that an OpenAI-compatible server uses; it becomes part of the
        examinee's name.
    image_limit : str
        Largest image that may be sent: pixels of its longest side (2048), size of its file (5MB),
        both (2048+5MB), or the name of a vendor with a known limit (anthropic); by default the
        limit of the server's vendor. Larger images are refused, or scaled down with
        LIMIT:downscale.
    rpm : int
        Largest number of requests per minute.
    tpm : int
        Largest number of tokens per minute.
    max_in_flight : int
        Largest number of requests at the same time.
    max_reply : int
        Largest number of characters of a reply that is stored (default 1,000,000); longer replies
        are cut and marked.
    timeout : float
        Longest time that a request may take, in seconds.
    attempts : int
        Largest number of attempts per request.
    deadline : float
        Number of seconds after which an examinee gets no more questions; the same call continues
        later.
    prices : path
        TOML file of prices per million tokens: a table ["MODEL"] for each model, with input and
        output, and with cache_read and cache_write if the vendor's cache is used.
    max_cost : float
        Largest sum that this call may spend, in the currency of the prices.
    """

    base_url: str
    key_env: str
    key_file: Path | str
    detail: str
    image_limit: str
    rpm: Count
    tpm: Count
    max_in_flight: Count
    max_reply: Count
    timeout: Seconds
    attempts: Count
    deadline: Seconds
    prices: Path | str
    max_cost: Money


@dataclass
class Reach:
    """Access to models in one call, and their cost so far.

    Parameters
    ----------
    endpoint: address and limits, for every model over HTTP.
    named: the options that were given, for messages.
    key_env, key_file: source of the key.
    prices: prices by model; empty without a file.
    max_cost: largest sum to spend in all; None for no limit.
    deadline_s: seconds for each examinee; None for no deadline.
    spent: money spent so far.
    scaled_to: the image limit of the condition, "" if images are left as they are.
    """

    endpoint: Endpoint
    named: tuple[str, ...] = ()
    key_env: str = ""
    key_file: Path | None = None
    prices: Mapping[str, TokenPrice] = field(default_factory=dict)
    max_cost: float | None = None
    deadline_s: float | None = None
    spent: float = 0.0
    scaled_to: str = ""

    def make(self, text: str, **context: Any) -> Examinee:
        """Make the examinee of a specification, with the user's address, key and budget."""
        spec = Spec.parse(text)
        if not self._is_reached(spec):
            return make_examinee(text, **context)
        vendor = VENDORS.get(spec.scheme, OPENAI)
        base_url = spec.parameters.get("base_url") or address_of(self.endpoint.base_url, vendor)
        endpoint = replace(self.endpoint, model=spec.argument, key=self._key(base_url, vendor))
        budget = Budget(self.price(spec), self.max_cost)
        more = {"endpoint": endpoint, "budget": budget, "deadline_s": self.deadline_s}
        return make_examinee(text, **context, **more)

    def price(self, spec: Spec) -> TokenPrice | None:
        """Return the model's price; None without a price file, or if the examinee is free."""
        if not self.prices or not self._is_reached(spec):
            return None
        if spec.argument not in self.prices:
            raise UnknownNameError("model in the price file", spec.argument, self.prices)
        return self.prices[spec.argument]

    def check(self, specs: tuple[str, ...]) -> None:
        """Raise ParameterError if an option was given that applies to none of the examinees."""
        if self.named and not any(self._is_reached(Spec.parse(text)) for text in specs):
            schemes = ", ".join(f"{scheme}:MODEL" for scheme in VENDORS)
            served = next((t for t in specs if Spec.parse(t).scheme == "vllm"), None)
            if served is not None:
                model = Spec.parse(served).argument
                raise ParameterError(
                    f"{self.named[0]} is for models over HTTP, and {served!r} is computed in this "
                    f"process; a vLLM server is asked as openai:{model}"
                )
            raise ParameterError(
                f"{self.named[0]} is for models over HTTP ({schemes}), and no examinee is one"
            )

    def ask(self, examinee: Examinee, work: Callable[[], Any]) -> Any:
        """Do the work that asks an examinee, and keep its account (`account`)."""
        with self.account(examinee):
            return work()

    @contextmanager
    def account(self, examinee: Examinee) -> Iterator[None]:
        """Keep the account while an examinee is asked; earlier costs count against the cap.

        If the work is stopped, the account is part of the message.
        """
        from gfactor.examinees.http.client import HttpExaminee  # noqa: PLC0415 - loads aiohttp

        if not isinstance(examinee, HttpExaminee):
            yield
            return
        examinee.budget.spent = self.spent
        try:
            yield
        except RunStoppedError as stopped:
            if examinee.budget.price is None:
                raise
            raise type(stopped)(f"{stopped} (spent {examinee.budget.spent:.4g})") from stopped
        finally:
            self.spent = examinee.budget.spent

    def _is_reached(self, spec: Spec) -> bool:
        return "endpoint" in inspect.signature(EXAMINEES[spec.scheme]).parameters

    def _key(self, base_url: str, vendor: Wire) -> str:
        if self.key_env or self.key_file:
            return read_key(self.key_env, self.key_file)
        return vendors_key(base_url, vendor)


def options_by_name(function: Callable[..., Any]) -> list[str]:
    """Return the names of the parameters that a function takes by name only."""
    parameters = inspect.signature(function).parameters.values()
    return [one.name for one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY]


def reach_of(
    options: Mapping[str, Any],
    beside: Iterable[str] = (),
) -> Reach:
    """Return the access to models that the given options describe.

    Parameters
    ----------
    options: options by their names in `NAMES`; None, or left out, if an option was not given.
    beside: names of the function's other options; the closest is suggested for an unknown name.

    Raises ParameterError or UnknownNameError for options that contradict each other, and files that
    cannot be read.
    """
    unknown = sorted(set(options) - set(NAMES))
    if unknown:
        raise UnknownNameError("option", unknown[0], (*beside, *NAMES))
    options = {name: options.get(name) for name in NAMES}
    if options["key_env"] and options["key_file"]:
        raise ParameterError(
            f"give the key by {option('key_env')} or by {option('key_file')}, not by both"
        )
    if options["max_cost"] is not None and not options["prices"]:
        file = " FILE" * option("prices").startswith("--")
        raise ParameterError(
            f"{option('max_cost')} needs {option('prices')}{file} to know what tokens cost"
        )
    limit, downscale, _ = (options["image_limit"] or "").partition(DOWNSCALE)
    given = [name for name, value in options.items() if value is not None]
    fields = {_FIELDS[name]: options[name] for name in given if name in _FIELDS}
    if downscale:
        # How images are shown is a condition, for every examinee.
        given.remove("image_limit")
    elif limit:
        fields["image_limit"] = ImageLimit.parse(limit)
    return Reach(
        Endpoint("", **fields),
        named=tuple(option(name) for name in given),
        key_env=options["key_env"] or "",
        key_file=Path(options["key_file"]) if options["key_file"] else None,
        prices=read_prices(Path(options["prices"])) if options["prices"] else {},
        max_cost=options["max_cost"],
        deadline_s=options["deadline"],
        scaled_to=str(ImageLimit.parse(limit)) if downscale else "",
    )

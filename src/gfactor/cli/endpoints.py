"""The options of `gfactor run` for examinees over HTTP: address, key, limits, money."""

from __future__ import annotations

import functools
import inspect
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from gfactor.cli.options import PATH, together
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.examinees import EXAMINEES, Examinee, Spec, make_examinee
from gfactor.examinees.http import Budget, Endpoint, HttpExaminee, Price, read_key, read_prices
from gfactor.examinees.http.endpoint import OPENAI_URL
from gfactor.examinees.http.limits import RunStoppedError
from gfactor.examinees.image_limits import DOWNSCALE, ImageLimit

_COUNT = click.IntRange(min=1)


class _Finite(click.FloatRange):
    """A number in a range; "nan" and "inf" would be limits that nothing ever reaches."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is no limit; leave the option out for none", param, ctx)
        return number


_SECONDS = _Finite(min=0, min_open=True)

_OPTIONS = together(
    click.option(
        "--base-url",
        metavar="URL",
        help=f"Where models over HTTP are, as http://HOST:PORT/v1; by default {OPENAI_URL}.",
    ),
    click.option(
        "--key-env",
        metavar="NAME",
        help="The environment variable that holds the key; for OpenAI's own address OPENAI_API_KEY "
        "where nothing else is said.",
    ),
    click.option("--key-file", type=PATH, metavar="FILE", help="The file that holds the key."),
    click.option(
        "--detail",
        type=click.Choice(["low", "high", "auto"]),
        help="OpenAI's image detail; part of the examinee's name.",
    ),
    click.option(
        "--image-limit",
        metavar="LIMIT",
        help="The largest image that may be sent, as 2048 (longest side), 5MB, 2048+5MB or a "
        "vendor (anthropic); larger ones are refused, or scaled down with LIMIT:downscale. By "
        "default the limit known of the server's vendor.",
    ),
    click.option("--rpm", type=_COUNT, metavar="N", help="Requests a minute that are allowed."),
    click.option("--tpm", type=_COUNT, metavar="N", help="Tokens a minute that are allowed."),
    click.option("--max-in-flight", type=_COUNT, metavar="N", help="The most requests at once."),
    click.option("--timeout", type=_SECONDS, metavar="S", help="Seconds that a request may take."),
    click.option(
        "--attempts", type=_COUNT, metavar="N", help="How often a request is sent at most."
    ),
    click.option(
        "--deadline",
        type=_SECONDS,
        metavar="S",
        help="Seconds after which each examinee is asked no more; the same command goes on.",
    ),
    click.option(
        "--prices",
        type=PATH,
        metavar="FILE",
        help='Prices (TOML): for every model a table ["MODEL"] with input and output, money per '
        "million tokens.",
    ),
    click.option(
        "--max-cost",
        type=_Finite(min=0),
        metavar="MONEY",
        help="The most that this call may spend, in the currency of the prices.",
    ),
)

_FIELDS = {
    **{name: name for name in ("base_url", "detail", "rpm", "tpm", "max_in_flight", "attempts")},
    "timeout": "request_s",
}
"""Options that are fields of an endpoint."""

_NAMES = (*_FIELDS, "image_limit", "key_env", "key_file", "deadline", "prices", "max_cost")


@dataclass
class Reach:
    """How models are reached in one call of the command, and what they have cost in it.

    Parameters
    ----------
    endpoint: address and limits, for every model over HTTP.
    named: the options that were given, for messages.
    key_env, key_file: where the key is.
    prices: by model; empty where no file was given.
    max_cost: the most to be spent in all, None for no cap.
    deadline_s: seconds for each examinee, None for no deadline.
    spent: so far.
    scaled_to: the image limit of the condition, "" where images are left as they are.
    """

    endpoint: Endpoint
    named: tuple[str, ...] = ()
    key_env: str = ""
    key_file: Path | None = None
    prices: Mapping[str, Price] = field(default_factory=dict)
    max_cost: float | None = None
    deadline_s: float | None = None
    spent: float = 0.0
    scaled_to: str = ""

    def make(self, text: str, **context: Any) -> Examinee:
        """The examinee of a specification, reached as the user said; as `make_examinee`."""
        spec = Spec.parse(text)
        if not self._is_reached(spec):
            return make_examinee(text, **context)
        base_url = spec.parameters.get("base_url", self.endpoint.base_url)
        endpoint = replace(self.endpoint, model=spec.argument, key=self._key(base_url))
        budget = Budget(self.price(spec), self.max_cost)
        more = {"endpoint": endpoint, "budget": budget, "deadline_s": self.deadline_s}
        return make_examinee(text, **context, **more)

    def price(self, spec: Spec) -> Price | None:
        """The model's price; None where there is no price file or the examinee costs nothing."""
        if not self.prices or not self._is_reached(spec):
            return None
        if spec.argument not in self.prices:
            raise UnknownNameError("model in the price file", spec.argument, self.prices)
        return self.prices[spec.argument]

    def check(self, specs: tuple[str, ...]) -> None:
        """Raise ParameterError where an option was given that is for none of the examinees."""
        if self.named and not any(self._is_reached(Spec.parse(text)) for text in specs):
            raise ParameterError(
                f"{self.named[0]} is for models over HTTP (openai:MODEL), and there is none among "
                "the examinees"
            )

    def ask(self, examinee: Examinee, work: Callable[[], Any]) -> Any:
        """Do the work that asks an examinee; what was spent before counts against the cap.

        Where the work is stopped, the account is part of the message.
        """
        if not isinstance(examinee, HttpExaminee):
            return work()
        examinee.budget.spent = self.spent
        try:
            return work()
        except RunStoppedError as stopped:
            if examinee.budget.price is None:
                raise
            raise RunStoppedError(f"{stopped} (spent {examinee.budget.spent:.4g})") from stopped
        finally:
            self.spent = examinee.budget.spent

    def _is_reached(self, spec: Spec) -> bool:
        return "endpoint" in inspect.signature(EXAMINEES[spec.scheme]).parameters

    def _key(self, base_url: str) -> str:
        if self.key_env or self.key_file:
            return read_key(self.key_env, self.key_file)
        # OpenAI's key goes to OpenAI alone, whatever the environment holds.
        known = base_url.rstrip("/") == OPENAI_URL and os.environ.get("OPENAI_API_KEY")
        return read_key("OPENAI_API_KEY") if known else ""


def endpoint_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options to a verb, which gets them as one argument, `reach`."""

    @functools.wraps(command)
    def with_reach(**values: Any) -> int:
        said = {name: values.pop(name) for name in _NAMES}
        return command(reach=_reach(said), **values)

    return _OPTIONS(with_reach)


def _reach(said: Mapping[str, Any]) -> Reach:
    if said["key_env"] and said["key_file"]:
        raise ParameterError("give the key by --key-env or by --key-file, not by both")
    if said["max_cost"] is not None and not said["prices"]:
        raise ParameterError("--max-cost needs --prices FILE to know what tokens cost")
    limit, downscale, _ = (said["image_limit"] or "").partition(DOWNSCALE)
    given = [name for name, value in said.items() if value is not None]
    fields = {_FIELDS[name]: said[name] for name in given if name in _FIELDS}
    if downscale:
        # How images are shown is a condition, for every examinee.
        given.remove("image_limit")
    elif limit:
        fields["image_limit"] = ImageLimit.parse(limit)
    return Reach(
        Endpoint("", **fields),
        named=tuple(f"--{name.replace('_', '-')}" for name in given),
        key_env=said["key_env"] or "",
        key_file=said["key_file"],
        prices=read_prices(said["prices"]) if said["prices"] else {},
        max_cost=said["max_cost"],
        deadline_s=said["deadline"],
        scaled_to=str(ImageLimit.parse(limit)) if downscale else "",
    )

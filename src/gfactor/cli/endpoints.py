"""The options of `gfactor run` for examinees over HTTP: address, key, limits, money."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import click

from gfactor.cli.constants import declared
from gfactor.cli.options import PATH, together

OPENAI_URL = declared("gfactor.examinees.http.wire", "OPENAI_URL")

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
        help=f"Where models over HTTP are, as http://HOST:PORT/v1; by default {OPENAI_URL}, of "
        "anthropic: and google: the vendor's own.",
    ),
    click.option(
        "--key-env",
        metavar="NAME",
        help="The environment variable that holds the key; where nothing is said, for the "
        "vendors' own addresses OPENAI_API_KEY, ANTHROPIC_API_KEY and GEMINI_API_KEY.",
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
    click.option(
        "--max-reply",
        type=_COUNT,
        metavar="N",
        help="Characters of a reply that are kept at most (default 1,000,000); the rest is noted.",
    ),
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
        help='Prices (TOML): for every model a table ["MODEL"] with input and output, and '
        "cache_read and cache_write where a vendor's cache is used, money per million tokens.",
    ),
    click.option(
        "--max-cost",
        type=_Finite(min=0),
        metavar="MONEY",
        help="The most that this call may spend, in the currency of the prices.",
    ),
)


def endpoint_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options to a verb, which gets them as one argument, `reach`
    (`gfactor.api.reach.Reach`)."""

    @functools.wraps(command)
    def with_reach(**values: Any) -> int:
        from gfactor.api.reach import NAMES, reach_of

        said = {name: values.pop(name) for name in NAMES}
        return command(reach=reach_of(said), **values)

    return _OPTIONS(with_reach)

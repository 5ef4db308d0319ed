"""The options of a build that reads published files, as the command line offers them."""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.benchmarks.benchmark import Option
from gfactor.errors import ParameterError, UnknownNameError


def source_option(repository: str) -> Option:
    """Return `--from`: the folder or file with the published files, or the Hugging Face hub."""
    named = f"hub (hub@REVISION) for {repository} on the Hugging Face hub, or hub:OWNER/NAME"
    hub = named if repository else "hub:OWNER/NAME for a data set on the Hugging Face hub"
    return Option(
        name="source",
        default="",
        metavar="PATH|hub",
        help=f"The published files: a folder or file, or {hub}.",
        parse=str,
        typed="from",
    )


def languages_option(available: Sequence[str]) -> Option:
    """Return `--language`: the languages to load, all by default."""

    def parse(text: str) -> tuple[str, ...]:
        wanted = tuple(dict.fromkeys(part.strip().lower() for part in text.split(",") if part))
        for tag in wanted:
            if tag not in available:
                raise UnknownNameError("language", tag, available)
        if not wanted:
            raise ParameterError(f"language: name one or several of {', '.join(available)}")
        return wanted

    return Option(
        name="languages",
        default=",".join(available),
        metavar="A,B",
        help="Languages to load, separated by commas.",
        parse=parse,
        typed="language",
    )


def on_or_off(text: str) -> bool:
    """Return the value of a switch."""
    return text == "on"


SKIP_INVALID = Option(
    name="skip_invalid",
    default="",
    metavar="",
    help="Skip invalid rows, and count them in the bank's metadata.",
    parse=on_or_off,
    switch=True,
)

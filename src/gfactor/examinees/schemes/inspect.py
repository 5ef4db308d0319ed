"""`inspect:PROVIDER/MODEL`: a model behind any of Inspect's providers (extra `inspect`)."""

from __future__ import annotations

from typing import Any

from gfactor.errors import MissingExtraError, ParameterError
from gfactor.examinees.base import EXAMINEES, Spec
from gfactor.examinees.inspect import InspectExaminee

_RETRIES = 5
"""Largest number of retries; by default Inspect retries for ever."""

_ATTEMPT_S = 120
"""Seconds after which an attempt is given up, as for the HTTP examinee."""


@EXAMINEES.register("inspect")
def make(*, spec: Spec, **_: Any) -> InspectExaminee:
    """Make an examinee of one of Inspect's providers: `inspect:PROVIDER/MODEL?base_url=URL`.

    Keys come from the environment variables that Inspect's providers read.

    Raises MissingExtraError if Inspect is not installed, and ParameterError for any other parameter
    or if the provider lacks a key or a library.
    """
    for parameter in spec.parameters:
        if parameter != "base_url":
            raise ParameterError(
                f"examinee {str(spec)!r} has no parameter {parameter!r}; the only one is "
                "'base_url'; give all else in --condition or as an option of gfactor run"
            )
    provider, slash, model = spec.argument.partition("/")
    if not (provider and slash and model):
        raise ParameterError(
            f"examinee {str(spec)!r}: a model of Inspect is named PROVIDER/MODEL, as in "
            "inspect:anthropic/claude-sonnet-4-0"
        )
    return InspectExaminee(str(spec), _model(spec))


def _model(spec: Spec) -> Any:
    try:
        from inspect_ai.model import (  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
            GenerateConfig,
            get_model,
        )
    except ImportError as error:
        raise MissingExtraError(f"the examinee {spec}", "inspect") from error
    try:
        # Not shared, because each run has its own event loop, and connections belong to one loop.
        return get_model(
            spec.argument,
            config=GenerateConfig(max_retries=_RETRIES, attempt_timeout=_ATTEMPT_S),
            base_url=spec.parameters.get("base_url"),
            memoize=False,
        )
    except Exception as error:
        # Inspect's PrerequisiteError holds the sentence in `message`, with markup for a terminal.
        message = " ".join(str(getattr(error, "message", error)).split())
        raise ParameterError(f"Inspect cannot make {spec.argument!r}: {message}") from error

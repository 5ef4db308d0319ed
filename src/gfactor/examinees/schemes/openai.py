"""`openai:MODEL`: a model behind any server that speaks OpenAI's chat completions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gfactor.errors import ParameterError
from gfactor.examinees.base import EXAMINEES, Spec
from gfactor.examinees.http import Budget, Endpoint, HttpExaminee
from gfactor.examinees.http.limits import Limits

_PARAMETERS = ("base_url", "detail")


@EXAMINEES.register("openai")
def make(
    *,
    spec: Spec,
    endpoint: Endpoint | None = None,
    budget: Budget | None = None,
    deadline_s: float | None = None,
    shared: Limits | None = None,
    **_: Any,
) -> HttpExaminee:
    """The HTTP examinee of a specification `openai:MODEL?base_url=URL&detail=high`.

    `endpoint` (address, key and limits from the command line) is completed by the
    specification's model and parameters.
    """
    unknown = sorted(set(spec.parameters) - set(_PARAMETERS))
    if unknown:
        raise ParameterError(
            f"examinee {str(spec)!r} has no parameter {unknown[0]!r}; it takes "
            f"{' and '.join(_PARAMETERS)}, all else is a condition or an option of the run"
        )
    reached = replace(endpoint or Endpoint(spec.argument), model=spec.argument, **spec.parameters)
    return HttpExaminee(reached, budget, deadline_s, shared=shared)

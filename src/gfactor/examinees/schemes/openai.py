"""`openai:MODEL?api=responses`: a model behind any server that speaks an API of OpenAI's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gfactor.errors import ParameterError
from gfactor.examinees.base import EXAMINEES, Spec
from gfactor.examinees.http import OPENAI, Budget, Endpoint, HttpExaminee, ResponsesWire
from gfactor.examinees.http.endpoint import reached
from gfactor.examinees.http.families import needed_api
from gfactor.examinees.http.limits import Limits

APIS = ("chat", "responses")
"""Chat completions, and the Responses API."""


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
    """Make an examinee of OpenAI's API: `openai:MODEL?api=responses&base_url=URL&detail=high`.

    `endpoint` (address, key and limits from the command line) is completed by the
    specification's model and parameters. Without `api`, a model is asked through chat completions,
    or through the API that its family is known to need.

    Raises ParameterError for another parameter, or another API.
    """
    api = spec.parameters.get("api", "")
    if api not in ("", *APIS):
        raise ParameterError(
            f"examinee {str(spec)!r}: api must be {' or '.join(APIS)} (OpenAI's two interfaces), "
            f"not {api}"
        )
    where = reached(endpoint, spec, OPENAI, ("api", "base_url", "detail"))
    at_vendor = where.base_url.rstrip("/") == OPENAI.base_url
    needed = needed_api(OPENAI.scheme, spec.argument, at_vendor=at_vendor) or "chat"
    if (api or needed) == "responses":
        where = replace(where, wire=ResponsesWire(chosen=needed != "responses"))
    return HttpExaminee(where, budget, deadline_s, shared=shared)

"""`openai:MODEL`: a model behind any server that speaks OpenAI's chat completions."""

from __future__ import annotations

from typing import Any

from gfactor.examinees.base import EXAMINEES, Spec
from gfactor.examinees.http import OPENAI, Budget, Endpoint, HttpExaminee
from gfactor.examinees.http.endpoint import reached
from gfactor.examinees.http.limits import Limits


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
    where = reached(endpoint, spec, OPENAI, ("base_url", "detail"))
    return HttpExaminee(where, budget, deadline_s, shared=shared)

"""`google:MODEL?thinking=1024`: a model behind Google's generateContent (the Gemini API)."""

from __future__ import annotations

from typing import Any

from gfactor.examinees.base import EXAMINEES, Spec
from gfactor.examinees.http import Budget, Endpoint, Google, HttpExaminee
from gfactor.examinees.http.endpoint import reached
from gfactor.examinees.http.limits import Limits


@EXAMINEES.register("google")
def make(
    *,
    spec: Spec,
    endpoint: Endpoint | None = None,
    budget: Budget | None = None,
    deadline_s: float | None = None,
    shared: Limits | None = None,
    **_: Any,
) -> HttpExaminee:
    """Make an examinee of the Gemini API: `google:MODEL?thinking=low&base_url=URL`.

    Raises ParameterError for any other parameter.
    """
    wire = Google(spec.parameters.get("thinking", ""))
    whole = reached(endpoint, spec, wire, ("base_url", "thinking"))
    return HttpExaminee(whole, budget, deadline_s, shared=shared)

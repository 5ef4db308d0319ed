"""`anthropic:MODEL?thinking=4096&cache=5m`: a model behind Anthropic's Messages API."""

from __future__ import annotations

from typing import Any

from gfactor.errors import ParameterError
from gfactor.examinees.base import EXAMINEES, Spec
from gfactor.examinees.http import Anthropic, Budget, Endpoint, HttpExaminee
from gfactor.examinees.http.endpoint import reached
from gfactor.examinees.http.limits import Limits


@EXAMINEES.register("anthropic")
def make(
    *,
    spec: Spec,
    endpoint: Endpoint | None = None,
    budget: Budget | None = None,
    deadline_s: float | None = None,
    shared: Limits | None = None,
    **_: Any,
) -> HttpExaminee:
    """Make an examinee of the Messages API: `anthropic:MODEL?thinking=4096&cache=5m&base_url=URL`.

    `cache` changes only the cost of answers, so it is not part of the examinee's name.

    Raises ParameterError for another parameter, and for a cache whose prices are not in the price
    file, because writing to it costs more than sending.
    """
    parameters = spec.parameters
    wire = Anthropic(parameters.get("thinking", ""), parameters.get("cache", ""))
    price = budget.price if budget else None
    if wire.cache and price and (price.cache_read is None or price.cache_write is None):
        raise ParameterError(
            f"examinee {str(spec)!r} uses a cache; give {spec.argument!r} prices cache_read and "
            "cache_write in the price file"
        )
    whole = reached(endpoint, spec, wire, ("base_url", "cache", "thinking"))
    return HttpExaminee(whole, budget, deadline_s, shared=shared)

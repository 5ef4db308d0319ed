"""A simulated observer as what an endpoint answers: it sees the pixels of a request, no more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gfactor.benchmarks.percept_v.domain import DOMAINS
from gfactor.examinees.observer.limited import Limited
from gfactor.examinees.observer.observer import observe
from support.chat_server import Body, pictures, texts


def observed_reply(person: Limited) -> Callable[[Body], str]:
    """Return a function from the body of a request to the observer's reply.

    Parameters
    ----------
    person : Limited
        Acuity, contrast sensitivity and memory of the observer.

    Returns
    -------
    callable
        For `support.chat_server`. It finds the domain of Percept-V by the words of the prompt.
    """
    domains = {domain.prompt_for("audited").text(): domain.name for domain in DOMAINS.values()}

    def answer(body: Body) -> str:
        words = "\n".join(texts(body))
        (domain,) = {name for prompt, name in domains.items() if prompt in words}
        seen = tuple(np.ascontiguousarray(picture) for picture in pictures(body))
        return observe(domain, seen, person(domain, seen))

    return answer

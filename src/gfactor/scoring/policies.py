"""Policies of benchmarks for replies in which no answer was found, as data.

random      one of the options, each equally likely, is taken for the answer (M3GIA, appendix F)
incorrect   the answer counts as wrong (MM-IQ, section 4.1)
error       the same, and it is counted as a format error (Percept-V; MULTI)
none        nothing is made of it: the reply is left out, like a failed attempt
vlmevalkit  every reply is read and ruled on as VLMEvalKit does (`gfactor.scoring.vlmevalkit`);
            where VLMEvalKit has no rule for a data set, as under `error`

A policy is applied when responses are scored and never stored, and it is reported how many answers
it decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from gfactor.errors import UnknownNameError
from gfactor.items import Answer, ItemRandom
from gfactor.items.formats import CHOSEN
from gfactor.scoring.questions import PutItem

Policy = Literal["random", "incorrect", "error", "none", "vlmevalkit"]
POLICIES: tuple[Policy, ...] = get_args(Policy)

BENCHMARKS_POLICY = "own"
"""Name that means the policy of each item's own benchmark."""

POLICY_OF: Mapping[str, Policy] = {
    "m3gia": "random",
    "mm-iq": "incorrect",
    "multi": "error",
    "percept-v": "error",
}
"""Published policies by benchmark; that of any other benchmark is `error`."""

SEED = 0
"""Seed of the random policy's draws."""


def policy_for(benchmark: str, chosen: str = BENCHMARKS_POLICY) -> Policy:
    """Return the policy for a benchmark's items; `chosen` is `own` or a policy for all.

    Raises UnknownNameError for an unknown policy.
    """
    if chosen == BENCHMARKS_POLICY:
        return POLICY_OF.get(benchmark, "error")
    for policy in POLICIES:
        if policy == chosen:
            return policy
    raise UnknownNameError("policy", chosen, (BENCHMARKS_POLICY, *POLICIES))


def drawn(question: PutItem, examinee: str, condition: str, occasion: int) -> Answer | None:
    """Return the random policy's answer: one option drawn at random, or each of several with
    probability 1/2; else None.

    The draw is keyed by item, examinee and occasion, so that it can be repeated and is independent
    between examinees and occasions.
    """
    if question.answer_type not in CHOSEN:
        return None
    key = {
        "policy": "random",
        "seed": SEED,
        "item": question.item_hash,
        "examinee": examinee,
        "condition": condition,
    }
    random = ItemRandom(key, occasion)
    if question.answer_type == "choice":
        return random.choice(question.labels)
    return frozenset(label for label in question.labels if random.chance(1, 2))

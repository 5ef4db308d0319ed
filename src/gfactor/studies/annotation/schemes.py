"""Schemes of labels for responses of models (errors, marks), and abilities that items need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Scheme:
    """Categories of errors with their meanings, and abilities that a question may need."""

    name: str
    source: str
    categories: Mapping[str, str]
    abilities: tuple[str, ...] = ()


_ABILITIES = (
    *("text understanding", "image understanding", "calculation", "logical reasoning"),
    *("knowledge", "other"),
)

SCHEMES: Mapping[str, Scheme] = {
    "mm-iq": Scheme(
        "mm-iq",
        "MM-IQ, section 4.3",
        {
            "reasoning": "The rule behind the picture is missed, or a simpler wrong one is used.",
            "visual": "Something in the picture is seen wrongly.",
            "final answer": "An answer without a reason, or one that its reason does not lead to.",
        },
    ),
    "multi": Scheme(
        "multi",
        "MULTI, section 4.10",
        {
            "alignment": "The instructions are not followed, or the question is refused.",
            "text": "The words of the question are misunderstood.",
            "image": "The picture is misunderstood, as a whole or in a detail.",
            "reasoning": "The steps do not follow, or a calculation is wrong.",
            "knowledge": "A fact or common sense is missing.",
            "system": "The key or the reading of the answer is wrong, not the response.",
        },
        _ABILITIES,
    ),
    "marks": Scheme(
        "marks",
        "gfactor score --correct",
        {
            "right": "The response answers the question rightly, in whatever words.",
            "wrong": "The response answers it wrongly, or gives no answer.",
        },
    ),
}
"""Schemes by name; a response gets one category, an item any number of abilities."""

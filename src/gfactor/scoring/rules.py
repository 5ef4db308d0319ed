"""When an answer is right: one rule per answer type, in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from gfactor.errors import ParameterError
from gfactor.items import Answer, AnswerType

Rule = Callable[[Answer | None, Answer | None], float]
"""(answer, right answer) -> share of the item's points, 0 to 1. None means "there is none"."""


def all_or_nothing(answer: Answer | None, target: Answer | None) -> float:
    """1 where every part is right and in its place, else 0 (Percept-V gives no partial credit)."""
    return float(answer == target)


def same_members(answer: Answer | None, target: Answer | None) -> float:
    """1 where both hold the same members in whatever order, else 0; repeats do not matter."""
    if answer is None or target is None:
        return float(answer is target)
    return float(_members(answer) == _members(target))


def _members(answer: Answer) -> frozenset[object]:
    return frozenset(answer) if isinstance(answer, tuple | frozenset) else frozenset({answer})


RULES: Mapping[AnswerType, Rule] = {
    "value": all_or_nothing,
    "tuple": all_or_nothing,
    "list": all_or_nothing,
    "set": same_members,
}
"""The scoring rule of every answer type that can be scored."""


def credit(
    answer: Answer | None,
    target: Answer | None,
    accepted: Iterable[Answer],
    answer_type: AnswerType,
) -> float:
    """The share of an item's points that an answer earns against its best right answer.

    Raises ParameterError for an answer type without a rule.
    """
    if answer_type not in RULES:
        raise ParameterError(
            f"there is no scoring rule for answer type {answer_type!r}; "
            f"there are rules for {', '.join(RULES)}"
        )
    return max(RULES[answer_type](answer, right) for right in (target, *accepted))

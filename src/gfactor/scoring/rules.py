"""Points for an answer: one rule per answer type, in one table.

A rule counts points. An item of one part is worth one point; several right options, blanks or
points of an open answer are worth one each. `Item.points` multiplies what a rule gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gfactor.errors import ParameterError
from gfactor.items import Answer, AnswerType
from gfactor.scoring.quantities import same_answer
from gfactor.scoring.rouge import rouge_l
from gfactor.scoring.texts import same_text


@dataclass(frozen=True)
class Points:
    """Points that an answer earned, and points that it could have earned (at least 1).

    Parameters
    ----------
    earned : float
        Points earned.
    possible : int
        Points that a right answer earns, at least 1.

    Examples
    --------
    >>> from gfactor.scoring import Points
    >>> Points(1, 2).share, Points(2, 2).full
    (0.5, True)
    """

    earned: float
    possible: int = 1

    @property
    def share(self) -> float:
        """Earned points per possible point, 0 to 1."""
        return self.earned / self.possible

    @property
    def full(self) -> bool:
        """Return True if everything is right."""
        return self.earned == self.possible


Rule = Callable[[Answer | None, Sequence[Answer | None]], Points]
"""(answer, right answers, the item's own target first) -> points. None means "there is none"."""


def all_or_nothing(answer: Answer | None, right: Sequence[Answer | None]) -> Points:
    """Give a point if every part is right and at the right position (Percept-V gives no partial
    credit)."""
    return Points(float(any(answer == target for target in right)))


def same_members(answer: Answer | None, right: Sequence[Answer | None]) -> Points:
    """Give a point if both have the same members, in any order; repeats do not matter."""
    return Points(float(any(_members(answer) == _members(target) for target in right)))


def one_per_right_option(answer: Answer | None, right: Sequence[Answer | None]) -> Points:
    """Give a point per right option chosen, and none if a wrong one is among them.

    MULTI (section 4.3) uses this rule of the Gaokao: if ACE is right, AC earns 2 of 3 points and BC
    earns none. Of several right answers the one that gives the most points counts.
    """
    chosen = _members(answer) or frozenset()
    return max((_options(chosen, _members(target)) for target in right), key=lambda p: p.share)


def one_per_blank(answer: Answer | None, right: Sequence[Answer | None]) -> Points:
    """Give a point per blank whose text is one of the right ones by `same_answer`.

    The right texts of a blank are the texts at its position in any right answer, so that each blank
    has its own alternatives: ("Li", "7") and ("lithium", "7") accept either word. An empty blank
    (None) earns nothing and does not affect the others.
    """
    return _per_blank(answer, right, same_answer)


def one_per_spelled_blank(answer: Answer | None, right: Sequence[Answer | None]) -> Points:
    """Give a point per blank whose normal form equals that of a right text (`same_text`).

    The exact match of MULTI (section 4.3) and of other benchmarks that compare texts.
    """
    return _per_blank(answer, right, same_text)


def _per_blank(
    answer: Answer | None,
    right: Sequence[Answer | None],
    same: Callable[[str, str], bool],
) -> Points:
    given, targets = _texts(answer), [_texts(target) for target in right]
    earned = 0
    for number, text in enumerate(given[: len(targets[0])]):
        earned += bool(text) and any(
            same(text, texts[number]) for texts in targets if number < len(texts)
        )
    return Points(earned, max(1, len(targets[0])))


def rouge_per_point(answer: Answer | None, right: Sequence[Answer | None]) -> Points:
    """Return ROUGE-L for each point of the answer, the largest over the references of that point.

    A reference of one text is compared with the whole answer; one of several texts point by
    point, with one line of the answer each (MULTI, section 4.3).

    Raises MissingExtraError if the extra `open` is not installed.
    """
    targets = [_texts(target) for target in right]
    parts = max(1, len(targets[0]))
    given = _texts(answer)
    if parts > 1 and len(given) == 1:
        given = tuple(line for line in given[0].splitlines() if line.strip())
    earned = 0.0
    for number, text in enumerate(given[:parts]):
        earned += max(rouge_l(text, texts[number]) for texts in targets if number < len(texts))
    return Points(earned, parts)


def one_per_turn(answer: Answer | None, right: Sequence[Answer | None]) -> Points:
    """Give a point per turn of a conversation whose reply is right; a turn without a reply earns
    none."""
    given = answer if isinstance(answer, tuple) else ()
    targets = [target if isinstance(target, tuple) else () for target in right]
    earned = sum(
        any(place < len(keys) and part == keys[place] for keys in targets)
        for place, part in enumerate(given[: len(targets[0])])
    )
    return Points(earned, max(1, len(targets[0])))


RULES: Mapping[AnswerType, Rule] = {
    "choice": all_or_nothing,
    "choices": one_per_right_option,
    "blanks": one_per_blank,
    "open": rouge_per_point,
    "value": all_or_nothing,
    "tuple": all_or_nothing,
    "list": all_or_nothing,
    "set": same_members,
    "turns": one_per_turn,
}
"""The scoring rule of every answer type."""


def points(
    answer: Answer | None,
    target: Answer | None,
    accepted: Iterable[Answer],
    answer_type: AnswerType,
) -> Points:
    """Return the points of an answer against its best right answer.

    Parameters
    ----------
    answer : Answer, optional
        Answer of the examinee; None means "there is none".
    target : Answer, optional
        The right answer.
    accepted : list of Answer
        Other answers that are just as right.
    answer_type : AnswerType
        Answer type of the item.

    Returns
    -------
    Points
        Points earned, of those possible.

    Raises
    ------
    ParameterError
        For an answer type without a rule, MissingExtraError for an open answer where the
        extra `open` is not installed.

    Examples
    --------
    >>> from gfactor.scoring import points
    >>> points("B", "A", ("B",), "choice").full
    True
    """
    if answer_type not in RULES:
        raise ParameterError(
            f"there is no scoring rule for answer type {answer_type!r}; rules exist for "
            f"{', '.join(RULES)}"
        )
    return RULES[answer_type](answer, (target, *accepted))


def possible(target: Answer | None, answer_type: AnswerType) -> int:
    """Return the points that a right answer earns."""
    if answer_type == "choices":
        return max(1, len(_members(target) or ()))
    return max(1, len(_texts(target))) if answer_type in ("blanks", "open", "turns") else 1


def credit(
    answer: Answer | None,
    target: Answer | None,
    accepted: Iterable[Answer],
    answer_type: AnswerType,
) -> float:
    """Return the share of an item's points that an answer earns.

    Parameters
    ----------
    answer : Answer, optional
        Answer of the examinee; None means "there is none".
    target : Answer, optional
        The right answer.
    accepted : list of Answer
        Other answers that are just as right.
    answer_type : AnswerType
        Answer type of the item.

    Returns
    -------
    float
        0 to 1.

    Raises
    ------
    ParameterError
        As `points` does.

    Examples
    --------
    >>> from gfactor.scoring import credit
    >>> credit(frozenset({"A"}), frozenset({"A", "C"}), (), "choices")
    0.5
    """
    return points(answer, target, accepted, answer_type).share


def _options(chosen: frozenset[object], right: frozenset[object] | None) -> Points:
    right = right or frozenset()
    if not right:
        return Points(float(not chosen))
    return Points(len(chosen) if chosen <= right else 0, len(right))


def _members(answer: Answer | None) -> frozenset[object] | None:
    if answer is None:
        return None
    return frozenset(answer) if isinstance(answer, tuple | frozenset) else frozenset({answer})


def _texts(answer: Answer | None) -> tuple[str, ...]:
    if answer is None:
        return ()
    parts = sorted(answer, key=str) if isinstance(answer, frozenset) else answer
    several = parts if isinstance(parts, tuple | list) else (parts,)
    return tuple("" if part is None else str(part) for part in several)

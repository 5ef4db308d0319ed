"""Result of extraction: the answer, the stage and rule that decided, and the span in the reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gfactor.frozen import quickly_made
from gfactor.items import Answer

Stage = Literal["strict", "lenient", "rules", "judge", "policy", "none"]
"""Stage that decided: a reading of formatted answers, the rules for options, blanks and open
answers, a judge model, the benchmark's policy; or none.
"""


@quickly_made
@dataclass(frozen=True)
class Extraction:
    r"""Answer that was read in a reply.

    Parameters
    ----------
    answer : Answer, optional
        The answer. If `has_answer` is True, None is the answer "there is none".
    has_answer : bool
        True if an answer was read at all.
    stage : Stage
        Stage of reading that decided.
    rule : str
        Name of the rule that decided.
    span : tuple[int, int], optional
        Start and end of the deciding part of the reply, in characters.

    Examples
    --------
    >>> from gfactor.items import OutputFormat
    >>> counting = OutputFormat("value", labels=("COUNT",))
    >>> from gfactor.scoring import strict
    >>> answer = strict("I see three.\nCOUNT:3", counting)
    >>> answer.answer, answer.stage
    (3, 'strict')
    """

    answer: Answer | None
    has_answer: bool
    stage: Stage
    rule: str = ""
    span: tuple[int, int] | None = None


NOTHING = Extraction(None, False, "none")
"""No answer was read."""


def extracted(answer: Answer, rule: str, span: tuple[int, int]) -> Extraction:
    """Return a result with an answer, the rule that read it, and its span in the reply."""
    return Extraction(answer, True, "rules", rule, span)


def no_answer(reason: str) -> Extraction:
    """Return a result without an answer; `rule` is the reason: "empty", "refusal", "truncated",
    "ambiguous" and so on."""
    return Extraction(None, False, "none", reason)

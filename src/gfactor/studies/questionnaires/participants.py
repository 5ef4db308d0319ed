"""Who takes part: a pseudonym with a form, and whoever sent them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from gfactor.studies.questionnaires.allocation import Step


@dataclass(frozen=True)
class Participant:
    """Somebody who has consented: the pseudonym, the number, the form, and when they ended."""

    code: str
    number: int
    form: tuple[Step, ...]
    language: str
    finished: str | None

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """For each step of the form how many of its like it is: practice apart from what counts."""
        alike = ["practice" if step.kind == "practice" else step.kind != "page"
                 for step in self.form]  # fmt: skip
        seen: Counter[str | bool] = Counter()
        numbers = []
        for kind in alike:
            seen[kind] += 1
            numbers.append(seen[kind])
        return tuple(numbers)


@dataclass(frozen=True)
class External:
    """Whom a recruiting service, or the owner's link, sent.

    Parameters
    ----------
    id: theirs, as it came.
    hashed: a keyed hash of it, which stays when the id is deleted.
    facts: more parameters of the address.
    signed: whether the id came in a link that the owner signed.
    """

    id: str
    hashed: str
    facts: tuple[tuple[str, str], ...] = ()
    signed: bool = False

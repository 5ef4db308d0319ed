"""Participants: a pseudonym with a form, and the service or link that sent them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from gfactor.studies.questionnaires.order.allocation import Step


@dataclass(frozen=True)
class Participant:
    """A person who has consented: pseudonym, number, form, and time of the end."""

    code: str
    number: int
    form: tuple[Step, ...]
    language: str
    finished: str | None

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """For each step of the form, its number among steps of the same kind (practice, or counted
        questions)."""
        alike = ["practice" if step.kind == "practice" else step.kind != "page"
                 for step in self.form]  # fmt: skip
        seen: Counter[str | bool] = Counter()
        numbers = []
        for kind in alike:
            seen[kind] += 1
            numbers.append(seen[kind])
        return tuple(numbers)


PERSONAL = 16
"""Letters and digits that cannot be guessed: Prolific's ids have 24."""


@dataclass(frozen=True)
class Holder:
    """A person who has a place in the quotas and has not finished."""

    code: str
    number: int
    language: str


SESSIONS = ("SESSION_ID", "assignmentId")
"""Parameters of recruiting services that differ between participations."""


@dataclass(frozen=True)
class External:
    """A person who was sent by a recruiting service or by the owner's link.

    Parameters
    ----------
    id: the person's id, unchanged. hashed: a keyed hash of it, which stays when the id is deleted.
    facts: more parameters of the address.
    signed: True if the id came in a link that the owner signed.
    """

    id: str
    hashed: str
    facts: tuple[tuple[str, str], ...] = ()
    signed: bool = False

    @property
    def is_personal(self) -> bool:
        """Return True if nobody else can guess the address, because it is signed, or its id or the
        service's number of the participation (`SESSIONS`) has `PERSONAL` letters and digits or
        more.
        """
        identifiers = [self.id, *(value for name, value in self.facts if name in SESSIONS)]
        return self.signed or any(sum(map(str.isalnum, one)) >= PERSONAL for one in identifiers)

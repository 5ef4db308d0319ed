"""Participants of a server by their sessions, with their progress."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from gfactor.studies.questionnaires.order.allocation import Step
from gfactor.studies.questionnaires.storing.participants import Participant
from gfactor.studies.questionnaires.storing.store import Store


@dataclass
class ParticipantProgress:
    """Progress of a participant: the position of the next question, the time of its first showing,
    its next turn in a conversation, and the outcome if the participation ended before the last
    page. `seen` is the time of the last activity: a start, an answer, or a new place in the quotas.
    """

    position: int
    since: float | None = None
    turn: int = 0
    outcome: str = ""
    seen: float = 0.0


class SessionPersons:
    """Participants by the hash of their session's token, cached in memory.

    The cache saves a query of the database for every answer. If another process has stored an
    answer, the participant is read again.

    Parameters
    ----------
    store: store of the study.
    turns: function that returns the number of turns of a step.
    most: largest number of sessions in memory.
    """

    def __init__(self, store: Store, turns: Callable[[Step], int], most: int = 20_000) -> None:
        self._store, self._turns, self._most = store, turns, most
        self._participants: dict[str, Participant] = {}
        self._sessions: dict[str, list[str]] = {}
        self._progress: dict[str, ParticipantProgress] = {}

    def of(self, session: str, *, remembered: bool = False) -> Participant | None:
        """Return the participant of a session; None without consent or after a withdrawal.

        With `remembered`, the cached participant is returned without checking that another process
        has not deleted or moved the participation; the caller's transaction checks this.
        """
        person = self._participants.get(session)
        if person is not None and remembered and person.code in self._progress:
            return person
        if person is not None:
            reached = self._store.reached(session, person.code)
            progress = self._progress.get(person.code)
            if progress is None or progress.position != reached:
                self.forget_code(person.code)
                person = None
        if person is not None:
            return person
        person = self._store.participant(session)
        if person is not None:
            self._add(session, person)
        return person

    def remember(self, session: str, person: Participant, *, is_new: bool = False) -> None:
        """Record that a participation was begun (`is_new`), or continues, in this session only."""
        self.forget_code(person.code)
        self._add(session, person)
        if is_new:
            self._progress[person.code] = ParticipantProgress(0, seen=time.time())

    def _add(self, session: str, person: Participant) -> None:
        if len(self._participants) >= self._most:
            self._participants.clear()
            self._sessions.clear()
            self._progress.clear()
        self._participants[session] = person
        self._sessions.setdefault(person.code, []).append(session)

    def progress(self, person: Participant) -> ParticipantProgress:
        """Return a participant's progress, which the caller changes with every stored answer."""
        if person.code not in self._progress:
            position, outcome, seen = self._store.progress(person.code)
            turns = self._turns(person.form[position]) if position < len(person.form) else 1
            # Only the last turn is asked again if its answer is missing.
            replies = len(self._store.turns(person.code, position)) if turns > 1 else 0
            progress = ParticipantProgress(position, None, min(replies, turns - 1), outcome, seen)
            self._progress[person.code] = progress
        return self._progress[person.code]

    def lengthen(self, person: Participant, form: tuple[Step, ...]) -> Participant:
        """Record that a participant's form has grown; return the participant with the new form."""
        longer = replace(person, form=form)
        for session in self._sessions.get(person.code, ()):
            self._participants[session] = longer
        return longer

    def forget_code(self, code: str) -> None:
        """Remove this participant from the cache, in any session."""
        self._progress.pop(code, None)
        for session in self._sessions.pop(code, ()):
            self._participants.pop(session, None)

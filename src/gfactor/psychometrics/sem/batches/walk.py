"""The replicates of a search on their way, those that wait, and where the others ended."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gfactor.psychometrics.sem.batches.likelihood import Likelihood
from gfactor.psychometrics.sem.batches.travel import Batch
from gfactor.psychometrics.sem.constraints import Reduction

_WIDTH = 256
"""Replicates on their way at once: so many that numpy's calls weigh little, so few that their
matrices stay in the cache."""


@dataclass
class Task:
    """What is searched: numbers of replicates, shape (R,), starts (R, n_free), lower and upper
    bounds, shape (R, n_free) each, where there are any; and minima known already, (R, n_free), and
    their values, NaN where there is none: a search that comes near its own ends as "known"."""

    which: np.ndarray
    start: np.ndarray
    bounds: tuple[np.ndarray, np.ndarray] | None = None
    known: tuple[np.ndarray, np.ndarray] | None = None


@dataclass
class Ends:
    """Where searches ended: theta (R, n_free), value, largest slope along free directions, steps,
    status as `optimize.Outcome` has it, and which parameters run away or, at the limit of steps,
    stand far out (R, n_free)."""

    theta: np.ndarray
    value: np.ndarray
    slope: np.ndarray
    steps: np.ndarray
    status: np.ndarray
    running: np.ndarray

    def take(self, which: np.ndarray) -> Ends:
        """Of some replicates."""
        return Ends(*(one[which] for one in vars(self).values()))

    def put(self, which: np.ndarray, other: Ends) -> None:
        """Replaces some replicates by all of another's."""
        for name, mine in vars(self).items():
            mine[which] = getattr(other, name)


def _begun(start: np.ndarray) -> Ends:
    """Nothing found yet."""
    count = len(start)
    return Ends(
        theta=start.copy(),
        value=np.full(count, np.inf),
        slope=np.full(count, np.inf),
        steps=np.zeros(count, dtype=int),
        status=np.full(count, "undefined", dtype=object),
        running=np.zeros(start.shape, dtype=bool),
    )


class Walk:
    """The replicates on their way, those that wait, and where the others ended."""

    def __init__(self, likelihood: Likelihood, reduction: Reduction, task: Task) -> None:
        self._likelihood, self._reduction, self._task = likelihood, reduction, task
        self._begun = 0
        self.ends = _begun(task.start)
        self.batch = self._next(0)
        self.place = np.arange(0)
        self.steps = np.zeros(0, dtype=int)
        self.known, self.known_value = None, np.zeros(0)
        if task.known is not None:
            self.known, self.known_value = task.known[0][:, reduction.kept], task.known[1]

    def _next(self, count: int) -> Batch:
        task, some = self._task, slice(self._begun, self._begun + count)
        self._begun += count
        bounds = None
        if task.bounds is not None:
            bounds = task.bounds[0][some], task.bounds[1][some]
        return Batch(self._likelihood, self._reduction, task.which[some], task.start[some], bounds)

    def refill(self) -> bool:
        """Takes in as many as there is room for; whether any are on their way."""
        waiting = len(self._task.which) - self._begun
        room = min(_WIDTH - len(self.place), waiting)
        if room and (room >= _WIDTH // 4 or not len(self.place) or room == waiting):
            first = self._begun
            fresh = self._next(room)
            sound = np.isfinite(fresh.state.value)
            fresh.keep(sound)
            self.place = np.concatenate([self.place, first + np.flatnonzero(sound)])
            self.steps = np.concatenate([self.steps, np.zeros(int(sound.sum()), dtype=int)])
            self.batch.take_in(fresh)
            return bool(len(self.place)) or self.refill()
        return bool(len(self.place))

    @property
    def waiting(self) -> bool:
        """Whether any have not begun."""
        return self._begun < len(self._task.which)

    def leave(self, mask: np.ndarray, status: str, slope: np.ndarray) -> None:
        """Notes where some replicates ended."""
        at, ends, batch = self.place[mask], self.ends, self.batch
        ends.theta[at] = batch.theta(batch.x[mask])
        ends.value[at] = batch.state.value[mask]
        ends.slope[at] = np.abs(slope[mask]).max(axis=1, initial=0.0)
        ends.steps[at] = self.steps[mask]
        ends.status[at] = status

    def drop(self, mask: np.ndarray) -> None:
        """Goes on without them."""
        self.batch.keep(~mask)
        self.place, self.steps = self.place[~mask], self.steps[~mask]

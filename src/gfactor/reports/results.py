"""What a report is made from: scored answers with a role and a short label for each examinee."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pandas as pd

from gfactor.administration import Journal
from gfactor.errors import GfactorError, JournalError
from gfactor.examinees import RenderedItem, Spec
from gfactor.reports.frames import column, distinct, mapped
from gfactor.scoring import chance_levels, scored
from gfactor.scoring.frames import pick

Role = Literal["ideal", "model", "population", "baseline"]
ROLES: tuple[Role, ...] = ("ideal", "model", "population", "baseline")
"""In the order in which examinees are shown."""

POOLED = "population (pooled)"
"""The label of all members of the population taken together."""


@dataclass(frozen=True)
class Results:
    """Everything a table or figure may use.

    Parameters
    ----------
    answers: one row per response, as `gfactor.scoring.scored` gives it, with `label` (who, in
        short; the condition too where there are several), `role` and `chance` (the chance level of
        the item's domain, NaN where there are no domains). Which labels of items there are
        (`domain`, `size`, `skills` ...) depends on the benchmark.
    samples: one rendered item per task, for the gallery.
    meta: what the journal says of its campaigns.
    level: of every interval.
    draws, seed: of every bootstrap.
    """

    answers: pd.DataFrame
    samples: Sequence[RenderedItem] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    level: float = 0.95
    draws: int = 200
    seed: int = 0

    @classmethod
    def from_journal(cls, journal: Journal) -> Results:
        """The results in a journal; JournalError where it holds no answers."""
        answers = scored(journal)
        if answers.empty:
            raise JournalError(
                f"journal {journal.name!r} holds no answers; run `gfactor run BANK --journal ...`"
            )
        items = journal.items()
        chance = chance_levels(items) if "domain" in items else pd.Series(dtype=float)
        return cls(labeled(answers, chance), tuple(journal.samples()), journal.meta())

    @property
    def counted(self) -> pd.DataFrame:
        """The answers that count: failed attempts say nothing about an examinee."""
        return pick(self.answers, ~self.answers["missing"].astype(bool))

    def role(self, *roles: Role) -> pd.DataFrame:
        """The counted answers of examinees in these roles."""
        counted = self.counted
        return pick(counted, counted["role"].isin(roles))

    def labels(self, *roles: Role) -> list[str]:
        """The labels of examinees in these roles (all by default), in the order shown."""
        wanted = roles or ROLES
        frame = pick(self.answers, ["role", "label"]).drop_duplicates()
        names = {role: pick(frame, frame["role"] == role)["label"] for role in wanted}
        return [label for role in wanted for label in sorted(names[role])]


def labeled(answers: pd.DataFrame, chance: pd.Series) -> pd.DataFrame:
    """Scored answers with the columns `role`, `label` and `chance`."""
    names = distinct(answers, "examinee")
    roles = {name: role_of(name) for name in names}
    labels = short_labels(names)
    examinee, condition = column(answers, "examinee"), column(answers, "condition")
    label = mapped(examinee, labels)
    if len(distinct(answers, "condition")) > 1:
        label = label + " [" + condition.astype(str) + "]"
    domain = column(answers, "domain") if "domain" in answers else examinee
    levels = mapped(domain, chance.to_dict()).astype(float)
    return answers.assign(role=mapped(examinee, roles), label=label, chance=levels)


def role_of(examinee: str) -> Role:
    """What an examinee is, by its specification."""
    if examinee.startswith("baseline:"):
        return "baseline"
    if examinee == "observer:ideal":
        return "ideal"
    return "population" if examinee.startswith("observer:human-like") else "model"


def short_labels(names: Sequence[str]) -> dict[str, str]:
    """A short, unique label for each specification; members of the population are numbered."""
    members = [name for name in names if role_of(name) == "population"]
    width = max(2, len(str(len(members))))
    labels = {name: f"P{place:0{width}d}" for place, name in enumerate(members, 1)}
    for name in names:
        if name not in labels:
            labels[name] = "ideal observer" if name == "observer:ideal" else _argument(name)
    shared = {label for label in labels.values() if list(labels.values()).count(label) > 1}
    return {name: name if label in shared else label for name, label in labels.items()}


def _argument(name: str) -> str:
    try:
        return Spec.parse(name).argument
    except GfactorError:
        return name

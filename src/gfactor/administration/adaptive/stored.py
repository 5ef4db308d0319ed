"""Adaptive administrations in a journal: settings, steps, and the items that were made for them.

A profile's key is the hash of everything that determines its sequence, so that another seed or
calibration makes another profile. Each item is stored under its step before it is asked.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from gfactor import __version__
from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.rows import insert, reply_of, row_of_item
from gfactor.administration.storing.tables import (
    BANK_ITEMS,
    FAILURES,
    ITEMS,
    PROFILES,
    RESPONSES,
    STEPS,
)
from gfactor.examinees import Reply
from gfactor.items import Item, canonical_json, text_hash


@dataclass(frozen=True)
class StoredStep:
    """A row of the table `steps`; `items` are the hashes of the item and its twins."""

    step: int
    ability: str
    cell: str
    number: int
    items: tuple[str, ...]
    theta: float
    se: float
    given_up: bool = False


class Steps:
    """The steps of one adaptive administration in a journal.

    Parameters
    ----------
    journal : Journal
    examinee, condition : str
        Name of the examinee, and key of the condition.
    settings : mapping
        Settings that determine the sequence, as JSON holds them.
    """

    def __init__(
        self, journal: Journal, examinee: str, condition: str, settings: Mapping[str, Any]
    ) -> None:
        self._journal = journal
        self._whose = {"examinee": examinee, "condition": condition}
        self._settings = json.dumps(settings, sort_keys=True, ensure_ascii=False)
        self.key = text_hash(canonical_json([examinee, condition, self._settings]))

    def begin(self) -> bool:
        """Store the settings; return False if they are stored already."""
        facts = {
            "key": self.key, **self._whose, "settings": self._settings, "version": __version__,
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
        }  # fmt: skip
        with self._journal._connected() as connection:
            return bool(insert(connection, PROFILES, [facts]))

    def begun(self) -> bool:
        """Return True if the journal holds these settings."""
        same = sa.select(PROFILES.c.key).where(PROFILES.c.key == self.key)
        with self._journal._connected() as connection:
            return connection.execute(same).first() is not None

    def others(self) -> list[dict[str, Any]]:
        """Return settings of the same examinee's other profiles under this condition."""
        p = PROFILES.c
        same = (p.examinee == self._whose["examinee"]) & (p.condition == self._whose["condition"])
        rows = sa.select(p.settings).where(same & (p.key != self.key)).order_by(p.started, p.key)
        with self._journal._connected() as connection:
            return [json.loads(text) for (text,) in connection.execute(rows)]

    def all(self) -> list[StoredStep]:
        """Return the steps stored so far, in order."""
        s = STEPS.c
        rows = sa.select(STEPS).where(s.profile == self.key).order_by(s.step)
        with self._journal._connected() as connection:
            return [_step(row) for row in connection.execute(rows).mappings()]

    def add(self, step: StoredStep, items: Sequence[Item]) -> StoredStep:
        """Store a step and its items, unless another process has; return the stored step."""
        row = {"profile": self.key, **vars(step), "items": json.dumps(step.items),
               "given_up": int(step.given_up)}  # fmt: skip
        rows = [row_of_item(item) for item in items]
        names = ("id", "content_hash", "benchmark")
        members = [{"digest": self.key} | {name: one[name] for name in names} for one in rows]
        same = (STEPS.c.profile == self.key) & (STEPS.c.step == step.step)
        with self._journal._connected() as connection:
            insert(connection, ITEMS, rows)
            insert(connection, BANK_ITEMS, members)
            if insert(connection, STEPS, [row]):
                return step
            return _step(connection.execute(sa.select(STEPS).where(same)).mappings().one())

    def given_up(self) -> set[int]:
        """Return the numbers of the steps whose questions cannot be asked."""
        s = STEPS.c
        rows = sa.select(s.step).where((s.profile == self.key) & (s.given_up == 1))
        with self._journal._connected() as connection:
            return {number for (number,) in connection.execute(rows)}

    def give_up(self, step: int) -> None:
        """Note that a step's question cannot be asked."""
        s = STEPS.c
        same = (s.profile == self.key) & (s.step == step)
        with self._journal._connected() as connection:
            connection.execute(STEPS.update().where(same).values(given_up=1))

    def replies(self, hashes: Sequence[str]) -> dict[str, Reply]:
        """Return the replies to those of these items that have one."""
        with self._journal._connected() as connection:
            rows = connection.execute(self._of(RESPONSES, hashes)).mappings()
            return {row["item_hash"]: reply_of(dict(row)) for row in rows}

    def failures(self, hashes: Sequence[str]) -> Counter[str]:
        """Return the number of failed attempts at these items."""
        with self._journal._connected() as connection:
            rows = connection.execute(self._of(FAILURES, hashes)).mappings()
            return Counter(row["item_hash"] for row in rows)

    def _of(self, table: sa.Table, hashes: Sequence[str]) -> sa.Select[Any]:
        return sa.select(table).where(
            table.c.examinee == self._whose["examinee"],
            table.c.item_hash.in_(list(hashes)),
            table.c.condition == self._whose["condition"],
            table.c.occasion == 0,
        )


def _step(row: Mapping[Any, Any]) -> StoredStep:
    """A row of the table `steps`."""
    plain = {k: row[k] for k in ("step", "ability", "cell", "number", "theta", "se")}
    return StoredStep(
        **plain, items=tuple(json.loads(row["items"])), given_up=bool(row["given_up"])
    )

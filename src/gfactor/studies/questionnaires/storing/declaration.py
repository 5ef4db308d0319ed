"""Declaration of a study before the data: frozen at the first participant, later changes dated."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sqlalchemy as sa

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.storing.action_log import (
    Connected,
    add_action,
    at_the_command_line,
)
from gfactor.studies.questionnaires.storing.tables import AMENDMENTS, now_text, stored_value
from gfactor.studies.web.database import Database

RECORD = "gfactor study amend FOLDER --reason TEXT"


@dataclass(frozen=True)
class StudyDeclaration:
    """The declaration of a study: its definition, and the digest of its bank.

    Parameters
    ----------
    definition: canonical JSON of the study's definition.
    bank: SHA-256 of the file of its items, keys included.
    """

    definition: str
    bank: str

    @cached_property
    def digest(self) -> str:
        """SHA-256 of definition and bank, for preregistration before the first participant."""
        return hashlib.sha256(f"{self.bank}\n{self.definition}".encode()).hexdigest()


def changes(before: str, after: str) -> list[dict[str, Any]]:
    """Return settings that differ between two definitions: `setting`, `before`, `after`; settings
    of a table are named with it, "rules.rapid_s"."""
    old, new = _flat(json.loads(before)), _flat(json.loads(after))
    names = [*old, *(name for name in new if name not in old)]
    return [
        {"setting": name, "before": old.get(name), "after": new.get(name)}
        for name in names
        if old.get(name) != new.get(name)
    ]


def check_unchanged(declared: StudyDeclaration | None, now: StudyDeclaration) -> None:
    """Raise ParameterError if a study differs from its declaration at the first participant."""
    if declared is None or declared.digest == now.digest:
        return
    check_same_bank(declared, now)
    named = ", ".join(one["setting"] for one in changes(declared.definition, now.definition))
    raise ParameterError(
        f"study.toml was changed after the first participant had come ({named}); change it back, "
        f"or record the change with its reason: {RECORD}"
    )


def check_same_bank(declared: StudyDeclaration, now: StudyDeclaration) -> None:
    """Raise ParameterError if the items of a study differ from those declared, which no amendment
    permits."""
    if declared.bank != now.bank:
        raise ParameterError(
            "the study's bank.parquet was changed after the first participant had come; bring it "
            "back from a copy, or begin another study (an upheld challenge corrects a key)"
        )


def check_same_pages(declared: StudyDeclaration, now: StudyDeclaration) -> None:
    """Raise ParameterError if pages were removed, exchanged, or inserted before others, because
    existing forms refer to them by number. Texts and settings of pages may change."""
    if not keeps_pages(declared, now):
        raise ParameterError(
            "pages were removed, renamed or put before others after the first participant had "
            "come; bring them back (new ones can stand at the end), or begin another study"
        )


def keeps_pages(declared: StudyDeclaration, now: StudyDeclaration) -> bool:
    """Return True if every page has its old position, by kind and name; more pages may follow."""
    before, after = (_pages(one.definition) for one in (declared, now))
    return after[: len(before)] == before and bool(before) == bool(after)


def _pages(definition: str) -> list[tuple[str, str]]:
    return [(p["kind"], p.get("name", "")) for p in json.loads(definition).get("pages") or []]


def record(first: Any, amendments: Sequence[Any]) -> dict[str, Any]:
    """Return the declaration with its history, for exports; `first` is None before any
    participant."""
    if first is None:
        return {"digest": None, "declared": None, "amendments": []}
    return {
        "digest": first["digest"],
        "declared": first["created"],
        "definition": json.loads(first["definition"]),
        "bank_sha256": first["bank"],
        "amendments": [
            {
                "created": row["created"],
                "reason": row["reason"],
                "changes": json.loads(row["changes"]),
                "digest": row["digest"],
            }
            for row in amendments
        ],
    }


def _flat(table: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            flat |= {f"{name}.{key}": inner for key, inner in value.items()}
        else:
            flat[name] = value
    return flat


_LAST_DIGEST = "SELECT digest FROM amendments ORDER BY number DESC LIMIT 1"


class Declarations:
    """The part of a study's database with its declaration and amendments."""

    _connected: Connected
    _database: Database

    def amended_digest(self) -> str | None:
        """Return the digest of the study after its last amendment; None without one."""
        row = self._database.read(_LAST_DIGEST, ())
        return None if row is None else row[0]

    def nothing_to_amend(self) -> str:
        """Return the reason why an amendment recorded nothing, as a sentence."""
        first, amendments = self.declarations()
        if first is None:
            return (
                "nobody has come yet: study.toml can be changed without a record; start a server "
                "that is running again"
            )
        since = f"amended at {amendments[-1]['created']}" if amendments else "declared"
        return f"nothing has changed since the study was {since}"

    def declared(self) -> StudyDeclaration | None:
        """Return the declared study, with amendments; None before the first participant."""
        first, amendments = self.declarations()
        if first is None:
            return None
        last = amendments[-1]["definition"] if amendments else first["definition"]
        return StudyDeclaration(last, first["bank"])

    def declarations(self) -> tuple[dict[str, str] | None, list[dict[str, Any]]]:
        """Return the declaration at the first participant, and the amendments since."""
        with self._connected() as connection:
            declared = connection.execute(stored_value("declaration")).scalar()
            query = sa.select(AMENDMENTS).order_by(AMENDMENTS.c.number)
            rows = [dict(row) for row in connection.execute(query).mappings()]
        return None if declared is None else json.loads(declared), rows

    def amend(self, now: StudyDeclaration, reason: str) -> list[dict[str, Any]]:
        """Record that the study has changed; return the changed settings.

        Raises ParameterError if the bank is another one.
        """
        declared = self.declared()
        if declared is None or declared.digest == now.digest:
            return []
        check_same_bank(declared, now)
        check_same_pages(declared, now)
        changed = changes(declared.definition, now.definition)
        with self._connected() as connection:
            connection.execute(
                AMENDMENTS.insert().values(
                    created=now_text(),
                    reason=reason,
                    changes=json.dumps(changed, ensure_ascii=False),
                    digest=now.digest,
                    definition=now.definition,
                )
            )
            add_action(connection, at_the_command_line(), "study amended", reason)
        return changed

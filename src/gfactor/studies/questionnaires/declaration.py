"""What was declared before the data: frozen at the first participant, later changes dated."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gfactor.errors import ParameterError

RECORD = "gfactor study amend FOLDER --reason TEXT"


@dataclass(frozen=True)
class Declaration:
    """A study as it was declared.

    Parameters
    ----------
    definition: canonical JSON of the study's definition.
    bank: SHA-256 of the file of its items, keys included.
    """

    definition: str
    bank: str

    @property
    def digest(self) -> str:
        """SHA-256 of definition and bank, to be registered before the first participant."""
        return hashlib.sha256(f"{self.bank}\n{self.definition}".encode()).hexdigest()


def changes(before: str, after: str) -> list[dict[str, Any]]:
    """Settings that differ between two definitions: `setting`, `before`, `after`; settings of a
    table are named with it, "rules.rapid_s"."""
    old, new = _flat(json.loads(before)), _flat(json.loads(after))
    names = [*old, *(name for name in new if name not in old)]
    return [
        {"setting": name, "before": old.get(name), "after": new.get(name)}
        for name in names
        if old.get(name) != new.get(name)
    ]


def check_unchanged(declared: Declaration | None, now: Declaration) -> None:
    """ParameterError where a study is not as it was declared at its first participant."""
    if declared is None or declared.digest == now.digest:
        return
    check_same_bank(declared, now)
    named = ", ".join(one["setting"] for one in changes(declared.definition, now.definition))
    raise ParameterError(
        f"study.toml was changed after the first participant had come ({named}); change it back, "
        f"or record the change with its reason: {RECORD}"
    )


def check_same_bank(declared: Declaration, now: Declaration) -> None:
    """ParameterError where a study has other items than when it was declared: no reason makes up
    for that."""
    if declared.bank != now.bank:
        raise ParameterError(
            "the study's bank.parquet was changed after the first participant had come; bring it "
            "back from a copy, or begin another study (an upheld challenge corrects a key)"
        )


def record(first: Any, amendments: Sequence[Any]) -> dict[str, Any]:
    """The declaration with its history, for exports; `first` is None before any participant."""
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


def _flat(held: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in held.items():
        if isinstance(value, dict):
            flat |= {f"{name}.{key}": inner for key, inner in value.items()}
        else:
            flat[name] = value
    return flat

"""How a bank is given. Two runs under different conditions are different measurements."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal


@dataclass(frozen=True)
class Condition:
    """The circumstances under which items are put.

    Parameters
    ----------
    images: what becomes of an item's images.
    presentation: how its segments are spread over turns.
    """

    images: Literal["shown"] = "shown"
    presentation: Literal["single-turn"] = "single-turn"

    @property
    def key(self) -> str:
        """The canonical text of the condition, part of every response's key.

        It names what departs from the default alone ("default" where nothing does), so that keys
        of today's journals stay valid when conditions gain fields.
        """
        changed = {f.name: getattr(self, f.name) for f in fields(self)}
        parts = [
            f"{f.name}={changed[f.name]}" for f in fields(self) if changed[f.name] != f.default
        ]
        return ",".join(parts) or "default"

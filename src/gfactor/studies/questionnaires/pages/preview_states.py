"""Pages that appear only after mistakes or for returning visitors, for the preview of a study."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MESSAGES = (
    ("paused_heading", "paused"), ("full_heading", "full_text"),
    ("closed_heading", "closed"), ("closed_heading", "closed_for_you"),
    ("link_heading", "link_bad"), ("link_heading", "link_missing"), ("link_heading", "id_missing"),
    ("link_heading", "id_bad"), ("link_heading", "id_placeholder"),
    ("link_heading", "link_unsigned"), ("link_heading", "link_expired"),
    ("link_heading", "link_elsewhere"), ("link_heading", "link_unchecked"),
    ("expired_heading", "expired"), ("expired_heading", "too_fast"),
    ("not_found_heading", "not_found"), ("withdrawn_heading", "withdrawn"),
    ("preview_heading", "preview"),
)  # fmt: skip
"""Pages of one sentence that participants can meet, by the keys of their words."""


FORMS: Mapping[str, Mapping[str, Any]] = {
    "taken": {"problem": ""},
    "move_here": {"action": "/start", "hidden": {}},
}
"""Pages for returning visitors, with the values of their templates."""

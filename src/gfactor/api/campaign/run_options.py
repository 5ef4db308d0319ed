"""The options of `gf.run` as a campaign has them: the key of its file, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping

from gfactor.api.asking.administering import run
from gfactor.api.inputs.reach import ReachOptions, options_by_name

KEYS: Mapping[str, str] = {
    "bank": "[[banks]] path",
    "examinees": "[[models]] spec",
    "journal": "[campaign] journal",
    "condition": "[conditions]",
    "sample": "[[banks]] sample",
    "occasions": "[campaign] occasions",
    "packs": "[materials] packs",
    "captions": "[materials] captions",
    "captions_by": "[materials] captions_by",
    "shots_from": "[materials] shots_from",
    "knowledge": "[materials] knowledge",
    **{
        name: f"[servers.NAME] {name}"
        for name in ("base_url", "key_env", "attempts", "max_reply", "timeout")
    },
    **{name: f"[servers.NAME] or [[models]] {name}" for name in ("rpm", "tpm", "max_in_flight")},
    "image_limit": "[[models]] image_limit",
    "prices": "[[models]] price",
    "max_cost": "[campaign] budget",
}
"""Keys of the campaign's file that stand for options of `gf.run`."""

LEFT_OUT: Mapping[str, str] = {
    "jobs": "start the command several times, on one machine or many, to share a campaign",
    "until": "a campaign asks all its questions; a run with a stop rule is gfactor run --until",
    "order_seed": "the order of the questions is that of [campaign] seed",
    "dry_run": "gfactor campaign plan asks nothing and says what the campaign takes",
    "key_file": "the key of a server is in an environment variable; name it with key_env",
    "detail": "write it into the model's name: spec = 'openai:NAME?detail=low'",
    "deadline": "stop the command when the time is over; the next one goes on",
}
"""Options of `gf.run` that a campaign does not have, and what to do instead. None is needed."""


def placed(name: str) -> str:
    """Return the key of a campaign file for an option of `gf.run`, or what to do without one; "" if
    `gf.run` has no such option, either.

    Examples
    --------
    >>> placed("sample")
    'it stands in [[banks]] sample'
    """
    if name in KEYS:
        return f"it stands in {KEYS[name]}"
    options = {*options_by_name(run), *ReachOptions.__annotations__}
    return LEFT_OUT.get(name, "only gfactor run has it, not a campaign" if name in options else "")

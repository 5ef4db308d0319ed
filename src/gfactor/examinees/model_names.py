"""Names of one model: the requested name, and the name in a server's reply."""

from __future__ import annotations

import re

_PUBLISHER = re.compile(r"(?:[a-z]{2,4}\.)?(?:anthropic|meta|amazon|mistral|cohere|deepseek)\.")
"""Publisher before a model's name at Bedrock: "us.anthropic.claude-3-haiku"."""

_FILE = re.compile(r"\.(?:gguf|ggml|bin|safetensors|pt|pth)\Z")

_ALIAS = re.compile(r"(?:-(?:latest|default|stable|0|free|nitro|floor|online|extended))+\Z")
"""Ends of names that stand for a version, or for a route to the same model."""

_VERSION = re.compile(
    r"(?:-(?:\d{4}-\d{2}-\d{2}|\d{2}-\d{2}|\d{2}-\d{4}|\d{3,8}|v\d+(?:-\d+)?|rev\d+"
    r"|latest|default|stable|preview|exp|experimental|snapshot|free|nitro|floor|online|extended"
    r"|i?q\d(?:-[a-z0-9]{1,3}){0,3}|f16|fp16|bf16|f32|fp8|nf4|int[48]|[48]bit|awq|gptq|gguf|mlx))+"
)
"""Dates, numbers of versions (three digits or more: "-1" may be a model of its own), stages, and
the precision of a local file."""


def is_same_model(requested: str, answered: str) -> bool:
    """Return True if a server's name of a model may belong to the requested model. The parts of the
    names between slashes are compared, without case, with dots, colons, "@" and underscores read as
    hyphens. A name is the same if it equals the last part of the asked one, or if one of the two
    continues the other by a version alone: a date, a number of three digits or more, "v2",
    "latest", "preview", the precision of a file. So a path of a local server and the name that a
    router gives are the same model if any of their parts is.

    Parameters
    ----------
    requested : str
        Name in the request: "gpt-4o", "models/gemini-2.5-pro".
    answered : str
        Name in the reply.

    Returns
    -------
    bool
        False if the names are those of different models.

    Examples
    --------
    >>> is_same_model("gpt-4o", "gpt-4o-2024-08-06"), is_same_model("gpt-4o", "gpt-4o-mini")
    (True, False)
    >>> is_same_model("qwen2.5-7b", "/models/Qwen2.5-7B-Q4_K_M.gguf")
    True
    """
    wanted = _parts(requested)[-1]
    stem = _ALIAS.sub("", wanted)
    return any(
        _continues(stem, part) or _continues(wanted, part) or _continues(part, wanted)
        for part in _parts(answered)
    )


def _parts(name: str) -> list[str]:
    """Return the parts of a path or of a name in a folder of a cache ("models--org--name")."""
    parts = re.split(r"[/\\]+|--", name.strip().lower().rstrip("/\\"))
    plain = (_FILE.sub("", _PUBLISHER.sub("", part, count=1)) for part in parts if part)
    return [re.sub(r"[\s.:@_]+", "-", part) for part in plain] or [""]


def _continues(short: str, long: str) -> bool:
    """Return True if a name equals another one, with or without a version after it."""
    if not long.startswith(short) or not short:
        return False
    rest = long[len(short) :]
    return not rest or _VERSION.fullmatch(rest) is not None

"""Estimate of the number of tokens of a request before it is sent, without any download."""

from __future__ import annotations

import hashlib
import math
import os
import re
import tempfile
import tomllib
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from gfactor.examinees.base import RenderedItem
from gfactor.examinees.image_limits import size_of
from gfactor.items import Image

CHARACTERS_PER_TOKEN = {"latin": 4.0, "wide": 1.0, "other": 2.0}
"""Without a tokenizer: letters of the Latin script, digits, signs and spaces (OpenAI's and Google's
rule of thumb for English is four characters a token); Chinese, Japanese and Korean; all other
scripts, of which tokenizers split words into more pieces."""

MESSAGE_TOKENS = 4
"""Tokens that mark the beginning and end of a message, per message."""

_WIDE = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_OTHER = re.compile(r"[\u0370-\u10ff\u1200-\u1dff\ua000-\uabff]")

_ENCODINGS = {
    r"gpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|\bo[134]\b": "o200k_base",
    r"gpt-4|gpt-3\.5": "cl100k_base",
}
"""tiktoken's encodings by model."""

_ENCODING_URL = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
"""Address from which tiktoken derives the names of its cached files; nothing is fetched from it."""


def estimate_tokens(item: RenderedItem, model: str = "", detail: str = "") -> int:
    """Return the expected number of tokens in an item's request.

    Parameters
    ----------
    model: its name, "" if it is not known.
    detail: OpenAI's image detail, "" for the default.

    Returns
    -------
    int
        Texts by `text_tokens`, images by `image_tokens`, and `MESSAGE_TOKENS` for each message.

    Examples
    --------
    >>> estimate_tokens(RenderedItem("i", "b", "t", ("How many dots are there?",)))
    10
    """
    turns = (*item.earlier, item.content)
    texts = [s for turn in turns for s in turn if isinstance(s, str)] + list(item.replies)
    images = sum(image_tokens(*_size(image), model, detail) for image in item.images)
    messages = len(turns) + len(item.replies)
    return sum(text_tokens(text, model) for text in texts) + images + messages * MESSAGE_TOKENS


def text_tokens(text: str, model: str = "") -> int:
    """Return the number of tokens of a text: by the model's tokenizer if it is available, else
    estimated by script.

    A tokenizer is available if tiktoken (for OpenAI's models) or tokenizers (for models on the
    Hugging Face Hub) is installed and its file is in the package's cache.

    Examples
    --------
    >>> text_tokens("a word or two"), text_tokens("三个字"), text_tokens("слово")
    (4, 3, 3)
    """
    count = _tokenizer(model)
    if count is not None:
        return count(text)
    wide, other = (
        (0, 0) if text.isascii() else (len(_WIDE.findall(text)), len(_OTHER.findall(text)))
    )
    each = CHARACTERS_PER_TOKEN
    latin = len(text) - wide - other
    return math.ceil(latin / each["latin"] + wide / each["wide"] + other / each["other"])


def image_tokens(width: int, height: int, model: str = "", detail: str = "") -> int:
    """Return the number of tokens of an image of this size by the vendor's rule.

    The rules are in `image_tokens.toml`.

    Examples
    --------
    >>> image_tokens(1024, 1024, "gpt-4o"), image_tokens(1024, 1024, "gpt-4o", "low")
    (765, 85)
    >>> image_tokens(1800, 2400, "gpt-4.1-mini"), image_tokens(1000, 1000, "claude-sonnet-4-5")
    (2353, 1296)
    """
    rule = _rule(model)
    kind = rule["kind"]
    if kind == "fixed":
        return rule["each"]
    if kind == "crops":
        small = max(width, height) <= 384
        return rule["each"] * (1 if small else math.ceil(width / 768) * math.ceil(height / 768))
    if kind == "tiles":
        if detail == "low":
            return rule["base"]
        scale = min(1.0, 2048 / max(width, height))
        scale *= min(1.0, 768 / (scale * min(width, height)))
        across, down = (math.ceil(round(scale * side, 6) / 512) for side in (width, height))
        return rule["base"] + rule["each"] * across * down
    patches = _patches(width, height, rule["side"], rule.get("longest", math.inf), rule["most"])
    return math.ceil(patches * rule.get("times", 1)) + rule.get("more", 0)


def _patches(width: float, height: float, side: int, longest: float, most: int) -> int:
    """Number of patches that cover an image, after scaling it down if it is too large."""
    scale = min(1.0, longest / max(width, height))
    width, height = width * scale, height * scale
    if math.ceil(width / side) * math.ceil(height / side) > most:
        # OpenAI's rule: fit the area, then the nearest whole number of patches below.
        scale = math.sqrt(most * side**2 / (width * height))
        across, down = width * scale / side, height * scale / side
        fitted = min(math.floor(n) / n if n >= 1 else 1.0 for n in (across, down))
        width, height = width * scale * fitted, height * scale * fitted
    count = (max(1, math.ceil(round(n / side, 6))) for n in (width, height))
    return min(most, math.prod(count))


@lru_cache(maxsize=64)
def _rule(model: str) -> dict[str, Any]:
    name = model.casefold()
    return next(rule for rule in _rules() if re.search(rule["model"], name))


@cache
def _rules() -> list[dict[str, Any]]:
    text = (files("gfactor.examinees.http") / "image_tokens.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["rule"]


@lru_cache(maxsize=256)
def _size(image: Image) -> tuple[int, int]:
    try:
        return size_of(image)
    except ValueError:
        return 1, 1


@lru_cache(maxsize=16)
def _tokenizer(model: str) -> Callable[[str], int] | None:
    """Return a function that counts a text's tokens, None without a tokenizer for the model."""
    return _tiktoken(model.casefold()) or _hub_tokenizer(model)


def _tiktoken(model: str) -> Callable[[str], int] | None:
    name = next((e for pattern, e in _ENCODINGS.items() if re.search(pattern, model)), None)
    folder = next(
        (os.environ[v] for v in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR") if v in os.environ),
        str(Path(tempfile.gettempdir()) / "data-gym-cache"),
    )
    if name is None or not folder:
        return None
    cached = hashlib.sha1(_ENCODING_URL.format(name).encode()).hexdigest()
    if not (Path(folder) / cached).is_file():
        return None
    try:
        import tiktoken  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
    except ImportError:
        return None
    encoding = tiktoken.get_encoding(name)
    return lambda text: len(encoding.encode(text, disallowed_special=()))


def _hub_tokenizer(model: str) -> Callable[[str], int] | None:
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", model):
        return None
    try:
        from huggingface_hub import try_to_load_from_cache  # noqa: PLC0415
        from tokenizers import Tokenizer  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
    except ImportError:
        return None
    path = try_to_load_from_cache(model, "tokenizer.json")
    if not isinstance(path, str):
        return None
    tokenizer = Tokenizer.from_file(path)
    return lambda text: len(tokenizer.encode(text).ids)

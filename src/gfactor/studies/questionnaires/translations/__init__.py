"""The interface's sentences, a TOML file per language with the same keys."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Words:
    """The sentences of one language; call it with a key and values for the fields in braces."""

    language: str
    sentences: dict[str, str]

    def __call__(self, key: str, **values: object) -> str:
        return self.sentences[key].strip().format(**values)


@cache
def words(language: str) -> Words:
    """Return the sentences of one of `definition.LANGUAGES`."""
    text = files(__name__).joinpath(f"{language}.toml").read_text("utf-8")
    return Words(language, tomllib.loads(text))

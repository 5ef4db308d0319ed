"""Templates: sentences with fields in braces, as `texts` describes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from string import Formatter

_NAME = r"[^\W\d]\w*"
_AGREEMENT = rf"(?:of={_NAME},n={_NAME}|of={_NAME}|n={_NAME})"
_PIECE = re.compile(rf"\{{{_NAME}(?::{_AGREEMENT})?\}}|\{{\{{|\}}\}}|[{{}}]")


@dataclass(frozen=True)
class Field:
    """A field of a template, and the fields whose gender (`of`) and number (`n`) it takes."""

    name: str
    of: str = ""
    n: str = ""

    @property
    def kind(self) -> str:
        """The class of words: the name without a digit at its end."""
        return self.name.rstrip("0123456789")


@lru_cache(maxsize=4096)
def parsed(template: str) -> tuple[tuple[str, Field | None], ...]:
    """Return the literal parts of a template, each with the field after it."""
    return tuple(_pieces(template))


def _pieces(template: str) -> Iterator[tuple[str, Field | None]]:
    for literal, name, spec, _ in Formatter().parse(template):
        if name is None:
            yield literal, None
            continue
        pairs = dict(pair.split("=") for pair in (spec or "").split(",") if pair)
        yield literal, Field(name, pairs.get("of", ""), pairs.get("n", ""))


def fields_of(template: str) -> list[Field]:
    """Return the fields of a template, in their order."""
    return [field for _, field in parsed(template) if field is not None]


def names_in(template: str) -> list[str]:
    """Return every name in a template's fields, also those of agreement."""
    return [name for one in fields_of(template) for name in (one.name, one.of, one.n) if name]


def in_braces(names: Iterable[str]) -> str:
    """Return names of fields in braces, as templates write them."""
    return ", ".join(f"{{{name}}}" for name in sorted(names)) or "no field"


def brace_flaw(template: str) -> str:
    """Return the flaw of a template's braces, in words; "" if every field is well formed."""
    wrong = next((one for one in _PIECE.finditer(template) if len(one[0]) == 1), None)
    if wrong is None:
        return ""
    # From an opening brace to the next closing one; of a lone closing brace, some letters before
    # it.
    end = template.find("}", wrong.start()) + 1
    start = max(0, end - 16) if wrong[0] == "}" else wrong.start()
    return (
        f"{template[start : end or None]!r} is no field; write {{name}}, {{noun:n=count}}, "
        "{adjective:of=noun} or {adjective:of=noun,n=count}"
    )

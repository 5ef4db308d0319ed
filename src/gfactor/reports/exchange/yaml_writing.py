"""Documents of texts, numbers, lists and mappings as YAML, without a library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_WORDS_OF_YAML = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


def yaml_text(document: Mapping[str, Any] | Sequence[Any]) -> str:
    """Return a document as block YAML; every text but plain words is in double quotes.

    Parameters
    ----------
    document : mapping or sequence
        Texts, truth values, finite numbers, None, lists and mappings of these; keys are texts.

    Returns
    -------
    str
        YAML 1.1 and 1.2, in the order of the document.

    Examples
    --------
    >>> from gfactor.reports.exchange.yaml_writing import yaml_text
    >>> print(yaml_text([{"name": "a b", "sizes": [1, 2.5], "none": {}}]), end="")
    - name: "a b"
      sizes:
      - 1
      - 2.5
      none: {}
    """
    return "".join(f"{line}\n" for line in _lines(document))


def _lines(value: Any) -> Iterator[str]:
    """The lines of a value that stands by itself."""
    if isinstance(value, Mapping) and value:
        for key, part in value.items():
            head = f"{_scalar(str(key))}:"
            if isinstance(part, Mapping) and part:
                yield head
                yield from (f"  {line}" for line in _lines(part))
            elif _is_list(part) and part:
                yield head
                yield from _lines(part)
            else:
                yield f"{head} {_scalar(part)}"
    elif _is_list(value) and value:
        for part in value:
            first, *rest = _lines(part)
            yield f"- {first}"
            yield from (f"  {line}" for line in rest)
    else:
        yield _scalar(value)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _scalar(value: Any) -> str:
    """A text, number, truth value, None, or an empty collection."""
    if isinstance(value, str):
        if _PLAIN.fullmatch(value) and value.lower() not in _WORDS_OF_YAML:
            return value
        quoted = json.dumps(value, ensure_ascii=False)
        return _UNPRINTABLE.sub(lambda sign: f"\\u{ord(sign[0]):04x}", quoted)
    if isinstance(value, Mapping):
        return "{}"
    text = json.dumps(list(value) if _is_list(value) else value, allow_nan=False)
    # YAML 1.1 knows no 1e-07, only 1.0e-07.
    return text.replace("e", ".0e") if isinstance(value, float) and "." not in text else text

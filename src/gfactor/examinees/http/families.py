"""Parameters that families of models accept, as data: refused ones are errors before any request.

The table is `families.toml` next to this file, with source and date of every entry. A file of the
same form that the environment variable GFACTOR_MODELS names is read first: if a family in it
matches a model, the shipped families are not used. Other facts are learned from the server's first
refusal (`payload.Dialect`).
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from gfactor.errors import ParameterError

VARIABLE = "GFACTOR_MODELS"
"""The environment variable that names a file of families."""

_KINDS = ("off", "budget", "adaptive", "dynamic", "minimal", "low", "medium", "high")

Range = tuple[float, float]


@dataclass(frozen=True)
class ModelFamily:
    """Parameters that the models of a family accept.

    Parameters
    ----------
    vendor: scheme of the examinee.
    models: pattern of their whole names.
    source, date: source of the entry, and the date when it was written.
    refused: parameters that requests must not have.
    one_of: parameters of which a request may have one.
    ranges: least and most value of parameters.
    effort: values of `reasoning_effort`; None if nothing is known.
    thinking: ways of thinking; None if nothing is known.
    budget: least and most tokens of a thinking budget.
    api: API of the models, if they answer in only one; "" if nothing is known. thinking_refused,
    thinking_ranges: `refused` and `ranges` for requests in which the model thinks.
    """

    vendor: str
    models: re.Pattern[str]
    source: str
    date: str
    refused: tuple[str, ...] = ()
    one_of: tuple[tuple[str, ...], ...] = ()
    ranges: Mapping[str, Range] = field(default_factory=dict)
    effort: tuple[str, ...] | None = None
    thinking: tuple[str, ...] | None = None
    budget: Range | None = None
    api: str = ""
    thinking_refused: tuple[str, ...] = ()
    thinking_ranges: Mapping[str, Range] = field(default_factory=dict)

    def objections(
        self, model: str, decoding: Mapping[str, Any], thinking: str
    ) -> Iterator[tuple[str, str]]:
        """Yield the parameters of a request that the family refuses, each with the remedy."""
        kind = kind_of(thinking)
        if kind and self.thinking is not None and kind not in self.thinking:
            ways = " or ".join(map(_spelled, self.thinking))
            remedy = f"write thinking={ways}" if ways else "leave thinking out"
            yield f"{model} does not take thinking={thinking}", remedy
        elif kind == "budget" and self.budget and not _within(int(thinking), self.budget):
            yield f"thinking={thinking} is out of range for {model}", _from_to(self.budget)
        effort = decoding.get("reasoning_effort")
        if effort is not None and self.effort is not None and effort not in self.effort:
            values = " or ".join(self.effort)
            remedy = f"write reasoning_effort={values}" if values else "leave it out"
            yield f"{model} does not take reasoning_effort={effort}", remedy
        thinks = kind not in ("", "off")
        when = f" when it thinks (thinking={thinking})"
        for names, suffix in ((self.refused, ""), (self.thinking_refused if thinks else (), when)):
            for name in names:
                if name in decoding:
                    yield f"{model} takes no {name}{suffix}", "leave it out of the condition"
        for ranges, suffix in ((self.ranges, ""), (self.thinking_ranges if thinks else {}, when)):
            for name, bounds in ranges.items():
                if name in decoding and not _within(decoding[name], bounds):
                    problem = f"{name}={decoding[name]} is out of range for {model}{suffix}"
                    yield problem, _from_to(bounds)
        for group in self.one_of:
            given = [name for name in group if name in decoding]
            if len(given) > 1:
                yield f"{model} does not take {' and '.join(given)} together", "give one of them"


def check_parameters(
    vendor: str,
    model: str,
    decoding: Mapping[str, Any],
    thinking: str = "",
    *,
    at_vendor: bool = True,
) -> None:
    """Raise ParameterError if a model is known to refuse a combination of parameters.

    Parameters
    ----------
    vendor: scheme of the examinee.
    model: its name.
    decoding: the parameters of generation of a condition, by OpenAI's names.
    thinking: setting of thinking in the examinee's specification.
    at_vendor: True if it is asked at the vendor's own address; elsewhere the user's file alone
        counts.

    Examples
    --------
    >>> check_parameters("google", "gemini-2.5-pro", {"temperature": 1.5}, "2048")
    >>> check_parameters("google", "gemini-2.5-pro", {}, "0")
    Traceback (most recent call last):
    ...
    gfactor.errors.ParameterError: gemini-2.5-pro does not take thinking=0; ...
    """
    for family in families_of(vendor, model, at_vendor=at_vendor):
        for problem, remedy in family.objections(model, decoding, thinking):
            raise ParameterError(
                f"{problem}; {remedy} ({family.source}, {family.date}; to "
                f"change this, name a file of your own in {VARIABLE})"
            )


def needed_api(vendor: str, model: str, *, at_vendor: bool = True) -> str:
    """Return the only API through which a model is known to answer, "" if nothing is known.

    Examples
    --------
    >>> needed_api("openai", "o3-pro"), needed_api("openai", "gpt-4o")
    ('responses', '')
    """
    families = families_of(vendor, model, at_vendor=at_vendor)
    return next((family.api for family in families if family.api), "")


def families_of(vendor: str, model: str, *, at_vendor: bool = True) -> tuple[ModelFamily, ...]:
    """Return the families of a model: those in the user's file if there are any, else the shipped
    ones."""
    named = os.environ.get(VARIABLE)
    sources = [_read(named, Path(named).stat().st_mtime_ns if Path(named).exists() else 0)] \
        if named else []  # fmt: skip
    if at_vendor:
        sources.append(shipped_families())
    for families in sources:
        matching = [f for f in families if f.vendor == vendor and f.models.fullmatch(model)]
        if matching:
            return tuple(matching)
    return ()


@lru_cache(maxsize=1)
def shipped_families() -> tuple[ModelFamily, ...]:
    """Return the families of `families.toml`."""
    where = files("gfactor.examinees.http").joinpath("families.toml")
    return _parsed("families.toml", where.read_text("utf-8"))


@lru_cache(maxsize=8)
def _read(path: str, _: int) -> tuple[ModelFamily, ...]:
    try:
        return _parsed(path, Path(path).read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise ParameterError(
            f"the file of models {path!r} that {VARIABLE} names cannot be read: {error}"
        ) from error


def _parsed(path: str, text: str) -> tuple[ModelFamily, ...]:
    families = []
    try:
        for number, table in enumerate(tomllib.loads(text).get("family", []), 1):
            where = f"file of models {path!r}, family {number}"
            families.append(_family(where, table))
    except (tomllib.TOMLDecodeError, TypeError, AttributeError) as error:
        raise ParameterError(f"file of models {path!r} cannot be read: {error}") from error
    return tuple(families)


_KEYS = {"vendor", "models", "source", "date", "refused", "one_of", "range", "effort", "thinking",
         "budget", "api", "when_thinking"}  # fmt: skip


def _family(where: str, table: Mapping[str, Any]) -> ModelFamily:
    unknown = sorted(set(table) - _KEYS)
    absent = [key for key in ("vendor", "models", "source", "date") if not table.get(key)]
    if unknown or absent:
        problem = f"has no key {unknown[0]!r}" if unknown else f"lacks {absent[0]!r}"
        raise ParameterError(f"{where} {problem}; its keys are {', '.join(sorted(_KEYS))}")
    thinking = table.get("thinking")
    wrong = sorted(set(thinking or ()) - set(_KINDS))
    if wrong:
        raise ParameterError(
            f"{where}: {wrong[0]!r} is no kind of thinking; choose from {', '.join(_KINDS)}"
        )
    more = table.get("when_thinking", {})
    try:
        return ModelFamily(
            table["vendor"], re.compile(table["models"]), table["source"], str(table["date"]),
            tuple(table.get("refused", ())), tuple(map(tuple, table.get("one_of", ()))),
            _ranges(table.get("range", {})), _texts(table.get("effort")), _texts(thinking),
            _range(table["budget"]) if "budget" in table else None, table.get("api", ""),
            tuple(more.get("refused", ())), _ranges(more.get("range", {})),
        )  # fmt: skip
    except (re.error, TypeError, ValueError, AttributeError) as error:
        raise ParameterError(f"{where} cannot be read: {error}") from error


def _texts(values: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if values is None else tuple(values)


def _ranges(table: Mapping[str, Any]) -> dict[str, Range]:
    return {name: _range(bounds) for name, bounds in table.items()}


def _range(bounds: Sequence[float]) -> Range:
    least, most = bounds
    return least, most


def kind_of(thinking: str) -> str:
    """Return the kind of thinking that a specification states, "" if it states none.

    Examples
    --------
    >>> kind_of("2048"), kind_of("0"), kind_of("adaptive")
    ('budget', 'off', 'adaptive')
    """
    if thinking.isdigit():
        return "budget" if int(thinking) else "off"
    return thinking


def _spelled(kind: str) -> str:
    return "a budget in tokens" if kind == "budget" else kind


def _within(value: Any, bounds: Range) -> bool:
    return not isinstance(value, int | float) or bounds[0] <= value <= bounds[1]


def _from_to(bounds: Range) -> str:
    if bounds[0] == bounds[1]:
        return f"write {bounds[0]:g} or leave it out"
    return f"write a value from {bounds[0]:.10g} to {bounds[1]:.10g}"

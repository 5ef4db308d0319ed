"""A harness's own verdicts on every reply in a log, as points from 0 to 1."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gfactor.administration.imports.documents import read_json
from gfactor.administration.imports.inspect_files import read_log
from gfactor.errors import ParameterError

_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Inspect's values of a scorer: correct, partial, incorrect, no answer."""

_NO_METRICS = frozenset(
    {"doc_id", "target", "token_counts", "doc_hash", "prompt_hash", "target_hash", "arguments",
     "resps", "filtered_resps", "input", "input_media", "doc"}
)  # fmt: skip


_DATED_BEHIND = re.compile(r"samples_.+_\d{4}-\d\d-\d\dT[^_]*\.jsonl")
"""Names of lm-evaluation-harness's logs, which end with a date; lmms-eval's begin with it."""


def format_of_log(path: Path) -> str:
    """Return the import format of a log, from its name; "" if no format fits."""
    if path.suffix == ".eval":
        return "inspect"
    if path.suffix == ".jsonl" and "samples_" in path.name:
        return "lm-eval" if _DATED_BEHIND.fullmatch(path.name) else "lmms-eval"
    return "vlmevalkit" if path.suffix in (".xlsx", ".tsv") else ""


def harness_scores(path: Path) -> dict[tuple[str, int], float]:
    """Return the harness's points, by its name for the item and the occasion from 0.

    Parameters
    ----------
    path : Path
        A log of Inspect (.eval) or sample log of lm-evaluation-harness or lmms-eval (.jsonl). If
        several filters read a reply, the verdict is that of the first.

    Returns
    -------
    dict of (str, int) to float
        Points from 0 to 1, by item name and occasion.

    Raises
    ------
    ParameterError
        If the log is of another harness, or contains no verdicts.
    """
    readers = {"inspect": _of_inspect, "lm-eval": _of_samples, "lmms-eval": _of_samples}
    kind = format_of_log(path)
    if kind not in readers:
        raise ParameterError(
            f"{str(path)!r} holds no verdicts of a harness that can be read; reading=harness is "
            "for logs of Inspect (.eval), lm-evaluation-harness and lmms-eval (samples, .jsonl)"
        )
    scores: dict[tuple[str, int], float] = {}
    for sample, points in readers[kind](path):
        scores.setdefault(sample, points)
    if not scores:
        raise ParameterError(f"{str(path)!r} holds no verdict from 0 to 1 on any sample")
    return scores


def decoding_of_log(path: Path) -> dict[str, float]:
    """Return the generation parameters from lmms-eval's file next to its samples; empty if there
    are none."""
    date, _, task = path.name.partition("_samples_")
    beside = path.parent / f"{date}_results.json"
    if not task or not beside.is_file():
        return {}
    try:
        facts = read_json(beside.read_bytes())
        given = facts["configs"][task.removesuffix(".jsonl")]["generation_kwargs"]
    except (ValueError, KeyError, TypeError):
        return {}
    names = {"max_new_tokens": "max_tokens", "temperature": "temperature", "top_p": "top_p"}
    return {ours: given[name] for name, ours in names.items() if _is_number(given.get(name))}


def _of_inspect(path: Path) -> Iterator[tuple[tuple[str, int], float]]:
    _, samples = read_log(path)
    for part in samples:
        if not isinstance(part, tuple):
            continue
        sample = part[1]
        scores = sample.get("scores")
        first = next(iter(scores.values()), None) if isinstance(scores, Mapping) else None
        value = first.get("value") if isinstance(first, Mapping) else None
        points: Any = _LETTERS.get(value) if isinstance(value, str) else value
        if _is_number(points) and 0 <= points <= 1:
            yield (str(sample.get("id")), int(sample.get("epoch", 1)) - 1), float(points)


def _of_samples(path: Path) -> Iterator[tuple[tuple[str, int], float]]:
    with path.open("rb") as file:
        for line in filter(bytes.strip, file):
            try:
                sample = read_json(line)
            except ValueError:
                continue
            values = [v for k, v in sample.items() if k not in _NO_METRICS and _is_number(v)]
            if values and 0 <= values[0] <= 1:
                yield (str(sample.get("doc_id")), 0), float(values[0])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)

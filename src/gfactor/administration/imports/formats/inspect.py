"""`inspect`: logs of Inspect, `.eval` or `.json`, of any task that asks one question a sample.

A sample's last output is the reply, its epoch the occasion. The condition holds the parameters of
generation and `pack=inspect-HASH`: the prompts are Inspect's, and the hash is over the task's
arguments and the solvers, so that runs under different settings are kept apart. Banks of gfactor as
Inspect tasks, answered without another solver, keep the condition under which gfactor rendered
them. Scores in the log are not imported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gfactor.administration.imports.base import (
    IMPORTS,
    Answered,
    Flaw,
    FolderLogs,
    Naming,
    Traits,
    declare,
    utc,
)
from gfactor.administration.imports.documents import one_line
from gfactor.administration.imports.inspect_files import read_log
from gfactor.administration.imports.inspect_samples import (
    condition_of_sample,
    item_of_sample,
    reply_of_sample,
)
from gfactor.administration.presenting.condition import DECODING, Condition
from gfactor.administration.presenting.condition_text import read_key
from gfactor.errors import ParameterError
from gfactor.items import text_hash

_EXECUTION = frozenset(
    {"max_retries", "timeout", "attempt_timeout", "stream_idle_timeout", "max_connections",
     "adaptive_connections", "batch", "cache_prompt"}
)  # fmt: skip
"""Settings of Inspect that affect only how requests are sent, not the questions."""

declare("inspect", Traits(FolderLogs(r".*\.eval", "files that end in .eval")))


@IMPORTS.register("inspect")
def read(path: Path, naming: Naming) -> Iterator[Answered | Flaw]:
    """Read logs of Inspect, .eval or .json."""
    header, samples = read_log(path)
    about = header["eval"]
    model, task = about.get("model"), about.get("task")
    if not isinstance(task, str) or not task:
        raise ParameterError(f"{str(path)!r}: the log does not name its task")
    if not naming.examinee and not (isinstance(model, str) and model and model != "none/none"):
        raise ParameterError(f"{str(path)!r}: the log names no model; give --examinee NAME")
    examinee = naming.examinee or f"inspect:{model}"
    created = _moment(about.get("created")) or utc(path.stat().st_mtime)
    conditions: dict[str, str] = {}
    for part in samples:
        if isinstance(part, Flaw):
            yield part
            continue
        where, sample = part
        try:
            ours = condition_of_sample(sample)
            if ours not in conditions:
                conditions[ours] = naming.condition or _condition(header, ours)
            named = Naming(examinee, conditions[ours])
            yield _answered(sample, task, named, created)
        except ValueError as error:
            yield Flaw(where, one_line(error))
        except (TypeError, KeyError, AttributeError) as error:
            yield Flaw(where, f"it is not built as Inspect's samples are ({one_line(error)!r})")


def _answered(sample: Mapping[str, Any], task: str, named: Naming, created: str) -> Answered:
    epoch = sample.get("epoch", 1)
    if sample.get("id") is None or type(epoch) is not int or epoch < 1:
        raise ValueError("it has no id, or no epoch from 1")
    return Answered(
        item_of_sample(sample, task),
        named.examinee,
        named.condition,
        epoch - 1,
        reply_of_sample(sample),
        _moment(sample.get("completed_at")) or created,
    )


def _moment(value: Any) -> str:
    try:
        return utc(value) if isinstance(value, str) else ""
    except ValueError:
        return ""


def _condition(header: Mapping[str, Any], ours: str) -> str:
    """The key of the condition; `ours` is that under which gfactor rendered the item, or ""."""
    about, plan = header["eval"], _mapping(header.get("plan"))
    config = {**_mapping(about.get("model_generate_config")), **_mapping(plan.get("config"))}
    decoding = {k: v for k, v in config.items() if k in DECODING and v is not None}
    steps = [_mapping(step) for step in plan.get("steps") or ()]
    if ours and all(str(s.get("solver")).split("/")[-1] == "generate" for s in steps):
        rendered = read_key(ours)
        return replace(
            rendered, decoding=tuple(({**dict(rendered.decoding), **decoding}).items())
        ).key
    setup = {
        "task_args": about.get("task_args"),
        "steps": [[step.get("solver"), step.get("params")] for step in steps],
        "config": {k: v for k, v in config.items() if k not in DECODING and k not in _EXECUTION},
    }
    pack = f"inspect-{text_hash(_ordered(setup))[:8]}"
    return Condition(decoding=tuple(decoding.items()), sources=(("pack", pack),)).key


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _ordered(value: Any) -> str:
    """A text of the value that does not depend on the order of keys or on unset options."""
    if isinstance(value, dict):
        pairs = sorted((k, _ordered(v)) for k, v in value.items() if v not in (None, {}, []))
        return "{" + ",".join(f"{k}:{v}" for k, v in pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_ordered, value)) + "]"
    return repr(value)

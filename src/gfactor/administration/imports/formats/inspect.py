"""`inspect`: logs of Inspect, `.eval` or `.json`, of any task that asks one question a sample.

A sample's last output is the reply, its epoch the occasion. The condition is called
`harness=inspect,setup=HASH`; the hash is over the task's arguments, the solvers and the
generation parameters, so that runs under different settings are kept apart. Scores in the log are
not taken over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gfactor.administration.imports.base import IMPORTS, Answered, Flaw, Naming, utc
from gfactor.administration.imports.documents import one_line
from gfactor.administration.imports.inspect_files import read_log
from gfactor.administration.imports.inspect_samples import item_of_sample, reply_of_sample
from gfactor.errors import ParameterError
from gfactor.items import text_hash


@IMPORTS.register("inspect")
def read(path: Path, naming: Naming) -> Iterator[Answered | Flaw]:
    """Logs of Inspect, .eval or .json."""
    header, samples = read_log(path)
    about = header["eval"]
    model, task = about.get("model"), about.get("task")
    if not isinstance(task, str) or not task:
        raise ParameterError(f"{str(path)!r}: the log does not name its task")
    if not naming.examinee and not (isinstance(model, str) and model and model != "none/none"):
        raise ParameterError(f"{str(path)!r}: the log names no model; give --examinee NAME")
    named = Naming(naming.examinee or f"inspect:{model}", naming.condition or _condition(header))
    created = _moment(about.get("created")) or utc(path.stat().st_mtime)
    for part in samples:
        if isinstance(part, Flaw):
            yield part
            continue
        where, sample = part
        try:
            yield _answered(sample, task, named, created)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            yield Flaw(where, one_line(error) or type(error).__name__)


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


def _condition(header: Mapping[str, Any]) -> str:
    about, plan = header["eval"], header.get("plan")
    plan = plan if isinstance(plan, dict) else {}
    setup = {
        "task_args": about.get("task_args"),
        "config": [about.get("model_generate_config"), plan.get("config")],
        "steps": [
            [step.get("solver"), step.get("params")]
            for step in plan.get("steps") or []
            if isinstance(step, dict)
        ],
    }
    return f"harness=inspect,setup={text_hash(_ordered(setup))[:8]}"


def _ordered(value: Any) -> str:
    """A text of the value that does not depend on the order of keys or on what is unset."""
    if isinstance(value, dict):
        kept = sorted((k, _ordered(v)) for k, v in value.items() if v not in (None, {}, []))
        return "{" + ",".join(f"{k}:{v}" for k, v in kept) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_ordered, value)) + "]"
    return repr(value)

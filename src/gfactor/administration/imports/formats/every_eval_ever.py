"""`eee`: Every Eval Ever 0.3.0, UUID_samples.jsonl with UUID.json next to it, or a folder of these.

Lines that gfactor wrote hold the journal's row of the item and all data of the reply, so that an
imported journal has the answers, keys and outcomes of the exported one. The files do not contain
pictures and replies to earlier turns of a conversation. In the lines of other programs, the
question is `input.raw`, the key `input.reference`, and the reply the last of `output.raw` or of the
messages. Lines with equal sample ids are occasions in their order. An `error` without a reply is a
failed attempt, which is missing, never wrong. Their condition is `pack=every-eval-ever`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from gfactor.administration.imports.base import (
    IMPORTS,
    Answered,
    Flaw,
    Naming,
    Traits,
    declare,
    utc,
)
from gfactor.administration.imports.documents import failed_outcome, one_line, read_json
from gfactor.administration.imports.items import (
    LETTERS,
    Question,
    item_from,
    simple_labels,
)
from gfactor.errors import ParameterError
from gfactor.examinees import Reply
from gfactor.examinees.base import Outcome
from gfactor.items import Item, Provenance
from gfactor.items.schema import item_of

SAMPLES = "_samples.jsonl"
_TOKENS = {
    "input_tokens": "prompt_tokens",
    "output_tokens": "completion_tokens",
    "reasoning_tokens": "reasoning_tokens",
}

_PACK = "every-eval-ever"

declare("eee", Traits(takes_folders=True, pack=_PACK))


@IMPORTS.register("eee")
def read(path: Path, naming: Naming) -> Iterator[Answered | Flaw]:
    """Read logs of Every Eval Ever: UUID_samples.jsonl, or a folder of these."""
    files = sorted(path.rglob(f"*{SAMPLES}")) if path.is_dir() else [path]
    if not files or not files[0].name.endswith(SAMPLES):
        raise ParameterError(
            f"{str(path)!r} holds no file called UUID{SAMPLES}; the answers of an evaluation are "
            "in this file, beside its UUID.json"
        )
    for file in files:
        yield from _of_file(file, naming, file.name if path.is_dir() else "")


def _of_file(path: Path, naming: Naming, within: str) -> Iterator[Answered | Flaw]:
    created = _moment(path)
    seen: Counter[tuple[str, str]] = Counter()
    with path.open("rb") as file:
        for row, line in enumerate(file, 1):
            if not line.strip():
                continue
            where = ", ".join(filter(None, (within, f"row {row}")))
            try:
                sample = read_json(line)
                if not isinstance(sample, dict) or "sample_id" not in sample:
                    raise ValueError("it is not an object with a sample_id")
                facts = sample.get("metadata")
                facts = facts if isinstance(facts, dict) else {}
                if "item" in facts and "reply" in facts:
                    yield _ours(sample, facts, naming)
                    continue
                key = str(sample.get("evaluation_name")), str(sample["sample_id"])
                occasion, seen[key] = seen[key], seen[key] + 1
                yield Answered(
                    _item(sample, facts),
                    naming.examinee or f"every-eval-ever:{sample.get('model_id') or 'unknown'}",
                    naming.condition or f"pack={_PACK}",
                    occasion,
                    _reply(sample),
                    created,
                )
            except (ValueError, TypeError, KeyError) as error:
                yield Flaw(where, one_line(error))


def _moment(path: Path) -> str:
    """Return the time of the evaluation, from the file beside the samples; else the file's time."""
    beside = path.with_name(path.name.removesuffix(SAMPLES) + ".json")
    try:
        document = read_json(beside.read_bytes())
        moment = document.get("evaluation_timestamp") or float(document["retrieved_timestamp"])
        return utc(moment)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return utc(path.stat().st_mtime)


def _ours(sample: Mapping[str, Any], facts: Mapping[str, str], naming: Naming) -> Answered:
    """A line that gfactor wrote."""
    row, reply_facts = json.loads(facts["item"]), json.loads(facts["reply"])
    text = {"type": "text", "image": None}
    origin = Provenance(
        row["benchmark"], "", content_hash=row["content_hash"], edition=row["edition"]
    )
    item = item_of(
        {
            **row,
            "content": [{**text, "text": row["question"]}],
            "choices": [
                {**text, "label": label, "text": option or "[image]"}
                for label, option in row["choices"]
            ],
            "provenance": asdict(origin),
        },
        [],
    )
    reply = Reply(
        reply_facts.get("text", _last(sample)),
        cast(Outcome, facts["outcome"]),
        reply_facts["finish_reason"],
        reply_facts["tokens"],
        reply_facts["latency_s"],
        reply_facts["cost"],
        reply_facts["detail"],
        _thought(sample),
    )
    return Answered(
        item,
        naming.examinee or facts["examinee"],
        naming.condition or facts.get("condition", ""),
        int(facts["occasion"]),
        reply,
        reply_facts["created"],
    )


def _item(sample: Mapping[str, Any], facts: Mapping[str, Any]) -> Item:
    question = sample.get("input")
    if not isinstance(question, dict) or not isinstance(question.get("raw"), str):
        raise ValueError("its input has no raw text")
    choices, key = question.get("choices") or [], question.get("reference") or []
    if not all(isinstance(text, str) for text in (*choices, *key)):
        raise ValueError("its choices or references are not texts")
    if len(choices) > len(LETTERS):
        raise ValueError(f"it has more than {len(LETTERS)} choices")
    return item_from(
        Question(
            benchmark=str(sample.get("evaluation_name") or "every-eval-ever"),
            number=str(sample["sample_id"]),
            content=(question["raw"],),
            key=tuple(key),
            options={LETTERS[k]: text for k, text in enumerate(choices)},
            labels=simple_labels(facts),
            source="every-eval-ever",
        )
    )


def _reply(sample: Mapping[str, Any]) -> Reply:
    text, error = _last(sample), sample.get("error")
    if error and not text.strip():
        message = one_line(error)
        return Reply("", failed_outcome(message), "", detail=message)
    counts = sample.get("token_usage") or {}
    usage = {ours: counts[t] for t, ours in _TOKENS.items() if type(counts.get(t)) is int}
    spent = (sample.get("performance") or {}).get("latency_ms")
    latency = float(spent) / 1000 if isinstance(spent, int | float) else 0.0
    outcome: Outcome = "ok" if text.strip() else "empty"
    return Reply(text, outcome, "", usage, latency, reasoning=_thought(sample))


def _last(sample: Mapping[str, Any]) -> str:
    """The last reply of the output, or of the assistant's messages; "" if there is none."""
    output = sample.get("output")
    if isinstance(output, dict):
        texts = output.get("raw") or []
    else:
        messages = [m for m in sample.get("messages") or [] if m.get("role") == "assistant"]
        texts = [m.get("content") or "" for m in messages]
    return str(texts[-1]) if texts else ""


def _thought(sample: Mapping[str, Any]) -> str:
    output = sample.get("output")
    if isinstance(output, dict):
        traces = output.get("reasoning_trace") or []
    else:
        traces = [m.get("reasoning_trace") for m in sample.get("messages") or []]
    return "\n".join(str(trace) for trace in traces if trace)

"""`eee`: Every Eval Ever 0.3.0, an aggregate file and one line per answer for every run.

The schema has no fields for pictures, for conditions, for attempts that failed for technical
reasons, and for a person's identity. These are texts in `metadata` and `additional_details`:
`condition`, `occasion`, `item_hash`, `outcome`, `missing`, `points`, `images` (hash and media type,
if the bank was given), `item` (the journal's row of the item, JSON) and `reply` (everything else
that the journal stores about the reply, JSON). A journal can be restored from these
(`gfactor.administration.imports.formats.every_eval_ever`).
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.errors import ParameterError
from gfactor.items import canonical_json, text_hash
from gfactor.items.files import replacing
from gfactor.items.formats import TURN_END
from gfactor.reports.answers.results import role_of
from gfactor.reports.exchange.base import (
    EXCHANGES,
    INTERVAL,
    LEVEL,
    ExportFacts,
    JournalRuns,
    Run,
    epoch,
    model_of,
)

SCHEMA_VERSION = "0.3.0"
_ITEM = ("id", "content_hash", "benchmark", "edition", "answer_type", "target", "accepted",
         "output_format", "points", "language", "question", "choices")  # fmt: skip
_TOKENS = {"input_tokens": "prompt_tokens", "output_tokens": "completion_tokens"}
_MORE_TOKENS = {"reasoning_tokens": "reasoning_tokens", "input_tokens_cache_read": "cached_tokens"}


@EXCHANGES.register("eee")
def write(runs: JournalRuns, facts: ExportFacts, folder: Path) -> tuple[list[Path], int]:
    """Write Every Eval Ever 0.3.0: data/BENCHMARK/DEVELOPER/MODEL/UUID.json and
    UUID_samples.jsonl."""
    if not facts.organization:
        raise ParameterError(
            "Every Eval Ever requires the name of the evaluating organization; give it with "
            "--organization NAME"
        )
    images = facts.images()
    written: list[Path] = []
    answers = 0
    for run in runs:
        developer, model, model_id = model_of(run.examinee, facts)
        name = _file_id(run)
        subfolder = Path("data") / _safe(run.benchmark) / developer / model
        samples = subfolder / f"{name}_samples.jsonl"
        evaluation = f"{run.benchmark}/{model_id}/{epoch(run.moment)}"
        (folder / subfolder).mkdir(parents=True, exist_ok=True)
        lines = [
            json.dumps(line, ensure_ascii=False, allow_nan=False, sort_keys=True)
            for line in _samples(run, runs, evaluation, model_id, images)
        ]
        text = "".join(f"{line}\n" for line in lines)
        with replacing(folder / samples) as temporary:
            temporary.write_text(text, encoding="utf-8")
        document = _aggregate(run, runs, facts, evaluation)
        document["detailed_evaluation_results"] = {
            "format": "jsonl",
            "file_path": samples.as_posix(),
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(text.encode()).hexdigest(),
            "total_rows": len(lines),
        }
        with replacing(folder / subfolder / f"{name}.json") as temporary:
            temporary.write_text(
                json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n",
                encoding="utf-8",
            )
        written += [subfolder / f"{name}.json", samples]
        answers += len(lines)
    return written, answers


def _file_id(run: Run) -> str:
    """A UUID of version 4 in form, the same for the same run: files are replaced, not doubled."""
    named = canonical_json([run.benchmark, run.examinee, run.condition])
    return str(uuid.UUID(bytes=hashlib.sha256(named.encode()).digest()[:16], version=4))


def _safe(name: str) -> str:
    return name.replace("/", "-")


def _result_id(evaluation: str, name: str, metric: str) -> str:
    return f"{evaluation}#{name}#{metric}"


def _aggregate(run: Run, runs: JournalRuns, facts: ExportFacts, evaluation: str) -> dict[str, Any]:
    developer, model, model_id = model_of(run.examinee, facts)
    moment = epoch(run.moment)
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation,
        "evaluation_timestamp": run.moment.isoformat(),
        "retrieved_timestamp": moment,
        "source_metadata": {
            "source_name": "gfactor journal",
            "source_type": "evaluation_run",
            "source_organization_name": facts.organization,
            "evaluator_relationship": facts.relationship,
        },
        "eval_library": {"name": "gfactor", "version": runs.version},
        "model_info": {
            "name": model,
            "id": model_id,
            "developer": developer,
            "additional_details": {
                "deployment_type": "unknown",
                "model_availability": "unknown",
                "examinee": run.examinee,
                "examinee_kind": role_of(run.examinee),
            },
        },
        "evaluation_results": [_result(run, facts, evaluation, one) for one in run.accuracies()],
    }


def _result(
    run: Run, facts: ExportFacts, evaluation: str, one: Mapping[str, Any]
) -> dict[str, Any]:
    name, metric = str(one["name"]), str(one["metric"])
    policies = sorted(set(run.answers["policy"]) - {""})
    missing = int(run.answers["missing"].to_numpy(bool).sum())
    what = {
        "accuracy": "Share of items that are right as a whole, by the benchmark's own rule",
        "points_ratio": "Points earned per possible point, by the benchmark's own rule",
    }[metric]
    uncertainty: dict[str, Any] = {"num_samples": int(one["n"])}
    if not pd.isna(one["low"]):
        uncertainty["confidence_interval"] = {
            "lower": float(one["low"]),
            "upper": float(one["high"]),
            "confidence_level": LEVEL,
            "method": INTERVAL,
        }
    details = {
        "condition": run.condition,
        "occasions": str(run.answers["occasion"].nunique()),
        "missing_attempts": str(missing),
        "policies": ", ".join(policies),
    }
    if not pd.isna(one["chance"]):
        details["chance"] = repr(float(one["chance"]))
    source: dict[str, Any] = {"dataset_name": run.benchmark, "source_type": "other"}
    if facts.dataset:
        source |= {"source_type": "hf_dataset", "hf_repo": facts.dataset}
    return {
        "evaluation_result_id": _result_id(evaluation, name, metric),
        "evaluation_name": name,
        "evaluation_timestamp": run.moment.isoformat(),
        "source_data": source,
        "metric_config": {
            "evaluation_description": what,
            "metric_id": metric,
            "metric_name": metric.replace("_", " "),
            "metric_kind": "accuracy",
            "metric_unit": "proportion",
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0.0,
            "max_score": 1.0,
        },
        "score_details": {
            "score": float(one["value"]),
            "details": {name: text for name, text in details.items() if text},
            "uncertainty": uncertainty,
        },
    }


def _samples(
    run: Run,
    runs: JournalRuns,
    evaluation: str,
    model_id: str,
    images: Mapping[str, list[dict[str, str]]],
) -> Iterator[dict[str, Any]]:
    """A line for every answer, and for every item of which all attempts failed."""
    result = _result_id(evaluation, run.benchmark, "accuracy")
    turns = _turns(run, runs.turns)
    for row in run.answers.to_dict("records"):
        item = runs.items[row["benchmark"], row["item_hash"], row["item_id"]]
        reference = _texts(item["target"])
        earlier = turns.get((row["item_hash"], row["occasion"]), ())
        missing = bool(row["missing"])
        possible = float(row["points_possible"] or 0)
        earned = 0.0 if missing or pd.isna(row["points"]) else float(row["points"])
        line: dict[str, Any] = {
            "schema_version": SCHEMA_VERSION,
            "evaluation_id": evaluation,
            "model_id": model_id,
            "evaluation_name": run.benchmark,
            "evaluation_result_id": result,
            "sample_id": row["item_id"],
            "sample_hash": text_hash(item["question"] + "".join(reference)),
            "input": {
                "raw": item["question"],
                "reference": reference,
                "choices": [text or "[image]" for _, text in item["choices"]] or None,
            },
            "answer_attribution": _attribution(row, len(earlier)),
            "evaluation": {
                "score": earned / possible if possible else earned,
                "is_correct": not missing and row["correct"] == 1,
            },
            "token_usage": _usage(row["tokens"]),
            "performance": {"latency_ms": 1000 * float(row["latency_s"])},
            "metadata": _metadata(row, item, images),
        }
        line |= _interaction(row, item["question"], earlier)
        if earlier or TURN_END in row["text"]:
            line["evaluation"]["num_turns"] = 1 + len(earlier)
        if missing:
            line["error"] = f"{row['outcome']}: {row['detail']}".rstrip(": ")
        yield line


def _turns(run: Run, turns: pd.DataFrame) -> dict[tuple[str, int], tuple[Mapping[str, Any], ...]]:
    """Replies to the earlier turns of conversations by item and occasion."""
    chosen = turns.loc[
        ((turns["examinee"] == run.examinee) & (turns["condition"] == run.condition)).to_numpy(bool)
    ]
    groups = chosen.sort_values("turn").groupby(["item_hash", "occasion"])
    return {
        (str(key[0]), int(key[1])): tuple(rows.to_dict("records"))  # pyright: ignore
        for key, rows in groups
    }


def _interaction(
    row: Mapping[Any, Any], question: str, earlier: tuple[Mapping[str, Any], ...]
) -> dict[str, Any]:
    """Return the conversation: the reply alone, or the replies of a conversation in order."""
    thought = row["reasoning"] or None
    if not earlier and TURN_END not in row["text"]:
        output = {"raw": [row["text"]], "reasoning_trace": [thought] if thought else None}
        return {"interaction_type": "single_turn", "output": output, "messages": None}
    replies = [str(one["text"]) for one in earlier] + [str(row["text"]).rsplit(TURN_END, 1)[-1]]
    messages: list[dict[str, Any]] = []
    for k, reply in enumerate(replies):
        # A journal keeps an item's texts together: the first turn holds them all.
        messages.append(
            {"turn_idx": 2 * k, "role": "user", "content": question if k == 0 else None}
        )
        messages.append({"turn_idx": 2 * k + 1, "role": "assistant", "content": reply})
    if thought:
        messages[-1]["reasoning_trace"] = thought
    return {"interaction_type": "multi_turn", "output": None, "messages": messages}


def _attribution(row: Mapping[Any, Any], earlier: int) -> list[dict[str, Any]]:
    if not isinstance(row["answer"], str):
        return []
    turn = 2 * earlier + 1 if earlier else 0
    return [
        {
            "turn_idx": turn,
            "source": f"messages[{turn}].content" if earlier else "output.raw",
            "extracted_value": " ".join(_texts(row["answer"])),
            "extraction_method": " ".join(filter(None, ("gfactor", row["stage"], row["rule"]))),
            "is_terminal": True,
        }
    ]


def _texts(answer: str) -> list[str]:
    """An answer in canonical JSON as texts."""
    value = json.loads(answer)
    if value is None:
        return []
    parts = value if isinstance(value, list) else [value]
    return [part if isinstance(part, str) else _json(part) for part in parts]


def _usage(tokens: str) -> dict[str, int] | None:
    counts = json.loads(tokens or "{}")
    if not all(type(counts.get(name)) is int for name in _TOKENS.values()):
        return None
    counted = {theirs: counts[ours] for theirs, ours in _TOKENS.items()}
    counted["total_tokens"] = sum(counted.values())
    more = {t: counts[o] for t, o in _MORE_TOKENS.items() if type(counts.get(o)) is int}
    return counted | more


def _metadata(
    row: Mapping[Any, Any],
    item: Mapping[str, Any],
    images: Mapping[str, list[dict[str, str]]],
) -> dict[str, str]:
    """Return what the schema has no field for, as texts."""
    labels = {
        name: value
        for name, value in item.items()
        if name not in _ITEM and (isinstance(value, tuple) or not pd.isna(value))
    }
    item_facts = {name: item[name] for name in _ITEM} | {"labels": labels}
    reply = {
        "finish_reason": row["finish_reason"],
        "tokens": json.loads(row["tokens"] or "{}"),
        "latency_s": float(row["latency_s"]),
        "cost": None if pd.isna(row["cost"]) else float(row["cost"]),
        "detail": row["detail"],
        "created": row["created"],
    }
    if TURN_END in row["text"]:
        reply["text"] = row["text"]
    texts = {
        "examinee": row["examinee"],
        "condition": row["condition"],
        "occasion": str(int(row["occasion"])),
        "item_hash": row["item_hash"],
        "outcome": row["outcome"],
        "missing": "true" if row["missing"] else "",
        "points": "" if pd.isna(row["points"]) else f"{row['points']:g}/{row['points_possible']:g}",
        "item": _json(item_facts),
        "reply": _json(reply),
        "images": _json(images[row["item_hash"]]) if row["item_hash"] in images else "",
        **{
            f"label.{name}": value if isinstance(value, str) else _json(value)
            for name, value in labels.items()
        },
    }
    return {name: text for name, text in texts.items() if text}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)

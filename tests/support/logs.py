"""Small logs of other harnesses, written in exactly their formats."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import zstandard

from gfactor.imaging import encode_png
from support.banks import picture

ZSTANDARD = 93
PNG = encode_png(picture(7))


def zip_with_zstandard(path: Path, members: Sequence[tuple[str, bytes]], frame: int = 100) -> Path:
    """A zip as Inspect writes it: members compressed with zstandard, in frames of `frame` bytes."""
    body, directory = b"", b""
    for name, data in members:
        packed = b"".join(
            zstandard.ZstdCompressor().compress(data[start : start + frame])
            for start in range(0, len(data), frame)
        )
        # Version, flags (UTF-8 name), method, time, date, checksum, sizes, length of the name.
        about = struct.pack(
            "<HHHHHLLLHH", 63, 0x800, ZSTANDARD, 0, 0x21, zlib.crc32(data), len(packed), len(data),
            len(name.encode()), 0,
        )  # fmt: skip
        entry = struct.pack("<4sH", b"PK\x01\x02", 63) + about
        entry += struct.pack("<HHHLL", 0, 0, 0, 0, len(body)) + name.encode()
        directory += entry
        body += b"PK\x03\x04" + about + name.encode() + packed
    end = struct.pack(
        "<4sHHHHLLH", b"PK\x05\x06", 0, 0, len(members), len(members), len(directory), len(body), 0
    )
    path.write_bytes(body + directory + end)
    return path


def header(**changed: Any) -> dict[str, Any]:
    """The header of an Inspect log."""
    about = {
        "eval_id": "MXBC",
        "created": "2026-11-21T03:34:29+00:00",
        "task": "toy",
        "task_args": {},
        "model": "openai/gpt-4o",
        "model_generate_config": {},
        "config": {"epochs": 2},
    }
    plan = {
        "steps": [{"solver": "generate", "params": {}}],
        "config": {"temperature": 0.0, "max_connections": 10},
    }
    return {"version": 2, "status": "success", "eval": {**about, **changed}, "plan": plan}


def output(text: Any, stop: str = "stop", **changed: Any) -> dict[str, Any]:
    """The output of a sample: one choice, usage, seconds."""
    return {
        "model": "openai/gpt-4o",
        "choices": [
            {"message": {"role": "assistant", "content": text}, "stop_reason": stop, **changed}
        ],
        "usage": {
            "input_tokens": 10,
            "input_tokens_cache_read": 5,
            "output_tokens": 2,
            "total_tokens": 17,
            "reasoning_tokens": 1,
        },
        "time": 0.5,
    }


def sample(number: int | str = 1, said: Any = None, **changed: Any) -> dict[str, Any]:
    """A sample of an Inspect log, with a picture kept as an attachment."""
    return {
        "id": number,
        "epoch": 1,
        "input": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": f"Which animal is number {number}?"},
                    {"type": "image", "image": "attachment://abc", "detail": "auto"},
                ],
            }
        ],
        "choices": ["cat", "dog"],
        "target": "B",
        "output": output("ANSWER: B") if said is None else said,
        "metadata": {"category": "animals", "weight": float("nan")},
        "completed_at": "2026-11-21T04:34:29.857997+01:00",
        "working_time": 0.7,
        "attachments": {"abc": f"data:image/png;base64,{base64.b64encode(PNG).decode()}"},
        "events": [{"event": "model"}],
        **changed,
    }


def eval_log(
    path: Path, samples: Sequence[Mapping[str, Any]], head: Mapping[str, Any] | None = None
) -> Path:
    """A finished .eval log."""
    members = [("_journal/start.json", json.dumps(head or header()).encode())]
    members += [
        (f"samples/{s['id']}_epoch_{s['epoch']}.json", json.dumps(s).encode()) for s in samples
    ]
    members.append(("header.json", json.dumps(head or header()).encode()))
    return zip_with_zstandard(path, members)


def json_log(path: Path, samples: Sequence[Mapping[str, Any]]) -> Path:
    """The same as one JSON document."""
    path.write_text(json.dumps({**header(), "samples": samples}), encoding="utf-8")
    return path


def lines(path: Path, samples: Sequence[Any]) -> Path:
    """A file of JSON lines; what is a text already is written as it is."""
    texts = [s if isinstance(s, str) else json.dumps(s, ensure_ascii=False) for s in samples]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path

"""Inspect's eval loop as a client of benchmarks/throughput.py; needs inspect_ai and openai only.

INSPECT_PYTHON benchmarks/throughput_inspect.py ITEMS.jsonl URL CONCURRENCY LOG_FOLDER
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from pathlib import Path

from inspect_ai import Task, eval  # pyright: ignore[reportMissingImports]
from inspect_ai.dataset import MemoryDataset, Sample  # pyright: ignore[reportMissingImports]
from inspect_ai.model import (  # pyright: ignore[reportMissingImports]
    ChatMessageUser,
    ContentImage,
    ContentText,
)
from inspect_ai.scorer import match  # pyright: ignore[reportMissingImports]
from inspect_ai.solver import generate  # pyright: ignore[reportMissingImports]


def sample(row: dict[str, str]) -> Sample:
    """An item as Inspect wants it; an image is named by its file, as in Inspect's own examples."""
    content: list[ContentText | ContentImage] = [ContentText(text=row["text"])]
    if row.get("image"):
        content.append(ContentImage(image=row["image"]))
    return Sample(id=row["id"], input=[ChatMessageUser(content=content)], target="COUNT:1")


def main() -> None:
    """Evaluate all items once and print what it took."""
    items, url, concurrency, folder = sys.argv[1:]
    rows = [json.loads(line) for line in Path(items).read_text().splitlines()]
    os.environ.update({"CANNED_API_KEY": "none", "CANNED_BASE_URL": url})
    task = Task(MemoryDataset([sample(row) for row in rows]), solver=generate(), scorer=match())
    start, start_cpu = time.perf_counter(), time.process_time()
    (log,) = eval(
        task,
        model="openai-api/canned/canned",
        max_connections=int(concurrency),
        max_samples=int(concurrency),
        log_dir=folder,
        display="none",
    )
    seconds, cpu = time.perf_counter() - start, time.process_time() - start_cpu
    done = len(log.samples or [])
    if done != len(rows) or any(s.error for s in log.samples or []):
        raise SystemExit(f"Inspect answered {done} of {len(rows)} samples")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    taken = {"seconds": seconds, "cpu_seconds": cpu}
    print(json.dumps({"items": done, **taken, "peak_mib": peak}))


if __name__ == "__main__":
    main()

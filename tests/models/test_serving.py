"""The same tiny model in this process and behind `transformers serve`: the same replies."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.banks import make_item

from gfactor.administration import Condition, Journal, run
from gfactor.examinees import RenderedItem, Reply, make_examinee
from gfactor.examinees.http import Endpoint
from gfactor.imaging import encode_png
from gfactor.items import Image, ItemBank, write_bank

pytestmark = pytest.mark.skipif(
    any(find_spec(name) is None for name in ("fastapi", "uvicorn", "openai")),
    reason="no transformers[serving]: run  make test-models",
)

COUNT = 20


@contextlib.contextmanager
def served(model: Path, log: Path) -> Iterator[str]:
    """The address of `transformers serve` with one model, in a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = str(Path(sys.executable).parent / "transformers")
    command = [program, "serve", str(model), "--host", "127.0.0.1", "--port", str(port),
               "--device", "cpu", "--dtype", "float32"]  # fmt: skip
    with log.open("wb") as out:
        server = subprocess.Popen(
            command, stdout=out, stderr=out, env={**os.environ, "HF_HUB_OFFLINE": "1"}
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/health", server, log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()
            server.wait(30)


def wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(600):
        assert server.poll() is None, log.read_text(encoding="utf-8", errors="replace")
        with contextlib.suppress(OSError), direct.open(url, timeout=5):
            return
        time.sleep(0.2)
    raise AssertionError(log.read_text(encoding="utf-8", errors="replace"))


def bank(folder: Path) -> ItemBank:
    """Items with pictures of their own."""
    items = []
    for n in range(COUNT):
        pixels = np.random.default_rng(n).integers(0, 256, (40, 30 + n, 3), dtype=np.uint8)
        seen = Image(encode_png(pixels), f"{n}.png")
        items.append(make_item(f"q{n}", content=(f"What is {'really ' * (n % 4)}seen?", seen)))
    return ItemBank.open(write_bank(items, folder / "b.parquet"))


def replies_of(spec: str, asked: ItemBank, journal: Path, **context: Any) -> dict[str, Any]:
    """What a run keeps in its journal, by item."""
    condition = Condition(decoding=(("max_tokens", 32), ("temperature", 0)))
    with Journal.open(journal) as kept:
        examinee = make_examinee(spec, bank=asked, **context)
        done = run(asked, examinee, kept, condition)
        assert (done.asked, done.failed) == (COUNT, 0)
        rows = kept.responses().to_dict("records")
    return {row["item_hash"]: row for row in rows if row["examinee"] == examinee.name}


def test_the_likeliest_replies_are_the_same_here_and_behind_a_server(
    seeing: Path, tmp_path: Path
) -> None:
    asked, journal = bank(tmp_path), tmp_path / "c.db"
    here = replies_of(f"hf:{seeing}?dtype=float32&batch=4", asked, journal)
    with served(seeing, tmp_path / "log.txt") as url:
        endpoint = Endpoint("m", url, max_in_flight=4)
        there = replies_of(f"openai:{seeing}?base_url={url}", asked, journal, endpoint=endpoint)
        ((talk,), (said,)) = conversation(seeing, url)
    assert here.keys() == there.keys()
    assert len(here) == COUNT
    assert {k: r["text"] for k, r in here.items()} == {k: r["text"] for k, r in there.items()}
    assert len({r["text"] for r in here.values()}) == COUNT
    for k, one in here.items():
        assert json.loads(one["tokens"]) == json.loads(there[k]["tokens"])
    assert (talk.text, talk.usage["prompt_tokens"]) == (said.text, said.usage["prompt_tokens"])


def conversation(model: Path, url: str) -> tuple[list[Reply], list[Reply]]:
    """An item of two turns, asked here and there."""
    pixels = np.random.default_rng(99).integers(0, 256, (28, 28, 3), dtype=np.uint8)
    item = RenderedItem(
        "c", "tiny", "noise", ("And now?",), (("Look.", Image(encode_png(pixels), "c.png")),),
        {"max_tokens": 32, "temperature": 0}, replies=("I see.",),
    )  # fmt: skip

    async def ask(spec: str) -> list[Reply]:
        examinee = make_examinee(spec)
        try:
            return [await examinee(item)]
        finally:
            await examinee.close()

    here = asyncio.run(ask(f"hf:{model}?dtype=float32"))
    return here, asyncio.run(ask(f"openai:{model}?base_url={url}"))

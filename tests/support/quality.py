"""Small banks of published items, with faults put in on purpose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from gfactor.benchmarks.loading import content_hash
from gfactor.benchmarks.quality import Decisions, Quality, check_quality
from gfactor.imaging import Pixels, encode_png
from gfactor.items import Choice, Image, Item, ItemBank, Provenance, Segment, pixel_hash, write_bank


def scene(seed: int, width: int = 240, height: int = 160) -> Pixels:
    """A drawing of lines and circles, another for every seed."""
    rng = np.random.default_rng(seed)
    pixels = np.full((height, width, 3), 245, np.uint8)
    for x, y, u, v, radius in rng.integers(0, height, (8, 5)).tolist():
        cv2.line(pixels, (x, y), (u + 60, v), (30, 30, 30), 3)
        cv2.circle(pixels, (x + 40, y), radius // 6 + 4, (150, 60, 20), -1)
    return pixels


def image(pixels: Pixels, path: str = "a.png") -> Image:
    """An encoded picture."""
    return Image(encode_png(pixels), path)


def asked(
    item_id: str,
    *content: Segment,
    options: tuple[Segment, ...] = ("one", "two", "three", "four"),
    target: Any = "A",
    **changed: Any,
) -> Item:
    """A single-choice item of a published benchmark; `changed` replaces its fields."""
    shown = content or (f"Question {item_id}?",)
    choices = tuple(Choice("ABCDEFGH"[k], text) for k, text in enumerate(options))
    pictures = [s for s in (*shown, *options) if isinstance(s, Image)]
    fields: dict[str, Any] = {
        "benchmark": "toy",
        "content": shown,
        "choices": choices,
        "answer_type": "choice" if options else "blanks",
        "target": target,
        "labels": {"domain": "a"},
        "provenance": Provenance(
            "tests", "1", content_hash("toy", shown, choices),
            tuple(pixel_hash(p.decode()) for p in pictures),
        ),
    }  # fmt: skip
    return Item(item_id, **{**fields, **changed})


def bank_of(items: list[Item], folder: Path, name: str = "bank.parquet") -> ItemBank:
    """The items as a bank on disk."""
    return ItemBank.open(write_bank(items, folder / name, {"benchmark": "toy"}))


def checked(items: list[Item], folder: Path, *names: str, **settings: Any) -> Quality:
    """What these checks say about a bank of the items."""
    decisions = settings.pop("decisions", Decisions())
    bank = bank_of(items, folder)
    return check_quality(bank, checks=names or None, decisions=decisions, **settings)


def found(quality: Quality) -> dict[str, list[tuple[str, ...]]]:
    """Code of a finding -> the items of its cases."""
    return {f.code: [case.items for case in f.cases] for f in quality.findings}

"""Tokens are estimated as vendors document them, and learned from what servers tell."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.exam import image as make_image

from gfactor.examinees.base import RenderedItem
from gfactor.examinees.http import tokens
from gfactor.examinees.http.tokens import estimate_tokens, image_tokens, text_tokens
from gfactor.examinees.image_limits import size_of


@pytest.mark.parametrize(
    ("model", "size", "detail", "expected"),
    [
        # The examples on OpenAI's page, and bills that users published.
        ("gpt-4o", (1024, 1024), "", 765),
        ("gpt-4o-2024-11-20", (2048, 4096), "high", 1105),
        ("gpt-4o", (4096, 8192), "low", 85),
        ("openai/gpt-4.1", (128, 64), "", 255),
        ("gpt-4o-mini", (128, 64), "", 8500),
        ("gpt-4o-mini", (128, 64), "low", 2833),
        ("gpt-4.1-mini", (1024, 1024), "", 1659),
        ("gpt-4.1-mini", (1800, 2400), "", 2353),
        ("gpt-4.1-nano", (128, 64), "", 20),
        ("o4-mini", (128, 64), "", 14),
        ("o3-2025-04-16", (128, 64), "", 225),
        ("gpt-5", (512, 512), "", 210),
        # Anthropic: patches of 28 x 28, larger images scaled down.
        ("claude-sonnet-4-5", (1000, 1000), "", 1296),
        ("anthropic/claude-3.5-sonnet", (200, 200), "", 64),
        ("claude-sonnet-4-5", (4000, 3000), "", 1530),
        ("claude-opus-4-7", (2576, 1000), "", 3312),
        # Google: 258 a tile; one default for the third generation.
        ("gemini-2.5-flash", (384, 384), "", 258),
        ("gemini-2.0-flash", (600, 400), "", 258),
        ("gemini-2.0-flash", (1600, 700), "", 774),
        ("google/gemini-3-pro", (3000, 3000), "", 1120),
        # Qwen: 28 pixels up to 2.5, 32 from 3 on; two marks.
        ("Qwen/Qwen2.5-VL-7B-Instruct", (280, 560), "", 202),
        ("qwen3-vl-plus", (320, 640), "", 202),
    ],
)
def test_image_tokens_are_those_that_vendors_document(
    model: str, size: tuple[int, int], detail: str, expected: int
) -> None:
    assert image_tokens(*size, model, detail) == expected


def test_every_rule_names_its_source_and_the_last_is_for_all_models() -> None:
    rules = tokens._rules()
    assert all(rule["source"] for rule in rules)
    assert image_tokens(280, 280, "a-new-model") == 100
    assert image_tokens(10_000, 10_000, "a-new-model") <= 1568


def test_every_size_has_a_number_of_tokens() -> None:
    for model in ("gpt-4o", "gpt-4.1-mini", "claude-x", "gemini-2.0", "qwen2-vl", "other"):
        for width, height in ((1, 1), (1, 5000), (5000, 1), (7999, 7999)):
            assert 1 <= image_tokens(width, height, model) <= 40_000


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), ("word" * 10, 10), ("看图回答问题", 6), ("그림", 2), ("картина", 4), ("ab图", 2)],
)
def test_texts_without_a_tokenizer_are_counted_by_script(text: str, expected: int) -> None:
    assert text_tokens(text, "some-model") == expected


def test_a_tokenizer_that_is_here_counts_and_one_that_is_not_is_not_fetched(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[str] = []

    def get_encoding(name: str) -> SimpleNamespace:
        asked.append(name)
        return SimpleNamespace(encode=lambda text, disallowed_special: text.split())

    monkeypatch.setitem(sys.modules, "tiktoken", SimpleNamespace(get_encoding=get_encoding))
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    tokens._tokenizer.cache_clear()
    assert text_tokens("three words here", "gpt-4o") == 4
    assert asked == []
    url = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
    (tmp_path / hashlib.sha1(url.encode()).hexdigest()).touch()
    tokens._tokenizer.cache_clear()
    try:
        assert text_tokens("three words here", "gpt-4o") == 3
        assert text_tokens("three words here", "gpt-4-turbo") == 4
        assert text_tokens("three words here", "llama") == 4
    finally:
        tokens._tokenizer.cache_clear()
    assert asked == ["o200k_base"]


def test_a_request_is_its_texts_images_replies_and_the_marks_of_its_messages() -> None:
    image = make_image(1)
    item = RenderedItem("i", "b", "t", ("word" * 10, image), ((image, "word"),), {}, ("word" * 5,))
    one = image_tokens(*size_of(image), "gpt-4o")
    assert estimate_tokens(item, "gpt-4o") == 10 + 1 + 5 + 2 * one + 3 * 4

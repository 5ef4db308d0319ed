"""Which name in a reply is that of the model that was asked."""

from __future__ import annotations

import pytest

from gfactor.examinees.model_names import is_same_model


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("m", "m"),
        ("gpt-4o", "gpt-4o-2024-08-06"),
        ("gpt-4", "gpt-4-0613"),
        ("openai/gpt-4o:free", "openai/gpt-4o"),
        ("gpt-4o-2024-08-06", "openai/gpt-4o"),
        ("models/gemini-1.5-pro", "gemini-1.5-pro-001"),
        ("gemini-2.5-pro", "models/gemini-2.5-pro-preview-05-06"),
        ("claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022"),
        ("claude-sonnet-4-0", "claude-sonnet-4-20250514"),
        ("claude-3-5-sonnet@20241022", "us.anthropic.claude-3-5-sonnet-20241022-v2:0"),
        ("Qwen2.5-7B", "/models/qwen2.5-7b-q4_k_m.gguf"),
        ("org/Model-7B", "/cache/hub/models--org--Model-7B/snapshots/0a1b"),
        ("org/Model-7B", r"C:\models\Model-7B\weights.bin"),
        ("llama3.1", "llama3.1:latest"),
    ],
)
def test_a_version_a_path_and_a_route_are_the_same_model(asked: str, answered: str) -> None:
    assert is_same_model(asked, answered)


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("m", "tiny-model-3b"),
        ("gpt-4o", "gpt-4o-mini"),
        ("gpt-4o", "gpt-4o-mini-2024-07-18"),
        ("gpt-4", "gpt-4.1"),
        ("gpt-4o-2024-05-13", "gpt-4o-2024-08-06"),
        ("claude-opus-4", "claude-opus-4-1"),
        ("openai/gpt-4o", "openai/gpt-3.5-turbo"),
        ("llama3:8b", "llama3:70b"),
        ("org/Model-7B", "/models/Model-7B-Instruct"),
    ],
)
def test_another_size_generation_or_date_is_another_model(asked: str, answered: str) -> None:
    assert not is_same_model(asked, answered)
